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

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from enum import Enum
from functools import cached_property
from typing import Any, NamedTuple

from plancheck.analysis.calls import ToolUses, members_beside, uses_of
from plancheck.plan.dialects.dialect import Limits
from plancheck.plan.graph.facts import PlanGraph
from plancheck.plan.graph.flow import Flow
from plancheck.plan.graph.rereads import Misuse, misuses
from plancheck.plan.graph.sets import bits
from plancheck.plan.graph.stale import Sources, exposed, is_action, reached_by, sources_of
from plancheck.plan.graph.touches import Resource, fold, resources_of
from plancheck.plan.graph.writes import DeadWrite, dead_writes
from plancheck.plan.model import Identity, Kind, Outline, Place, Plan, Step
from plancheck.policy.model import NO_POLICY, Policy
from plancheck.policy.regexes import Ask
from plancheck.policy.rego.files import RegoAsk
from plancheck.syntax.tree import Path, Tree

Keys = Collection[Any]
"""The subjects of some grain."""


class State(NamedTuple):
    """What all facts are made from."""

    tree: Tree
    plan: Plan
    graph: PlanGraph
    policy: Policy | None
    matcher: Ask
    rego: RegoAsk


# ---- subjects --------------------------------------------------------------------------------------------------------


class Subject(NamedTuple):
    """A step and where it stands in the list."""

    position: int
    step: Step


class Link(NamedTuple):
    """A step as it is linked to others: its outline, and where it stands in the list."""

    position: int
    outline: Outline

    @property
    def name(self) -> str:
        return "?" if self.outline.identity is None else f"{self.outline.identity}"


class Grain(Enum):
    """What a rule looks at, one by one."""

    __hash__ = object.__hash__  # they are asked for all the time, and Enum's own is a function in Python

    STEP = "step"
    LINK = "link"
    """A step without what it calls: typing in an argument changes nothing here."""
    RESOURCE = "resource"
    SPELLING = "spelling"
    MEMBER = "member"
    PLAN = "plan"


def subjects(grain: Grain, state: State, keys: Keys | None = None) -> Sequence[Any]:
    """The subjects of a grain; with keys, those of them that are there."""
    graph = state.graph
    if grain is Grain.STEP:
        steps = state.plan.steps
        return [Subject(i, steps[i]) for i in (range(len(steps)) if keys is None else sorted(keys))]
    if grain is Grain.LINK:
        outlines = graph.steps
        return [Link(i, outlines[i]) for i in (range(len(outlines)) if keys is None else sorted(keys))]
    if grain is Grain.RESOURCE:
        names = graph.touches.names() if keys is None else [key for key in keys if key in graph.touches.steps]
        return [graph.touches.resource(name) for name in names]
    if grain is Grain.SPELLING:
        groups = graph.touches.spellings
        several = (groups[key] for key in (groups if keys is None else keys) if len(groups.get(key, ())) > 1)
        return [tuple(graph.touches.resource(name) for name in group) for group in several]
    if grain is Grain.MEMBER:
        return [member for member in members_beside(state.tree, state.plan) if keys is None or member.path in keys]
    return ()


def key_of(grain: Grain, place: Place, resource: str | None, known: Keys) -> Any:
    """Which subject something was said about."""
    if grain in (Grain.STEP, Grain.LINK):
        return place.step
    if grain is Grain.RESOURCE:
        return resource
    if grain is Grain.SPELLING:
        return fold(resource or "")
    if grain is Grain.MEMBER:
        return place.path[:2] if place.path[:2] in known else place.path[:1]
    return None


# ---- what an edit changed --------------------------------------------------------------------------------------------


