"""Verdict, rule and step of the example policies, with both engines; and that the two engines never differ."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from plancheck.policy.rego.answers import FiringKind
from plancheck.policy.rego.regopy_limits import mistaken_inputs, regopy_limits
from plancheck.policy.rego.variants import Variant, varied
from plancheck.policy.rego.verdict import RegoVerdict, read_answer
from plancheck.unknown import Reason
from plancheck.workspace.rego.engine import EngineFault
from plancheck.workspace.rego.evaluate import judge, judge_many
from rego.cases import CASES, Case
from rego.engines import EXAMPLES, NAMES, calls, engine, example, example_names, plan_of


def kind_of(verdict: RegoVerdict) -> str:
    assert verdict.faults == ()
    return "deny" if verdict.denies else "requires_hitl" if verdict.needs_human else "allow"


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.policy)
def test_verdict_rule_and_step(case: Case, name: str) -> None:
    verdict = judge(engine(name), example(case.policy), plan_of(case.plan))
    assert kind_of(verdict) == case.kind
    if case.kind == "allow":
        assert verdict.firings == ()
        return
    blamed = verdict.firings[0]
    assert (blamed.firing.rule, blamed.firing.line) == (case.rule, case.line)
    assert blamed.steps == case.steps
    assert blamed.place == case.place
    assert case.message in ("", blamed.firing.message)


def test_there_are_plans_on_both_sides_of_every_policy() -> None:
    assert len(CASES) >= 40
    for name in example_names():
        assert {case.kind == "allow" for case in CASES if case.policy == name} == {True, False}
        for side in ("", "-denied"):
            assert (EXAMPLES / f"{name}{side}.plan.json").exists()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("policy", example_names())
def test_the_plans_beside_the_policies(policy: str, name: str) -> None:
    for side, is_fine in (("", True), ("-denied", False)):
        text = (EXAMPLES / f"{policy}{side}.plan.json").read_text(encoding="utf-8")
        assert (kind_of(judge(engine(name), example(policy), plan_of(text))) == "allow") is is_fine


# ---- both engines ----------------------------------------------------------------------------------------------------

PLANS = 6_000
TOOLS = [
    *("db.write", "crm.update", "crm.find", "payments.send", "payments.refund", "approvals.request", "crm.export"),
    *("notify.email", "db.query", "orders.read", "kyc.verify", "deploy.release", "db.delete", "file.write"),
]
VALUES = [
    *(0, 1, -1, 10, 999, 1000, 1001, 5000, 5001, 0.5, 1000.25, 2**53, 10**20, True, False, None, "", "1000", "x@y.z"),
    *("ada@example.com", "DROP TABLE t", " delete from t", "SELECT 1", [], [1], ["a", "b", "c"], {}, {"a": 1}),
]


LIKELY: dict[str, list[Any]] = {
    "amount": [0, 1, 10, 999, 1000, 1000.01, 1001, 2500, 5001, 2**53, 10**20, -5],
    "account": ["A1", "B2"],
    "recipient": ["ada@example.com", "eve@evil.test", "Üwe@example.com", 'a"b@example.com'],
    "subject": ["", "Hello", None],
    "cc": [[], ["a"], ["a", "b", "c"]],
    "query": ["DROP TABLE t", " delete from t", "SELECT 1", "select\n1"],
    "window": ["night", False],
}


def random_plan(chance: random.Random) -> Any:
    """A plan with some likely arguments, and now and then with anything."""
    values = VALUES if chance.random() < 0.3 else None

    def step() -> dict[str, Any]:
        tool = chance.choice(TOOLS)
        names = chance.sample(list(LIKELY), chance.randint(0, 4))
        names += ["amount", "account"] if tool.startswith("payments.") else []
        arguments: Any = {name: chance.choice(values or LIKELY[name]) for name in names}
        return {"tool_name": tool, "args": arguments, **({"note": 1} if chance.random() < 0.1 else {})}

    steps = [step() for _ in range(chance.randint(0, 8))]
    context = {"environment": chance.choice(["production", "test", 1, None])}
    return {"event_type": "agent.plan", "steps": steps, "context": context}


def shown(verdict: RegoVerdict) -> list[Any]:
    assert verdict.faults == ()
    return [(one.firing.rule, one.firing.line, one.firing.message, one.firing.step) for one in verdict.firings]


@pytest.mark.parametrize("policy", example_names())
def test_both_engines_say_the_same(policy: str) -> None:
    chance = random.Random(policy)
    plans = [plan_of(random_plan(chance)) for _ in range(PLANS // 12)]
    limits = regopy_limits(example(policy).sources)
    is_asked = [mistaken_inputs(limits, [plan.document]) is None for plan in plans]
    assert sum(is_asked) > PLANS // 12 // 3
    asked = [plan for plan, is_one in zip(plans, is_asked, strict=True) if is_one]
    opa, regopy = (judge_many(engine(name), example(policy), asked, 30.0) for name in NAMES)
    assert [shown(verdict) for verdict in opa] == [shown(verdict) for verdict in regopy]
    assert {verdict.denies or verdict.needs_human for verdict in opa} == {True, False}
    for plan in [plan for plan, is_one in zip(plans, is_asked, strict=True) if not is_one]:
        verdict = judge(engine("regopy"), example(policy), plan)
        assert [fault.reason for fault in verdict.faults] == [Reason.FAILURE]


@pytest.mark.parametrize("policy", example_names())
def test_both_engines_blame_the_same(policy: str) -> None:
    chance = random.Random(f"blame {policy}")
    for plan in (plan_of(random_plan(chance)) for _ in range(5)):
        first, second = (judge(engine(name), example(policy), plan, 30.0) for name in NAMES)
        if second.faults:
            continue
        assert [(one.steps, one.place, one.also) for one in first.firings] == [
            (one.steps, one.place, one.also) for one in second.firings
        ]


# ---- blame is minimal ------------------------------------------------------------------------------------------------


def blamed_plans(policy: str) -> Iterator[Any]:
    chance = random.Random(f"minimal {policy}")
    yield from (random_plan(chance) for _ in range(40))
    yield from (case.plan for case in CASES if case.policy == policy)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("policy", example_names())
def test_blame_is_minimal(policy: str, name: str) -> None:
    """With the blamed steps only, the rule fires; without any one of them, it is silent."""
    rules = example(policy)
    used, refs = engine(name), [asked.ref for asked in rules.asked]
    for document in list(blamed_plans(policy))[: 12 if name == "opa" else None]:
        plan = plan_of(document)
        for one in judge(used, rules, plan, 30.0).firings:
            if not one.steps or one.firing.step is not None:
                continue
            sets = [one.steps, *(tuple(s for s in one.steps if s != step) for step in one.steps)]
            inputs = [varied(plan.document, Variant(one.without, steps)) for steps in sets]
            answers = used.evaluate(rules.modules, refs, inputs, 30.0)
            assert not isinstance(answers, EngineFault)
            sites = [[fired.firing.site for fired in read_answer(rules, answer).fired] for answer in answers]
            assert [one.firing.site in found for found in sites] == [True, *[False] * len(one.steps)]


def test_a_plan_with_a_hundred_steps() -> None:
    for name in NAMES:
        plan = plan_of(calls(*["crm.find", "db.write"] * 50))
        verdict = judge(engine(name), example("writes"), plan, 30.0)
        assert [one.steps for one in verdict.firings] == [(1, 3, 5, 7)]


def test_every_kind_of_firing_is_known_by_its_word() -> None:
    assert [kind.value for kind in FiringKind] == ["deny", "requires_hitl"]
    assert json.dumps(FiringKind.DENY) == '"deny"'
