"""Each branch of `unknown_key`."""

from __future__ import annotations

from analysis.marks import check_rule


def test_a_near_miss_of_a_key_of_a_step() -> None:
    check_rule(
        "unknown_key",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "decision",
           "Reads": [], "write": [],
           ~~~~~~~ unknown_key: `Reads` is not a key of a step and is ignored: did you mean `reads`?
                        ~~~~~~~ unknown_key: `write` is not a key of a step and is ignored: did you mean `writes`?
           "control_pred": []}
           ~~~~~~~~~~~~~~ unknown_key: `control_pred` is not a key of a step and is ignored: did you mean `control_pre…
        ]}
        """,
    )


def test_a_near_miss_in_a_read() -> None:
    check_rule(
        "unknown_key",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "order", "volatil": true, "revalidate": true}]}
                                     ~~~~~~~~~ unknown_key: `volatil` is not a key of a resource and is ignored: did y…
                                                      ~~~~~~~~~~~~ unknown_key: `revalidate` is not a key of a resourc…
        ]}
        """,
    )


def test_not_if_the_right_key_is_there_too() -> None:
    check_rule(
        "unknown_key",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "order", "ID": "x"}], "Reads": []}
        ]}
        """,
    )


def test_any_other_key_is_the_authors_business() -> None:
    check_rule(
        "unknown_key",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "label": "x", "timeout": 3}
        ]}
        """,
    )


def test_an_entry_of_plancheck_ignore() -> None:
    check_rule(
        "unknown_key",
        """
        {"plancheck-ignore": [{"rule": "redundant_edge", "Reason": "agreed", "ticket": 7}], "nodes": [
                                                         ~~~~~~~~ unknown_key: `Reason` is not a key of an entry of `…
          {"idx": 0, "agent": "a", "kind": "tool_call"}
        ]}
        """,
    )
