"""What rules say in all their forms, what a policy sees of a plan, and the search for the steps to blame."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plancheck.plan.lower import lower
from plancheck.plan.model import Place
from plancheck.policy.rego.blame import Blame, blame
from plancheck.policy.rego.plan_input import PlanInput, plan_input
from plancheck.policy.rego.rounds import run
from plancheck.policy.rego.variants import Variant, Without, varied
from plancheck.syntax.json import read
from plancheck.unknown import Reason, Unknown
from plancheck.workspace.rego.evaluate import judge
from rego.engines import NAMES, calls, engine, plan_of, policy_of

PLAN = plan_of(calls("a.b", ("c.d", {"amount": 7})))

FORMS: list[tuple[str, list[tuple[str, str | None]]]] = [
    ("deny if true", [("The policy's rule `deny` in line 2 denies this plan.", None)]),
    ("# Why.\ndeny if true", [("Why.", None)]),
    ("deny := false", []),
    ("deny := input.nothing", []),
    (
        "default deny := true\ndeny := false if input.nothing",
        [("The policy's rule `deny` in line 2 denies this plan.", None)],
    ),
    ('deny := "text"', [("text", None)]),
    ('deny contains "b" if true\ndeny contains "a" if true', [("b", None), ("a", None)]),
    ('deny := ["b", "a"]', [("a", None), ("b", None)]),
    ("deny := set()", []),
    ('deny contains {"msg": "m", "code": "C"} if true', [("m", "C")]),
    ('deny := {"msg": "m"}', [("m", None)]),
    ('deny["K"] := "m" if true', [("m", "K")]),
    ('deny["K"] if true', [("K", "K")]),
    ("deny.K if false", []),
    ('violations contains {"message": "m", "code": "C", "step": 1} if true', [("m", "C")]),
    ('requires_hitl contains "look" if true', [("look", None)]),
    ("allow if false", [("The policy's rule `allow` does not allow this plan.", None)]),
    ("# Only some.\ndefault allow := false\nallow if false", [("Only some.", None)]),
    ("allow := true", []),
    ('deny contains "a" if true\nallow if count(deny) == 0', [("a", None)]),
    ("deny if true\nallow := true", [("The policy's rule `deny` in line 2 denies this plan.", None)]),
]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("text", "said"), FORMS)
def test_what_a_rule_says(text: str, said: list[tuple[str, str | None]], name: str) -> None:
    verdict = judge(engine(name), policy_of(f"package plancheck\n{text}\n"), PLAN)
    assert verdict.faults == ()
    assert [(one.firing.message, one.firing.code) for one in verdict.firings] == said


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "text", ["deny := 3", "deny := null", "deny contains 3 if true", 'allow := "yes"', "deny[3] := 4"]
)
def test_what_is_not_understood(text: str, name: str) -> None:
    verdict = judge(engine(name), policy_of(f"package plancheck\n{text}\n"), PLAN)
    assert {fault.reason for fault in verdict.faults} == {Reason.NOT_UNDERSTOOD}
    assert verdict.firings == ()


@pytest.mark.parametrize("name", NAMES)
def test_the_step_that_the_policy_names(name: str) -> None:
    text = 'deny contains {"msg": "m", "step": i} if { some i, s in input.steps; s.args.amount > 5 }'
    (one,) = judge(engine(name), policy_of(f"package plancheck\n{text}\n"), PLAN).firings
    assert (one.steps, one.place) == ((1,), Place(1, ("args", "amount")))


@pytest.mark.parametrize("name", NAMES)
def test_a_message_for_each_step(name: str) -> None:
    text = 'deny contains msg if { some i, s in input.steps; s.args.amount > 5; msg := sprintf("step %d", [i]) }'
    plan = plan_of(calls(*[("a.b", {"amount": amount}) for amount in (1, 9, 3, 8)]))
    found = judge(engine(name), policy_of(f"package plancheck\n{text}\n"), plan).firings
    assert [(one.firing.message, one.steps) for one in found] == [("step 1", (1,)), ("step 3", (3,))]


@pytest.mark.parametrize("name", NAMES)
def test_several_files_and_a_package_of_their_own(name: str) -> None:
    texts = (
        "package my.rules\nimport data.lib.limits\ndeny contains `a` if input.steps[1].args.amount > limits.most\n",
        "package my.rules\nis_late if count(input.steps) > 1\ndeny contains `b` if is_late\n",
        "package lib.limits\nmost := 5\n",
    )
    policy = policy_of(*texts, package="my.rules")
    verdict = judge(engine(name), policy, PLAN)
    if name == "regopy":  # what `limits.most` is cannot be followed into another package
        assert [fault.path for fault in verdict.faults] == ["policy0.rego"] or not verdict.faults
    if not verdict.faults:
        assert [(one.firing.message, one.firing.site.path) for one in verdict.firings] == [
            ("a", "policy0.rego"),
            ("b", "policy1.rego"),
        ]


# ---- what a policy sees ----------------------------------------------------------------------------------------------


def test_every_dialect_with_tools_looks_the_same() -> None:
    steps = {
        "goal": "g",
        "steps": [{"id": "s", "tool": "a.b", "parameters": {"x": 1}, "on_fail": "abort"}],
        "context": {"k": 1},
    }
    assert plan_of(steps).document == {
        "event_type": "agent.plan",
        "steps": [
            {"tool_name": "a.b", "id": "s", "tool": "a.b", "parameters": {"x": 1}, "on_fail": "abort", "args": {"x": 1}}
        ],
        "context": {"k": 1},
    }
    assert plan_of([{"tool_name": "a.b", "args": {"x": 1}}]).document == {
        "event_type": "agent.plan",
        "steps": [{"tool_name": "a.b", "args": {"x": 1}}],
        "context": {},
    }


def test_a_half_typed_plan() -> None:
    plan = plan_of('[{"tool_name": "a.b", "args": {"x": , "y": "\\ud800", "z": 1e999}}, {"tool_name": }, 3]')
    assert plan.document["steps"] == [
        {"tool_name": "a.b", "args": {"y": "\ufffd", "z": 10**1000}},
        {"args": {}},
        {"args": {}},
    ]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"nodes": [{"idx": 0}]}', Reason.FAILURE),
        ('[{"tool_name": "a", "args": {"x": ' + "[" * 200 + "]" * 200 + "}}]", Reason.LIMIT),
    ],
)
def test_what_no_policy_can_judge(text: str, reason: Reason) -> None:
    found = plan_input(lower(read(text)))
    assert isinstance(found, Unknown)
    assert found.reason is reason


# ---- blame -----------------------------------------------------------------------------------------------------------


def blamed(steps: Sequence[Any], rule: Callable[[list[Any]], bool], most: int = 400) -> Blame:
    """The steps to blame for a rule that is a Python function."""
    document = {"steps": list(steps)}
    return run(blame(steps, bool, most), lambda variants: [rule(varied(document, one)["steps"]) for one in variants])


@settings(max_examples=400, deadline=None)
@given(st.integers(1, 9), st.randoms(use_true_random=False), st.floats(0.1, 0.9))
def test_blame_is_minimal_whatever_the_rule(count: int, chance: Any, share: float) -> None:
    """Also for rules that no policy has: ones that fire at random, but always for the whole plan."""
    known: dict[tuple[int, ...], bool] = {tuple(range(count)): True}

    def rule(steps: list[Any]) -> bool:
        key = tuple(step.get("number", -1) for step in steps)
        return known.setdefault(key, chance.random() < share)

    steps = [{"number": number} for number in range(count)]
    found = blamed(steps, rule)

    def fires(positions: tuple[int, ...]) -> bool:
        return rule(varied({"steps": steps}, Variant(found.without, positions))["steps"])

    if found.steps:
        assert fires(found.steps)
        assert not any(fires(tuple(step for step in found.steps if step != left)) for left in found.steps)
    else:
        assert known[()]
        assert known[(-1,) * count]


def test_the_smaller_answer_of_the_two_ways() -> None:
    steps = [{"tool_name": name} for name in "abcdef"]
    assert blamed(steps, lambda found: len(found) > 3).without is Without.LEFT_OUT
    assert blamed(steps, lambda found: len(found) > 4 and found[4].get("tool_name") == "e") == Blame(
        (4,), Without.EMPTIED, (), ("tool_name",)
    )
    assert blamed(steps, lambda found: not any(step.get("tool_name") == "z" for step in found)).steps == ()


def test_past_the_cap_the_plan_is_blamed() -> None:
    steps = [{"tool_name": "w"}] * 300
    assert blamed(steps, lambda found: sum(bool(step) for step in found) > 250, 100).steps == ()
    assert blamed(steps, lambda found: sum(bool(step) for step in found) > 2, 100).steps == (0, 1, 2)


def test_an_engine_that_gives_up_on_variants() -> None:
    steps = [{"tool_name": "w"}] * 5
    assert run(blame(steps, bool), lambda _: None) == Blame()


def test_the_place_of_what_is_blamed() -> None:
    plan = plan_of('{"steps": [{"id": "s", "tool": "a.b", "parameters": {"x": {"y": 1}}, "note": 1}]}')
    assert isinstance(plan, PlanInput)
    assert plan.place(0, ("args", "x", "y")) == Place(0, ("parameters", "x", "y"))
    assert plan.place(0, ("tool_name",)) == Place(0, ("tool",))
    assert plan.place(0, ("note",)) == Place(0, ("note",))
    assert (plan.step_named("s"), plan.step_named(0.0), plan.step_named(7), plan.step_named(True)) == (0, 0, None, None)
