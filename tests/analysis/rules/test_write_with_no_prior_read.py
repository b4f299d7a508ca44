"""Each branch of `write_with_no_prior_read`."""

from __future__ import annotations

from analysis.marks import check_rule


def test_a_write_of_what_was_not_read() -> None:
    check_rule(
        "write_with_no_prior_read",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["rate"],
           "writes": ["order", "rate", "ledger"]}
                      ~~~~~~~ write_with_no_prior_read: Step 0 writes `order`, which neither it nor any step it rests o…
                                       ~~~~~~~~ write_with_no_prior_read: Step 0 writes `ledger`, which neither it nor…
        ]}
        """,
    )


def test_read_by_a_step_it_rests_on() -> None:
    check_rule(
        "write_with_no_prior_read",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["order", "rate"]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "rate", "producer": 0}], "writes": ["order"]}
        ]}
        """,
    )


def test_read_by_a_step_it_does_not_rest_on() -> None:
    check_rule(
        "write_with_no_prior_read",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["order"]},
          {"idx": 1, "agent": "a", "kind": "tool_call", "reads": ["rate"],
           "writes": ["order"]}
                      ~~~~~~~ write_with_no_prior_read: Step 1 writes `order`, which neither it nor any step it rests o…
        ]}
        """,
    )


def test_reads_not_known() -> None:
    check_rule(
        "write_with_no_prior_read",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": [7],
           "writes": ["order"]}
        ]}
        """,
    )


def test_a_producer_that_is_not_there() -> None:
    check_rule(
        "write_with_no_prior_read",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "rate", "producer": 7}], "writes": ["order"]}
        ]}
        """,
    )
