"""The four PRE lints over a plan's graph, complete and in order. The rules of the same names show them in editors."""

from __future__ import annotations

from collections.abc import Callable
from itertools import repeat

from plancheck.analysis.rules import flippable_dependency_annotation as flippable
from plancheck.analysis.rules import missing_revalidation_barrier as barrier
from plancheck.analysis.rules import scope_vs_snapshot as scope
from plancheck.analysis.rules import write_with_no_prior_read as unread
from plancheck.plan.graph.facts import UNKNOWN_RESOURCE, PlanGraph
from plancheck.plan.graph.sets import bits, numbers_of
from plancheck.plan.graph.stale import is_flippable
from plancheck.plan.model import Identity
from plancheck.tuples import NamedTuple

_new = tuple.__new__
"""Makes a named tuple without the detour through its own `__new__`, which a hundred thousand findings would feel."""


class LintFinding(NamedTuple):
    """One hit of a PRE lint."""

    lint: str
    """Which of the four."""
    node_idx: Identity | None
    """The step that it is about."""
    resource_id: str
    """What the step reads, writes or may touch."""
    severity: str = "warning"
    """Always `warning`."""
    source_idx: Identity | None = None
    """For missing_revalidation_barrier, the step of the volatile read."""

    @property
    def detail(self) -> str:
        """What is wrong, in a line. It is put into words when somebody reads it: there can be n² findings."""
        if self.lint == barrier.RULE.name:
            return barrier.detail(self.node_idx, self.resource_id, self.source_idx)
        return _WORDS[self.lint](self.node_idx, self.resource_id)

    def to_dict(self) -> dict[str, object]:
        """A dict of plain values, for JSON."""
        lint, step, resource, severity, source = self
        return {
            "lint": lint,
            "node_idx": step,
            "resource_id": resource,
            "detail": self.detail,
            "severity": severity,
            "source_idx": source,
        }


_WORDS: dict[str, Callable[[Identity | None, str], str]] = {
    rule.RULE.name: rule.detail for rule in (unread, flippable, scope)
}


def write_with_no_prior_read(graph: PlanGraph) -> list[LintFinding]:
    """Writes of what neither the step nor one that it waits for has read."""
    rule, found = unread.RULE.name, []
    steps, flow = graph.steps, graph.flow
    for position in graph.by_identity:
        step = steps[position]
        for write in step.writes:
            resource = write.resource
            for read in step.reads:
                if read.resource == resource:
                    break
            else:
                if not flow.snapshots[position] & (UNKNOWN_RESOURCE | flow.resource_bits.get(resource, 0)):
                    found.append(_new(LintFinding, (rule, step.identity, resource, "warning", None)))
    return found


def flippable_dependency_annotation(graph: PlanGraph) -> list[LintFinding]:
    """Reads of volatile values that a decision depends on, neither frozen nor read again."""
    found = []
    for position, reads in graph.flagged_reads:
        if not any(map(is_flippable, reads)) or not graph.flow.feeds_decision[position]:
            continue
        step = graph.steps[position]
        for edge in graph.ordered_dependencies(position):
            read = step.reads[edge.read]
            if is_flippable(read):
                found.append(LintFinding(flippable.RULE.name, step.identity, read.resource))
    return found


def scope_vs_snapshot(graph: PlanGraph) -> list[LintFinding]:
    """Grants of what neither the step nor one that it waits for has read."""
    found = []
    for position in graph.by_identity:
        step = graph.steps[position]
        if step.scope:
            grants = scope.extra_grants(step.scope, graph.flow, position)
            found += [LintFinding(scope.RULE.name, step.identity, grant.resource) for grant in grants]
    return found


def missing_revalidation_barrier(graph: PlanGraph) -> list[LintFinding]:
    """There can be n² of these: a chain of volatile reads has one for each pair of steps."""
    sources, exposed = graph.exposed()
    rows = [(resource, graph.steps[position].identity) for position, resource in sources.places]
    rule, found = barrier.RULE.name, list[LintFinding]()
    reaching: list[tuple[str, Identity | None]] = []
    before = 0
    for action, stale in exposed:
        if stale != before:  # most actions are reached by what reaches the one before them, and a little more
            added = stale & ~before
            if before & ~stale or added & -added < before:
                reaching = [rows[number] for number in numbers_of(stale)]
            else:
                reaching += [rows[number] for number in bits(added)]
            resources, names = zip(*reaching, strict=True)
            before = stale
        step = graph.steps[action].identity
        found += map(_new, repeat(LintFinding), zip(repeat(rule), repeat(step), resources, repeat("warning"), names))
    return found


def lint(graph: PlanGraph) -> list[LintFinding]:
    """All four, in their order."""
    return [
        *write_with_no_prior_read(graph),
        *flippable_dependency_annotation(graph),
        *scope_vs_snapshot(graph),
        *missing_revalidation_barrier(graph),
    ]
