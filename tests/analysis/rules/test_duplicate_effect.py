"""The same thing, done twice."""

from __future__ import annotations

from typing import Any

import pytest

from analysis.rules.flow_plans import DIALECTS, Act, reported

RULE = "duplicate_effect"
ALL = (*DIALECTS, "trace")


def pay(**args: Any) -> Act:
    return Act("pay", args)


BAD = {
    "twice": ([pay(to="A"), pay(to="A")], [(0, 1)]),
    "three times": ([pay(to="A"), pay(to="A"), pay(to="A")], [(0, 1), (0, 2)]),
    "something is between": ([pay(to="A"), Act("look"), pay(to="A")], [(0, 2)]),
    "in another order": ([pay(to="A", sum=1), pay(sum=1, to="A")], [(0, 1)]),
    "nested": ([Act("send", {"x": [{"a": 1, "b": [2]}]}), Act("send", {"x": [{"b": [2], "a": 1}]})], [(0, 1)]),
    "nothing is given": ([Act("wipe"), Act("wipe")], [(0, 1)]),
    "one is 1.0": ([pay(sum=1), pay(sum=1.0)], [(0, 1)]),
}
GOOD = {
    "another argument": [pay(to="A"), pay(to="B")],
    "one argument more": [pay(to="A"), pay(to="A", sum=1)],
    "another tool": [Act("send", {"to": "A"}), Act("wipe", {"to": "A"})],
    "it only reads": [Act("look", {"x": 1}), Act("look", {"x": 1})],
    "polling": [
        Act("wait", {"s": 1}),
        Act("screenshot"),
        Act("wait", {"s": 1}),
        Act("screenshot"),
        Act("next_page"),
        Act("next_page"),
    ],
    "approvals": [Act("ask"), Act("ask")],
    "commands": [Act("shell", {"argv": ["make", "test"]}), Act("shell", {"argv": ["make", "test"]})],
    "true is not 1": [pay(sum=1), pay(sum=True)],
    "the order of a list": [Act("send", {"x": [1, 2]}), Act("send", {"x": [2, 1]})],
}


@pytest.mark.parametrize("dialect", ALL)
@pytest.mark.parametrize("name", BAD)
def test_it_is_done_again(name: str, dialect: str) -> None:
    plan, expected = BAD[name]
    assert reported(RULE, plan, dialect) == expected


@pytest.mark.parametrize("dialect", ALL)
@pytest.mark.parametrize("name", GOOD)
def test_it_is_not_the_same(name: str, dialect: str) -> None:
    assert reported(RULE, GOOD[name], dialect) == []


@pytest.mark.parametrize(
    ("tool", "expected"),
    [("payments.transfer", [(0, 1)]), ("send_message", [(0, 1)]), ("crm.find", []), ("click", []), ("db.query_ro", [])],
)
def test_names_tell_where_nobody_says_more(tool: str, expected: list[tuple[int, ...]]) -> None:
    assert reported(RULE, [Act(tool, {"x": 1})] * 2, "calls", "") == expected


@pytest.mark.parametrize(("sql", "expected"), [("SELECT 1", []), ("DELETE FROM t WHERE x = 1", [(0, 1)])])
def test_sql_tells_what_it_does(sql: str, expected: list[tuple[int, ...]]) -> None:
    assert reported(RULE, [Act("db.query", {"sql": sql})] * 2, "calls", "") == expected


def test_ways_out_of_a_decision_exclude_one_another() -> None:
    branches = [Act("pay", {"to": "A"}, after=["s0"]), Act("pay", {"to": "A"}, after=["s0"])]
    assert reported(RULE, [Act("look", kind="decision"), *branches], "steps") == []
    assert reported(RULE, [Act("look"), *branches], "steps") == [(1, 2)]
    joined = Act("pay", {"to": "A"}, after=["s1", "s2"])
    assert reported(RULE, [Act("look", kind="decision"), *branches, joined], "steps") == [(1, 3)]
