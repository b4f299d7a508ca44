"""Facts: what rules read, each with what it was made from, so that an edit runs a rule again where it matters only.

A rule looks at *subjects* of one grain: steps, resources, spellings of a resource, members beside the steps, or the
plan. Besides, it is handed the facts that it says it needs, and nothing else. When the document changes, every subject
that itself changed is looked at again, and every one for which one of those facts may have changed: each fact knows
which these are, given a `StateChange`.

A subject is made of its own steps' outlines. What a fact tells about two steps (does one come before the other?) may
only be asked about steps of the subject, or of steps that the fact itself led to: that is what the facts' own changes
are worked out for. The tests type the bad example of every rule key by key; a rule that looks further goes red there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from plancheck.analysis.call_texts import CallTexts
from plancheck.analysis.calls import ToolUses, members_beside, uses_of
from plancheck.analysis.change import Fact, StateChange, never
from plancheck.analysis.subjects import State
from plancheck.plan.dialects.dialect import Limits
from plancheck.plan.graph.addresses import Addresses
from plancheck.plan.graph.facts import PlanGraph
from plancheck.plan.graph.flow import Flow
from plancheck.plan.graph.rereads import Misuse, first_rereads, misuses
from plancheck.plan.graph.sets import bits
from plancheck.plan.graph.stale import Sources, exposed, is_flippable, reached_by, sources_of
from plancheck.plan.graph.touches import ReadUse, Resource
from plancheck.plan.graph.writes import DeadWrite, dead_writes
from plancheck.plan.model import Identity, Kind, Outline, Place, Read, Step
from plancheck.policy.classes import ToolClasses
from plancheck.policy.model import NO_POLICY
from plancheck.syntax.tree import Chunk
from plancheck.tuples import NamedTuple

# ---- the policy and the names ----------------------------------------------------------------------------------------
# A change of these is a change of everything: they are the same on both sides of a `StateChange`.


class Names:
    """How messages call the steps, and where they stand."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self._steps = steps

    def __len__(self) -> int:
        return len(self._steps)

    def __getitem__(self, position: int) -> str:
        return self._steps[position].name

    def identity(self, position: int) -> Identity | None:
        return self._steps[position].outline.identity

    def place(self, position: int) -> Place:
        """The token that stands for a step."""
        return Place(position, self._steps[position].identity_path)


POLICY = Fact("policy", lambda state: state.policy or NO_POLICY, plan=never)
HAS_POLICY = Fact("has_policy", lambda state: state.policy is not None, plan=never)
MATCHER = Fact("matcher", lambda state: state.matcher, plan=never)
OPTIONS = Fact("options", lambda state: state.options, plan=never)
"""The options of rules that the settings give; see `Rule.option`."""
DIALECT = Fact("dialect", lambda state: state.plan.dialect, plan=never)
NAMES = Fact("names", lambda state: Names(state.plan.steps), plan=never)
IDENTITIES = Fact("identities", lambda state: state.graph.position_of, plan=never)
ADDRESSES = Fact("addresses", lambda state: Addresses(state.graph), plan=never)
"""Which step a text means that is not written as a reference."""
ANY_ORDER = Fact("any_order", lambda state: state.graph.any_order, plan=never)


CATALOGUE: Fact = Fact("catalogue", lambda state: state.catalogue, plan=never)
"""The tools that there are; only for checks that ask for `HAS_CATALOGUE`."""
CLASSES: Fact = Fact("classes", lambda state: _classes(state), plan=never)
"""What tools do, by the policy, the catalogue and their names."""
HAS_CATALOGUE = Fact("has_catalogue", lambda state: state.catalogue is not None, plan=never)


def _classes(state: State) -> ToolClasses:
    policy, catalogue = state.policy or NO_POLICY, state.catalogue
    return ToolClasses(policy) if catalogue is None else ToolClasses(policy, catalogue.hints, lambda: catalogue.tools)


