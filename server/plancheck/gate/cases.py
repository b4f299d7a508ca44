"""Cases for policies: whether the gate says of a plan what its author expects, and where it does not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from plancheck.gate.decision import PolicyDecision, Verdict, Vote
from plancheck.gate.evaluate import evaluate_plan
from plancheck.plan.lower import lower
from plancheck.plan.model import Identity
from plancheck.policy.cases import PolicyCase
from plancheck.policy.regexes import Matcher
from plancheck.syntax.json import read
from plancheck.tuples import NamedTuple
from plancheck.workspace.gate_policy import gate_policy


class PolicyJudge:
    """Judges plans by policy files as the gate does where nothing else is in force."""

    def __init__(self, paths: Sequence[str], folder: str, matcher: Matcher, opa: str | None = None) -> None:
        """`folder` is the working directory."""
        self._policy, faults, _ = gate_policy(paths, folder, None)
        self._matcher = matcher
        self._opa = opa
        self.faults = (*faults, *self._rego_faults())
        """Why nothing can be judged by these files, in sentences."""

    def _rego_faults(self) -> Iterator[str]:
        if self._policy.rego:
            from plancheck.workspace.rego.asker import shared_asker

            asker = shared_asker(self._opa)
            yield from (fault.message for files in self._policy.rego for fault in asker.faults(files))

    def decide(self, text: str, context: Any = None) -> PolicyDecision:
        """The verdict on a plan. Raises ValueError for a context that no policy can see."""
        return evaluate_plan(text, context, self._policy, faults=self.faults, matcher=self._matcher, opa=self._opa)


class Difference(NamedTuple):
    """Something that is not as a case expects it."""

    what: str
    expected: str
    found: str


class CaseOutcome(NamedTuple):
    case: PolicyCase
    decision: PolicyDecision
    vote: Vote
    """Of what decided, the one that is the most like what was expected."""
    differences: tuple[Difference, ...]

    @property
    def has_passed(self) -> bool:
        return not self.differences


def outcome_of(case: PolicyCase, text: str, decision: PolicyDecision) -> CaseOutcome:
    """What the gate decided on the plan of a case, compared with what is expected.

    Where several rules give the verdict, one of them has to be the expected one.
    """
    names = step_names(text)
    wrong = _verdict_differences(case, decision.verdict)
    votes = [vote for vote in decision.findings if vote.verdict is decision.verdict]
    compared = [(vote, (*wrong, *_differences(case, vote, names))) for vote in votes]
    vote, differences = min(compared, key=lambda pair: len(pair[1]))
    return CaseOutcome(case, decision, vote, differences)


def step_names(text: str) -> tuple[Identity | None, ...]:
    """The ids of a plan's steps; None for those that have none but their position."""
    steps = lower(read(text)).steps
    return tuple(step.outline.identity if isinstance(step.outline.identity, str) else None for step in steps)


def shown_steps(steps: Sequence[int], names: Sequence[Identity | None]) -> str:
    """Steps in words: `1` or `1 (pay)`, and `none` where the plan as a whole is meant."""
    shown = (
        f"{step} ({names[step]})" if step < len(names) and names[step] is not None else str(step) for step in steps
    )
    return ", ".join(shown) or "none"


def _verdict_differences(case: PolicyCase, found: Verdict) -> tuple[Difference, ...]:
    return () if case.verdict == found.value else (Difference("verdict", case.verdict, found.value),)


def _differences(case: PolicyCase, vote: Vote, names: Sequence[Identity | None]) -> tuple[Difference, ...]:
    found: list[Difference] = []
    if case.steps is not None:
        positions = {_position(step, names) for step in case.steps}
        if positions != set(vote.steps):
            expected = ", ".join(_expected_step(step, names) for step in case.steps) or "none"
            found.append(Difference("steps", expected, shown_steps(vote.steps, names)))
    if case.rule is not None and case.rule not in (vote.rule, vote.rule.rpartition(".")[2]):  # without its package
        found.append(Difference("rule", case.rule, vote.rule))
    if case.reason is not None and case.reason not in vote.reason:
        found.append(Difference("reason", f"a text with `{case.reason}`", vote.reason))
    return tuple(found)


def _position(step: int | str, names: Sequence[Identity | None]) -> int | None:
    if isinstance(step, int):
        return step
    return names.index(step) if step in names else None


def _expected_step(step: int | str, names: Sequence[Identity | None]) -> str:
    position = _position(step, names)
    if position is None:
        return f"{step} (the plan has no such step)"
    if position >= len(names):
        return f"{step} (the plan has {len(names)} steps)"
    return shown_steps([position], names)
