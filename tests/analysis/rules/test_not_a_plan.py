"""Each branch of `not_a_plan`."""

from __future__ import annotations

from analysis.marks import check_rule


def test_a_scalar() -> None:
    check_rule(
        "not_a_plan",
        """
        7
        ~ not_a_plan: This is not a plan: expected steps under…
        """,
    )


def test_an_object_without_steps() -> None:
    check_rule(
        "not_a_plan",
        """
        {"plan": []}
        ~ not_a_plan: This is not a plan: expected steps under…
        """,
    )


def test_a_misspelt_list_of_steps() -> None:
    check_rule(
        "not_a_plan",
        """
        {"Nodes": []}
         ~~~~~~~ not_a_plan: This is not a plan, because it has `Nodes`: did you mean `nodes`?
        """,
    )


def test_an_empty_text_is_a_syntax_error_only() -> None:
    check_rule(
        "not_a_plan",
        """

        """,
    )


def test_an_object_that_was_only_just_opened() -> None:
    check_rule(
        "not_a_plan",
        """
        {
        """,
    )
