"""Each branch of `unreachable_step`."""

from __future__ import annotations

from analysis.marks import check_rule


def test_a_step_by_itself() -> None:
    check_rule(
        "unreachable_step",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call"},
          {"idx": 1, "agent": "a", "kind": "tool_call"},
          {"idx": 2, "agent": "a", "kind": "tool_call", "control_preds": []}
                  ~ unreachable_step: Step 2 is connected to no other step: let a step wait for it, or remove it.
        ]}
        """,
    )


def test_a_group_by_itself() -> None:
    check_rule(
        "unreachable_step",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call"},
          {"idx": 1, "agent": "a", "kind": "tool_call"},
          {"idx": 2, "agent": "a", "kind": "tool_call"},
          {"idx": 3, "agent": "a", "kind": "tool_call"},
          {"idx": 4, "agent": "a", "kind": "tool_call", "control_preds": []},
                  ~ unreachable_step: Step 4 and the 2 after it are connected to no other step: let a step wait for it,…
          {"idx": 5, "agent": "a", "kind": "tool_call"},
                  ~ -> Step 5 belongs to it.
          {"idx": 6, "agent": "a", "kind": "tool_call"}
                  ~ -> Step 6 belongs to it.
        ]}
        """,
    )


def test_two_steps_by_themselves() -> None:
    check_rule(
        "unreachable_step",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call"},
          {"idx": 1, "agent": "a", "kind": "tool_call"},
          {"idx": 2, "agent": "a", "kind": "tool_call"},
          {"idx": 3, "agent": "a", "kind": "tool_call", "control_preds": []},
                  ~ unreachable_step: Step 3 and the one after it are connected to no other step: let a step wait for i…
          {"idx": 4, "agent": "a", "kind": "tool_call"}
        ]}
        """,
    )


def test_the_smaller_part_is_reported_even_if_it_comes_first() -> None:
    check_rule(
        "unreachable_step",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call"},
                  ~ unreachable_step: Step 0 is connected to no other step: let a step wait for it, or remove it.
          {"idx": 1, "agent": "a", "kind": "tool_call", "control_preds": []},
          {"idx": 2, "agent": "a", "kind": "tool_call"}
        ]}
        """,
    )


def test_of_parts_as_large_the_first_is_the_plan() -> None:
    check_rule(
        "unreachable_step",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call"},
          {"idx": 1, "agent": "a", "kind": "tool_call", "control_preds": []}
                  ~ unreachable_step: Step 1 is connected to no other step: let a step wait for it, or remove it.
        ]}
        """,
    )


def test_a_second_start_that_is_taken_up_later() -> None:
    check_rule(
        "unreachable_step",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call"},
          {"idx": 1, "agent": "a", "kind": "tool_call", "control_preds": []},
          {"idx": 2, "agent": "a", "kind": "tool_call", "control_preds": [0, 1]}
        ]}
        """,
    )


def test_several_starts_that_meet_in_the_end() -> None:
    check_rule(
        "unreachable_step",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call"},
          {"idx": 1, "agent": "a", "kind": "tool_call", "control_preds": []},
          {"idx": 2, "agent": "a", "kind": "tool_call", "control_preds": []},
          {"idx": 3, "agent": "a", "kind": "tool_call", "control_preds": [1, 2]},
          {"idx": 4, "agent": "a", "kind": "tool_call", "control_preds": [0, 3]},
          {"idx": 5, "agent": "a", "kind": "tool_call"}
        ]}
        """,
    )


def test_its_data_is_taken_up_later() -> None:
    check_rule(
        "unreachable_step",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call"},
          {"idx": 1, "agent": "a", "kind": "tool_call", "control_preds": [],
           "reads": ["order"], "writes": ["order"]},
          {"idx": 2, "agent": "a", "kind": "tool_call", "control_preds": [0],
           "reads": [{"id": "order", "producer": 1}]}
        ]}
        """,
    )


def test_it_takes_data_from_the_plan() -> None:
    check_rule(
        "unreachable_step",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["order"],
           "writes": ["order"]},
          {"idx": 1, "agent": "a", "kind": "tool_call"},
          {"idx": 2, "agent": "a", "kind": "tool_call", "control_preds": [],
           "reads": [{"id": "order", "producer": 0}]}
        ]}
        """,
    )


def test_a_plan_of_one_step() -> None:
    check_rule(
        "unreachable_step",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "control_preds": []}
        ]}
        """,
    )


def test_no_steps() -> None:
    check_rule(
        "unreachable_step",
        """
        {"nodes": []}
        """,
    )


def test_predecessors_that_do_not_exist() -> None:
    check_rule(
        "unreachable_step",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call"},
          {"idx": 1, "agent": "a", "kind": "tool_call"},
          {"idx": 2, "agent": "a", "kind": "tool_call", "control_preds": [7]}
        ]}
        """,
    )


def test_predecessors_of_the_wrong_type() -> None:
    check_rule(
        "unreachable_step",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call"},
          {"idx": 1, "agent": "a", "kind": "tool_call"},
          {"idx": 2, "agent": "a", "kind": "tool_call", "control_preds": ["1"]}
        ]}
        """,
    )


def test_a_producer_that_does_not_exist() -> None:
    check_rule(
        "unreachable_step",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call"},
          {"idx": 1, "agent": "a", "kind": "tool_call"},
          {"idx": 2, "agent": "a", "kind": "tool_call", "control_preds": [],
           "reads": [{"id": "order", "producer": 7}]}
        ]}
        """,
    )


def test_reads_that_are_not_known() -> None:
    check_rule(
        "unreachable_step",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call"},
          {"idx": 1, "agent": "a", "kind": "tool_call"},
          {"idx": 2, "agent": "a", "kind": "tool_call", "control_preds": [],
           "reads": [7]}
        ]}
        """,
    )


def test_another_step_may_have_meant_it() -> None:
    check_rule(
        "unreachable_step",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "control_preds": [1]},
          {"idx": 1, "agent": "a", "kind": "tool_call", "control_preds": []}
        ]}
        """,
    )


def test_a_lone_step_without_identity() -> None:
    check_rule(
        "unreachable_step",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call"},
          {"idx": 1, "agent": "a", "kind": "tool_call"},
          {"idx": "x", "agent": "a", "kind": "tool_call", "control_preds": []}
        ]}
        """,
    )