def _is_gated(state: State) -> bool:
    dialect = state.plan.dialect
    if dialect.tool_key is None:
        return state.policy is not None and state.policy.judges_resources
    return state.policy is not None or dialect.limits is Limits.GATE


GATED = Fact("gated", _is_gated, plan=never)
"""Whether the plan is one that a gate would judge: it names tools, and a policy is in force or its format has limits of
its own; or the policy says what plans may write, or have in scope."""

JUDGED = Fact("judged", lambda state: state.policy is not None or _is_gated(state), plan=never)
"""Whether a policy is in force, or the plan's format has limits of its own."""

HAS_TOOLS = Fact("has_tools", lambda state: state.plan.dialect.tool_key is not None, plan=never)
"""Whether the steps of such plans name tools."""

CALL_TEXTS: Fact = Fact(
    "call_texts",
    lambda state: CallTexts(_classes(state), has_references=state.plan.dialect.has_references),
    plan=never,
)
"""The texts among the arguments of calls; may be asked about the subjects alone."""

POLICY_FACTS = frozenset({POLICY, HAS_POLICY, MATCHER, OPTIONS, DIALECT, GATED, CATALOGUE, CLASSES, CALL_TEXTS})
"""What is the same for all steps, and tells nothing about any other step."""


def _member_names(state: State) -> tuple[str, ...]:
    root = state.tree.root
    return tuple(top.key for top in root) if isinstance(root, list) else ()


MEMBER_NAMES: Fact = Fact(
    "member_names", _member_names, plan=lambda change: _member_names(change.old) != _member_names(change.new)
)
"""The keys of the document's object."""


class PlanContext(NamedTuple):
    """What the plan says to be known beforehand, and what references call it."""

    name: str
    value: Any
    """As the syntax tree has it."""


def _context(state: State) -> PlanContext | None:
    key = state.plan.dialect.context_key
    top = state.tree.top(key) if key is not None else None
    value = top.value.value if top is not None and isinstance(top.value, Chunk) else None
    return PlanContext(key, value) if key is not None and isinstance(value, tuple) else None


def _context_of_steps(change: StateChange) -> Iterable[int]:
    if _context(change.old) == _context(change.new):
        return ()
    return [position for position, step in enumerate(change.new.plan.steps) if step.lookalikes]


CONTEXT: Fact = Fact("context", _context, _context_of_steps)
"""What is known beforehand; about the steps with something that looks like a reference."""


# ---- tools -----------------------------------------------------------------------------------------------------------


def _uses_others(change: StateChange) -> bool:
    before, after = change.old.plan.steps, change.new.plan.steps
    if any(uses_of(before[step]) != uses_of(after[step]) for step in change.steps):
        return True
    old, new = change.old, change.new
    uses = [
        [(member.path, member.uses) for member in members_beside(state.tree, state.plan, change.members)]
        for state in (old, new)
    ]
    return uses[0] != uses[1]


def _tool_uses(state: State) -> ToolUses:
    return ToolUses(state.plan.steps, lambda: members_beside(state.tree, state.plan))


TOOL_USES: Fact = Fact("tool_uses", _tool_uses, plan=_uses_others)
"""All calls of the document."""


class ToolsCalled:
    """Which tools the steps call that others take something from."""

    def __init__(self, state: State) -> None:
        self._steps = state.plan.steps
        self._position_of = state.graph.position_of

    def by(self, identity: Identity) -> str | None:
        position = self._position_of.get(identity)
        call = self._steps[position].call if position is not None else None
        return call.tool if call is not None else None


def _tools_called_by_producers(change: StateChange) -> Iterator[int]:
    before, after = change.old.plan.steps, change.new.plan.steps
    for step in change.steps:
        one, other = before[step].call, after[step].call
        if (one.tool if one is not None else None) != (other.tool if other is not None else None):
            yield from change.new.graph.flow.consumers[step]


