"""Each branch of `unused_write`."""

from __future__ import annotations

from analysis.marks import check_rule


def test_both_start_from_the_same_value() -> None:
    check_rule(
        "unused_write",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["order"]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "order", "producer": 0}], "writes": ["order"]},
                                                                 ~~~~~~~ unused_write: Step 1 writes `order`, which ste…
          {"idx": 2, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "order", "producer": 0}], "writes": ["order"]}
                                                                 ~~~~~~~ -> Step 2 overwrites it here.
        ]}
        """,
    )


def test_the_next_writer_reads_it() -> None:
    check_rule(
        "unused_write",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["order"],
           "writes": ["order"]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "order", "producer": 0}], "writes": ["order"]}
        ]}
        """,
    )


def test_a_step_between_reads_it() -> None:
    check_rule(
        "unused_write",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["order"]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "order", "producer": 0}], "writes": ["order"]},
          {"idx": 2, "agent": "a", "kind": "tool_call", "reads": ["order"]},
          {"idx": 3, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "order", "producer": 0}], "writes": ["order"]}
        ]}
        """,
    )


def test_a_later_step_names_it_as_producer() -> None:
    check_rule(
        "unused_write",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["order"]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "order", "producer": 0}], "writes": ["order"]},
          {"idx": 2, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "order", "producer": 0}], "writes": ["order"]},
          {"idx": 3, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "order", "producer": 1}]}
        ]}
        """,
    )


def test_a_step_between_takes_an_older_value() -> None:
    check_rule(
        "unused_write",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["order"]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "order", "producer": 0}], "writes": ["order"]},
                                                                 ~~~~~~~ unused_write: Step 1 writes `order`, which ste…
          {"idx": 2, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "order", "producer": 0}]},
          {"idx": 3, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "order", "producer": 0}], "writes": ["order"]}
        ]}
        """,
    )


def test_a_reread_sees_what_is_there() -> None:
    check_rule(
        "unused_write",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["order"]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "order", "producer": 0}], "writes": ["order"]},
          {"idx": 2, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "order", "producer": 0, "revalidates": true}]},
          {"idx": 3, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "order", "producer": 0}], "writes": ["order"]}
        ]}
        """,
    )


def test_a_volatile_read_sees_what_is_there() -> None:
    check_rule(
        "unused_write",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["order"]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "order", "producer": 0}], "writes": ["order"]},
          {"idx": 2, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "order", "producer": 0, "volatile": true}]},
          {"idx": 3, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "order", "producer": 0}], "writes": ["order"]}
        ]}
        """,
    )


def test_a_step_beside_may_read_it() -> None:
    check_rule(
        "unused_write",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["order"]},
          {"idx": 1, "agent": "a", "kind": "tool_call", "control_preds": [0],
           "reads": [{"id": "order", "producer": 0}], "writes": ["order"]},
          {"idx": 2, "agent": "a", "kind": "tool_call", "control_preds": [0],
           "reads": ["order"]},
          {"idx": 3, "agent": "a", "kind": "tool_call", "control_preds": [1, 2],
           "reads": [{"id": "order", "producer": 0}], "writes": ["order"]}
        ]}
        """,
    )


def test_a_reader_before_it_does_not_count() -> None:
    check_rule(
        "unused_write",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["order"]},
          {"idx": 1, "agent": "a", "kind": "tool_call", "reads": ["order"]},
          {"idx": 2, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "order", "producer": 0}], "writes": ["order"]},
                                                                 ~~~~~~~ unused_write: Step 2 writes `order`, which ste…
          {"idx": 3, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "order", "producer": 0}], "writes": ["order"]}
        ]}
        """,
    )


def test_a_path_on_which_it_is_not_overwritten() -> None:
    check_rule(
        "unused_write",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["order"]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "order", "producer": 0}], "writes": ["order"]},
          {"idx": 2, "agent": "a", "kind": "tool_call", "control_preds": [1],
           "reads": [{"id": "order", "producer": 0}], "writes": ["order"]},
          {"idx": 3, "agent": "a", "kind": "tool_call", "control_preds": [1]}
        ]}
        """,
    )


def test_overwritten_on_both_paths() -> None:
    check_rule(
        "unused_write",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["order"]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "order", "producer": 0}], "writes": ["order"]},
                                                                 ~~~~~~~ unused_write: Step 1 writes `order`, which ste…
          {"idx": 2, "agent": "a", "kind": "tool_call", "control_preds": [1],
           "reads": [{"id": "order", "producer": 0}], "writes": ["order"]},
          {"idx": 3, "agent": "a", "kind": "tool_call", "control_preds": [1],
           "reads": [{"id": "order", "producer": 0}], "writes": ["order"]}
        ]}
        """,
    )


def test_the_last_write_is_the_point() -> None:
    check_rule(
        "unused_write",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["order"],
           "writes": ["order"]},
          {"idx": 1, "agent": "a", "kind": "tool_call", "reads": ["rate"]}
        ]}
        """,
    )


def test_the_step_between_has_reads_that_are_not_known() -> None:
    check_rule(
        "unused_write",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["order"]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "order", "producer": 0}], "writes": ["order"]},
          {"idx": 2, "agent": "a", "kind": "tool_call", "reads": [7]},
          {"idx": 3, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "order", "producer": 0}], "writes": ["order"]}
        ]}
        """,
    )


def test_a_step_beside_has_reads_that_are_not_known() -> None:
    check_rule(
        "unused_write",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["order"]},
          {"idx": 1, "agent": "a", "kind": "tool_call", "control_preds": [0],
           "reads": [{"id": "order", "producer": 0}], "writes": ["order"]},
          {"idx": 2, "agent": "a", "kind": "tool_call", "control_preds": [0],
           "reads": [7]},
          {"idx": 3, "agent": "a", "kind": "tool_call", "control_preds": [1, 2],
           "reads": [{"id": "order", "producer": 0}], "writes": ["order"]}
        ]}
        """,
    )


def test_a_reader_whose_place_is_not_known() -> None:
    check_rule(
        "unused_write",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["order"]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "order", "producer": 0}], "writes": ["order"]},
          {"idx": 2, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "order", "producer": 0}], "writes": ["order"]},
          {"idx": 3, "agent": "a", "kind": "tool_call", "control_preds": [7],
           "reads": ["order"]}
        ]}
        """,
    )


def test_a_reader_whose_producer_does_not_exist() -> None:
    check_rule(
        "unused_write",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["order"]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "order", "producer": 0}], "writes": ["order"]},
          {"idx": 2, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "order", "producer": 7}]},
          {"idx": 3, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "order", "producer": 0}], "writes": ["order"]}
        ]}
        """,
    )


def test_an_overwriter_whose_place_is_not_known() -> None:
    check_rule(
        "unused_write",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["order"]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "order", "producer": 0}], "writes": ["order"]},
          {"idx": 2, "agent": "a", "kind": "tool_call", "control_preds": ["1", 1],
           "reads": [{"id": "order", "producer": 0}], "writes": ["order"]}
        ]}
        """,
    )


def test_a_writer_without_identity_whose_work_is_lost() -> None:
    check_rule(
        "unused_write",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["order"]},
          {"idx": "x", "agent": "a", "kind": "tool_call",
           "reads": [{"id": "order", "producer": 0}], "writes": ["order"]},
          {"idx": 2, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "order", "producer": 0}], "writes": ["order"]}
        ]}
        """,
    )
