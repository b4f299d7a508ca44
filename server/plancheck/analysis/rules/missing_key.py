"""A key that must be there is missing.

## What it does
Reports a step without `idx`, `agent` or `kind`, in a plan of steps one without `id` or `tool`, and an entry of `reads`
or `writes` without `id`.

## Why is this bad?
Without its `idx` or `id` no other step can name it, without its `tool` it does nothing, and without its `agent` or its
`kind` it is not known who carries it out, or whether it decides or acts.

## Fix safety
A free `idx` or `id` is safe, for no step can refer to it yet. What the step is, and who carries it out, only the author
knows: unsafe.
"""

from collections.abc import Iterator

from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.fix.build import free_identity, remove_entry
from plancheck.analysis.fix.change import FixView, Proposal, Remedy, RenameKey, SetMember
from plancheck.analysis.rule import Category, Rule
from plancheck.plan.model import Kind


def _number(view: FixView, finding: Finding) -> Iterator[Proposal]:
    key = view.plan.dialect.identity_key
    if key is not None and _lacks(view, finding, key):
        identity = free_identity(view)
        yield Proposal(f"Make this step {identity}", (SetMember(finding.place, key, identity),))


def _rename_tool(view: FixView, finding: Finding) -> Iterator[Proposal]:
    for foreign, own in view.plan.dialect.foreign_keys:
        if finding.place.path == (foreign,) and isinstance(view.value(finding.place), str):
            yield Proposal(f"Rename `{foreign}` to `{own}`", (RenameKey(finding.place, own),))


def _kind(view: FixView, finding: Finding) -> Iterator[Proposal]:
    if _lacks(view, finding, "kind"):
        for kind in (Kind.TOOL_CALL, Kind.DECISION):
            yield Proposal(f"Make it a `{kind.value}`", (SetMember(finding.place, "kind", kind.value),))


def _agent(view: FixView, finding: Finding) -> Iterator[Proposal]:
    if _lacks(view, finding, "agent"):
        agents = {step.agent for step in view.plan.steps if step.agent}
        if len(agents) == 1:
            (agent,) = agents
            yield Proposal(
                f"Let `{agent}` carry it out, as all other steps", (SetMember(finding.place, "agent", agent),)
            )


def _remove_entry(_: FixView, finding: Finding) -> Iterator[Proposal]:
    if (position := finding.place.step) is not None and len(finding.place.path) > 1:
        yield Proposal("Remove this entry", tuple(remove_entry(position, finding.place.path)))


def _lacks(view: FixView, finding: Finding, key: str) -> bool:
    """Whether this is about that key of a step; one finding is there for each that is missing."""
    step = view.value(finding.place)
    return not finding.place.path and isinstance(step, dict) and key not in step and f"`{key}`" in finding.message


RULE = Rule(
    "missing_key",
    Severity.ERROR,
    Category.DOCUMENT,
    __doc__,
    bad="""\
{"nodes": [
  {"idx": 0, "agent": "clerk", "reads": [{"volatile": true}]}
]}
""",
    good="""\
{"nodes": [
  {"idx": 0, "agent": "clerk", "kind": "tool_call", "reads": [{"id": "order", "volatile": true}]}
]}
""",
    remedies=(
        Remedy("give the step a free identity", True, _number),
        Remedy("rename the key to the one of this format", False, _rename_tool),
        Remedy("say what kind of step it is", False, _kind),
        Remedy("let the agent of all other steps carry it out", False, _agent),
        Remedy("remove the entry without a name", False, _remove_entry),
    ),
    is_enforced=True,
)
