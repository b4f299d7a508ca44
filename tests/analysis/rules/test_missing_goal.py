"""Each branch of `missing_goal`."""

from __future__ import annotations

import pytest

from analysis.marks import check_rule
from plancheck.analysis.engine import analyze


def test_no_goal() -> None:
    check_rule(None, '{"steps": [{"id": "a", "tool": "t"}]}\n~ missing_goal: This plan does not say what it is for…')


def test_an_empty_goal() -> None:
    check_rule(
        None,
        '{"goal": " ", "steps": [{"id": "a", "tool": "t"}]}\n         ~~~ missing_goal: `goal` is empty: say what…',
    )


@pytest.mark.parametrize(
    "text", ['{"goal": "x", "steps": [{"id": "a", "tool": "t"}]}', '{"goal": , "steps": []}', "[]"]
)
def test_a_goal_or_no_need_of_one(text: str) -> None:
    assert "missing_goal" not in [finding.rule for finding in analyze(text).findings]
