"""`analyze_plan` against the reference implementation, `auditable[graph]==0.3.0`: not one difference is allowed."""

from __future__ import annotations

import json
import random
from collections import Counter
from typing import Any

import pytest
from auditable.graph.pre import analyze_plan as reference

from conformance.plans import damaged_plan, valid_plan
from plancheck.pre import analyze_plan

PLANS_PER_SEED = 650
SEEDS = range(8)
"""8 × 650 = 5,200 valid plans a run, and as many damaged ones."""


def picture(report: Any) -> dict[str, Any]:
    """What the two reports must agree on. Words are our own, and the reference's order varies with the hash seed."""
    coverage, touches, barriers = (
        report.preflight_coverage,
        report.resource_touch_completeness,
        report.barrier_inventory,
    )
    return {
        "adapter": report.adapter,
        "n_steps": report.n_steps,
        "keystone": (report.keystone_idx, report.keystone_followers),
        "reach": list(report.execution_reach_by_idx.items()),
        "findings": Counter((f.lint, f.node_idx, f.resource_id, f.severity) for f in report.findings),
        "lint order": [f.lint for f in report.findings],
        "per lint order": [(f.lint, f.node_idx, f.resource_id) for f in report.findings if "barrier" not in f.lint],
        "state b": (report.state_b_risk, report.state_b_withheld),
        "coverage": (
            coverage.n_steps,
            coverage.n_dep_edges,
            coverage.observed,
            coverage.declared,
            coverage.inferred,
            coverage.observed_fraction,
            coverage.rho,
            coverage.would_score,
            coverage.no_score_reason.partition(": ")[0],
        ),
        "touches": (
            touches.n_reads,
            touches.n_writes,
            touches.n_edges,
            touches.reads_with_id,
            touches.writes_with_id,
            touches.edges_with_id,
            touches.edges_missing_structured_resource,
            [(gap.kind, gap.node_idx, gap.src_idx) for gap in touches.gaps],
        ),
        "barriers": (barriers.by_resource, barriers.barrier_nodes, barriers.resources_with_barrier),
    }


@pytest.mark.parametrize("seed", SEEDS)
def test_the_same_report_on_every_valid_plan(seed: int) -> None:
    rnd = random.Random(seed)
    for _ in range(PLANS_PER_SEED):
        plan = valid_plan(rnd)
        assert picture(analyze_plan(plan)) == picture(reference(plan)), json.dumps(plan)


def names_strictness_of_ours(plan: Any) -> bool:
    """A plan that semantics.md calls invalid and the reference accepts: a scope that is no list of strings."""
    scopes = [node.get("scope") for node in plan["nodes"] if isinstance(node, dict)]
    return any(isinstance(scope, list) and not all(isinstance(s, str) for s in scope) for scope in scopes)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_same_verdict_on_every_damaged_plan(seed: int) -> None:
    rnd = random.Random(1000 + seed)
    rejected = 0
    for _ in range(PLANS_PER_SEED):
        plan = damaged_plan(rnd)
        try:
            expected = picture(reference(plan))
        except (ValueError, TypeError):  # the reference lets a TypeError through where `reads` is a number
            with pytest.raises(ValueError, match=r"nodes|node -?\d+|declared plan"):
                analyze_plan(plan)
            rejected += 1
            continue
        if not (isinstance(plan.get("nodes"), list) and names_strictness_of_ours(plan)):
            assert picture(analyze_plan(plan)) == expected, json.dumps(plan)
    assert rejected > PLANS_PER_SEED // 4


@pytest.mark.parametrize("plan", [None, {}, [], {"nodes": []}, {"nodes": None}])
def test_an_empty_plan_is_a_plan(plan: Any) -> None:
    assert picture(analyze_plan(plan)) == picture(reference(plan))


@pytest.mark.parametrize("plan", ["nodes", 7, [1], {"node": []}, {"nodes": 3}, {"nodes": {"a": 1}}, {"nodes": [3]}])
def test_what_is_no_plan_is_refused(plan: Any) -> None:
    with pytest.raises(ValueError, match="nodes"):
        reference(plan) if plan != {"nodes": [3]} else analyze_plan(plan)
    with pytest.raises(ValueError, match="nodes"):
        analyze_plan(plan)
