"""What is read for nothing."""

from __future__ import annotations

import pytest

from analysis.rules.flow_plans import DIALECTS, Act, reported

RULE = "unused_result"
LOOK = Act("look")


def note(*refs: str) -> Act:
    return Act("note", {f"x{number}": f"{{{{{ref}.result}}}}" for number, ref in enumerate(refs)})


BAD = {
    "one of two": ([LOOK, Act("look", {"x": 1}), note("s1")], [(0,)]),
    "both but one": ([LOOK, Act("look", {"x": 1}), Act("look", {"x": 2}), note("s2")], [(0,), (1,)]),
    "it comes after the last use": ([LOOK, note("s0"), LOOK, note("s0")], [(2,)]),
    "it uses others itself": ([LOOK, Act("look", {"x": "{{s0.result}}"}), note("s0")], [(1,)]),
    "a private source": ([Act("books"), LOOK, note("s1")], [(0,)]),
    "a tool that is known by its name": ([Act("query_ro"), LOOK, note("s1")], [(0,)]),
}
GOOD = {
    "all are used": [LOOK, Act("look", {"x": 1}), note("s0", "s1")],
    "nothing refers to anything": [LOOK, LOOK, Act("note", {"x": 1})],
    "the last step": [LOOK, note("s0"), LOOK],
    "the last step takes all": [LOOK, Act("look", {"x": "{{s0.result}}"}), LOOK, Act("answer")],
    "it does something": [Act("note", {"x": 1}), LOOK, note("s1")],
    "nobody knows what it does": [Act("crm.find"), LOOK, note("s1")],
    "it may be meant by a reference that leads nowhere": [LOOK, LOOK, note("s1", "s9")],
    "it may be meant by something like a reference": [
        LOOK,
        LOOK,
        Act("note", {"a": "{{s1.result}}", "b": "$s0.result"}),
    ],
}


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", BAD)
def test_nothing_uses_it(name: str, dialect: str) -> None:
    plan, expected = BAD[name]
    assert reported(RULE, plan, dialect) == expected


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", GOOD)
def test_something_may_use_it(name: str, dialect: str) -> None:
    assert reported(RULE, GOOD[name], dialect) == []


def test_who_waits_for_a_step_by_its_name_wants_it() -> None:
    waits = note("s1")._replace(after=["s0", "s1"])
    assert reported(RULE, [LOOK, LOOK, waits], "steps") == []
