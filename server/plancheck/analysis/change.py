"""What an edit changed, and what a fact is: a value that knows which subjects an edit affects by it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from plancheck.analysis.calls import changed_members
from plancheck.analysis.subjects import Grain, State
from plancheck.cached import cached_property
from plancheck.plan.graph.sets import bits
from plancheck.plan.graph.stale import is_action
from plancheck.plan.graph.touches import fold, resources_of
from plancheck.plan.model import Outline
from plancheck.syntax.tree import Path


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
        return changed_members((self.old.tree, self.old.plan), (self.new.tree, self.new.plan))


Affected = Callable[[StateChange], Iterable[Any]]


def _nothing(_: StateChange) -> Iterable[Any]:
    return ()


def never(_: StateChange) -> bool:
    """Of a fact that no edit changes for the plan, as long as its steps have the names that they have."""
    return False


class Fact:
    """A named value that rules may need, and what of it an edit changes. It is equal to itself only."""

    __slots__ = ("is_about_calls", "name", "plan", "resources", "steps", "value")

    def __init__(
        self,
        name: str,
        value: Callable[[State], Any],
        steps: Affected = _nothing,
        resources: Affected = _nothing,
        plan: Callable[[StateChange], bool] = bool,
        is_about_calls: bool = False,
    ) -> None:
        self.name = name
        self.value = value
        self.steps = steps
        """The steps about which it may tell something else after an edit."""
        self.resources = resources
        self.plan = plan
        """Whether it tells something else about the plan."""
        self.is_about_calls = is_about_calls
        """Whether it tells of single steps more than what is made of their outlines."""

    def can_affect(self, grain: Grain) -> bool:
        """Whether there are edits after which it tells something else about a subject of this grain."""
        if grain in (Grain.STEP, Grain.LINK):
            return self.steps is not _nothing
        if grain in (Grain.RESOURCE, Grain.SPELLING):
            return self.resources is not _nothing
        return grain is Grain.PLAN and self.plan is not never

    def affected(self, change: StateChange, grain: Grain) -> Iterable[Any]:
        if grain in (Grain.STEP, Grain.LINK):
            return self.steps(change)
        if grain is Grain.RESOURCE:
            return self.resources(change)
        if grain is Grain.SPELLING:
            return {fold(name) for name in self.resources(change)}
        return (None,) if grain is Grain.PLAN and self.plan(change) else ()
