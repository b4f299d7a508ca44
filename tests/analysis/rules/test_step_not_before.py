"""Each branch of `step_not_before`."""

from __future__ import annotations

from analysis.marks import check_rule


def test_a_later_predecessor_and_producer() -> None:
    check_rule(
        "step_not_before",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "decision", "control_preds": [1],
                                                                         ~ step_not_before: Step 0 waits for step 1, wh…
           "reads": [{"id": "order", "producer": 1}]},
                                                 ~ step_not_before: Step 0 takes `order` from step 1, which comes later…
          {"idx": 1, "agent": "a", "kind": "tool_call"}
                  ~ -> Step 1 is here.
                  ~ -> Step 1 is here.
        ]}
        """,
    )


def test_itself() -> None:
    check_rule(
        "step_not_before",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "decision", "control_preds": [0],
                                                                         ~ step_not_before: Step 0 waits for itself: li…
           "reads": [{"id": "order", "producer": 0}]}
                                                 ~ step_not_before: Step 0 takes `order` from itself: list it earlier,…
        ]}
        """,
    )


def test_before_means_the_list_not_the_number() -> None:
    check_rule(
        "step_not_before",
        """
        {"nodes": [
          {"idx": 9, "agent": "a", "kind": "tool_call"},
          {"idx": 1, "agent": "a", "kind": "decision", "control_preds": [9],
           "reads": [{"id": "order", "producer": 9}]}
        ]}
        """,
    )
