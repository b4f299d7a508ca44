"""Each branch of `unknown_step`."""

from __future__ import annotations

from analysis.marks import check_rule


def test_a_predecessor_and_a_producer() -> None:
    check_rule(
        "unknown_step",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call"},
          {"idx": 1, "agent": "a", "kind": "decision", "control_preds": [7],
                                                                         ~ unknown_step: Step 1 waits for step 7, which…
           "reads": [{"id": "order", "producer": 8}]}
                                                 ~ unknown_step: Step 1 takes `order` from step 8, which does not exist…
        ]}
        """,
    )


def test_later_steps_exist() -> None:
    check_rule(
        "unknown_step",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "decision", "control_preds": [1]},
          {"idx": 1, "agent": "a", "kind": "tool_call"}
        ]}
        """,
    )
