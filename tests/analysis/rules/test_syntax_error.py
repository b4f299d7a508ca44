"""Each branch of `syntax_error`."""

from __future__ import annotations

from analysis.marks import check_rule


def test_a_bracket_that_is_never_closed() -> None:
    check_rule(
        "syntax_error",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "decision", "reads": ["order"}
                                                                ~ syntax_error: This [ is never closed.
        ]}
        """,
    )


def test_a_value_that_is_not_there_yet() -> None:
    check_rule(
        "syntax_error",
        """
        {"nodes": [
          {"idx": 0, "agent": , "kind": "decision"}
                     ~~~~~~~ syntax_error: "agent" has no value yet.
        ]}
        """,
    )


def test_a_comma_too_many_and_one_too_few() -> None:
    check_rule(
        "syntax_error",
        """
        {"nodes": [
          {"idx": 0, "agent": "a" "kind": "decision",}
                                  ~~~~~~ syntax_error: A comma is missing before this.
                                                    ~ syntax_error: JSON allows no comma before a closing bracket.
        ]}
        """,
    )


def test_a_comment() -> None:
    check_rule(
        "syntax_error",
        """
        {"nodes": [
          {"idx": 0} // the first
                     ~~~~~~~~~~~~ syntax_error: JSON has no comments.
        ]}
        """,
    )


def test_no_json_at_all() -> None:
    check_rule(
        "syntax_error",
        """
        plan
        ~~~~ syntax_error: plan needs double quotes around it.
        """,
    )
