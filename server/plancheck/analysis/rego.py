"""What Rego policies say about a plan, as a fact; and how the rules that report it put it.

Whoever evaluates the policies is handed in. The answer is about the plan as a whole: any step can change it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from plancheck.analysis.change import Fact
from plancheck.analysis.facts import Names
from plancheck.analysis.finding import Finding, Pending, PolicySite, Related, Unchecked
from plancheck.analysis.subjects import State
from plancheck.plan.model import Place
from plancheck.policy.rego.files import RegoAnswer, RegoFiles
from plancheck.tuples import NamedTuple
from plancheck.unknown import Reason, Unknown

if TYPE_CHECKING:
    from plancheck.policy.rego.policy import RegoFault
    from plancheck.policy.rego.verdict import BlamedFiring

REGO_ERROR = "rego_error"
LONGEST_MESSAGE = 500
MOST_RELATED = 20


class RegoOpinion(NamedTuple):
    """What one of the Rego policies says; unknown where the plan is none that it can be asked about."""

    files: RegoFiles
    answer: RegoAnswer | Unknown


def _opinions(state: State) -> tuple[RegoOpinion, ...]:
    from plancheck.policy.rego.plan_input import PlanQuestion, context_of  # few plans need it

    policies = () if state.policy is None else state.policy.rego
    question = PlanQuestion(state.plan, context_of(state.tree))
    return tuple(RegoOpinion(files, state.rego(files, question)) for files in policies)


HAS_REGO = Fact("has_rego", lambda state: state.policy is not None and bool(state.policy.rego), plan=lambda _: False)
REGO: Fact = Fact("rego", _opinions, plan=lambda change: bool(change.steps or change.members))
"""What the Rego policies say."""


def reported(
    opinions: Sequence[RegoOpinion], names: Names, *, is_human: bool
) -> Iterator[Finding | Unchecked | Pending]:
    """What a rule reports: what asks for a human, or what denies; and why it could not be found out."""
    for files, answer in opinions:
        if isinstance(answer, Unknown):
            yield Unchecked(REGO_ERROR, Place(None), answer.reason, answer.message)
            continue
        if answer.is_pending:
            yield Pending(Place(None))
        for fault in answer.verdict.faults:
            yield Unchecked(fault.rule, Place(None), fault.reason, _of_fault(fault, files))
        for blamed in answer.verdict.firings:
            if (blamed.firing.kind.value == "requires_hitl") is is_human:
                yield _finding(blamed, names)


def _finding(blamed: BlamedFiring, names: Names) -> Finding:
    steps = [step for step in blamed.steps if step < len(names)]
    place = blamed.place if blamed.place.step is None or blamed.place.step < len(names) else Place(None)
    others = [step for step in steps if step != place.step]
    related = [Related(names.place(step), "these steps alone make the rule fire") for step in others]
    related += (Related(names.place(step), "this step alone makes the rule fire, too") for step in blamed.also)
    identity = None if place.step is None else names.identity(place.step)
    site = _site(blamed)
    return Finding(place, _line(blamed.firing.message), identity, site.name, tuple(related[:MOST_RELATED]), site=site)


def _site(blamed: BlamedFiring) -> PolicySite:
    path, rule, package = blamed.firing.site
    name = f"{package}.{rule.name}"
    return PolicySite(name, path, rule.line, rule.name_span, rule.span)


def _line(message: str) -> str:
    """A message in one line, for a policy may write anything."""
    text = " ".join(message.split())
    return text if len(text) <= LONGEST_MESSAGE else f"{text[: LONGEST_MESSAGE - 1]}…"


def _of_fault(fault: RegoFault, files: RegoFiles) -> str:
    path = fault.path if fault.path is not None else files.paths[0] if files.paths else "?"
    name = path.replace("\\", "/").rpartition("/")[2]
    if not files.may_be_quoted:
        why = "took too long or is too large" if fault.reason is Reason.LIMIT else "cannot be evaluated"
        return f"The policy {name} {why}, so nothing was checked against it: see `plancheck check` there."
    if fault.path is None:
        return _line(f"{fault.message} (policy {name})")
    text = next((text for each, text in files.files if each == path), "")
    line = text.count("\n", 0, fault.span.start) + 1
    return _line(f"The policy {name} cannot be evaluated: {fault.message} (line {line})")
