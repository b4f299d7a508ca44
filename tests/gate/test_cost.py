"""Plans and policies that are made to keep the gate busy: each is answered in a time that does not grow with malice.

The processor's time is measured, of this process and of the one that runs patterns; the limits are some times what it
takes on a machine that is busy with other things.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import Any

import pytest

from plancheck.gate import evaluate_plan, load_policy
from plancheck.plan_lint import validate_plan
from plancheck.policy.regexes import Outcome
from plancheck.workspace.regex_process import BUDGET, PATIENCE, PlanMatcher, RegexProcess

SLOW = ["(a+)+$", "(a|aa)+$", "(a*)*b", "(a+a+)+b", "(aa|a)*c"]


def calls(**args: Any) -> str:
    return json.dumps([{"tool_name": "find", "args": args}])


def steps(number: int, make: Callable[[int], dict[str, Any]]) -> str:
    return json.dumps({"goal": "g", "steps": [{"id": f"s{i}", "tool": "a", **make(i)} for i in range(number)]})


PLANS: dict[str, str] = {
    "many unknown dependencies": steps(40, lambda i: {"depends_on": [f"x{i}_{j}" for j in range(1_000)]}),
    "long unknown dependencies": steps(30, lambda i: {"id": f"s{i}" + "ab" * 4_000, "depends_on": ["ba" * 4_000]}),
    "many unknown references": steps(
        50, lambda i: {"args": {"x": " ".join(f"{{{{s{i}_{j}.result}}}}" for j in range(400))}}
    ),
    "long unknown keys": json.dumps([{"tool_nam" + "ab" * 4_000: i} for i in range(50)]),
    "nothing but colons": ":" * 400_000,
    "nothing but brackets": "[" + "}" * 200_000,
    "100,000 empty steps": f"[{','.join(['{}'] * 100_000)}]",
    "a name of a megabyte": json.dumps([{"tool_name": "a." * 400_000}]),
    "a name that decomposes": json.dumps([{"tool_name": "\ufdfa" * 100_000}]),
    "a name of nothing but signs": json.dumps([{"tool_name": "_." * 300_000 + "x"}]),
}


def spent() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS)
def test_a_plan_of_less_than_a_megabyte(plan: str) -> None:
    started = spent()
    assert not evaluate_plan(plan).allow or "_." in plan
    assert spent() - started < 4


def test_long_names_beside_a_long_list_of_allowed_ones() -> None:
    plan = json.dumps([{"tool_name": "ab" * 400 + str(i)} for i in range(40)])
    started = spent()
    assert evaluate_plan(plan, policy={"allow_tools": ["ba" * 400 + str(i) for i in range(1_000)]}).deny
    assert spent() - started < 4


# ---- patterns --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("patterns", [SLOW[:1], SLOW])
def test_all_patterns_on_all_values_have_one_budget(patterns: list[str]) -> None:
    process = RegexProcess()
    plan = calls(**{f"k{i}": "a" * (28 + i) + "!" for i in range(25)})
    started = spent()
    decision = evaluate_plan(plan, policy={"deny_tokens_regex": patterns}, matcher=process)
    process.close()
    assert not decision.allow
    assert spent() - started < 4 * BUDGET


def test_harmless_patterns_are_counted_too() -> None:
    plan = calls(**{f"k{i}": "a" * 1_990 + str(i) for i in range(400)})
    started = spent()
    assert evaluate_plan(plan, policy={"deny_tokens_regex": ["[a-z]{0,31}[a-z]*!"]}).undecided
    assert spent() - started < 5


def test_the_next_plan_has_a_budget_of_its_own() -> None:
    process = RegexProcess()
    policy = load_policy({"deny_tokens_regex": SLOW})
    for number in range(3):
        evil = calls(**{f"k{i}": "a" * 30 + "x" * number + "!" * i for i in range(1, 25)})
        assert evaluate_plan(evil, policy=policy, matcher=process).undecided
        assert evaluate_plan(calls(note=f"fine {number}"), policy=policy, matcher=process).allow
        assert validate_plan(calls(note=f"good {number}"), policy, matcher=process).valid
    assert process.stopped == ()
    process.close()


def test_a_budget_that_is_used_up_refuses_everything_that_is_not_known() -> None:
    process = RegexProcess()
    matcher = PlanMatcher(process)
    values = ["a" * 30 + "!" * i for i in range(1, 12)]
    assert {matcher("(a+)+$", value) for value in values} == {Outcome.STOPPED}
    assert matcher("(b+)+", "bb") is matcher.search_here("b", "bb") is Outcome.STOPPED
    assert set(matcher.stopped) == {"(a+)+$", "(b+)+", "b"}
    assert process.timed("(b+)+", "bb")[1] < PATIENCE
    assert process.timed("(a+)+$", values[-1])[1] >= PATIENCE  # it was not even tried
    process.close()


# ---- what a pattern is about -----------------------------------------------------------------------------------------

BOTH = ["^(?=.*internal)(?=.*secret)", "(?=(.*)internal)(?=.*secret)"]


@pytest.mark.parametrize("pattern", BOTH)
def test_a_pattern_that_only_looks_ahead_denies(pattern: str) -> None:
    policy = load_policy({"deny_tokens_regex": [pattern]})
    assert evaluate_plan(calls(note="internal and secret"), policy=policy).deny
    assert evaluate_plan(calls(note="internal " * 400 + "secret"), policy=policy).deny
    assert evaluate_plan(calls(note="internal"), policy=policy).allow
    assert evaluate_plan(calls(note=""), policy=policy).allow


def test_empty_matches_of_a_pattern_that_fits_everything_do_not_count() -> None:
    policy = load_policy({"deny_tokens_regex": ["(?:xy)*"]})
    assert evaluate_plan(calls(note="x and y"), policy=policy).allow
    assert evaluate_plan(calls(note="xyxy"), policy=policy).deny
