"""Facts about data: whose data the steps take, and who uses what they return.

Only references and producers carry data: that a step comes after another one proves nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from plancheck.analysis.change import Fact, StateChange
from plancheck.analysis.effects import Effects, are_checks, other_tools
from plancheck.analysis.facts import Names
from plancheck.analysis.finding import Related
from plancheck.analysis.subjects import State
from plancheck.cached import cached_property
from plancheck.plan.graph.sets import bits, set_of
from plancheck.plan.graph.spread import Spread
from plancheck.plan.model import Place
from plancheck.policy.checks import Judged
from plancheck.policy.families import Trait
from plancheck.policy.model import NO_POLICY
from plancheck.policy.recipients import has_known_recipients


class DataFlows(Effects):
    """Whose data the steps take, directly or through others, and the ways that it takes."""

    def _with(self, trait: Trait) -> int:
        return set_of(self.calling(self.tools(lambda known: trait in known.traits)))

    @cached_property
    def _untrusted(self) -> int:
        return self._with(Trait.UNTRUSTED)

    @cached_property
    def _private(self) -> int:
        return self._with(Trait.PRIVATE)

    @cached_property
    def _spread(self) -> Spread:
        return Spread(self._graph, tuple(bits(self._untrusted | self._private)), self.checks)

    def untrusted_source(self, position: int) -> int | None:
        """A step whose data anybody may have written, and which a step takes with no check between."""
        return self._source(self._untrusted, position)

    def private_source(self, position: int) -> int | None:
        """A step whose data is not for everybody, and which a step takes with no check between."""
        return self._source(self._private, position)

    def _source(self, sources: int, position: int) -> int | None:
        return self._spread.into(position, sources) if sources and self._graph.dependencies[position] else None

    def way(self, source: int, position: int, names: Names, what: str) -> tuple[Related, ...]:
        """The steps on a way from a source to a step that takes its data, as related places."""
        path = self._spread.path(source, position)[:-1]
        first = Related(self.place(source), f"Step {names[source]} is where {what} comes from.")
        return (first, *(Related(self.place(step), f"Step {names[step]} passes it through.") for step in path[1:]))


def _flows_of_steps(change: StateChange) -> Iterator[int]:
    others = other_tools(change)
    before, after = change.old.graph.flow, change.new.graph.flow
    if others or change.rewired:
        edited = {*others, *change.rewired}
        yield from before.downstream(edited) | after.downstream(edited)
    if change.moved or change.retyped or are_checks(change, others):
        yield from (position for position, edges in enumerate(after.dependencies) if edges)


DATA_FLOWS: Fact = Fact("data_flows", DataFlows, _flows_of_steps, is_about_calls=True)
"""Whose data a step takes, and what the steps on the way do."""


class SafeRecipients:
    """Which steps send to recipients that the policy names, and to nobody else."""

    def __init__(self, state: State) -> None:
        self._steps = state.plan.steps
        self._policy = state.policy or NO_POLICY

    def has_no_others(self, position: int) -> bool:
        call = self._steps[position].call
        return call is not None and bool(self._policy.recipients) and has_known_recipients(Judged(call), self._policy)


def _recipients_of_steps(change: StateChange) -> list[int]:
    before, after = SafeRecipients(change.old), SafeRecipients(change.new)
    return [step for step in change.steps if before.has_no_others(step) is not after.has_no_others(step)]


SAFE_RECIPIENTS: Fact = Fact("safe_recipients", SafeRecipients, _recipients_of_steps, is_about_calls=True)
"""Whether a step sends to nobody but whom the policy names."""


# ---- who uses what steps return --------------------------------------------------------------------------------------


class Consumers:
    """Which steps use what a step returns."""

    def __init__(self, state: State) -> None:
        self._graph = state.graph

    def of(self, position: int) -> Sequence[int]:
        return self._graph.flow.consumers[position]

    def place(self, consumer: int, position: int) -> Place:
        """Where a step uses what another one returns, the first time."""
        edges = self._graph.dependencies[consumer]
        number = next(edge.read for edge in edges if edge.producer == position)
        return Place(consumer, self._graph.steps[consumer].reads[number].path)


def _consumers_of_steps(change: StateChange) -> Iterator[int]:
    for graph in (change.old.graph, change.new.graph):
        for step in change.outlines:
            yield from graph.flow.producers_of(step)


CONSUMERS: Fact = Fact("consumers", Consumers, _consumers_of_steps)
"""Who uses what a step returns, and where."""


class Results(Effects):
    """Which results of the plan's steps are used."""

    @cached_property
    def unused(self) -> list[int]:
        """The steps whose results nothing uses, in a plan where the use of a result is written as a reference. Somebody
        may take all results at once: a last step that refers to none, or one that waits for a step by its name."""
        graph = self._graph
        if not any(graph.dependencies) or graph.flow.unclear or any(step.lookalikes for step in self._steps):
            return []
        named = {pred.identity for step in graph.steps for pred in step.preds or ()}
        joined = self._before_a_last_step_without_reads()
        return [
            position
            for position, step in enumerate(graph.steps)
            if not graph.flow.consumers[position]
            and graph.successors[position]
            and step.identity not in named
            and not joined >> position & 1
        ]

    def _before_a_last_step_without_reads(self) -> int:
        graph, found = self._graph, 0
        for position, step in enumerate(graph.steps):
            if not graph.successors[position] and not step.reads:
                found |= graph.order.ancestors[position]
        return found


def _results_differ(change: StateChange) -> bool:
    before, after = change.old.plan.steps, change.new.plan.steps
    if change.outlines or other_tools(change):
        return True
    return any(bool(before[step].lookalikes) is not bool(after[step].lookalikes) for step in change.steps)


RESULTS: Fact = Fact("results", Results, plan=_results_differ)
"""Which results nothing uses."""
