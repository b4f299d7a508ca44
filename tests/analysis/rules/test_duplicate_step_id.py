"""Each branch of `duplicate_step_id`."""

from __future__ import annotations

from analysis.marks import check_rule


def test_each_repetition() -> None:
    check_rule(
        "duplicate_step_id",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call"},
                  ~ -> Step 0 is here first.
                  ~ -> Step 0 is here first.
          {"idx": 0, "agent": "a", "kind": "tool_call"},
                  ~ duplicate_step_id: Step 0 already exists: give this one an `idx` of its own.
          {"idx": 0, "agent": "a", "kind": "tool_call"}
                  ~ duplicate_step_id: Step 0 already exists: give this one an `idx` of its own.
        ]}
        """,
    )


def test_steps_without_identity_are_not_the_same() -> None:
    check_rule(
        "duplicate_step_id",
        """
        {"nodes": [
          {"agent": "a", "kind": "decision"},
          {"agent": "a", "kind": "decision"}
        ]}
        """,
    )


def test_ids_that_are_strings() -> None:
    check_rule(
        None,
        """
        {"goal": "x", "steps": [
          {"id": "a", "tool": "t"},
                 ~~~ -> Step a is here first.
          {"id": "a", "tool": "t"}
                 ~~~ duplicate_step_id: Step a already exists: give this one an `id` of its own.
        ]}
        """,
    )
