"""What a program hands to the gate: policies and plans of odd types, and a policy in the wrong place. Each has a clear
answer or a clear error, and none of them lets a plan through."""

from __future__ import annotations

import copy
import pickle
from collections import ChainMap, UserDict
from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import pytest

from plancheck.gate import (
    GateRules,
    GovernedToolbox,
    Policy,
    PolicyError,
    PolicyGate,
    Required,
    Uses,
    evaluate_plan,
    load_policy,
    require_allowed,
)
from plancheck.plan_lint import ErrorCode, Plan, PlanStep, Status, validate_plan
from plancheck.plan_lint import Policy as PlanLintPolicy

PAY = "bounds: {payments.transfer.amount: [0, 1000]}\n"
FIND = [{"tool_name": "crm.find", "args": {}}]


def pay(amount: Any) -> list[dict[str, Any]]:
    return [{"tool_name": "payments.transfer", "args": {"amount": amount}}]


# ---- a policy is validated, however it is made -----------------------------------------------------------------------

AnyPolicy: Any = Policy
AnyRules: Any = GateRules
"""The same for the type checker, which would refuse what is tried here."""

MADE: list[tuple[Callable[[], Any], str]] = [
    (lambda: replace(AnyPolicy(), allow_tools="crm.find"), "must be a list of names"),
    (lambda: AnyPolicy().__replace__(allow_tools="crm.find"), "must be a list of names"),
    (lambda: replace(AnyRules(), blocked_tools="foo"), "must be a list of names"),
    (lambda: AnyRules().__replace__(blocked_tools="foo"), "must be a list of names"),
    (lambda: replace(AnyPolicy(), gate={"blocked_tools": "foo"}), "must be a list of names"),
    (lambda: AnyPolicy(gate={"blocked_tools": ["*"]}), "write each of them out"),
    (lambda: AnyPolicy(gate={"blocked_tools": ["---"]}), "no letter and no digit"),
    (lambda: AnyPolicy(allow_tools=["a" * 1_001]), "too long"),
    (lambda: AnyPolicy(bounds={"t.*": [0, 1]}), "means nothing here"),
    (lambda: AnyPolicy(bounds={"t.items[0].amount": [0, 1]}), "means nothing here"),
    (lambda: AnyPolicy(gate=AnyRules(at_most=[Uses((), 1)])), "must name a tool"),
    (lambda: AnyPolicy(gate=AnyRules(required=[Required((), ("pay",))])), "must name a tool"),
    (lambda: AnyPolicy(bounds={"a.b": [0, Decimal("NaN")]}), "must be a number"),
    (lambda: AnyPolicy(bounds={"a.b": [0, Fraction(10**400)]}), "must be a number"),
    (lambda: AnyPolicy(tools=[("x",)]), "must be a mapping"),
    (lambda: AnyPolicy(risk_weights=[("x", "y")]), "must be a number"),
    (lambda: AnyPolicy(tools={5: "read"}), "must be a list of names"),
]


