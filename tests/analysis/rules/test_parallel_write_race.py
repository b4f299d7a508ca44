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
                      ~~~~~~~ parallel_write_race: Steps 1 and 2 both write `order`, and neither waits for the other: …
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
                      ~~~~~~~ parallel_write_race: Steps 1 and 2 both write `order`, and neither waits for the other: …
          {"idx": 3, "agent": "a", "kind": "tool_call",
           "control_preds": [0], "reads": ["order"],
           "writes": ["order"]}
                      ~~~~~~~ parallel_write_race: Steps 1 and 3 both write `order`, and neither waits for the other: …
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
                      ~~~~~~~ parallel_write_race: Steps 0 and 1 both write `order`, and neither waits for the other: …
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


def test_two_ways_out_of_one_decision() -> None:
    check_rule(
        "parallel_write_race",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "decision", "reads": ["order"]},
          {"idx": 1, "agent": "a", "kind": "tool_call", "control_preds": [0], "reads": ["order"]},
          {"idx": 2, "agent": "a", "kind": "tool_call", "control_preds": [1], "reads": ["order"], "writes": ["order"]},
          {"idx": 3, "agent": "a", "kind": "tool_call", "control_preds": [0], "reads": ["order"], "writes": ["order"]}
        ]}
        """,
    )


def test_one_way_out_of_a_decision_that_parts_later() -> None:
    check_rule(
        "parallel_write_race",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "decision", "reads": ["order"]},
          {"idx": 1, "agent": "a", "kind": "tool_call", "control_preds": [0], "reads": ["order"]},
          {"idx": 2, "agent": "a", "kind": "tool_call", "control_preds": [1], "reads": ["order"], "writes": ["order"]},
          {"idx": 3, "agent": "a", "kind": "tool_call", "control_preds": [1], "reads": ["order"],
           "writes": ["order"]},
                      ~~~~~~~ parallel_write_race: Steps 2 and 3 both write `order`, and neither waits for the other: …
          {"idx": 4, "agent": "a", "kind": "tool_call", "control_preds": [0], "reads": ["order"]}
        ]}
        """,
    )


def test_steps_behind_the_same_way_race_whatever_other_way_leads_to_them() -> None:
    check_rule(
        "parallel_write_race",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "decision", "reads": ["order"]},
          {"idx": 1, "agent": "a", "kind": "tool_call", "control_preds": [0], "reads": ["order"]},
          {"idx": 2, "agent": "a", "kind": "tool_call", "control_preds": [0], "reads": ["order"], "writes": ["order"]},
          {"idx": 3, "agent": "a", "kind": "tool_call", "control_preds": [0, 1], "reads": ["order"],
           "writes": ["order"]},
          {"idx": 4, "agent": "a", "kind": "tool_call", "control_preds": [1, 0], "reads": ["order"]},
          {"idx": 5, "agent": "a", "kind": "tool_call", "control_preds": [0], "reads": ["order"]},
          {"idx": 6, "agent": "a", "kind": "tool_call", "control_preds": [5, 1], "reads": ["order"],
           "writes": ["order"]}
                      ~~~~~~~ parallel_write_race: Steps 3 and 6 both write `order`, and neither waits for the other: …
        ]}
        """,
    )