class StateChange:
    """What is different between two states of one plan, whose steps have the names and places that they had."""

    def __init__(self, old: State, new: State, steps: Sequence[int]) -> None:
        self.old = old
        self.new = new
        self.steps = steps
        """The steps whose text is another one."""
        before, after = old.graph.steps, new.graph.steps
        self.outlines = [position for position in steps if before[position] != after[position]]
        """The steps that are others to the plan as a whole."""

    @cached_property
    def resources(self) -> set[str]:
        """The resources that the changed steps touch, or did."""
        return self.touched(self.outlines, self.old.graph.steps) | self.touched(self.outlines)

    def touched(self, positions: Iterable[int], outlines: Sequence[Outline] | None = None) -> set[str]:
        steps = self.new.graph.steps if outlines is None else outlines
        return {name for position in positions for name in resources_of(steps[position])}

    @cached_property
    def moved(self) -> list[int]:
        """The steps that wait for others now."""
        before, after = self.old.graph.preds, self.new.graph.preds
        return [] if before is after else [step for step in self.outlines if before[step] != after[step]]

    @cached_property
    def resettled(self) -> list[int]:
        """The steps of which it became known, or unknown, what they wait for."""
        before, after = self.old.graph.order.settled, self.new.graph.order.settled
        if not self.outlines or before == after:
            return []
        return [i for i, (one, other) in enumerate(zip(before, after, strict=True)) if one is not other]

    @cached_property
    def reordered(self) -> Sequence[int]:
        """The steps that are followed by others now: only what is asked of these and another step can have changed."""
        before, after = self.old.graph.order, self.new.graph.order
        found = 0
        for step in self.moved:
            found |= before.ancestors[step] ^ after.ancestors[step]
        if before.guessed or after.guessed:
            for step in {*self.moved, *(before.guessed ^ after.guessed)}:
                found |= before.certain[step] ^ after.certain[step]
        return list(bits(found))

    @cached_property
    def rewired(self) -> list[int]:
        """The steps that take something from others now."""
        before, after = self.old.graph.flow, self.new.graph.flow
        if before.dependencies is after.dependencies:
            return []
        return [step for step in self.outlines if before.producers_of(step) != after.producers_of(step)]

    @cached_property
    def resliced(self) -> Sequence[int]:
        """The steps that others rest on now, or do no longer."""
        before, after = self.old.graph.flow, self.new.graph.flow
        found = 0
        for step in self.rewired:
            found |= before.slices[step] ^ after.slices[step]
        return list(bits(found))

    @cached_property
    def unclear(self) -> list[int]:
        """The steps of which it became known, or unknown, what they read."""
        before, after = self.old.graph.flow.unclear, self.new.graph.flow.unclear
        return list(bits(before ^ after))

    @cached_property
    def retyped(self) -> list[int]:
        """The steps that act, or decide, where they did not before, or the other way round."""
        before, after = self.old.graph.steps, self.new.graph.steps
        return [
            step
            for step in self.outlines
            if before[step].kind is not after[step].kind or is_action(before[step]) != is_action(after[step])
        ]

    def keys(self, grain: Grain) -> set[Any]:
        """The subjects that are others now."""
        if grain is Grain.STEP:
            return set(self.steps)
        if grain is Grain.LINK:
            return set(self.outlines)
        if grain is Grain.RESOURCE:
            return self.resources
        if grain is Grain.SPELLING:
            return {fold(name) for name in self.resources}
        if grain is Grain.MEMBER:
            return set(self.members)
        return set()

    @cached_property
    def members(self) -> set[Path]:
        """The members beside the steps that came, went or are others now."""
        before = {member.path: member.chunk for member in members_beside(self.old.tree, self.old.plan)}
        after = {member.path: member.chunk for member in members_beside(self.new.tree, self.new.plan)}
        return {path for path in {*before, *after} if before.get(path) is not after.get(path)}


Affected = Callable[[StateChange], Iterable[Any]]


def _nothing(_: StateChange) -> Iterable[Any]:
    return ()


