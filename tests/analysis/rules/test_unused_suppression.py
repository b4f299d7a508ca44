"""Each branch of `unused_suppression`."""

from __future__ import annotations

from analysis.marks import check_rule


def test_nothing_to_hold_back() -> None:
    check_rule(
        "unused_suppression",
        """
        {"plancheck-ignore": ["scope_vs_snapshot"], "nodes": [
                              ~~~~~~~~~~~~~~~~~~~ unused_suppression: `scope_vs_snapshot` has nothing to report here: r…
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "plancheck-ignore": ["unknown_key"]}
                                ~~~~~~~~~~~~~ unused_suppression: `unknown_key` has nothing to report here: r…
        ]}
        """,
    )


def test_with_a_reason() -> None:
    check_rule(
        "unused_suppression",
        """
        {"plancheck-ignore": [{"rule": "scope_vs_snapshot", "reason": "agreed"}], "nodes": [
                                       ~~~~~~~~~~~~~~~~~~~ unused_suppression: `scope_vs_snapshot` has nothing to re…
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["order"], "writes": ["ledger"],
           "plancheck-ignore": [{"reason": "append-only", "rule": "write_with_no_prior_read"}]}
        ]}
        """,
    )


def test_what_could_not_be_read_cannot_be_held_back() -> None:
    check_rule(
        "unused_suppression",
        """
        {"plancheck-ignore": ["syntax_error", "not_a_plan"], "nodes": [
                              ~~~~~~~~~~~~~~ unused_suppression: `syntax_error` reports what could not be …
                                              ~~~~~~~~~~~~ unused_suppression: `not_a_plan` reports what…
          {"idx": 0, "agent": "a", "kind": "tool_call", "plancheck-ignore": ["wrong_type"]}
                                                                             ~~~~~~~~~~~~ unused_suppression: …
        ]}
        """,
    )


def test_it_holds_something_back() -> None:
    check_rule(
        "unused_suppression",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["order"],
           "scope": ["order", "vault"], "plancheck-ignore": ["scope_vs_snapshot"]}
        ]}
        """,
    )


def test_the_plan_holds_it_back_everywhere() -> None:
    check_rule(
        "unused_suppression",
        """
        {"plancheck-ignore": ["scope_vs_snapshot"], "nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["order"],
           "scope": ["order", "vault"]}
        ]}
        """,
    )


def test_held_back_at_another_step() -> None:
    check_rule(
        "unused_suppression",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "plancheck-ignore": ["scope_vs_snapshot"]},
                                ~~~~~~~~~~~~~~~~~~~ unused_suppression: `scope_vs_snapshot` has nothing to report here:…
          {"idx": 1, "agent": "a", "kind": "tool_call", "reads": ["order"],
           "scope": ["order", "vault"]}
        ]}
        """,
    )


def test_a_suppression_of_this_very_rule() -> None:
    check_rule(
        "unused_suppression",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "plancheck-ignore": ["unused_suppression", "wrong_type"]}
        ]}
        """,
    )
