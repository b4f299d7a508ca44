"""Steps that may fail unnoticed, and whose results are used."""

from __future__ import annotations

import pytest

from analysis.marks import check_rule

RULE = "failure_ignored"
BAD = [
    '{"id": "b", "tool": "t", "args": {"x": "{{a.result}}"}}',
    '{"id": "b", "tool": "t", "args": {"x": ["no {{a.result.y}}"]}}',
    '{"id": "b", "tool": "t", "args": {"x": "${a.result}"}, "depends_on": ["a"]}',
    '{"id": "b", "tool": "t", "args": {"x": "${{a.result}}"}, "on_fail": "continue"}',
    '{"id": "b", "tool": "t", "reads": [{"id": "page", "producer": "a"}]}',
    '{"id": "b", "tool": "t", "args": {"x": {"y": {"z": "{{a.result}}"}}}}',
]
GOOD = [
    '{"id": "b", "tool": "t", "args": {"x": "1"}}',
    '{"id": "b", "tool": "t", "args": {"x": "a.result"}, "depends_on": ["a"]}',
    '{"id": "b", "tool": "t", "on_fail": "continue"}',
    '{"id": "b", "tool": "t", "args": {"x": "{{c.result}}"}}',
    '{"id": "b", "tool": "t", "reads": ["page"]}',
    '{"id": "b", "tool": "t", "args": {"x": "{{context.a}}"}}',
]


@pytest.mark.parametrize("user", BAD)
def test_the_result_is_used(user: str) -> None:
    check_rule(
        RULE,
        """
        {"goal": "g", "steps": [
          {"id": "a", "tool": "t", "writes": ["page"], "on_fail": "continue"},
                                                                  ~~~~~~~~~~ failure_ignored: Step b uses the result of…
          USER
        ]}
        """.replace("USER", user),
    )


@pytest.mark.parametrize("user", GOOD)
def test_nothing_is_used(user: str) -> None:
    check_rule(
        RULE,
        """
        {"goal": "g", "steps": [
          {"id": "a", "tool": "t", "writes": ["page"], "on_fail": "continue"},
          USER
        ]}
        """.replace("USER", user),
    )


@pytest.mark.parametrize("user", BAD)
def test_the_plan_ends_when_it_fails(user: str) -> None:
    check_rule(
        RULE,
        """
        {"goal": "g", "steps": [
          {"id": "a", "tool": "t", "writes": ["page"], "on_fail": "abort"},
          USER
        ]}
        """.replace("USER", user),
    )


def test_the_places_where_it_is_used_are_shown() -> None:
    check_rule(
        RULE,
        """
        {"goal": "g", "steps": [
          {"id": "a", "tool": "t", "on_fail": "continue"},
                                              ~~~~~~~~~~ failure_ignored: Step b uses the result of step a, which may …
          {"id": "b", "tool": "t", "args": {"x": "{{a.result}} {{a.result.y}}"}},
                                                    ~~~~~~~~ -> Step b uses it here.
          {"id": "c", "tool": "t", "args": {"x": "{{b.result}}", "y": "{{a.result}}"}}
                                                                         ~~~~~~~~ -> Step c uses it here.
        ]}
        """,
    )
