"""What asks Rego policies about a plan in an editor: it answers at once, with what is known, and never waits."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import TYPE_CHECKING

from plancheck.tuples import NamedTuple
from plancheck.unknown import Reason, Unknown

if TYPE_CHECKING:
    from plancheck.plan.model import Step
    from plancheck.policy.rego.files import RegoAnswer, RegoFiles
    from plancheck.policy.rego.plan_input import PlanQuestion
    from plancheck.policy.rego.verdict import BlamedFiring, RegoVerdict
    from plancheck.workspace.rego.asker import EngineAsker


class _Answered(NamedTuple):
    files: RegoFiles
    question: PlanQuestion
    answer: RegoAnswer | Unknown


class OpenPlan:
    """A `RegoAsk` for one open document. Until a question is answered, the answer before it holds, with its places
    moved along with the steps."""

    def __init__(self) -> None:
        self._answered: dict[tuple[str, ...], _Answered] = {}
        """What is known, by the paths of the policy: one that is being typed keeps these."""
        self.asked: dict[RegoFiles, PlanQuestion] = {}
        """What is to be found out. Two threads use this: only operations on it that are one step are safe."""

    def __call__(self, files: RegoFiles, question: PlanQuestion) -> RegoAnswer | Unknown:
        from plancheck.policy.rego.files import RegoAnswer
        from plancheck.policy.rego.verdict import RegoVerdict

        known = self._answered.get(files.paths)
        if known is not None and known.files == files and _is_same(known.question, question):
            self.asked.pop(files, None)
            return known.answer
        asked = self.asked.get(files)
        if asked is None or not _is_same(asked, question):
            for other in [other for other in self.asked if other.paths == files.paths]:
                self.asked.pop(other, None)
            self.asked[files] = question
        if known is None or isinstance(known.answer, Unknown):
            return RegoAnswer(RegoVerdict((), ()), is_pending=True)
        return RegoAnswer(_moved(known.answer.verdict, known.question, question), is_pending=True)

    def forget(self) -> None:
        """Ask anew what was answered: it may be answered otherwise now."""
        self._answered.clear()
        self.asked.clear()

    def answer(self, files: RegoFiles, question: PlanQuestion, answer: RegoAnswer | Unknown) -> bool:
        """Take an answer in; whether it is to what is asked now. One for an older version is dropped."""
        if self.asked.get(files) is not question:
            return False
        del self.asked[files]
        self._answered[files.paths] = _Answered(files, question, answer)
        return True


def _is_same(one: PlanQuestion, other: PlanQuestion) -> bool:
    """Whether two questions are about the same plan. Steps that were not edited are the very same."""
    before, after = one.plan.steps, other.plan.steps
    if one.plan.dialect is not other.plan.dialect or len(before) != len(after) or one.context != other.context:
        return False
    return all(a is b or a == b for a, b in zip(before, after, strict=True))


def _moved(verdict: RegoVerdict, before: PlanQuestion, after: PlanQuestion) -> RegoVerdict:
    """A verdict about an earlier version, at the steps that it was about. What was about a step that has gone, has gone
    too."""
    now = _positions_now(before.plan.steps, after.plan.steps)
    moved = (_moved_firing(firing, now) for firing in verdict.firings)
    return verdict._replace(firings=tuple(firing for firing in moved if firing is not None))


def _positions_now(old: Sequence[Step], new: Sequence[Step]) -> dict[int, int]:
    """Where the steps of an earlier version stand now: those that say the same, whatever their names, and those in
    between, if they are as many as before and call the tools that they called. A single one is being typed."""
    before, after = [step.value for step in old], [step.value for step in new]
    grown = len(new) - len(old)
    head = _common_head(before, after)
    tail = _common_head(before[head:][::-1], after[head:][::-1])
    between = range(head, len(old) - tail)
    now = {position: position for position in range(head)}
    now.update((position, position + grown) for position in range(len(old) - tail, len(old)))
    if not grown:
        now.update((i, i) for i in between if len(between) == 1 or _tool(old[i]) == _tool(new[i]))
    return now


def _tool(step: Step) -> str | None:
    return None if step.call is None else step.call.tool


def _common_head(one: Sequence[object], other: Sequence[object]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _moved_firing(firing: BlamedFiring, now: dict[int, int]) -> BlamedFiring | None:
    step = firing.place.step
    if (step is not None and step not in now) or any(blamed not in now for blamed in firing.steps):
        return None
    place = firing.place if step is None else firing.place._replace(step=now[step])
    steps = tuple(now[blamed] for blamed in firing.steps)
    return firing._replace(place=place, steps=steps, also=tuple(now[other] for other in firing.also if other in now))


MOST_LIMITS = 2
"""Plans on which a policy may run into a limit. Then it is not asked about further ones: each would take as long."""


class WaitingAsker:
    """The same for work in a thread, which may wait. It asks a policy no more that ran into a limit too often, and
    nothing at all once it is closed."""

    def __init__(self, asker: EngineAsker | None) -> None:
        self._asker = asker
        self._limits: dict[RegoFiles, int] = {}
        self._is_closed = False

    def __call__(self, files: RegoFiles, question: PlanQuestion) -> RegoAnswer | Unknown:
        if self._asker is None or self._is_closed:
            return Unknown(Reason.FAILURE, "Rego policies are not evaluated here: use `plancheck check` or the gate.")
        if self._limits.get(files, 0) >= MOST_LIMITS:
            return Unknown(
                Reason.LIMIT, "The Rego policy took too long on other plans, so it was not asked: simplify it."
            )
        answer = self._asker(files, question)
        if not isinstance(answer, Unknown) and any(fault.reason is Reason.LIMIT for fault in answer.verdict.faults):
            self._limits[files] = self._limits.get(files, 0) + 1
        return answer

    def close(self) -> None:
        """End what is running, from another thread, and answer nothing any more."""
        self._is_closed = True
        if self._asker is not None:
            self._asker.close()
