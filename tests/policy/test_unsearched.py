"""What a policy's patterns did not search is said once, with its reason, and blames no pattern."""

from __future__ import annotations

import json

import pytest

from plancheck.analysis.engine import analyze
from plancheck.analysis.settings import Settings
from plancheck.policy.reading import read_policy
from plancheck.policy.regexes import LONGEST_VALUE, RefusingMatcher
from plancheck.unknown import Reason

POLICY = Settings(policy=read_policy("deny_tokens_regex: ['hunter[0-9]', '(a+)+$']").policy)


def plan(value: str) -> str:
    return json.dumps({"goal": "g", "steps": [{"id": "s", "tool": "t", "args": {"note": value}}]})


class Answering(RefusingMatcher):
    """Finds nothing, at once."""

    def __call__(self, pattern: str, value: str) -> tuple[()]:  # noqa: ARG002
        return ()


@pytest.mark.parametrize("more", [0, 1])
def test_a_value_past_the_limit_is_said_once_and_no_other_is(more: int) -> None:
    snapshot = analyze(plan("x" * (LONGEST_VALUE + more)), POLICY, matcher=Answering())
    assert snapshot.findings == []
    assert [(item.rule, item.reason, item.place.path) for item in snapshot.unchecked] == [
        ("raw_secret", Reason.LIMIT, ("args", "note"))
    ] * more
    assert all(item.message.startswith("This value has 1,000,001 characters") for item in snapshot.unchecked)


def test_a_pattern_that_nobody_can_stop_is_not_run_and_named() -> None:
    items = analyze(plan("aaa"), POLICY).unchecked
    assert {(item.rule, item.reason, item.step) for item in items} == {
        ("raw_secret", Reason.LIMIT, "s"),
        ("raw_secret", Reason.LIMIT, None),  # the goal, and the names of members
    }
    assert all("`(a+)+$`" in item.message for item in items)
