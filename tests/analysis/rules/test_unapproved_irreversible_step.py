"""What cannot be undone, without an approval."""

from __future__ import annotations

import pytest

from analysis.rules.flow_plans import DIALECTS, POLICY, Act, reported
from plancheck.analysis.engine import analyze
from plancheck.analysis.settings import Settings
from plancheck.api import fix_text
from plancheck.policy.reading import read_policy

SETTINGS = Settings(policy=read_policy(POLICY).policy)
RULE = "unapproved_irreversible_step"
ALL = (*DIALECTS, "trace")
ASK, CLOSE, LOOK = Act("ask"), Act("close"), Act("look")
BAD = {
    "it comes first": ([CLOSE], [(0,)]),
    "nothing asks": ([LOOK, CLOSE], [(0, 1)]),
    "it is asked afterwards": ([CLOSE, ASK], [(0,)]),
    "paying, where somebody can be asked": ([LOOK, Act("pay", {"sum": 3})], [(0, 1)]),
    "deleting, where somebody can be asked": ([Act("wipe", {"id": 3})], [(0,)]),
    "one of two": ([Act("wipe", {"id": 1}), ASK, Act("wipe", {"id": 2})], [(0,)]),
}
GOOD = {
    "it is asked": [ASK, CLOSE],
    "it is asked long before": [ASK, LOOK, LOOK, CLOSE],
    "asked once for two": [ASK, CLOSE, Act("pay", {"sum": 2})],
    "it can be undone": [LOOK, Act("note", {"text": "x"})],
    "it is sent": [LOOK, Act("send", {"to": "jo@example.com"})],
    "it is asked, and nothing is done": [ASK],
}


@pytest.mark.parametrize("dialect", ALL)
@pytest.mark.parametrize("name", BAD)
def test_nobody_is_asked(name: str, dialect: str) -> None:
    plan, expected = BAD[name]
    assert reported(RULE, plan, dialect) == expected


@pytest.mark.parametrize("dialect", ALL)
@pytest.mark.parametrize("name", GOOD)
def test_somebody_is_asked(name: str, dialect: str) -> None:
    assert reported(RULE, GOOD[name], dialect) == []


def test_every_path_counts() -> None:
    plan = [Act("look"), Act("ask", after=["s0"]), Act("note", after=["s0"]), Act("close", after=["s1", "s2"])]
    assert reported(RULE, plan, "steps") == [(0, 2, 3)]
    assert reported(RULE, [*plan[:3], Act("close", after=["s1"])], "steps") == []
    assert reported(RULE, [*plan[:3], Act("close", after=["s0", "s1"])], "steps") == []  # it waits for s1 anyway
    decides = Act("look", kind="decision")
    assert reported(RULE, [decides, *plan[1:3], Act("close", after=["s0", "s1"])], "steps") == [(0, 3)]


def test_an_approval_must_succeed() -> None:
    assert reported(RULE, [ASK._replace(on_fail="continue"), CLOSE], "steps") == [(0, 1)]
    assert reported(RULE, [ASK._replace(on_fail="abort"), CLOSE], "steps") == []


@pytest.mark.parametrize("dialect", ALL)
@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ("", []),
        ("tools: {payments.pay: pay}", []),
        ("tools: {payments.pay: {does: pay, irreversible: true}}", [(0, 1)]),
        ("tools: {payments.pay: destructive}", [(0, 1)]),
        ("tools: {ask: approval}", [(0, 1)]),
        ("gate: {required: [{tools: [verify], before: [other]}]}", [(0, 1)]),
        ("gate: {required: [{tools: [look], before: [payments.pay]}]}", []),
        ("gate: {required: [{tools: [verify], before: [payments.pay]}]}", []),  # `missing_verification` says so
    ],
)
def test_a_name_alone_makes_nothing_irreversible(policy: str, expected: list[tuple[int, ...]], dialect: str) -> None:
    assert reported(RULE, [LOOK, Act("payments.pay")], dialect, policy) == expected


def test_an_approval_that_is_only_called_so() -> None:
    plan = [Act("human_approval"), CLOSE]
    assert reported(RULE, plan, "calls") == [(0, 1)]
    assert reported(RULE, plan, "calls", "tools: {close: {does: write, irreversible: true}}") == []


def test_a_declared_plan_names_no_tools() -> None:
    text = '{"nodes": [{"idx": 0, "agent": "close", "kind": "tool_call", "writes": ["account"], "tool": "close"}]}'
    assert RULE not in {finding.rule for finding in analyze(text).findings}


FIXES = [
    (
        '[\n  {"tool_name": "look"},\n  {"tool_name": "close"}\n]\n',
        '[\n  {"tool_name": "look"},\n  {"tool_name": "ask", "args": {}},\n  {"tool_name": "close"}\n]\n',
    ),
    (
        '{"goal": "g", "steps": [\n  {"id": "a", "tool": "look"},\n'
        '  {"id": "b", "tool": "close", "depends_on": ["a"]}\n]}\n',
        '{"goal": "g", "steps": [\n  {"id": "a", "tool": "look"},\n'
        '  {"id": "step1", "tool": "ask", "args": {}, "depends_on": ["a"]},\n'
        '  {"id": "b", "tool": "close", "depends_on": ["step1"]}\n]}\n',
    ),
]


@pytest.mark.parametrize(("before", "after"), FIXES)
def test_an_approval_is_inserted(before: str, after: str) -> None:
    assert fix_text(before, settings=SETTINGS, unsafe=True).text == after


def test_nothing_is_inserted_where_references_count_the_steps() -> None:
    text = '[\n  {"tool_name": "look"},\n  {"tool_name": "close", "args": {"id": "{{0.result}}"}}\n]\n'
    assert fix_text(text, settings=SETTINGS, unsafe=True).text == text
