"""Each branch of `unknown_rule`."""

from __future__ import annotations

from analysis.marks import check_rule


def test_a_near_miss_of_a_rule() -> None:
    check_rule(
        "unknown_rule",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "plancheck-ignore": ["wrong_types"]}
                                ~~~~~~~~~~~~~ unknown_rule: Unknown rule `wrong_types`: did you mean `wrong_type`?
        ]}
        """,
    )


def test_no_rule_at_all() -> None:
    check_rule(
        "unknown_rule",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "plancheck-ignore": ["everything"]}
                                ~~~~~~~~~~~~ unknown_rule: Unknown rule `everything`: `plancheck rules` lists them.
        ]}
        """,
    )


def test_switched_off_itself() -> None:
    check_rule(
        "unknown_rule",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "plancheck-ignore": ["unknown_rule", "everything"]}
        ]}
        """,
    )
