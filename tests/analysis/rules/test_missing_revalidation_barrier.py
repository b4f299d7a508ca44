"""Each branch of `missing_revalidation_barrier`."""

from __future__ import annotations

from analysis.marks import check_rule


def test_its_own_volatile_read() -> None:
    check_rule(
        "missing_revalidation_barrier",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "decision",
           "reads": [{"id": "quote", "volatile": true}]}
                            ~~~~~~~ missing_revalidation_barrier: Step 0 acts on its own volatile read of `quote`: mark…
        ]}
        """,
    )


def test_the_read_of_a_step_it_rests_on() -> None:
    check_rule(
        "missing_revalidation_barrier",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "volatile": true}]},
                            ~~~~~~~ -> Step 0 reads the volatile `quote` here.
          {"idx": 1, "agent": "a", "kind": "tool_call",
                  ~ missing_revalidation_barrier: Step 1 acts on the volatile `quote` read by step 0 with no re-read in…
           "reads": [{"id": "quote", "producer": 0}], "writes": ["quote"]}
        ]}
        """,
    )


def test_several_reads_one_finding() -> None:
    check_rule(
        "missing_revalidation_barrier",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "volatile": true}]},
                            ~~~~~~~ -> Step 0 reads the volatile `quote` here.
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "volatile": true}]},
                            ~~~~~~~ -> Step 1 reads the volatile `quote` here.
          {"idx": 2, "agent": "a", "kind": "decision",
                  ~ missing_revalidation_barrier: Step 2 acts on the volatile `quote` read by 2 steps with no re-read i…
           "reads": [{"id": "quote", "producer": 0}, {"id": "quote", "producer": 1}]}
        ]}
        """,
    )


def test_one_for_each_resource() -> None:
    check_rule(
        "missing_revalidation_barrier",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "decision",
           "reads": [{"id": "quote", "volatile": true}, {"id": "rate", "volatile": true}]}
                            ~~~~~~~ missing_revalidation_barrier: Step 0 acts on its own volatile read of `quote`: mark…
                                                               ~~~~~~ missing_revalidation_barrier: Step 0 acts on its…
        ]}
        """,
    )


def test_reread_at_the_reader() -> None:
    check_rule(
        "missing_revalidation_barrier",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "volatile": true, "revalidates": true}]},
          {"idx": 1, "agent": "a", "kind": "decision",
           "reads": [{"id": "quote", "producer": 0}]}
        ]}
        """,
    )


def test_reread_at_the_action() -> None:
    check_rule(
        "missing_revalidation_barrier",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "volatile": true}]},
          {"idx": 1, "agent": "a", "kind": "decision",
           "reads": [{"id": "quote", "producer": 0, "revalidates": true}]}
        ]}
        """,
    )


def test_reread_in_between() -> None:
    check_rule(
        "missing_revalidation_barrier",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "volatile": true}]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "revalidates": true}]},
          {"idx": 2, "agent": "a", "kind": "decision",
           "reads": [{"id": "quote", "producer": 0}]}
        ]}
        """,
    )


def test_reread_beside() -> None:
    check_rule(
        "missing_revalidation_barrier",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "volatile": true}]},
          {"idx": 1, "agent": "a", "kind": "decision", "control_preds": [0],
                  ~ missing_revalidation_barrier: Step 1 acts on the volatile `quote` read by step 0 with no re-read in…
           "reads": [{"id": "quote", "producer": 0}]},
          {"idx": 2, "agent": "a", "kind": "tool_call", "control_preds": [0],
           "reads": [{"id": "quote", "revalidates": true}]}
        ]}
        """,
    )


def test_reread_of_another_resource() -> None:
    check_rule(
        "missing_revalidation_barrier",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "volatile": true}]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "rate", "revalidates": true}]},
          {"idx": 2, "agent": "a", "kind": "decision",
                  ~ missing_revalidation_barrier: Step 2 acts on the volatile `quote` read by step 0 with no re-read in…
           "reads": [{"id": "quote", "producer": 0}]}
        ]}
        """,
    )


def test_pinned_is_just_as_old() -> None:
    check_rule(
        "missing_revalidation_barrier",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "decision",
           "reads": [{"id": "quote", "volatile": true, "pinned": true}]}
                            ~~~~~~~ missing_revalidation_barrier: Step 0 acts on its own volatile read of `quote`: mark…
        ]}
        """,
    )


def test_a_step_that_only_reads_is_no_action() -> None:
    check_rule(
        "missing_revalidation_barrier",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "volatile": true}]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "producer": 0}]}
        ]}
        """,
    )