@pytest.mark.parametrize(("make", "words"), MADE)
def test_a_policy_with_a_mistake_cannot_be_made(make: Callable[[], Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        make()


def test_a_policy_with_another_field_is_a_policy() -> None:
    policy = Policy(allow_tools=["crm.find"])
    assert not policy.blocks("wipe")
    other = replace(policy, gate=GateRules(blocked_tools=["wipe"]))
    assert other.blocks("wipe")
    assert other.allow_tools == ("crm.find",)
    assert pickle.loads(pickle.dumps(other)) == copy.copy(other) == other


@pytest.mark.parametrize("make", [load_policy, lambda fields: Policy(**fields)])
def test_other_numbers_are_numbers_in_a_policy(make: Callable[[dict[str, Any]], Policy]) -> None:
    policy = make({"bounds": {"a.b": [Decimal("0.5"), Fraction(1000)]}})
    assert (policy.bounds[0].low, policy.bounds[0].high) == (0.5, 1000)
    assert not evaluate_plan([{"tool_name": "a", "args": {"b": 1001}}], policy=policy)


@pytest.mark.parametrize("value", [object(), Decimal("NaN"), b"x", 1j])
def test_a_policy_that_holds_something_else_is_a_mistake(value: Any) -> None:
    with pytest.raises(PolicyError, match="a policy cannot hold"):
        load_policy({"bounds": {"a.b": [0, value]}})
    assert validate_plan(FIND, PlanLintPolicy(bounds={"a.b": [0, value]})).status is Status.ERROR


def test_a_policy_of_other_mappings_is_one() -> None:
    proxy = MappingProxyType({"bounds": MappingProxyType({"a.b": [0, 1]})})
    assert load_policy(proxy) == load_policy(UserDict(proxy)) == load_policy({"bounds": {"a.b": [0, 1]}})


# ---- a policy in the wrong place -------------------------------------------------------------------------------------


@pytest.mark.parametrize("misplaced", [Policy(allow_tools=[]), GateRules(), PlanLintPolicy()])
@pytest.mark.parametrize(
    "evaluate", [evaluate_plan, require_allowed, PolicyGate().evaluate_plan, GovernedToolbox().evaluate_plan]
)
def test_a_policy_as_the_context_is_a_mistake(evaluate: Callable[..., Any], misplaced: Any) -> None:
    with pytest.raises(TypeError, match="policy="):
        evaluate(FIND, misplaced)


@pytest.mark.parametrize("policy", [GateRules(), (1, 2), ["allow_tools"], Uses(("a",), 1), 5, PlanLintPolicy()])
def test_what_is_no_policy_says_so(policy: Any) -> None:
    with pytest.raises(ValueError, match=r"must be a (Policy|function)"):
        evaluate_plan(FIND, policy=policy)


# ---- plans -----------------------------------------------------------------------------------------------------------


class LyingList(list[Any]):
    def __len__(self) -> int:
        return 1


class ModestFloat(float):
    def __float__(self) -> float:
        return 1.0


class EndlessList(list[Any]):
    def __iter__(self) -> Iterator[Any]:
        while True:
            yield 1


def test_a_number_that_lies_about_itself_is_what_it_is() -> None:
    assert evaluate_plan(pay(ModestFloat(5000)), policy=PAY).deny
    assert validate_plan(pay(ModestFloat(5000)), load_policy(PAY)).status is Status.ERROR


def test_a_list_that_lies_about_its_length_is_read_whole() -> None:
    assert evaluate_plan([{"tool_name": "a", "args": {"x": LyingList([1, 2, 3])}}]).allow
    assert evaluate_plan(LyingList([*FIND, {"tool_name": "delete_all"}])).deny
    assert evaluate_plan([{"tool_name": "a", "args": {"x": EndlessList()}}]).undecided


@pytest.mark.parametrize("make", [MappingProxyType, UserDict, ChainMap])
def test_other_mappings_are_objects_everywhere(make: Callable[[dict[str, Any]], Any]) -> None:
    plan = [make({"tool_name": "crm.find", "args": make({"a": 1})})]
    assert evaluate_plan(plan).allow
    assert validate_plan(plan).valid
    steps = make({"goal": "g", "steps": [make({"id": "a", "tool": "crm.find", "args": {}})]})
    assert evaluate_plan(steps).allow
    assert validate_plan(steps).valid


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (Fraction(10**400), "not a number that a plan can hold"),
        ({1: 2}, "the name of a member must be a string, not 1"),
        (object(), "object is not a value that a plan can hold"),
    ],
)
def test_what_a_plan_cannot_hold(value: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        evaluate_plan(pay(value), policy=PAY)
    for plan in (pay(value), Plan([PlanStep("a", "payments.transfer", {"amount": value})])):
        result = validate_plan(plan)
        assert (result.status, result.errors[0].code) == (Status.ERROR, ErrorCode.SCHEMA_INVALID)
        assert words in result.errors[0].msg


@pytest.mark.parametrize("policy", [PAY, load_policy(PAY), {"bounds": {"payments.transfer.amount": [0, 1000]}}])
def test_validation_takes_what_the_gate_takes_for_a_policy(policy: Any) -> None:
    assert validate_plan(pay(10), policy).valid
    assert validate_plan(pay(5000), policy).errors[0].code is ErrorCode.BOUND_VIOLATION


def test_validation_refuses_a_policy_with_a_mistake_as_the_gate_does() -> None:
    with pytest.raises(ValueError, match="did you mean `bounds`"):
        validate_plan(pay(10), "bound: {}\n")


def test_two_byte_order_marks_are_one_too_many() -> None:
    text = '[{"tool_name": "crm.find", "args": {}}]'
    assert evaluate_plan("\ufeff" + text).allow
    assert evaluate_plan("\ufeff\ufeff" + text).undecided
    assert evaluate_plan(("\ufeff\ufeff" + text).encode()).undecided
