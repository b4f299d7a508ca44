"""Each branch of `touch_outside_scope`."""

from __future__ import annotations

from analysis.marks import check_rule


def test_a_read_outside() -> None:
    check_rule(
        "touch_outside_scope",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": ["order", "rate"], "scope": ["order"]}
                              ~~~~~~ touch_outside_scope: Step 0 reads `rate`, which its `scope` does not grant: grant…
        ]}
        """,
    )


def test_a_write_outside() -> None:
    check_rule(
        "touch_outside_scope",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": ["order"], "writes": ["ledger"],
                                          ~~~~~~~~ touch_outside_scope: Step 0 writes `ledger`, which its `scope` does…
           "scope": ["order"]}
        ]}
        """,
    )


def test_read_and_written_is_reported_once() -> None:
    check_rule(
        "touch_outside_scope",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": ["ledger"], "writes": ["ledger"],
                     ~~~~~~~~ touch_outside_scope: Step 0 reads `ledger`, which its `scope` does not grant: grant it, o…
           "scope": ["order"]}
        ]}
        """,
    )


def test_what_a_producer_left_counts_as_a_touch() -> None:
    check_rule(
        "touch_outside_scope",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": ["order"], "writes": ["order"]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "order", "producer": 0}],
                            ~~~~~~~ touch_outside_scope: Step 1 reads `order`, which its `scope` does not grant: grant…
           "scope": ["rate"]}
        ]}
        """,
    )


def test_an_empty_scope_grants_nothing() -> None:
    check_rule(
        "touch_outside_scope",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": ["order"], "scope": []}
                     ~~~~~~~ touch_outside_scope: Step 0 reads `order`, which its `scope` does not grant: grant it, or…
        ]}
        """,
    )


def test_no_scope_no_limit() -> None:
    check_rule(
        "touch_outside_scope",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": ["order"]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "reads": ["order"], "scope": null}
        ]}
        """,
    )


def test_a_star_grants_everything() -> None:
    check_rule(
        "touch_outside_scope",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": ["order", "rate"], "scope": ["*"]}
        ]}
        """,
    )


def test_a_pattern_grants_what_it_matches() -> None:
    check_rule(
        "touch_outside_scope",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": ["orders/1", "rates/1"], "scope": ["orders/*"]}
                                 ~~~~~~~~~ touch_outside_scope: Step 0 reads `rates/1`, which its `scope` does not gran…
        ]}
        """,
    )


def test_a_question_mark_is_no_pattern() -> None:
    check_rule(
        "touch_outside_scope",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": ["a1", "a?"], "scope": ["a?"]}
                     ~~~~ touch_outside_scope: Step 0 reads `a1`, which its `scope` does not grant: grant it, or leave…
        ]}
        """,
    )


def test_a_scope_that_could_not_be_made_out() -> None:
    check_rule(
        "touch_outside_scope",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": ["order"], "scope": [7]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "reads": ["order"], "scope": "order"}
        ]}
        """,
    )


def test_a_touch_by_a_step_without_identity() -> None:
    check_rule(
        "touch_outside_scope",
        """
        {"nodes": [
          {"idx": "x", "agent": "a", "kind": "tool_call",
           "reads": ["order"], "scope": []}
        ]}
        """,
    )
