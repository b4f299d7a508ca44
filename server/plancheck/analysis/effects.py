"""Facts about what steps do to the world: what approves them, and which do the same twice.

What a step does is told by its tool alone, so an edit inside an argument changes little here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from plancheck.analysis.change import Fact, StateChange
from plancheck.analysis.facts import CLASSES
from plancheck.analysis.subjects import State
from plancheck.cached import cached_property
from plancheck.plan.graph.spread import MOST_ON_PATH, ways_into
from plancheck.plan.model import Call, Kind, Place
from plancheck.policy.checks import consequence
from plancheck.policy.classes import ToolClass, ToolClasses
from plancheck.policy.families import CONSEQUENTIAL, Family

_ACTING = CONSEQUENTIAL | {Family.QUERY, Family.SQL}


class Effects:
    """What the steps do, by their tools."""

    def __init__(self, state: State) -> None:
        self._steps = state.plan.steps
        self._graph = state.graph
        self._classes = CLASSES.value(state)
        tools = {step.call.tool for step in self._steps if step.call is not None and step.call.tool is not None}
        self._known: dict[str, ToolClass] = {tool: self._classes.classify(tool) for tool in tools}

    def tools(self, is_meant: Callable[[ToolClass], object]) -> frozenset[str]:
        """The tools of the plan that do certain things."""
        return frozenset(tool for tool, known in self._known.items() if is_meant(known))

    def of(self, tool: str) -> ToolClass:
        return self._known[tool]

    def tool(self, position: int) -> str:
        call = self._steps[position].call
        return call.tool or "" if call is not None else ""

    def place(self, position: int) -> Place:
        """The token that names the tool."""
        call = self._steps[position].call
        return Place(position, call.tool_path if call is not None else ())

    @cached_property
    def checks(self) -> frozenset[int]:
        """The steps that approve or verify something, and end the plan when they fail."""
        found = self.calling({tool for tool in self._known if self._classes.is_check(tool)})
        return frozenset(step for step in found if not _goes_on(self._steps[step].call))

    def calling(self, tools: Collection[str]) -> Sequence[int]:
        """The steps that call one of some tools."""
        steps = enumerate(self._steps) if tools else ()
        return [position for position, step in steps if step.call is not None and step.call.tool in tools]


def _goes_on(call: Call | None) -> bool:
    """Whether the plan goes on when a call fails."""
    return call is not None and call.on_fail == "continue"


def other_tools(change: StateChange) -> list[int]:
    """The steps that call another tool now, or the same in another way."""
    before, after = change.old.plan.steps, change.new.plan.steps
    return [step for step in change.steps if _head(before[step].call) != _head(after[step].call)]


def _head(call: Call | None) -> object:
    """What `Effects` tells of a call, to be compared with that of another one."""
    return None if call is None else (call.tool, call.tool_path, call.on_fail)


def are_checks(change: StateChange, steps: Iterable[int]) -> bool:
    """Whether one of some steps is a check, or was one."""
    classes = CLASSES.value(change.new)
    calls = (state.plan.steps[step].call for step in steps for state in (change.old, change.new))
    return any(classes.is_check(call.tool) for call in calls if call is not None and call.tool is not None)


# ---- approvals -------------------------------------------------------------------------------------------------------


class Approvals(Effects):
    """Which steps come after an approval or a verification on every path."""

    @cached_property
    def _came_from(self) -> dict[int, int | None]:
        """The steps that can be reached without a check, and for each the one before it on such a path."""
        found: dict[int, int | None] = {}
        for position in self._graph.sequence:
            before = ways_into(self._graph, position)
            if not before:
                found[position] = None
                continue
            for pred in before:
                if pred in found and pred not in self.checks:
                    found[position] = pred
                    break
        return found

    def path_without(self, position: int) -> list[int] | None:
        """The last steps of a path to a step on which nothing approves or verifies; None where every path has such."""
        if position not in self._came_from:
            return None
        found = [position]
        while (before := self._came_from[found[-1]]) is not None and len(found) < MOST_ON_PATH:
            found.append(before)
        return found[::-1]

    @property
    def required(self) -> frozenset[str]:
        """The tools before which the policy's gate requires others."""
        return frozenset(tool for one in self._classes.policy.gate.required for tool in one.before)

    @cached_property
    def are_named(self) -> bool:
        """Whether the policy or the catalogue knows a tool that approves or verifies."""
        return bool(self._classes.checks)


