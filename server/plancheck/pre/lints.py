"""The four PRE lints over a plan's graph, complete and in order. The rules of the same names show them in editors."""

from __future__ import annotations

from typing import NamedTuple

from plancheck.analysis.rules import flippable_dependency_annotation as flippable
from plancheck.analysis.rules import missing_revalidation_barrier as barrier
from plancheck.analysis.rules import scope_vs_snapshot as scope
from plancheck.analysis.rules import write_with_no_prior_read as unread
from plancheck.plan.graph.facts import PlanGraph
from plancheck.plan.model import Identity


class LintFinding(NamedTuple):
    """One hit of a PRE lint."""

    lint: str
    node_idx: Identity | None
    resource_id: str | None
    detail: str
    severity: str = "warning"
    source_idx: Identity | None = None
    """For missing_revalidation_barrier, the step of the volatile read."""


def write_with_no_prior_read(graph: PlanGraph) -> list[LintFinding]:
    names = [step.identity for step in graph.steps]
    return [
        LintFinding(unread.RULE.name, names[at], write.resource, unread.message(names[at], write.resource))
        for at, write in unread.hits(graph)
    ]


def flippable_dependency_annotation(graph: PlanGraph) -> list[LintFinding]:
    names = [step.identity for step in graph.steps]
    return [
        LintFinding(flippable.RULE.name, names[at], read.resource, flippable.message(names[at], read.resource))
        for at, _, read in flippable.hits(graph)
    ]


def scope_vs_snapshot(graph: PlanGraph) -> list[LintFinding]:
    names = [step.identity for step in graph.steps]
    return [
        LintFinding(scope.RULE.name, names[at], grant.resource, scope.message(names[at], grant.resource))
        for at, grant in scope.hits(graph)
    ]


def missing_revalidation_barrier(graph: PlanGraph) -> list[LintFinding]:
    names = [step.identity for step in graph.steps]
    found = []
    for action, source, resource in graph.exposures():
        detail = barrier.message(names[action], resource, names[source])
        found.append(LintFinding(barrier.RULE.name, names[action], resource, detail, source_idx=names[source]))
    return found


def lint(graph: PlanGraph) -> list[LintFinding]:
    """All four, in their order."""
    return [
        *write_with_no_prior_read(graph),
        *flippable_dependency_annotation(graph),
        *scope_vs_snapshot(graph),
        *missing_revalidation_barrier(graph),
    ]
