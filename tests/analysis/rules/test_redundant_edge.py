"""Each branch of `redundant_edge`."""

from __future__ import annotations

from analysis.marks import check_rule


def test_implied_by_another_predecessor() -> None:
    check_rule(
        "redundant_edge",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call"},
          {"idx": 1, "agent": "a", "kind": "tool_call"},
                  ~ -> Step 1 waits for it.
          {"idx": 2, "agent": "a", "kind": "tool_call",
           "control_preds": [0, 1]}
                             ~ redundant_edge: Step 2 waits for step 0 anyway, through step 1: remove it here.
        ]}
        """,
    )


def test_implied_from_further_up() -> None:
    check_rule(
        "redundant_edge",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call"},
          {"idx": 1, "agent": "a", "kind": "tool_call"},
          {"idx": 2, "agent": "a", "kind": "tool_call"},
          {"idx": 3, "agent": "a", "kind": "tool_call",
           "control_preds": [2, 0]}
                                ~ redundant_edge: Step 3 waits for step 0 anyway, through step 2: remove it here.
        ]}
        """,
    )


def test_named_twice() -> None:
    check_rule(
        "redundant_edge",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call"},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "control_preds": [0, 0]}
                                ~ redundant_edge: Step 1 names step 0 twice: remove one.
                             ~ -> Step 0 is listed here already.
        ]}
        """,
    )


def test_named_twice_and_implied() -> None:
    check_rule(
        "redundant_edge",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call"},
          {"idx": 1, "agent": "a", "kind": "tool_call"},
          {"idx": 2, "agent": "a", "kind": "tool_call",
           "control_preds": [0, 0, 1]}
                             ~ redundant_edge: Step 2 waits for step 0 anyway, through step 1: remove it here.
                                ~ redundant_edge: Step 2 names step 0 twice: remove one.
        ]}
        """,
    )


def test_two_branches_that_meet() -> None:
    check_rule(
        "redundant_edge",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call"},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "control_preds": [0]},
          {"idx": 2, "agent": "a", "kind": "tool_call",
           "control_preds": [0]},
          {"idx": 3, "agent": "a", "kind": "tool_call",
           "control_preds": [1, 2]}
        ]}
        """,
    )


def test_a_decision_may_take_the_short_way() -> None:
    check_rule(
        "redundant_edge",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "decision"},
          {"idx": 1, "agent": "a", "kind": "tool_call"},
          {"idx": 2, "agent": "a", "kind": "tool_call",
           "control_preds": [0, 1]}
        ]}
        """,
    )


def test_a_step_of_unknown_kind_may_be_a_decision() -> None:
    check_rule(
        "redundant_edge",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "decide"},
          {"idx": 1, "agent": "a", "kind": "tool_call"},
          {"idx": 2, "agent": "a", "kind": "tool_call",
           "control_preds": [0, 1]}
        ]}
        """,
    )


def test_unknown_and_later_predecessors_imply_nothing() -> None:
    check_rule(
        "redundant_edge",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call"},
          {"idx": 1, "agent": "a", "kind": "tool_call"},
          {"idx": 2, "agent": "a", "kind": "tool_call",
           "control_preds": [7, 1, 3]},
          {"idx": 3, "agent": "a", "kind": "tool_call"}
        ]}
        """,
    )


def test_a_way_through_a_step_with_misspelt_predecessors() -> None:
    check_rule(
        "redundant_edge",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call"},
          {"idx": 1, "agent": "a", "kind": "tool_call", "control_pred": []},
          {"idx": 2, "agent": "a", "kind": "tool_call",
           "control_preds": [0, 1]}
        ]}
        """,
    )


def test_one_predecessor_or_the_default() -> None:
    check_rule(
        "redundant_edge",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call"},
          {"idx": 1, "agent": "a", "kind": "tool_call"},
          {"idx": 2, "agent": "a", "kind": "tool_call",
           "control_preds": [1]}
        ]}
        """,
    )


def test_redundant_in_a_step_without_identity() -> None:
    check_rule(
        "redundant_edge",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call"},
          {"idx": 1, "agent": "a", "kind": "tool_call"},
          {"idx": "x", "agent": "a", "kind": "tool_call",
           "control_preds": [0, 1, 1]}
        ]}
        """,
    )
