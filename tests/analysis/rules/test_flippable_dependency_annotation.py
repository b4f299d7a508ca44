"""Each branch of `flippable_dependency_annotation`."""

from __future__ import annotations

from analysis.marks import check_rule


def test_a_volatile_edge_into_a_decision() -> None:
    check_rule(
        "flippable_dependency_annotation",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["quote"],
           "writes": ["quote"]},
          {"idx": 1, "agent": "a", "kind": "decision",
           "reads": [{"id": "quote", "producer": 0, "volatile": true}]}
        ]}
        """,
    )


def test_through_another_step() -> None:
    check_rule(
        "flippable_dependency_annotation",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["quote"],
           "writes": ["quote"]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "producer": 0, "volatile": true}]},
          {"idx": 2, "agent": "a", "kind": "decision",
           "reads": [{"id": "quote", "producer": 1}]}
        ]}
        """,
    )


def test_pinned_or_reread_or_calm() -> None:
    check_rule(
        "flippable_dependency_annotation",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["quote"],
           "writes": ["quote"]},
          {"idx": 1, "agent": "a", "kind": "decision",
           "reads": [{"id": "quote", "producer": 0, "volatile": true, "pinned": true}]},
          {"idx": 2, "agent": "a", "kind": "decision",
           "reads": [{"id": "quote", "producer": 0, "volatile": true, "revalidates": true}]},
          {"idx": 3, "agent": "a", "kind": "decision",
           "reads": [{"id": "quote", "producer": 0}]}
        ]}
        """,
    )


def test_a_free_read_never() -> None:
    check_rule(
        "flippable_dependency_annotation",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "decision",
           "reads": [{"id": "quote", "volatile": true}]}
        ]}
        """,
    )


def test_no_decision_rests_on_it() -> None:
    check_rule(
        "flippable_dependency_annotation",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["quote"],
           "writes": ["quote"]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "producer": 0, "volatile": true}]}
        ]}
        """,
    )