class Fact:
    """A named value that rules may need, and what of it an edit changes. It is equal to itself only."""

    __slots__ = ("name", "plan", "resources", "steps", "value")

    def __init__(
        self,
        name: str,
        value: Callable[[State], Any],
        steps: Affected = _nothing,
        resources: Affected = _nothing,
        plan: Callable[[StateChange], bool] = bool,
    ) -> None:
        self.name = name
        self.value = value
        self.steps = steps
        """The steps about which it may tell something else after an edit."""
        self.resources = resources
        self.plan = plan
        """Whether it tells something else about the plan."""

    def affected(self, change: StateChange, grain: Grain) -> Iterable[Any]:
        if grain in (Grain.STEP, Grain.LINK):
            return self.steps(change)
        if grain is Grain.RESOURCE:
            return self.resources(change)
        if grain is Grain.SPELLING:
            return {fold(name) for name in self.resources(change)}
        return (None,) if grain is Grain.PLAN and self.plan(change) else ()


def _never(_: StateChange) -> bool:
    return False


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


POLICY = Fact("policy", lambda state: state.policy or NO_POLICY, plan=_never)
HAS_POLICY = Fact("has_policy", lambda state: state.policy is not None, plan=_never)
MATCHER = Fact("matcher", lambda state: state.matcher, plan=_never)
DIALECT = Fact("dialect", lambda state: state.plan.dialect, plan=_never)
NAMES = Fact("names", lambda state: Names(state.plan.steps), plan=_never)
IDENTITIES = Fact("identities", lambda state: state.graph.position_of, plan=_never)
ANY_ORDER = Fact("any_order", lambda state: state.graph.any_order, plan=_never)


def _is_gated(state: State) -> bool:
    dialect = state.plan.dialect
    if dialect.tool_key is None:
        return state.policy is not None and state.policy.judges_resources
    return state.policy is not None or dialect.limits is Limits.GATE


GATED = Fact("gated", _is_gated, plan=_never)
"""Whether the plan is one that a gate would judge: it names tools, and a policy is in force or its format has limits of
its own; or the policy says what plans may write, or have in scope."""

HAS_TOOLS = Fact("has_tools", lambda state: state.plan.dialect.tool_key is not None, plan=_never)
"""Whether the steps of such plans name tools."""

POLICY_FACTS = frozenset({POLICY, HAS_POLICY, MATCHER, DIALECT, GATED})
"""What is the same for all steps, and tells nothing about any other step."""


def _member_names(state: State) -> tuple[str, ...]:
    root = state.tree.root
    return tuple(top.key for top in root) if isinstance(root, list) else ()


MEMBER_NAMES: Fact = Fact(
    "member_names", _member_names, plan=lambda change: _member_names(change.old) != _member_names(change.new)
)
"""The keys of the document's object."""


# ---- tools -----------------------------------------------------------------------------------------------------------


def _uses_others(change: StateChange) -> bool:
    before, after = change.old.plan.steps, change.new.plan.steps
    return bool(change.members) or any(uses_of(before[step]) != uses_of(after[step]) for step in change.steps)


def _tool_uses(state: State) -> ToolUses:
    return ToolUses(state.plan.steps, members_beside(state.tree, state.plan))


TOOL_USES: Fact = Fact("tool_uses", _tool_uses, plan=_uses_others)
"""All calls of the document."""


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


# ---- stale values ----------------------------------------------------------------------------------------------------


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

    def is_settled(self, action: int) -> bool:
        return self._graph.order.settled[action]


def _volatile(change: StateChange) -> dict[str, int]:
    """The resources that some step reads as volatile, with the first step that does, now or before."""
    found: dict[str, int] = {}
    for graph in (change.old.graph, change.new.graph):
        for position, reads in graph.flagged.items():
            for read in reads:
                if read.volatile:
                    found[read.resource] = min(found.get(read.resource, position), position)
    return found


def _has_flags(change: StateChange) -> bool:
    return bool(change.old.graph.flagged or change.new.graph.flagged)


def _staleness_of_resources(change: StateChange) -> Iterable[str]:
    if not _has_flags(change):
        return ()
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
