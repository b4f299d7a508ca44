"""Each branch of `barrier_bypassed`."""

from __future__ import annotations

from analysis.marks import check_rule


def test_a_path_around_the_reread() -> None:
    check_rule(
        "barrier_bypassed",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "volatile": true}]},
                            ~~~~~~~ -> Step 0 reads the volatile value here.
          {"idx": 1, "agent": "a", "kind": "tool_call", "control_preds": [0],
           "reads": [{"id": "quote", "revalidates": true}]},
                            ~~~~~~~ -> Step 1 reads it again, on one path only.
          {"idx": 2, "agent": "a", "kind": "tool_call", "control_preds": [0]},
          {"idx": 3, "agent": "a", "kind": "decision", "control_preds": [1, 2],
                  ~ barrier_bypassed: Step 1 re-reads `quote`, but a path from step 0 to step 3 skips it: re-read it o…
           "reads": [{"id": "quote", "producer": 0}]}
        ]}
        """,
    )


def test_a_direct_edge_around_the_reread() -> None:
    check_rule(
        "barrier_bypassed",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "volatile": true}]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "revalidates": true}]},
          {"idx": 2, "agent": "a", "kind": "decision", "control_preds": [0, 1],
                  ~ barrier_bypassed: Step 1 re-reads `quote`, but a path from step 0 to step 2 skips it: re-read it o…
           "reads": [{"id": "quote", "producer": 0}]}
        ]}
        """,
    )


def test_an_action_that_writes() -> None:
    """A step that writes is an action too."""
    check_rule(
        "barrier_bypassed",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "volatile": true}]},
          {"idx": 1, "agent": "a", "kind": "tool_call", "control_preds": [0],
           "reads": [{"id": "quote", "revalidates": true}]},
          {"idx": 2, "agent": "a", "kind": "tool_call", "control_preds": [0]},
          {"idx": 3, "agent": "a", "kind": "tool_call", "control_preds": [1, 2],
                  ~ barrier_bypassed: Step 1 re-reads `quote`, but a path from step 0 to step 3 skips it: re-read it o…
           "reads": [{"id": "quote", "producer": 0}, "order"], "writes": ["order"]}
        ]}
        """,
    )


def test_no_action_no_finding() -> None:
    check_rule(
        "barrier_bypassed",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "volatile": true}]},
          {"idx": 1, "agent": "a", "kind": "tool_call", "control_preds": [0],
           "reads": [{"id": "quote", "revalidates": true}]},
          {"idx": 2, "agent": "a", "kind": "tool_call", "control_preds": [0]},
          {"idx": 3, "agent": "a", "kind": "tool_call", "control_preds": [1, 2],
           "reads": [{"id": "quote", "producer": 0}]}
        ]}
        """,
    )


def test_a_reread_on_every_path() -> None:
    check_rule(
        "barrier_bypassed",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "volatile": true}]},
          {"idx": 1, "agent": "a", "kind": "tool_call", "control_preds": [0],
           "reads": [{"id": "quote", "revalidates": true}]},
          {"idx": 2, "agent": "a", "kind": "tool_call", "control_preds": [0],
           "reads": [{"id": "quote", "revalidates": true}]},
          {"idx": 3, "agent": "a", "kind": "decision", "control_preds": [1, 2],
           "reads": [{"id": "quote", "producer": 0}]}
        ]}
        """,
    )


def test_the_action_rereads_itself() -> None:
    check_rule(
        "barrier_bypassed",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "volatile": true}]},
          {"idx": 1, "agent": "a", "kind": "tool_call", "control_preds": [0],
           "reads": [{"id": "quote", "revalidates": true}]},
          {"idx": 2, "agent": "a", "kind": "tool_call", "control_preds": [0]},
          {"idx": 3, "agent": "a", "kind": "decision", "control_preds": [1, 2],
           "reads": [{"id": "quote", "producer": 0, "revalidates": true}]}
        ]}
        """,
    )


def test_the_action_rests_on_the_reread() -> None:
    """It cannot run before the re-read has."""
    check_rule(
        "barrier_bypassed",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "volatile": true}]},
          {"idx": 1, "agent": "a", "kind": "tool_call", "control_preds": [0],
           "reads": [{"id": "quote", "revalidates": true}]},
          {"idx": 2, "agent": "a", "kind": "tool_call", "control_preds": [0]},
          {"idx": 3, "agent": "a", "kind": "decision", "control_preds": [1, 2],
           "reads": [{"id": "quote", "producer": 1}, {"id": "quote", "producer": 0}]}
        ]}
        """,
    )


def test_the_path_around_leads_through_a_step_that_rests_on_the_reread() -> None:
    check_rule(
        "barrier_bypassed",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "volatile": true}]},
          {"idx": 1, "agent": "a", "kind": "tool_call", "control_preds": [0],
           "reads": [{"id": "quote", "revalidates": true}]},
          {"idx": 2, "agent": "a", "kind": "tool_call", "control_preds": [0]},
          {"idx": 3, "agent": "a", "kind": "tool_call", "control_preds": [1, 2],
           "reads": [{"id": "quote", "producer": 1}]},
          {"idx": 4, "agent": "a", "kind": "decision", "control_preds": [3],
           "reads": [{"id": "quote", "producer": 0}]}
        ]}
        """,
    )


