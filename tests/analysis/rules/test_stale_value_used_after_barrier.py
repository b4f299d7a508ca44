"""Each branch of `stale_value_used_after_barrier`."""

from __future__ import annotations

from analysis.marks import check_rule


def test_nobody_looks_at_the_reread() -> None:
    check_rule(
        "stale_value_used_after_barrier",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "volatile": true}]},
                            ~~~~~~~ -> Step 0 reads the volatile value here.
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "revalidates": true}]},
                            ~~~~~~~ -> Step 1 reads it again here.
          {"idx": 2, "agent": "a", "kind": "decision",
           "reads": [{"id": "quote", "producer": 0}]}
                            ~~~~~~~ stale_value_used_after_barrier: Step 2 uses `quote` as step 0 read it, though step…
        ]}
        """,
    )


def test_the_old_value_comes_through_another_step() -> None:
    """Then the action itself is marked, for none of its reads is the culprit."""
    check_rule(
        "stale_value_used_after_barrier",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "volatile": true}]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "producer": 0}, "offer"]},
          {"idx": 2, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "revalidates": true}]},
          {"idx": 3, "agent": "a", "kind": "decision",
                  ~ stale_value_used_after_barrier: Step 3 uses `quote` as step 0 read it, though step 2 reads it agai…
           "reads": [{"id": "offer", "producer": 1}]}
        ]}
        """,
    )


def test_the_action_takes_the_new_value() -> None:
    check_rule(
        "stale_value_used_after_barrier",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "volatile": true}]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "revalidates": true}]},
          {"idx": 2, "agent": "a", "kind": "decision",
           "reads": [{"id": "quote", "producer": 1}, {"id": "quote", "producer": 0}]}
        ]}
        """,
    )


def test_the_action_rereads_itself_after_the_reread() -> None:
    check_rule(
        "stale_value_used_after_barrier",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "volatile": true}]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "revalidates": true}]},
          {"idx": 2, "agent": "a", "kind": "decision",
           "reads": [{"id": "quote", "producer": 0, "revalidates": true}]}
        ]}
        """,
    )


def test_a_decision_rereads_and_so_guards_what_follows() -> None:
    check_rule(
        "stale_value_used_after_barrier",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "volatile": true}]},
          {"idx": 1, "agent": "a", "kind": "decision",
           "reads": [{"id": "quote", "revalidates": true}]},
          {"idx": 2, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "producer": 0}, "order"], "writes": ["order"]}
        ]}
        """,
    )


def test_a_decision_on_the_way_looks_at_the_reread() -> None:
    check_rule(
        "stale_value_used_after_barrier",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "volatile": true}]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "revalidates": true}]},
          {"idx": 2, "agent": "a", "kind": "decision",
           "reads": [{"id": "quote", "producer": 1}]},
          {"idx": 3, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "producer": 0}, "order"], "writes": ["order"]}
        ]}
        """,
    )


def test_a_decision_elsewhere_does_not_guard_the_action() -> None:
    check_rule(
        "stale_value_used_after_barrier",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "volatile": true}]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "revalidates": true}]},
          {"idx": 2, "agent": "a", "kind": "decision", "control_preds": [1],
           "reads": [{"id": "quote", "producer": 1}]},
          {"idx": 3, "agent": "a", "kind": "tool_call", "control_preds": [1],
           "reads": [{"id": "quote", "producer": 0}, "order"], "writes": ["order"]}
                            ~~~~~~~ stale_value_used_after_barrier: Step 3 uses `quote` as step 0 read it, though step…
        ]}
        """,
    )


def test_written_after_the_reread() -> None:
    check_rule(
        "stale_value_used_after_barrier",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "volatile": true}]},
                            ~~~~~~~ -> Step 0 reads the volatile value here.
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "revalidates": true}]},
                            ~~~~~~~ -> Step 1 reads it again here.
          {"idx": 2, "agent": "a", "kind": "tool_call", "reads": ["quote"],
           "writes": ["quote"]},
                      ~~~~~~~ -> Step 2 writes it here.
          {"idx": 3, "agent": "a", "kind": "decision",
           "reads": [{"id": "quote", "producer": 1}, {"id": "quote", "producer": 0}]}
                            ~~~~~~~ stale_value_used_after_barrier: Step 3 uses `quote` as step 1 read it, but step 2 …
        ]}
        """,
    )


