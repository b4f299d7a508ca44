"""A name is empty.

## What it does
Reports an `agent` or a resource id that is the empty string.

## Why is this bad?
An empty name names nothing, and every other empty name looks the same.

## Fix safety
Unsafe: only the author knows the name.
"""

from collections.abc import Iterator

from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.fix.build import remove_entry
from plancheck.analysis.fix.change import FixView, Proposal, Remedy, SetValue
from plancheck.analysis.rule import Category, Rule


def _remove_entry(_: FixView, finding: Finding) -> Iterator[Proposal]:
    if (position := finding.place.step) is not None and len(finding.place.path) > 1:
        yield Proposal("Remove this entry", tuple(remove_entry(position, finding.place.path)))


def _agent(view: FixView, finding: Finding) -> Iterator[Proposal]:
    agents = {step.agent for step in view.plan.steps if step.agent}
    if finding.place.path == ("agent",) and len(agents) == 1:
        (agent,) = agents
        yield Proposal(f"Let `{agent}` carry it out, as all other steps", (SetValue(finding.place, agent),))


RULE = Rule(
    "empty_name",
    Severity.ERROR,
    Category.DOCUMENT,
    __doc__,
    bad="""\
{"nodes": [
  {"idx": 0, "agent": "", "kind": "tool_call", "reads": [""]}
]}
""",
    good="""\
{"nodes": [
  {"idx": 0, "agent": "clerk", "kind": "tool_call", "reads": ["order"]}
]}
""",
    remedies=(
        Remedy("remove the entry without a name", False, _remove_entry),
        Remedy("let the agent of all other steps carry it out", False, _agent),
    ),
    is_enforced=True,
)
