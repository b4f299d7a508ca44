"""The PRE report: its words, its forms, and the number it never gives."""

from __future__ import annotations

import json
from typing import Any

import pytest

from plancheck.plan.model import Kind, Outline, Read
from plancheck.pre import Grade, PlanStep, analyze_plan, declared_plan_v1

PLAN: dict[str, Any] = {
    "nodes": [
        {"idx": 0, "agent": "feed", "kind": "tool_call", "reads": [{"id": "quote", "volatile": True}]},
        {
            "idx": 1,
            "agent": "desk",
            "kind": "decision",
            "reads": [{"id": "quote", "producer": 0, "volatile": True}],
            "scope": ["quote", "a|b"],
        },
        {"idx": 2, "agent": "desk", "kind": "tool_call", "control_preds": [1], "writes": ["order"]},
    ]
}


def test_the_text_says_what_the_fields_say() -> None:
    report = analyze_plan(PLAN)
    text = str(report)
    assert text == report.summary()
    assert "3 steps, 5 findings" in text
    assert "step 0: 2 of 2 other steps follow it" in text
    assert "State B    withheld" in text
    assert "no_score:low_coverage" in text
    for finding in report.findings:
        assert f"{finding.severity} {finding.lint} at step {finding.node_idx}: {finding.detail}" in text


def test_every_finding_names_the_step_and_the_resource_in_one_line() -> None:
    report = analyze_plan(PLAN)
    assert [(f.lint, f.node_idx, f.resource_id, f.source_idx) for f in report.findings] == [
        ("write_with_no_prior_read", 2, "order", None),
        ("flippable_dependency_annotation", 1, "quote", None),
        ("scope_vs_snapshot", 1, "a|b", None),
        ("missing_revalidation_barrier", 1, "quote", 0),
        ("missing_revalidation_barrier", 1, "quote", 1),
    ]
    for finding in report.findings:
        assert f"Step {finding.node_idx} " in finding.detail
        assert f"`{finding.resource_id}`" in finding.detail
        assert "\n" not in finding.detail
        needs_runtime = finding.lint in ("flippable_dependency_annotation", "missing_revalidation_barrier")
        assert ("needs runtime values" in finding.detail) == needs_runtime


def test_markdown_escapes_what_the_author_wrote() -> None:
    markdown = analyze_plan(PLAN).to_markdown(level=2)
    assert markdown.startswith("## PRE report\n")
    assert "`a\\|b`" in markdown
    assert "**State B: withheld.**" in markdown
    assert "| 1 | `flippable_dependency_annotation` | `quote` |" in markdown


def test_json_has_the_fields_by_their_names() -> None:
    report = analyze_plan(PLAN)
    values = json.loads(json.dumps(report.to_dict()))
    assert list(values) == list(report._fields)
    assert values["execution_reach_by_idx"] == {"0": 2, "1": 1, "2": 0}
    assert values["findings"][3]["source_idx"] == 0
    assert values["state_b_risk"] is None
    assert values["preflight_coverage"]["rho"] == pytest.approx(1 / 3)
    assert values["resource_touch_completeness"]["gaps"][0]["src_idx"] == 0


def test_no_followers_no_keystone() -> None:
    report = analyze_plan({"nodes": [{"idx": 4, "agent": "a", "kind": "decision"}]})
    assert (report.keystone_idx, report.keystone_followers) == (None, 0)
    assert "none: no step follows another" in str(report)
    assert report.preflight_coverage.no_score_reason.startswith("no_score:single_decision")


class Observing:
    """An adapter that claims to have seen its dependencies."""

    name = "observing"
    version = "v9"

    def __init__(self, grades: list[Grade]) -> None:
        self.grades = grades

    def to_steps(self, _source: object) -> list[PlanStep]:
        first = Outline(0, Kind.TOOL_CALL, None, (), (), None, True)
        reads = tuple(Read(f"r{i}", ("reads", i), producer=0) for i in range(len(self.grades)))
        second = Outline(1, Kind.DECISION, None, reads, (), None, True)
        others = [Outline(i, Kind.TOOL_CALL, None, (), (), None, True) for i in range(2, 6)]
        return [PlanStep(first), PlanStep(second, tuple(self.grades)), *map(PlanStep, others)]


def test_a_plan_that_could_be_scored_is_refused() -> None:
    with pytest.raises(RuntimeError, match="must not be scored before it ran"):
        analyze_plan(None, adapter=Observing([Grade.OBSERVED, Grade.DECLARED]))


def test_an_adapter_with_little_evidence_is_reported_as_it_is() -> None:
    report = analyze_plan(None, adapter=Observing([Grade.OBSERVED, Grade.INFERRED, Grade.DECLARED]))
    coverage = report.preflight_coverage
    assert report.adapter == "observing_v9"
    assert (coverage.observed, coverage.declared, coverage.inferred) == (1, 1, 1)
    assert report.state_b_withheld is True


@pytest.mark.parametrize(
    ("node", "words"),
    [
        ("x", r"nodes\[1\].*dict"),
        ({"agent": "a", "kind": "decision"}, r"nodes\[1\]: 'idx'"),
        ({"idx": True, "agent": "a", "kind": "decision"}, r"nodes\[1\]: 'idx'"),
        ({"idx": 0, "agent": "a", "kind": "decision"}, r"node 0: 'idx' is there already"),
        ({"idx": 1, "agent": "", "kind": "decision"}, r"node 1: 'agent'"),
        ({"idx": 1, "agent": "a", "kind": "Decision"}, r"node 1: 'kind'"),
        ({"idx": 1, "agent": "a", "kind": "decision", "control_preds": 0}, r"node 1: 'control_preds'"),
        ({"idx": 1, "agent": "a", "kind": "decision", "control_preds": [False]}, r"node 1: 'control_preds'"),
        ({"idx": 1, "agent": "a", "kind": "decision", "control_preds": [1]}, r"node 1: 'control_preds' names 1"),
        ({"idx": 1, "agent": "a", "kind": "decision", "reads": [""]}, r"node 1: 'reads'"),
        ({"idx": 1, "agent": "a", "kind": "decision", "reads": 7}, r"node 1: 'reads'"),
        ({"idx": 1, "agent": "a", "kind": "decision", "reads": [7]}, r"node 1: .*'reads'"),
        ({"idx": 1, "agent": "a", "kind": "decision", "reads": [{"id": ""}]}, r"node 1: .*'id'"),
        ({"idx": 1, "agent": "a", "kind": "decision", "reads": [{"id": "r", "producer": "0"}]}, r"node 1: 'producer'"),
        ({"idx": 1, "agent": "a", "kind": "decision", "reads": [{"id": "r", "producer": 1}]}, r"node 1: 'producer'"),
        ({"idx": 1, "agent": "a", "kind": "decision", "writes": [{}]}, r"node 1: .*'writes'.*'id'"),
        ({"idx": 1, "agent": "a", "kind": "decision", "scope": "r"}, r"node 1: 'scope'"),
        ({"idx": 1, "agent": "a", "kind": "decision", "scope": [1]}, r"node 1: 'scope'"),
    ],
)
def test_an_invalid_plan_is_refused_by_node_and_field(node: object, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        analyze_plan({"nodes": [{"idx": 0, "agent": "a", "kind": "decision"}, node]})


def test_the_adapter_can_be_called() -> None:
    assert [step.outline.identity for step in declared_plan_v1(PLAN)] == [0, 1, 2]
    assert declared_plan_v1.id == "declared_plan_v1"
