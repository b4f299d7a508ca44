"""Each branch of `parallel_write_race`."""

from __future__ import annotations

from analysis.marks import check_rule


def test_two_writers_side_by_side() -> None:
    check_rule(
        "parallel_write_race",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call"},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "control_preds": [0], "reads": ["order"],
           "writes": ["order"]},
                      ~~~~~~~ -> Step 1 writes it here.
          {"idx": 2, "agent": "a", "kind": "tool_call",
           "control_preds": [0], "reads": ["order"],
           "writes": ["order"]}
                      ~~~~~~~ parallel_write_race: Step 2 and step 1 both write `order`, and neither waits for the othe…
        ]}
        """,
    )


def test_every_later_writer_is_reported() -> None:
    check_rule(
        "parallel_write_race",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call"},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "control_preds": [0], "reads": ["order"],
           "writes": ["order"]},
          {"idx": 2, "agent": "a", "kind": "tool_call",
           "control_preds": [0], "reads": ["order"],
           "writes": ["order"]},
                      ~~~~~~~ parallel_write_race: Step 2 and step 1 both write `order`, and neither waits for the othe…
          {"idx": 3, "agent": "a", "kind": "tool_call",
           "control_preds": [0], "reads": ["order"],
           "writes": ["order"]}
                      ~~~~~~~ parallel_write_race: Step 3 and step 1 both write `order`, and neither waits for the othe…
        ]}
        """,
    )


def test_two_roots() -> None:
    check_rule(
        "parallel_write_race",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": ["order"], "writes": ["order"]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "control_preds": [], "reads": ["order"],
           "writes": ["order"]}
                      ~~~~~~~ parallel_write_race: Step 1 and step 0 both write `order`, and neither waits for the othe…
        ]}
        """,
    )


def test_one_after_the_other() -> None:
    check_rule(
        "parallel_write_race",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": ["order"], "writes": ["order"]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "order", "producer": 0}],
           "writes": ["order"]}
        ]}
        """,
    )


def test_joined_by_a_step_between() -> None:
    check_rule(
        "parallel_write_race",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": ["order"], "writes": ["order"]},
          {"idx": 1, "agent": "a", "kind": "tool_call"},
          {"idx": 2, "agent": "a", "kind": "tool_call",
           "reads": ["order"], "writes": ["order"]}
        ]}
        """,
    )


def test_different_resources() -> None:
    check_rule(
        "parallel_write_race",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call"},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "control_preds": [0], "reads": ["order"],
           "writes": ["order"]},
          {"idx": 2, "agent": "a", "kind": "tool_call",
           "control_preds": [0], "reads": ["rate"],
           "writes": ["rate"]}
        ]}
        """,
    )


def test_one_step_that_writes_it_twice() -> None:
    check_rule(
        "parallel_write_race",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": ["order"], "writes": ["order", "order"]}
        ]}
        """,
    )


def test_a_writer_whose_predecessors_are_not_known() -> None:
    check_rule(
        "parallel_write_race",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": ["order"], "writes": ["order"]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "control_preds": [7], "reads": ["order"],
           "writes": ["order"]}
        ]}
        """,
    )


def test_a_writer_without_identity() -> None:
    check_rule(
        "parallel_write_race",
        """
        {"nodes": [
          {"idx": "x", "agent": "a", "kind": "tool_call",
           "reads": ["order"], "writes": ["order"]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "control_preds": [], "reads": ["order"],
           "writes": ["order"]},
          {"idx": "y", "agent": "a", "kind": "tool_call",
           "control_preds": [], "reads": ["order"],
           "writes": ["order"]}
        ]}
        """,
    )
