"""PRE: what a declared plan tells before it runs. `analyze_plan(plan)` is the way in."""

from __future__ import annotations

from typing import Any

from plancheck.collection import collection_paused
from plancheck.plan.graph.facts import PlanGraph
from plancheck.pre.adapter import Adapter, DeclaredPlanAdapter, Grade, PlanStep, declared_plan_v1
from plancheck.pre.lints import (
    LintFinding,
    flippable_dependency_annotation,
    missing_revalidation_barrier,
    scope_vs_snapshot,
    write_with_no_prior_read,
)
from plancheck.pre.report import (
    BarrierInventory,
    Evidence,
    PreflightCoverage,
    PreReport,
    ResourceGap,
    ResourceTouchCompleteness,
    report_of,
)

__all__ = [
    "Adapter",
    "BarrierInventory",
    "DeclaredPlanAdapter",
    "Grade",
    "LintFinding",
    "PlanStep",
    "PreReport",
    "PreflightCoverage",
    "ResourceGap",
    "ResourceTouchCompleteness",
    "analyze_plan",
    "declared_plan_v1",
    "flippable_dependency_annotation",
    "missing_revalidation_barrier",
    "report_of",
    "scope_vs_snapshot",
    "write_with_no_prior_read",
]


def analyze_plan(plan: Any, *, adapter: Adapter = declared_plan_v1) -> PreReport:
    """The PRE report of a plan given as a dict.

    Raises ValueError, naming the node and the field, on an invalid plan, and RuntimeError if the adapter's steps carry
    so many observed dependencies that a score could be computed: a plan is never scored before it ran.
    """
    with collection_paused():
        return _analyze(plan, adapter)


def _analyze(plan: Any, adapter: Adapter) -> PreReport:
    if type(adapter) is DeclaredPlanAdapter:
        return report_of(PlanGraph(adapter.outlines(plan)), adapter.id)
    steps = adapter.to_steps(plan)
    grades = [grade for step in steps for grade in step.grades]
    evidence = Evidence(grades.count(Grade.OBSERVED), grades.count(Grade.INFERRED))
    identity = getattr(adapter, "id", None) or f"{adapter.name}_{adapter.version}"
    return report_of(PlanGraph([step.outline for step in steps]), identity, evidence)
