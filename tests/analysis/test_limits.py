"""Where a rule stops counting, so that no plan takes it long."""

from __future__ import annotations

import json
from typing import Any

from plancheck.analysis.engine import analyze
from plancheck.analysis.finding import Finding


def findings(rule: str, nodes: list[dict[str, Any]]) -> list[Finding]:
    steps = [{"idx": i, "agent": "a", "kind": "tool_call", **node} for i, node in enumerate(nodes)]
    return [finding for finding in analyze(json.dumps({"nodes": steps})).findings if finding.rule == rule]


def test_past_a_thousand_resources_a_pattern_has_the_benefit_of_the_doubt() -> None:
    few, many = ([f"order{i}" for i in range(count)] for count in (1_000, 1_001))
    nodes = [{"reads": few, "scope": ["vault/*"]}, {"reads": many, "scope": ["vault/*"]}]
    assert [finding.step for finding in findings("over_granted_scope", nodes)] == [0]


def test_a_hundred_volatile_reads_are_named_and_the_others_counted() -> None:
    volatile: list[dict[str, Any]] = [{"reads": [{"id": "quote", "volatile": True}]} for _ in range(103)]
    taken = [{"id": "quote", "producer": i} for i in range(103)]
    (finding,) = findings("missing_revalidation_barrier", [*volatile, {"kind": "decision", "reads": taken}])
    assert "as 103 steps read it" in finding.message
    assert len(finding.related) == 100
    assert finding.related[-1].message == "Step 99 reads the volatile `quote` here, as do 3 more."


def test_its_own_volatile_read_is_not_among_those_named() -> None:
    volatile: list[dict[str, Any]] = [{"reads": [{"id": "quote", "volatile": True}]} for _ in range(100)]
    taken = [{"id": "quote", "producer": i, "volatile": True} for i in range(100)]
    (finding,) = findings("missing_revalidation_barrier", [*volatile, {"kind": "decision", "reads": taken}])
    assert "as 101 steps read it" in finding.message
    assert [related.place.step for related in finding.related] == list(range(100))
    assert finding.related[-1].message == "Step 99 reads the volatile `quote` here."


def test_ten_rivals_of_a_race_are_named() -> None:
    writers: list[dict[str, Any]] = [{"control_preds": [], "reads": ["order"], "writes": ["order"]} for _ in range(13)]
    found = findings("parallel_write_race", writers)
    assert [len(finding.related) for finding in found] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10]


def test_ten_volatile_reads_of_a_bypassed_re_read_are_named() -> None:
    volatile: list[dict[str, Any]] = [{"reads": [{"id": "quote", "volatile": True}]} for _ in range(12)]
    taken = [{"id": "quote", "producer": i} for i in range(12)]
    nodes = [
        *volatile,
        {"reads": [{"id": "quote", "revalidates": True}]},
        {"kind": "decision", "control_preds": [11, 12], "reads": taken},
    ]
    (finding,) = findings("barrier_bypassed", nodes)
    assert [related.place.step for related in finding.related] == [*range(10), 12]
