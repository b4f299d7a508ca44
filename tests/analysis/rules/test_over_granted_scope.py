"""Each branch of `over_granted_scope`."""

from __future__ import annotations

from analysis.marks import check_rule


def test_an_unlisted_read_hides_the_extra_grant() -> None:
    check_rule(
        "over_granted_scope",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["order", "rate"],
           "scope": ["order", "vault"]}
                              ~~~~~~~ over_granted_scope: Step 0 is granted `vault`, which it neither reads nor writes:…
        ]}
        """,
    )


def test_a_grant_of_everything() -> None:
    check_rule(
        "over_granted_scope",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["order"],
           "scope": ["*"]}
                     ~~~ over_granted_scope: Step 0 is granted `*`, which is everything: name the resources that it tou…
        ]}
        """,
    )


def test_a_pattern_that_matches_what_is_read() -> None:
    check_rule(
        "over_granted_scope",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": ["orders/1", "rate"], "scope": ["orders/*"]}
        ]}
        """,
    )


def test_a_pattern_that_matches_what_is_written() -> None:
    check_rule(
        "over_granted_scope",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["rate"],
           "writes": ["orders/1"], "scope": ["orders/*"]}
        ]}
        """,
    )


def test_a_pattern_that_matches_nothing() -> None:
    check_rule(
        "over_granted_scope",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["order", "rate"],
           "scope": ["order", "vault/*"]}
                              ~~~~~~~~~ over_granted_scope: Step 0 is granted `vault/*`, which it neither reads nor wri…
        ]}
        """,
    )


def test_in_a_pattern_only_the_star_means_something() -> None:
    check_rule(
        "over_granted_scope",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": ["order[1]/a", "q?/b", "rate"], "scope": ["order[1]/*", "q?/*"]}
        ]}
        """,
    )


def test_what_is_written_is_no_extra() -> None:
    check_rule(
        "over_granted_scope",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["order", "rate"],
           "writes": ["ledger"], "scope": ["order", "ledger"]}
        ]}
        """,
    )


def test_what_was_read_by_a_step_it_rests_on_is_no_extra() -> None:
    check_rule(
        "over_granted_scope",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["order"],
           "writes": ["order"]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "order", "producer": 0}, "rate"], "scope": ["order"]},
          {"idx": 2, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "rate", "producer": 1}, "tax"], "scope": ["order"]}
        ]}
        """,
    )


def test_a_grant_that_stands_there_twice_is_reported_once() -> None:
    check_rule(
        "over_granted_scope",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["order", "rate"],
           "scope": ["order", "vault", "vault"]}
                              ~~~~~~~ over_granted_scope: Step 0 is granted `vault`, which it neither reads nor writes:…
        ]}
        """,
    )


def test_what_scope_vs_snapshot_reports_is_not_reported_again() -> None:
    check_rule(
        "over_granted_scope",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["order"],
           "scope": ["order", "vault"]}
        ]}
        """,
    )


def test_an_empty_scope_grants_nothing_too_much() -> None:
    check_rule(
        "over_granted_scope",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["order"],
           "scope": []}
        ]}
        """,
    )


def test_reads_that_could_not_be_made_out() -> None:
    """The missing read may be what the grant is for."""
    check_rule(
        "over_granted_scope",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["order", 7],
           "scope": ["vault"]}
        ]}
        """,
    )


def test_writes_that_could_not_be_made_out() -> None:
    check_rule(
        "over_granted_scope",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["order"],
           "scope": ["vault"], "write": ["vault"]}
        ]}
        """,
    )


def test_an_unknown_producer_may_have_read_it() -> None:
    check_rule(
        "over_granted_scope",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "order", "producer": 7}], "scope": ["vault"]}
        ]}
        """,
    )


def test_a_step_without_identity() -> None:
    check_rule(
        "over_granted_scope",
        """
        {"nodes": [
          {"idx": "x", "agent": "a", "kind": "tool_call",
           "reads": ["order", "rate"], "scope": ["order", "vault"]}
        ]}
        """,
    )
