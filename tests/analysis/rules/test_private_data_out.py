"""Private data, to whom nobody has named."""

from __future__ import annotations

from typing import Any

import pytest

from analysis.rules.flow_plans import DIALECTS, POLICY, Act, rendered, reported
from plancheck.analysis.engine import analyze
from plancheck.analysis.settings import Settings
from plancheck.policy.reading import joined, read_policy

RULE = "private_data_out"
BOOKS = Act("books")


def send(**args: Any) -> Act:
    return Act("send", {"text": "{{s0.result}}", **args})


BAD = {
    "to somebody who is not listed": ([BOOKS, send(to="jo@example.net")], [(0, 1)]),
    "to one who is, and one who is not": ([BOOKS, send(to=["jo@example.com", "jo@example.net"])], [(0, 1)]),
    "to nobody who is named": ([BOOKS, send()], [(0, 1)]),
    "to somebody the run finds out": ([BOOKS, Act("look"), send(to="{{s1.result}}")], [(0, 2)]),
    "a copy under a name without a list": ([BOOKS, send(to="jo@example.com", cc=["jo@example.net"])], [(0, 1)]),
    "a copy deeper in the arguments": ([BOOKS, send(to="jo@example.com", headers={"Bcc": "jo@example.net"})], [(0, 1)]),
    "to an address on the network": (
        [BOOKS, Act("post", {"url": "https://example.com/", "q": "{{s0.result}}"})],
        [(0, 1)],
    ),
    "through another step": (
        [BOOKS, Act("sum", {"x": "{{s0.result}}"}), Act("send", {"x": "{{s1.result}}"})],
        [(0, 1, 2)],
    ),
}
GOOD = {
    "to somebody who is listed": [BOOKS, send(to="jo@example.com")],
    "to several who are": [BOOKS, send(to=["jo@example.com", "al@example.com"], cc=[])],
    "it is not sent": [BOOKS, Act("note", {"text": "{{s0.result}}"})],
    "something else is sent": [BOOKS, Act("send", {"to": "jo@example.net", "text": "hello"})],
    "a check comes between": [BOOKS, Act("ask"), send(to="jo@example.net")],
    "it is not private": [Act("look"), send(to="jo@example.net")],
    "it is paid": [BOOKS, Act("pay", {"sum": "{{s0.result}}"})],
}


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", BAD)
def test_it_leaves(name: str, dialect: str) -> None:
    plan, expected = BAD[name]
    assert reported(RULE, plan, dialect) == expected


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", GOOD)
def test_it_stays(name: str, dialect: str) -> None:
    assert reported(RULE, GOOD[name], dialect) == []


def severities(plan: list[Act]) -> list[str]:
    snapshot = analyze(rendered(plan, "steps"), Settings(policy=read_policy(POLICY).policy))
    return [finding.severity.word for finding in snapshot.findings if finding.rule == RULE]


def test_it_is_worse_where_anybody_may_write_what_comes_in() -> None:
    assert severities([BOOKS, send(to="x")]) == ["warning"]
    assert severities([BOOKS, Act("web"), send(to="{{s1.result}}")]) == ["error"]
    assert severities([BOOKS, Act("web"), send(to="x")]) == ["warning"]
    assert severities([Act("inbox"), send(to="x")]) == ["error"]


def test_lists_that_come_with_the_plan_vouch_for_nobody() -> None:
    own, beside = read_policy(POLICY.partition("recipients")[0]), read_policy("recipients: {send.to: ['*']}")
    text = rendered([BOOKS, send(to="jo@example.net")], "calls")
    for policy, expected in ((joined([own, beside]), []), (joined([own], [beside]), [RULE])):
        snapshot = analyze(text, Settings(policy=policy))
        assert [finding.rule for finding in snapshot.findings if finding.rule == RULE] == expected


def test_what_also_comes_from_outside_is_said_once() -> None:
    policy = read_policy("tools: {inbox.get: {does: read, source: [private, untrusted]}, mail.send: send}\n").policy
    text = '[{"tool_name": "inbox.get"}, {"tool_name": "mail.send", "args": {"to": "a", "body": "{{0.result}}"}}]'
    settings = Settings(policy=policy)
    assert [finding.rule for finding in analyze(text, settings).findings] == ["private_data_out"]
    without = Settings({"private_data_out": None}, policy=policy)
    assert [finding.rule for finding in analyze(text, without).findings] == ["untrusted_into_effect"]