def test_the_action_rests_on_the_later_write() -> None:
    check_rule(
        "stale_value_used_after_barrier",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "volatile": true}]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "revalidates": true}]},
          {"idx": 2, "agent": "a", "kind": "tool_call", "reads": ["quote"],
           "writes": ["quote"]},
          {"idx": 3, "agent": "a", "kind": "decision",
           "reads": [{"id": "quote", "producer": 2}, {"id": "quote", "producer": 1}, {"id": "quote", "producer": 0}]}
        ]}
        """,
    )


def test_re_read_again_after_the_write() -> None:
    check_rule(
        "stale_value_used_after_barrier",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "volatile": true}]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "revalidates": true}]},
          {"idx": 2, "agent": "a", "kind": "tool_call", "reads": ["quote"],
           "writes": ["quote"]},
          {"idx": 3, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "revalidates": true}]},
          {"idx": 4, "agent": "a", "kind": "decision",
           "reads": [{"id": "quote", "producer": 3}, {"id": "quote", "producer": 0}]}
        ]}
        """,
    )


def test_the_step_that_rereads_also_writes() -> None:
    check_rule(
        "stale_value_used_after_barrier",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "volatile": true}]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "revalidates": true}], "writes": ["quote"]},
          {"idx": 2, "agent": "a", "kind": "decision",
           "reads": [{"id": "quote", "producer": 1}, {"id": "quote", "producer": 0}]}
        ]}
        """,
    )


def test_written_before_the_reread() -> None:
    check_rule(
        "stale_value_used_after_barrier",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "volatile": true}]},
          {"idx": 1, "agent": "a", "kind": "tool_call", "reads": ["quote"],
           "writes": ["quote"]},
          {"idx": 2, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "revalidates": true}]},
          {"idx": 3, "agent": "a", "kind": "decision",
           "reads": [{"id": "quote", "producer": 2}, {"id": "quote", "producer": 0}]}
        ]}
        """,
    )


def test_a_path_around_the_reread_is_another_rule() -> None:
    check_rule(
        "stale_value_used_after_barrier",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "volatile": true}]},
          {"idx": 1, "agent": "a", "kind": "tool_call", "control_preds": [0],
           "reads": [{"id": "quote", "revalidates": true}]},
          {"idx": 2, "agent": "a", "kind": "tool_call", "control_preds": [0]},
          {"idx": 3, "agent": "a", "kind": "decision", "control_preds": [1, 2],
           "reads": [{"id": "quote", "producer": 0}]}
        ]}
        """,
    )


def test_only_the_first_action_is_reported_as_stale() -> None:
    check_rule(
        "stale_value_used_after_barrier",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "volatile": true}]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "revalidates": true}]},
          {"idx": 2, "agent": "a", "kind": "decision",
           "reads": [{"id": "quote", "producer": 0}]},
                            ~~~~~~~ stale_value_used_after_barrier: Step 2 uses `quote` as step 0 read it, though step…
          {"idx": 3, "agent": "a", "kind": "decision",
           "reads": [{"id": "quote", "producer": 2}]}
        ]}
        """,
    )


def test_a_stale_action_without_identity_is_left_alone() -> None:
    check_rule(
        "stale_value_used_after_barrier",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "volatile": true}]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "revalidates": true}]},
          {"idx": "x", "agent": "a", "kind": "decision",
           "reads": [{"id": "quote", "producer": 0}]}
        ]}
        """,
    )


def test_no_volatile_read_no_finding() -> None:
    check_rule(
        "stale_value_used_after_barrier",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["quote"]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "quote", "revalidates": true}]},
          {"idx": 2, "agent": "a", "kind": "decision",
           "reads": [{"id": "quote", "producer": 0}]}
        ]}
        """,
    )


def test_the_value_of_the_second_read_is_overwritten_before_the_action() -> None:
    check_rule(
        "stale_value_used_after_barrier",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["q"]},
          {"idx": 1, "agent": "a", "kind": "tool_call", "reads": [{"id": "q", "revalidates": true}]},
                                                                         ~~~ -> Step 1 reads it again here.
          {"idx": 2, "agent": "a", "kind": "tool_call", "reads": ["q"], "writes": ["q"]},
                                                                                   ~~~ -> Step 2 writes it here.
          {"idx": 3, "agent": "a", "kind": "decision", "reads": [{"id": "q", "producer": 1}]}
                                                                        ~~~ stale_value_used_after_barrier: Step 3 use…
        ]}
        """,
    )


def test_a_later_read_is_used_too() -> None:
    check_rule(
        "stale_value_used_after_barrier",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["q"]},
          {"idx": 1, "agent": "a", "kind": "tool_call", "reads": [{"id": "q", "revalidates": true}]},
          {"idx": 2, "agent": "a", "kind": "tool_call", "reads": ["q"], "writes": ["q"]},
          {"idx": 3, "agent": "a", "kind": "tool_call", "reads": [{"id": "q", "revalidates": true}]},
          {"idx": 4, "agent": "a", "kind": "decision", "reads": [
            {"id": "q", "producer": 1}, {"id": "q", "producer": 3}]}
        ]}
        """,
    )