TOOLS_CALLED: Fact = Fact("tools_called", ToolsCalled, _tools_called_by_producers)
"""Of a step, the tools that its producers call."""


# ---- control flow ----------------------------------------------------------------------------------------------------


def _order_of_steps(change: StateChange) -> Iterator[int]:
    yield from change.moved
    yield from change.resettled
    order, flow = change.new.graph.order, change.new.graph.flow
    for step in change.reordered:
        yield from order.successors[step]
        yield from flow.consumers[step]


def _order_of_resources(change: StateChange) -> set[str]:
    return change.touched((*change.moved, *change.resettled, *change.reordered))


ORDER: Fact = Fact(
    "order",
    lambda state: state.graph.order,
    _order_of_steps,
    _order_of_resources,
    lambda change: bool(change.moved or change.resettled),
)
"""Which step comes before which."""


def _branches_of_resources(change: StateChange) -> Iterable[str]:
    if not (change.moved or change.retyped):
        return ()
    before, after = change.old.graph, change.new.graph
    forks = before.branches.forks | after.branches.forks
    turned = [step for step in change.retyped if forks >> step & 1]
    moved = [
        step for step in change.moved if any(forks >> pred & 1 for pred in {*before.preds[step], *after.preds[step]})
    ]
    return change.touched(after.branches.behind((*turned, *moved))) if turned or moved else ()


BRANCHES: Fact = Fact("branches", lambda state: state.graph.branches, resources=_branches_of_resources)
"""Which of the steps that touch a resource are on different ways out of one decision."""


class Kinds:
    """What kind of step each is."""

    def __init__(self, steps: Sequence[Outline]) -> None:
        self._steps = steps

    def is_tool_call(self, position: int) -> bool:
        return self._steps[position].kind is Kind.TOOL_CALL


def _kinds_of_steps(change: StateChange) -> Iterator[int]:
    for step in change.retyped:
        yield from change.new.graph.order.successors[step]


KINDS: Fact = Fact("kinds", lambda state: Kinds(state.graph.steps), _kinds_of_steps)
"""The kinds of a step's direct predecessors."""


# ---- data flow -------------------------------------------------------------------------------------------------------


def _flow_of_steps(change: StateChange) -> Iterator[int]:
    yield from change.rewired
    for step in change.outlines:
        yield from change.new.graph.flow.consumers[step]


def _flow_of_resources(change: StateChange) -> Iterator[str]:
    yield from change.touched(change.resliced)
    before, after = change.old.graph.flow, change.new.graph.flow
    if change.unclear or (change.resliced and (before.unclear | after.unclear)):
        steps = change.new.graph.steps
        edited = (*change.rewired, *change.unclear)
        for position in before.downstream(edited) | after.downstream(edited):
            yield from (write.resource for write in steps[position].writes)


FLOW: Fact = Fact(
    "flow",
    lambda state: state.graph.flow,
    _flow_of_steps,
    _flow_of_resources,
    lambda change: bool(change.rewired or change.unclear),
)
"""Which step rests on which."""


class Producers:
    """What the steps do that others take something from."""

    def __init__(self, graph: PlanGraph) -> None:
        self._graph = graph

    def of(self, position: int) -> Iterator[tuple[int, int, Outline]]:
        """For each dependency of a step, the number of the read, the producer and its outline."""
        for producer, read in self._graph.dependencies[position]:
            yield read, producer, self._graph.steps[producer]

    def in_order(self, position: int) -> Iterator[tuple[int, int]]:
        """The same without the outlines, by the identities of the producers."""
        for producer, read in self._graph.ordered_dependencies(position):
            yield read, producer


PRODUCERS: Fact = Fact("producers", lambda state: Producers(state.graph), _flow_of_steps)


