"""Each branch of `producer_not_before`."""

from __future__ import annotations

from analysis.marks import check_rule


def test_the_producer_runs_beside() -> None:
    check_rule(
        "producer_not_before",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call"},
          {"idx": 1, "agent": "a", "kind": "tool_call",
                  ~ -> Step 1 is here.
           "control_preds": [0], "reads": ["order"],
           "writes": ["order"]},
          {"idx": 2, "agent": "a", "kind": "tool_call",
           "control_preds": [0],
           "reads": [{"id": "order", "producer": 1}]}
                                                 ~ producer_not_before: Step 2 takes `order` from step 1, but does not…
        ]}
        """,
    )


def test_each_read_is_reported() -> None:
    check_rule(
        "producer_not_before",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call"},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "control_preds": [0], "reads": ["order", "rate"],
           "writes": ["order", "rate"]},
          {"idx": 2, "agent": "a", "kind": "tool_call",
           "control_preds": [0],
           "reads": [{"id": "order", "producer": 1}, {"id": "rate", "producer": 1}]}
                                                 ~ producer_not_before: Step 2 takes `order` from step 1, but does not…
                                                                                ~ producer_not_before: Step 2 takes `ra…
        ]}
        """,
    )


def test_the_producer_is_the_predecessor() -> None:
    check_rule(
        "producer_not_before",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": ["order"], "writes": ["order"]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "order", "producer": 0}]}
        ]}
        """,
    )


def test_the_producer_is_further_up() -> None:
    check_rule(
        "producer_not_before",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": ["order"], "writes": ["order"]},
          {"idx": 1, "agent": "a", "kind": "tool_call"},
          {"idx": 2, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "order", "producer": 0}]}
        ]}
        """,
    )


def test_a_root_waits_for_nothing() -> None:
    check_rule(
        "producer_not_before",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": ["order"], "writes": ["order"]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "control_preds": [],
           "reads": [{"id": "order", "producer": 0}]}
                                                 ~ producer_not_before: Step 1 takes `order` from step 0, but does not…
        ]}
        """,
    )


def test_a_producer_that_stands_later_is_another_rule() -> None:
    check_rule(
        "producer_not_before",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "order", "producer": 1}]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "reads": ["order"], "writes": ["order"]}
        ]}
        """,
    )


def test_predecessors_that_could_not_be_made_out() -> None:
    check_rule(
        "producer_not_before",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": ["order"], "writes": ["order"]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "control_preds": ["0"],
           "reads": [{"id": "order", "producer": 0}]}
        ]}
        """,
    )


def test_a_predecessor_that_does_not_exist() -> None:
    check_rule(
        "producer_not_before",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": ["order"], "writes": ["order"]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "control_preds": [7],
           "reads": [{"id": "order", "producer": 0}]}
        ]}
        """,
    )


def test_a_predecessor_that_names_two_steps() -> None:
    check_rule(
        "producer_not_before",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": ["order"], "writes": ["order"]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "control_preds": [], "reads": ["rate"]},
          {"idx": 1, "agent": "a", "kind": "tool_call"},
          {"idx": 2, "agent": "a", "kind": "tool_call",
           "control_preds": [1],
           "reads": [{"id": "order", "producer": 0}]}
        ]}
        """,
    )


def test_a_misspelt_key_of_predecessors() -> None:
    check_rule(
        "producer_not_before",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call"},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "control_preds": [0], "reads": ["order"],
           "writes": ["order"]},
          {"idx": 2, "agent": "a", "kind": "tool_call",
           "control_preds": [0]},
          {"idx": 3, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "order", "producer": 1}], "control_pred": [1, 2]}
        ]}
        """,
    )


def test_what_comes_before_the_predecessor_is_not_known() -> None:
    check_rule(
        "producer_not_before",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": ["order"], "writes": ["order"]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "control_preds": [7]},
          {"idx": 2, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "order", "producer": 0}]}
        ]}
        """,
    )


def test_a_reader_without_identity_beside_the_producer() -> None:
    check_rule(
        "producer_not_before",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call"},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "control_preds": [0], "reads": ["order"],
           "writes": ["order"]},
          {"idx": "x", "agent": "a", "kind": "tool_call",
           "control_preds": [0],
           "reads": [{"id": "order", "producer": 1}]}
        ]}
        """,
    )
