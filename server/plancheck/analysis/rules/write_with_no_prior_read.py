"""A step writes a resource that nothing it rests on has read.

## What it does
Reports every write of a resource that is read neither by the step itself nor by any step it rests on, directly or
through others (reads with a `producer`).

## Why is this bad?
The step changes something whose state was never looked at: a payment into a ledger that no step has read.

## What it cannot know
Whether the state matters. For a resource that is only ever appended to, declare the read of its head, or switch the
rule off for that step with `"plancheck-ignore"`.

## Fix safety
Unsafe: whether the step really looks at the resource, only the author knows.
"""

from collections.abc import Iterable, Iterator

from plancheck.analysis.facts import FLOW
from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.fix.build import add_read, insert_reader, source_of, step_name
from plancheck.analysis.fix.change import FixView, Proposal, Remedy
from plancheck.analysis.rule import Category, Rule, each_resource
from plancheck.plan.graph.flow import Flow
from plancheck.plan.graph.touches import Resource
from plancheck.plan.model import Identity, Place


def message(step: Identity | None, resource: str) -> str:
    return f"Step {step} writes `{resource}`, which neither it nor any step it rests on has read: read it first."


def check(resources: Iterable[Resource], flow: Flow) -> Iterator[Finding]:
    for resource in resources:
        for use in resource.writes:
            if not flow.may_have_read(use.step, resource.readers):
                step = use.outline.identity
                words = message(step, resource.name)
                yield Finding(Place(use.step, use.write.path), words, step, resource.name)


def _declare(view: FixView, finding: Finding) -> Iterator[Proposal]:
    position, resource = finding.place.step, finding.resource
    if position is not None and resource is not None:
        title = f"Declare that {step_name(view, position)} reads `{resource}`"
        yield Proposal(title, tuple(add_read(view, position, resource)))


def _wire_to_writer(view: FixView, finding: Finding) -> Iterator[Proposal]:
    yield from _wire(view, finding, writers=True)


def _wire_to_reader(view: FixView, finding: Finding) -> Iterator[Proposal]:
    yield from _wire(view, finding, writers=False)


def _wire(view: FixView, finding: Finding, writers: bool) -> Iterator[Proposal]:
    position, resource = finding.place.step, finding.resource
    if position is None or resource is None:
        return
    source = source_of(view, position, resource)
    if source is None:
        return
    does_write = any(write.resource == resource for write in view.graph.steps[source].writes)
    if does_write is writers:
        title = f"Take `{resource}` from {step_name(view, source)}, which {'writes' if writers else 'reads'} it"
        producer = view.graph.steps[source].identity
        yield Proposal(title, tuple(add_read(view, position, resource, producer=producer)))


def _insert(view: FixView, finding: Finding) -> Iterator[Proposal]:
    position, resource = finding.place.step, finding.resource
    if position is None or resource is None or view.plan.dialect.new_reader is None:
        return
    identity, changes = insert_reader(view, position, view.plan.steps[position].agent, [resource])
    changes += add_read(view, position, resource, producer=identity)
    yield Proposal(f"Insert a step that reads `{resource}` before {step_name(view, position)}", tuple(changes))


RULE = Rule(
    "write_with_no_prior_read",
    Severity.WARNING,
    Category.DATA,
    __doc__,
    bad="""\
{"nodes": [
  {"idx": 0, "agent": "clerk", "kind": "tool_call", "reads": ["order"]},
  {"idx": 1, "agent": "payer", "kind": "tool_call", "reads": ["order"], "writes": ["ledger.entry"]}
]}
""",
    good="""\
{"nodes": [
  {"idx": 0, "agent": "clerk", "kind": "tool_call", "reads": ["order"]},
  {"idx": 1, "agent": "payer", "kind": "tool_call", "reads": ["order", "ledger.entry"], "writes": ["ledger.entry"]}
]}
""",
    checks=(each_resource(check, FLOW),),
    remedies=(
        Remedy("take it from the earlier step that writes it", False, _wire_to_writer),
        Remedy("declare the read", False, _declare),
        Remedy("take it from the earlier step that reads it", False, _wire_to_reader),
        Remedy("insert a step that reads it before", False, _insert),
    ),
)