def _decisions_of_steps(change: StateChange) -> Iterable[int]:
    if not (change.rewired or change.retyped):
        return ()
    before, after = change.old.graph.flow.feeds_decision, change.new.graph.flow.feeds_decision
    return [step for step in change.new.graph.flagged if before[step] is not after[step]]


DECISIONS: Fact = Fact("decisions", lambda state: state.graph.flow.feeds_decision, _decisions_of_steps)
"""For the steps that read something volatile, or again, whether a decision rests on them."""


def _snapshots_of_steps(change: StateChange) -> Iterator[int]:
    first = min(change.outlines, default=None)
    if first is None:
        return
    before, after, steps = change.old.graph.flow, change.new.graph.flow, change.new.graph.steps
    scoped = [position for position in range(first, len(steps)) if steps[position].scope]
    if scoped and before.resource_bits is not after.resource_bits and not _is_extended(before, after):
        yield from scoped  # the sets of the two cannot be compared
        return
    for position in scoped:
        if before.snapshots[position] != after.snapshots[position]:
            yield position


def _is_extended(before: Flow, after: Flow) -> bool:
    return before.resource_bits.items() <= after.resource_bits.items()


SNAPSHOTS: Fact = Fact("snapshots", lambda state: state.graph.flow, _snapshots_of_steps)
"""For the steps with a scope, the resources read by them or by what they rest on."""


def _off_by_one_of_steps(change: StateChange) -> Iterable[int]:
    before, after = change.old.graph.off_by_one, change.new.graph.off_by_one
    if (before is None) is (after is None):
        return ()
    return [position for position, step in enumerate(change.new.graph.steps) if step.reads]


OFF_BY_ONE: Fact = Fact(
    "off_by_one",
    lambda state: state.graph.off_by_one,
    _off_by_one_of_steps,
    plan=lambda change: change.old.graph.off_by_one != change.new.graph.off_by_one,
)
"""All references, where every one names the step before or after the one that is meant."""


def _first_reader_of_resources(change: StateChange) -> Iterable[str]:
    ends = (change.old.graph.first_reader, change.new.graph.first_reader)
    return change.touched(range(min(ends), min(max(ends), len(change.new.graph.steps)))) if ends[0] != ends[1] else ()


FIRST_READER: Fact = Fact("first_reader", lambda state: state.graph.first_reader, resources=_first_reader_of_resources)
"""The first step that reads something: before it, the plan says nothing about reads."""


# ---- stale values ----------------------------------------------------------------------------------------------------


HAS_FLAGS: Fact = Fact("has_flags", lambda state: bool(state.graph.flagged), plan=never)
"""Whether some step reads something volatile, or again."""


class Staleness:
    """Where a value that may have changed is used."""

    def __init__(self, graph: PlanGraph) -> None:
        self._graph = graph

    def exposed(self, resources: Sequence[Resource]) -> tuple[Sources, dict[int, int]]:
        """The volatile reads of these resources, and for every action those that reach it unrefreshed."""
        graph = self._graph
        sources = sources_of((resource for resource in resources if resource.is_stale_somewhere), graph.rank)
        if not sources.places:
            return sources, {}
        return sources, exposed(graph.steps, graph.order, graph.flow, sources, reached_by(sources, graph.flow))

    def misuses(self, resources: Sequence[Resource]) -> Iterator[Misuse]:
        graph = self._graph
        return misuses(graph.steps, graph.order, graph.flow, resources, graph.rank)

    def first_rereads(self, resources: Sequence[Resource]) -> Iterator[tuple[Resource, ReadUse, list[int]]]:
        """Reads that are marked as re-reads although nothing was read before, with the actions that need one for it."""
        graph = self._graph
        for resource in resources:
            yield from first_rereads(resource, graph.steps, graph.order, graph.flow, graph.rank)

    def is_settled(self, action: int) -> bool:
        return self._graph.order.settled[action]

    def may_flip_a_decision(self, position: int, read: Read) -> bool:
        """Whether a volatile read takes a value from another step on to a decision, and nothing freezes it."""
        graph = self._graph
        return read.producer is not None and is_flippable(read) and graph.flow.feeds_decision[position]


