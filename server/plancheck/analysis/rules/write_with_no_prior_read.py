"""A step changes a resource that nobody has looked at.

## What it does
Reports every write of a resource that is read neither by the step itself nor by any step whose data it uses, directly
or through others (reads with a `producer`). It counts as information only

- where a later step takes the resource from this very step: it is made here;
- where a step that runs before reads or writes the resource, so that the read is there and only the link is missing;
- where no step up to this one reads anything: the plan does not say what is read.

A write that is marked `{"id": …, "creates": true}` is not reported. `analyze_plan` and `plancheck report` list every
such write.

## Why is this bad?
The step changes something whose state was never looked at: a payment into a ledger that no step has read.

## What it cannot know
Whether the state matters. Where the step makes the resource or only appends to it, mark the write with `creates`.

## Fix safety
Unsafe: whether the step uses what the earlier one has read, or makes the resource itself, only the author knows.
"""

from collections.abc import Iterable, Iterator

from plancheck.analysis.data_facts import FIRST_READER, FLOW
from plancheck.analysis.facts import NAMES, ORDER, Names
from plancheck.analysis.finding import Finding, Related, Severity
from plancheck.analysis.fix.build import add_read, set_on_write, step_name
from plancheck.analysis.fix.change import FixView, Proposal, Remedy
from plancheck.analysis.rule import Category, Rule, each_resource
from plancheck.plan.graph.flow import Flow
from plancheck.plan.graph.order import Order
from plancheck.plan.graph.touches import Resource, WriteUse
from plancheck.plan.model import Identity, Place

SCOPE_VS_SNAPSHOT = "scope_vs_snapshot"


def detail(step: Identity | None, resource: str) -> str:
    """What the PRE report says."""
    return f"Step {step} changes `{resource}`, which neither it nor a step whose data it uses has read: read it first."


def check(
    resources: Iterable[Resource], flow: Flow, order: Order, first_reader: int, names: Names
) -> Iterator[Finding]:
    for resource in resources:
        for use in resource.writes:
            if not use.write.creates and not flow.may_have_read(use.step, resource.readers):
                yield _graded(resource, use, order, use.step >= first_reader, names)


def _graded(resource: Resource, use: WriteUse, order: Order, are_reads_listed: bool, names: Names) -> Finding:
    step, name = use.outline.identity, resource.name
    known_before = last_known(resource, use.step, order)
    related: tuple[Related, ...] = ()
    at_most: Severity | None = Severity.INFO
    if known_before is not None and names.identity(known_before) is not None:
        does = "read" if resource.readers >> known_before & 1 else "write"
        link = f'{{"id": "{name}", "producer": {_written(names.identity(known_before))}}}'
        of_it = f"step {names[known_before]}'s {does} of it"
        words = f"Step {step} changes `{name}` without using {of_it}: add `{link}` to its reads."
        related = (Related(names.place(known_before), f"Step {names[known_before]} {does}s `{name}`."),)
    elif step is not None and any(read.producer == step for _, _, read in resource.reads):
        words = f"Step {step} writes `{name}` for later steps: if it makes it, mark it as created."
    elif not are_reads_listed:
        words = f"Step {step} changes `{name}`, and nothing is read before: read it first, or mark it as created."
    else:
        words = f"Step {step} changes `{name}`, which no step has read before: read it first, or mark it as created."
        at_most = None
    place = Place(use.step, use.write.path)
    own = (Place(use.step, grant.path) for position, _, grant in resource.grants if position == use.step)
    covers = tuple((SCOPE_VS_SNAPSHOT, granted) for granted in own)
    return Finding(place, words, step, name, related, covers=covers, at_most=at_most)


def last_known(resource: Resource, position: int, order: Order) -> int | None:
    """The last step that certainly runs before and reads the resource, else the last that writes it."""
    before = order.ancestors[position]
    for steps in (resource.readers, resource.writing_steps):
        if known := before & steps:
            return known.bit_length() - 1
    return None


def _written(identity: Identity | None) -> str:
    return f'"{identity}"' if isinstance(identity, str) else str(identity)


def _link(view: FixView, finding: Finding) -> Iterator[Proposal]:
    position, resource = finding.place.step, finding.resource
    source = finding.related[0].place.step if finding.related else None
    if position is None or resource is None or source is None:
        return
    does = "reads" if any(read.resource == resource for read in view.graph.steps[source].reads) else "writes"
    title = f"Take `{resource}` from {step_name(view, source)}, which {does} it"
    yield Proposal(title, tuple(add_read(view, position, resource, producer=view.graph.steps[source].identity)))


def _mark(view: FixView, finding: Finding) -> Iterator[Proposal]:
    if (position := finding.place.step) is not None:
        title = f"Mark `{finding.resource}` as created by {step_name(view, position)}"
        yield Proposal(title, tuple(set_on_write(view, position, finding.place.path, creates=True)))


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
    checks=(each_resource(check, FLOW, ORDER, FIRST_READER, NAMES),),
    remedies=(
        Remedy("link the read or write that is there already", False, _link),
        Remedy("mark the resource as created by the step", False, _mark),
    ),
    covers=(SCOPE_VS_SNAPSHOT,),
)
