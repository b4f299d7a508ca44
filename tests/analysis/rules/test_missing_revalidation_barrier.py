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
                            ~~~~~~~ missing_revalidation_barrier: Step 0 reads `quote` and acts on it at once: if the …
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
                  ~ missing_revalidation_barrier: Step 1 acts on `quote` as step 0 read it, which may have changed: re…
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
                  ~ missing_revalidation_barrier: Step 2 acts on `quote` as 2 steps read it, which may have changed: r…
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
                            ~~~~~~~ missing_revalidation_barrier: Step 0 reads `quote` and acts on it at once: if the …
                                                               ~~~~~~ missing_revalidation_barrier: Step 0 reads `rate…
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
                  ~ missing_revalidation_barrier: Step 1 acts on `quote` as step 0 read it, which may have changed: re…
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
                  ~ missing_revalidation_barrier: Step 2 acts on `quote` as step 0 read it, which may have changed: re…
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
                            ~~~~~~~ missing_revalidation_barrier: Step 0 reads `quote` and acts on it at once: if the …
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


def test_five_decisions_behind_one_read_are_one_mistake() -> None:
    check_rule(
        "missing_revalidation_barrier",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": [{"id": "q", "volatile": true}]},
                                                                         ~~~ missing_revalidation_barrier: Step 0 read…
          {"idx": 1, "agent": "a", "kind": "decision", "reads": [{"id": "q", "producer": 0}]},
                  ~ -> Step 1 acts on `q`.
          {"idx": 2, "agent": "a", "kind": "decision", "reads": [{"id": "q", "producer": 0}]},
                  ~ -> Step 2 acts on `q`.
          {"idx": 3, "agent": "a", "kind": "decision", "reads": [{"id": "q", "producer": 0}]},
                  ~ -> Step 3 acts on `q`.
          {"idx": 4, "agent": "a", "kind": "decision", "reads": [{"id": "q", "producer": 0}]},
                  ~ -> Step 4 acts on `q`.
          {"idx": 5, "agent": "a", "kind": "decision", "reads": [{"id": "q", "producer": 0}]}
                  ~ -> Step 5 acts on `q`.
        ]}
        """,
    )


def test_reads_that_have_nothing_to_do_with_one_another_are_grouped_apart() -> None:
    check_rule(
        "missing_revalidation_barrier",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": [{"id": "q", "volatile": true}]},
                                                                         ~~~ missing_revalidation_barrier: Step 0 read…
          {"idx": 1, "agent": "a", "kind": "decision", "reads": [{"id": "q", "producer": 0}]},
          {"idx": 2, "agent": "a", "kind": "decision", "reads": [{"id": "q", "producer": 0}]},
          {"idx": 3, "agent": "a", "kind": "tool_call", "reads": [{"id": "q", "volatile": true}]},
          {"idx": 4, "agent": "a", "kind": "tool_call", "reads": [{"id": "q", "volatile": true}]},
          {"idx": 5, "agent": "a", "kind": "decision",
                  ~ missing_revalidation_barrier: Step 5 acts on `q` as 2 steps read it, which may have changed: re-re…
           "reads": [{"id": "q", "producer": 3}, {"id": "q", "producer": 4}]}
        ]}
        """,
    )


def test_what_flips_a_decision_is_said_once() -> None:
    check_rule(
        None,
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["q"], "writes": ["q"]},
          {"idx": 1, "agent": "a", "kind": "tool_call", "reads": [{"id": "q", "producer": 0, "volatile": true}]},
                                                                         ~~~ missing_revalidation_barrier: Step 1 read…
          {"idx": 2, "agent": "a", "kind": "decision", "reads": [{"id": "q", "producer": 1}]}
        ]}
        """,
    )


def test_without_this_rule_the_other_one_speaks() -> None:
    check_rule(
        None,
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["q"], "writes": ["q"]},
          {"idx": 1, "agent": "a", "kind": "tool_call", "plancheck-ignore": ["missing_revalidation_barrier"],
           "reads": [{"id": "q", "producer": 0, "volatile": true}]},
                            ~~~ flippable_dependency_annotation: Step 1 passes `q` of step 0 on to a decision, and it …
          {"idx": 2, "agent": "a", "kind": "decision", "reads": [{"id": "q", "producer": 1}]}
        ]}
        """,
    )
