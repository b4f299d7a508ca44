"""Each branch of `empty_plan`."""

from __future__ import annotations

import pytest

from analysis.marks import check_rule
from plancheck.analysis.engine import analyze


@pytest.mark.parametrize(
    "marked",
    [
        '{"goal": "x", "steps": []}\n                       ~ empty_plan: This plan has no steps, so it does nothing…',
        '{"event_type": "agent.plan", "steps": []}\n                                      ~ empty_plan: This plan…',
        " []\n ~ empty_plan: This plan has no steps, so it does nothing: add one.",
    ],
    ids=["steps", "event", "calls"],
)
def test_an_empty_list(marked: str) -> None:
    check_rule(None, marked)


@pytest.mark.parametrize("text", ["[", "[ ", '{"goal": "x", "steps": [', '{"nodes": []}', '[{"tool_name": "x"}]'])
def test_a_list_that_is_not_empty_or_not_closed(text: str) -> None:
    assert "empty_plan" not in [finding.rule for finding in analyze(text).findings]
