"""The Python interface of the gate, as people would write it."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, UserDict
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from plancheck.gate import (
    DecisionLog,
    GateRules,
    GovernanceError,
    GovernedToolbox,
    HumanLimit,
    PlanRejected,
    Policy,
    PolicyError,
    PolicyGate,
    Required,
    Uses,
    evaluate_plan,
    load_policy,
    require_allowed,
)
from plancheck.policy.model import Bound

BOUNDS = {"payments.transfer.amount": [0, 1000]}
PAY = "bounds: {payments.transfer.amount: [0, 1000]}\n"


def pay(amount: Any) -> list[dict[str, Any]]:
    return [{"tool_name": "payments.transfer", "args": {"amount": amount}}]


# ---- policies --------------------------------------------------------------------------------------------------------


def test_a_policy_comes_from_a_path_a_text_or_a_dict(tmp_path: Path) -> None:
    path = tmp_path / "plan-policy.yaml"
    path.write_text(PAY)
    plain = {"bounds": BOUNDS}
    assert (
        load_policy(path) == load_policy(str(path)) == load_policy(PAY) == load_policy(plain) == Policy(bounds=BOUNDS)
    )


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("max_step: 5\n", "did you mean `max_steps`"),
        ("allow_tools: crm.find\n", "must be a list of tools"),
        ("allow_tools:\n", "not nothing"),
        ({"bounds": {"amount": [0, 1]}}, "names no argument"),
        ({"gate": {"unknown": "maybe"}}, "must be `human` or `deny`"),
        ("gone.yaml", "there is no such file"),
    ],
)
def test_a_policy_with_a_mistake_is_none(source: Any, words: str) -> None:
    with pytest.raises(PolicyError, match=words):
        load_policy(source)
    with pytest.raises(ValueError, match=words):
        PolicyGate(source)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"allow_tools": "crm.find"}, "`allow_tools` must be a list of names, not 'crm.find'"),
        ({"allow_tools": [""]}, "`allow_tools` must be a list of names"),
        ({"bounds": {"payments.transfer.amount": [5, 1]}}, "is reversed"),
        ({"bounds": {"amount": [0, 1]}}, "names no argument"),
        ({"bounds": {"a.b": ["1", 2]}}, "must be a number, not '1'"),
        ({"bounds": {"a.b": [float("nan"), 2]}}, "must be a number"),
        ({"deny_tokens_regex": "tok"}, "must be a list of names"),
        ({"deny_tokens_regex": ["("]}, "is not a valid regular expression"),
        ({"max_steps": True}, "must be a whole number"),
        ({"max_steps": -1}, "must be a whole number"),
        ({"require_handlers": "yes"}, "must be True or False"),
        ({"tools": {"x": "reed"}}, "reed"),
        ({"gate": {"blocked_tools": "x"}}, "`gate.blocked_tools` must be a list of names"),
        ({"gate": {"blocked": ["x"]}}, "'blocked' is not a rule of the gate"),
        ({"gate": {"unknown": "maybe"}}, "maybe"),
        ({"gate": 5}, "must be the gate's rules"),
    ],
)
def test_a_policy_is_validated_when_it_is_made(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Policy(**fields)


def test_a_policy_made_in_python_is_the_one_in_a_file() -> None:
    made = Policy(
        allow_tools=["a", "pay"],
        bounds=[Bound("pay.amount", 0, 10)],
        gate=GateRules(
            at_most=[Uses(("pay",), 2)],
            required=[Required(("a",), ("pay",))],
            needs_human=[HumanLimit("pay.amount", 5)],
        ),
    )
    read = load_policy("""
        allow_tools: [a, pay]
        bounds: {pay.amount: [0, 10]}
        gate:
          at_most: [{tools: [pay], count: 2}]
          required: [{tools: [a], before: [pay]}]
          needs_human: {pay.amount: 5}
    """)
    assert (made, made.digest) == (read, read.digest)


# ---- decisions -------------------------------------------------------------------------------------------------------


def test_a_decision_is_true_where_the_plan_is_allowed() -> None:
    gate = PolicyGate(PAY)
    assert gate.evaluate_plan(pay(10))
    assert not gate.evaluate_plan(pay(5000))
    assert not gate.evaluate_plan(pay("5000"))
    assert not gate.evaluate_plan("not JSON")


def test_a_decision_can_be_awaited() -> None:
    async def decided() -> bool:
        decision = await PolicyGate(PAY).evaluate_plan(pay(10))
        return decision.allow

    assert asyncio.run(decided())


def test_a_decision_is_no_tuple_and_cannot_be_changed() -> None:
    decision = evaluate_plan(pay(10))
    with pytest.raises(TypeError):
        iter(decision)  # type: ignore[call-overload]
    with pytest.raises(AttributeError):
        decision.reason = "other"  # type: ignore[misc]


def test_a_toolbox_raises_with_the_decision() -> None:
    toolbox = GovernedToolbox(PolicyGate(PAY))
    assert toolbox.evaluate_plan(pay(10)).allow
    with pytest.raises(GovernanceError, match="bound_violation: `amount` of step 0 is 5000") as caught:
        toolbox.evaluate_plan(pay(5000))
    assert caught.value.decision.steps == (0,)
    with pytest.raises(PlanRejected):
        require_allowed(pay(5000), policy=PAY)


def test_a_text_and_its_values_are_judged_alike() -> None:
    text = '[{"tool_name": "payments.transfer", "args": {"amount": 5000}}]'
    of_text, of_bytes, of_values = (evaluate_plan(plan, policy=PAY) for plan in (text, text.encode(), pay(5000)))
    assert of_text.findings[0].reason == of_bytes.findings[0].reason == of_values.findings[0].reason
    assert of_text.findings[0].pointer == "/0/args/amount"


# ---- values ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "amount", [Decimal("5000"), Fraction(5000), 5000.0, 10**300, Decimal("1e400"), Decimal("NaN"), float("inf")]
)
def test_other_numbers_are_numbers(amount: Any) -> None:
    assert not evaluate_plan(pay(amount), policy=PAY)


@pytest.mark.parametrize("amount", [Decimal("10.5"), Fraction(1, 3), 1000, True and 1])
def test_other_numbers_inside_the_bounds(amount: Any) -> None:
    assert evaluate_plan(pay(amount), policy=PAY)


def test_other_mappings_are_objects() -> None:
    step = UserDict({"tool_name": "payments.transfer", "args": OrderedDict(amount=5000)})
    assert evaluate_plan((step,), policy=PAY).rule_matched == "bound_violation"


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        ([{"tool_name": "a", "args": {1: 2, "b": 3}}], "step 0: the name of a member must be a string, not 1"),
        ([{"tool_name": "a", "args": {"x": object()}}], "step 0: object is not a value that a plan can hold"),
        ([{"tool_name": "a", "args": {"x": {1, 2}}}], "step 0: set is not a value"),
        ([{"tool_name": "a", "args": {"x": 1 << 20_000}}], "step 0: a number of more than 10,000 bits"),
        ({"steps": [{"tool_name": "a"}], 5: 6}, "the plan: the name of a member must be a string"),
        (b"\xff", "the plan is not UTF-8"),
        (7, "a plan must be a list"),
    ],
)
def test_what_is_no_plan_raises_and_names_the_step(plan: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        evaluate_plan(plan)


def test_values_that_are_nested_too_deeply_are_undecided() -> None:
    value: Any = "x"
    for _ in range(900):
        value = [value]
    decision = evaluate_plan([{"tool_name": "a", "args": {"x": value}}])
    assert (decision.undecided, decision.rule_matched) == (True, "nested_too_deeply")


def test_values_that_contain_themselves_or_one_another_a_thousand_times_are_undecided() -> None:
    loop: list[Any] = []
    loop.append(loop)
    assert evaluate_plan([{"tool_name": "a", "args": {"x": loop}}]).undecided
    wide: Any = ["x"] * 10
    for _ in range(10):
        wide = [wide] * 10
    decision = evaluate_plan([{"tool_name": "a", "args": {"x": wide}}])
    assert (decision.undecided, "more than 1,000,000 values" in decision.reason) == (True, True)


# ---- no internal error is a verdict ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("plan", "policy"),
    [
        ('[{"tool_name": "db.query_ro", "args": {"sql": "-- nothing"}}]', "{}"),
        ('[{"tool_name": "db.query_ro", "args": {"sql": "/* */ ; ;"}}]', "{}"),
        (pay(10), f"bounds: {{payments.transfer.amount: [0, 0x{'f' * 5_000}]}}"),
        (f'[{{"tool_name": "a", "args": {"[" * 900}{"]" * 900}}}]', "{}"),
        (pay(10), f"allow_tools: [{'payments.transfer, ' * 240_000}]"),
        (pay(10), f"deny_tokens_regex: [{', '.join(f'a{n}' for n in range(2_000))}]"),
    ],
    ids=["a comment", "comments", "a huge bound", "900 levels", "240,000 items", "2,000 patterns"],
)
def test_a_reasoned_answer_and_never_a_yes(plan: Any, policy: str) -> None:
    try:
        loaded = load_policy(policy)
    except PolicyError:
        return  # it says why, which test_reading looks at
    decision = evaluate_plan(plan, policy=loaded)
    assert not decision
    assert decision.reason
    assert "Error" not in decision.reason


def test_of_very_much_that_speaks_against_a_plan_the_worst_is_listed() -> None:
    steps = ", ".join(['{"tool_name": "payments.transfer", "args": {"amount": "x"}}'] * 1_500)
    decision = evaluate_plan(f'[{steps}, {{"tool_name": "delete_all"}}]', policy=PAY)
    assert len(decision.findings) == 1_000
    assert {vote.rule for vote in decision.findings} == {"bound_violation", "blocked_tool", "too_many_steps"}
    assert decision.deny


# ---- log -------------------------------------------------------------------------------------------------------------


def test_a_gate_with_a_log_records_each_decision(tmp_path: Path) -> None:
    log = DecisionLog(tmp_path / "log.jsonl", log_arguments=True)
    gate = PolicyGate(PAY, log=log)
    for amount in (10, 5000, "5000"):
        gate.evaluate_plan(pay(amount))
    assert [record["decision"] for record in log.records()] == ["allow", "deny", "requires_hitl"]
    assert [record["steps"] for record in log.records()][1] == [{"tool": "payments.transfer", "args": {"amount": 5000}}]


# ---- the replan loop of the documentation ----------------------------------------------------------------------------


def test_a_planner_that_listens_gets_its_plan_through() -> None:
    gate = PolicyGate("allow_tools: [crm.find, payments.transfer]\n" + PAY)

    def planner(feedback: str) -> list[dict[str, Any]]:
        if "crm.wipe" in feedback:
            return pay(5000)
        return pay(900) if "bound_violation" in feedback else [{"tool_name": "crm.wipe"}]

    feedback, rounds = "", []
    for _ in range(5):
        decision = gate.evaluate_plan(planner(feedback))
        rounds.append(decision.rule_matched)
        if decision:
            break
        feedback = decision.feedback
    assert rounds == ["tool_deny", "bound_violation", "invariants_hold"]