def _volatile(change: StateChange) -> dict[str, int]:
    """The resources that some step reads as volatile, or again, with the first step that does, now or before."""
    found: dict[str, int] = {}
    for graph in (change.old.graph, change.new.graph):
        for position, reads in graph.flagged.items():
            for read in reads:
                if read.volatile or read.revalidates:
                    found[read.resource] = min(found.get(read.resource, position), position)
    return found


def _has_flags(change: StateChange) -> bool:
    return bool(change.old.graph.flagged or change.new.graph.flagged)


def _staleness_of_resources(change: StateChange) -> Iterable[str]:
    if not _has_flags(change):
        return ()
    if change.unclear or change.resettled:
        return _volatile(change)
    moved = (*change.moved, *change.reordered, *change.resliced)
    if not moved and not change.retyped:
        return ()
    found = change.touched(moved)
    found |= change.touched(moved, change.old.graph.steps)
    for step in change.retyped:
        rested_on = change.old.graph.flow.slices[step] | change.new.graph.flow.slices[step]
        found |= change.touched(bits(rested_on))
    return found & _volatile(change).keys()


STALENESS: Fact = Fact("staleness", lambda state: Staleness(state.graph), resources=_staleness_of_resources)
"""Which volatile reads of a resource reach which actions."""


def _rereads_of_resources(change: StateChange) -> Iterable[str]:
    if change.unclear:
        return _volatile(change)
    edited = (*change.moved, *change.rewired, *change.retyped, *change.resettled)
    if not edited or not _has_flags(change):
        return ()
    last = max(edited)
    return [resource for resource, first in _volatile(change).items() if first <= last]


REREADS: Fact = Fact("rereads", lambda state: Staleness(state.graph), resources=_rereads_of_resources)
"""What became of the re-reads of a resource, along every path."""


class Overwriting:
    """Which writes nobody ever sees."""

    def __init__(self, graph: PlanGraph) -> None:
        self._graph = graph

    def dead_writes(self, resources: Sequence[Resource]) -> Iterator[DeadWrite]:
        graph = self._graph
        return dead_writes(graph.steps, graph.order, graph.position_of, graph.unknown_readers, resources)


_MANY = 50
"""Where more steps than this changed, each resource is looked at again rather than asked whether it must be."""


def _overwriting_of_resources(change: StateChange) -> Iterable[str]:
    before, after, touches = change.old.graph, change.new.graph, change.new.graph.touches.steps
    if any(before.steps[step].reads_known != after.steps[step].reads_known for step in change.outlines):
        return list(touches)
    found = change.touched(change.reordered)
    edited = {*change.moved, *change.resettled}
    if len(edited) > _MANY:
        return list(touches)
    for step in edited:
        first = min(step, *before.preds[step], *after.preds[step], step)  # from here paths lead to the step
        found.update(name for name, steps in touches.items() if steps[0] <= step and first <= steps[-1])
    return found


OVERWRITING: Fact = Fact("overwriting", lambda state: Overwriting(state.graph), resources=_overwriting_of_resources)


# ---- the whole -------------------------------------------------------------------------------------------------------


class Whole(NamedTuple):
    """The parts of the plan that nothing joins to the rest of it, and the circles in it."""

    graph: PlanGraph

    @property
    def islands(self) -> list[list[int]]:
        return self.graph.islands

    def is_clear(self) -> bool:
        """Whether all that joins steps to others could be made out."""
        graph = self.graph
        return (
            not graph.flow.unclear
            and all(graph.order.settled)
            and all(step.identity is not None for step in graph.steps)
        )


WHOLE: Fact = Fact(
    "whole",
    lambda state: Whole(state.graph),
    plan=lambda change: bool(change.moved or change.rewired or change.resettled or change.unclear),
)
