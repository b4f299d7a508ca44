"""Each branch of `scope_vs_snapshot`."""

from __future__ import annotations

from analysis.marks import check_rule


def test_each_extra() -> None:
    check_rule(
        "scope_vs_snapshot",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["order"],
           "scope": ["order", "b", "a", "b"]}
                              ~~~ scope_vs_snapshot: Step 0 may touch `b` but never reads it: remove it from `scope`, …
                                   ~~~ scope_vs_snapshot: Step 0 may touch `a` but never reads it: remove it from `sco…
        ]}
        """,
    )


def test_exactly_what_was_read() -> None:
    check_rule(
        "scope_vs_snapshot",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["order"],
           "scope": ["order"]}
        ]}
        """,
    )


def test_one_read_is_not_granted() -> None:
    check_rule(
        "scope_vs_snapshot",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["order", "rate"],
           "scope": ["order", "vault"]}
        ]}
        """,
    )


def test_what_was_read_before_counts() -> None:
    check_rule(
        "scope_vs_snapshot",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["order", "rate"],
           "writes": ["order"]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "order", "producer": 0}], "scope": ["order", "rate"]}
        ]}
        """,
    )


def test_nothing_read() -> None:
    check_rule(
        "scope_vs_snapshot",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "scope": ["vault"]}
                                                                  ~~~~~~~ scope_vs_snapshot: Step 0 may touch `vault` …
        ]}
        """,
    )


def test_no_scope_or_none_granted() -> None:
    check_rule(
        "scope_vs_snapshot",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["order"]},
          {"idx": 1, "agent": "a", "kind": "tool_call", "reads": ["order"],
           "scope": []}
        ]}
        """,
    )


def test_reads_not_known_to_the_scope() -> None:
    check_rule(
        "scope_vs_snapshot",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": [7],
           "scope": ["vault"]}
        ]}
        """,
    )
