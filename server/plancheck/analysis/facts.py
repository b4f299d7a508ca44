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
from plancheck.plan.model import Identity, Kind, Outline, Place, Step
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

    def is_fork(step: int) -> bool:
        return before.branches.is_fork(step) or after.branches.is_fork(step)

    turned = list(filter(is_fork, change.retyped))
    moved = [step for step in change.moved if any(map(is_fork, {*before.preds[step], *after.preds[step]}))]
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