def _approvals_of_steps(change: StateChange) -> Iterable[int]:
    others = other_tools(change)
    if change.moved or change.retyped or are_checks(change, others):
        return range(len(change.new.plan.steps))
    found, latest = set(others), set(others)
    for _ in range(MOST_ON_PATH if others else 0):  # it may be on a path that is shown
        latest = {after for step in latest for after in change.new.graph.successors[step]} - found
        found |= latest
    return found


APPROVALS: Fact = Fact("approvals", Approvals, _approvals_of_steps, is_about_calls=True)
"""Whether something approves a step, and what the steps on the path to it do."""


# ---- the same again --------------------------------------------------------------------------------------------------

_MOST_COMPARED = 20
"""Earlier steps that are looked at for one that is not on another branch."""


class Duplicates(Effects):
    """Which steps do what an earlier one has done already: the same tool with equal arguments, and not only reading."""

    @cached_property
    def _first(self) -> dict[int, int]:
        tools = {tool for tool in self._known if _may_act(tool, self._classes)}
        alike: dict[object, list[int]] = {}
        for position in self.calling(tools):
            alike.setdefault(_look(self._steps[position].call), []).append(position)
        several = [group for group in alike.values() if len(group) > 1]
        return dict(self._pairs(several)) if several else {}

    def _pairs(self, groups: Iterable[Sequence[int]]) -> Iterator[tuple[int, int]]:
        from plancheck.catalogue.equality import Equality

        equality, numbers = Equality(lambda _: False), dict[str, "int | None"]()
        for group in groups:
            equal: dict[int | None, list[int]] = {}
            for position in group:
                call = self._steps[position].call
                if call is None or consequence(call, self._classes) is None:
                    continue
                text = repr(call.arguments)  # most that is equal is written alike, which is quickly told
                if text not in numbers:
                    numbers[text] = equality.number(call.arguments)
                before = equal.setdefault(numbers[text], [])
                others = (other for other in before[:_MOST_COMPARED] if not self._exclude(other, position))
                if (first := next(others, None)) is not None:
                    yield position, first
                before.append(position)

    def _exclude(self, one: int, other: int) -> bool:
        """Whether only one of two steps may come to run, because they are on different ways out of a decision."""
        ancestors = self._graph.order.ancestors
        if ancestors[other] >> one & 1 or ancestors[one] >> other & 1:
            return False
        return bool(ancestors[one] & ancestors[other] & self._decisions)

    @cached_property
    def _decisions(self) -> int:
        found = 0
        for position, outline in enumerate(self._graph.steps):
            if outline.kind is Kind.DECISION:
                found |= 1 << position
        return found

    def first(self, position: int) -> int | None:
        """The earlier step that does the same as a step."""
        return self._first.get(position)


def _may_act(tool: str | None, classes: ToolClasses) -> bool:
    """Whether a tool is known to change something, or may do so by its SQL."""
    return tool is not None and not classes.classify(tool).families.isdisjoint(_ACTING)


def _look(call: Call | None) -> object:
    """The tool and what is quickly told of the arguments: equal for equal calls, and seldom for others."""
    if call is None or not isinstance(call.arguments, tuple):
        return call and call.tool
    try:
        return call.tool, frozenset(call.arguments)
    except TypeError:  # a list cannot be hashed
        return call.tool, frozenset([name for name, _ in call.arguments])


def _duplicates_of_steps(change: StateChange) -> Iterable[int]:
    steps = change.new.plan.steps
    if change.moved or change.retyped or len(change.steps) > _MOST_COMPARED:
        return range(len(steps))
    classes = CLASSES.value(change.new)
    calls = [state.plan.steps[step].call for step in change.steps for state in (change.old, change.new)]
    acting = [call for call in calls if call is not None and _may_act(call.tool, classes)]
    if not acting:
        return ()
    found = {position for position, step in enumerate(steps) if any(_may_equal(call, step.call) for call in acting)}
    edited = set(change.steps)
    return found | edited if len(edited) > 1 or found - edited else ()  # a step that is like no other is not reported


def _may_equal(call: Call, other: Call | None) -> bool:
    """Whether two calls may be equal, as far as one look tells."""
    if other is None or call.tool != other.tool:
        return False
    one, two = call.arguments, other.arguments
    if not isinstance(one, tuple) or not isinstance(two, tuple) or not one:
        return bool(one == two)
    return len(one) == len(two) and one[-1] in two


DUPLICATES: Fact = Fact("duplicates", Duplicates, _duplicates_of_steps, is_about_calls=True)
"""Which earlier step does the same as a step."""