def test_no_reread_at_all_is_another_rule() -> None:
    check_rule(
        "barrier_bypassed",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "volatile": true}]},
          {"idx": 1, "agent": "a", "kind": "decision",
           "reads": [{"id": "quote", "producer": 0}]}
        ]}
        """,
    )


def test_a_reread_of_something_else_is_none() -> None:
    check_rule(
        "barrier_bypassed",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "volatile": true}]},
          {"idx": 1, "agent": "a", "kind": "tool_call", "control_preds": [0],
           "reads": [{"id": "rate", "revalidates": true}]},
          {"idx": 2, "agent": "a", "kind": "decision", "control_preds": [0, 1],
           "reads": [{"id": "quote", "producer": 0}]}
        ]}
        """,
    )


def test_the_action_does_not_rest_on_the_volatile_read() -> None:
    check_rule(
        "barrier_bypassed",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "volatile": true}]},
          {"idx": 1, "agent": "a", "kind": "tool_call", "control_preds": [0],
           "reads": [{"id": "quote", "revalidates": true}]},
          {"idx": 2, "agent": "a", "kind": "tool_call", "control_preds": [0]},
          {"idx": 3, "agent": "a", "kind": "decision", "control_preds": [1, 2],
           "reads": ["order"]}
        ]}
        """,
    )


def test_only_the_first_action_is_reported() -> None:
    check_rule(
        "barrier_bypassed",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "volatile": true}]},
          {"idx": 1, "agent": "a", "kind": "tool_call", "control_preds": [0],
           "reads": [{"id": "quote", "revalidates": true}]},
          {"idx": 2, "agent": "a", "kind": "tool_call", "control_preds": [0]},
          {"idx": 3, "agent": "a", "kind": "decision", "control_preds": [1, 2],
                  ~ barrier_bypassed: Step 1 re-reads `quote`, but a path from step 0 to step 3 skips it: re-read it o…
           "reads": [{"id": "quote", "producer": 0}]},
          {"idx": 4, "agent": "a", "kind": "decision", "control_preds": [3],
           "reads": [{"id": "quote", "producer": 3}]}
        ]}
        """,
    )


def test_an_action_without_identity_is_left_alone() -> None:
    check_rule(
        "barrier_bypassed",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "volatile": true}]},
          {"idx": 1, "agent": "a", "kind": "tool_call", "control_preds": [0],
           "reads": [{"id": "quote", "revalidates": true}]},
          {"idx": 2, "agent": "a", "kind": "tool_call", "control_preds": [0]},
          {"idx": "x", "agent": "a", "kind": "decision", "control_preds": [1, 2],
           "reads": [{"id": "quote", "producer": 0}]}
        ]}
        """,
    )


def test_an_action_whose_predecessors_are_not_all_known() -> None:
    check_rule(
        "barrier_bypassed",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "volatile": true}]},
          {"idx": 1, "agent": "a", "kind": "tool_call", "control_preds": [0],
           "reads": [{"id": "quote", "revalidates": true}]},
          {"idx": 2, "agent": "a", "kind": "tool_call", "control_preds": [0]},
          {"idx": 3, "agent": "a", "kind": "decision", "control_preds": [1, 2, 7],
           "reads": [{"id": "quote", "producer": 0}]}
        ]}
        """,
    )


def test_several_volatile_reads_make_one_finding() -> None:
    check_rule(
        "barrier_bypassed",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "volatile": true}]},
                            ~~~~~~~ -> Step 0 reads the volatile value here.
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "volatile": true}]},
                            ~~~~~~~ -> Step 1 reads the volatile value here.
          {"idx": 2, "agent": "a", "kind": "tool_call", "control_preds": [1],
           "reads": [{"id": "quote", "revalidates": true}]},
                            ~~~~~~~ -> Step 2 reads it again, on one path only.
          {"idx": 3, "agent": "a", "kind": "tool_call", "control_preds": [1]},
          {"idx": 4, "agent": "a", "kind": "decision", "control_preds": [2, 3],
                  ~ barrier_bypassed: Step 2 re-reads `quote`, but a path from step 0 to step 4 skips it: re-read it o…
           "reads": [{"id": "quote", "producer": 0}, {"id": "quote", "producer": 1}]}
        ]}
        """,
    )
