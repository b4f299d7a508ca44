"""Everything that the public modules hand out is a value: it cannot be changed, unpacked or mistaken for a list."""

from __future__ import annotations

import copy
import inspect
import pickle
from collections.abc import Callable, Iterator
from dataclasses import asdict, fields, replace
from enum import Enum
from typing import Any

import pytest

import plancheck
from plancheck import api, gate, plan_lint
from plancheck.analysis.finding import Severity
from plancheck.checked import CheckedEdit
from plancheck.frozen import Frozen, FrozenType
from plancheck.policy.model import Bound
from plancheck.text import Position

SERVICES = {"DecisionLog", "GovernedToolbox", "PolicyGate"}
"""What does something, and is no value."""
INPUTS = {"Plan", "PlanStep", "plan_lint.Policy"}
"""What a program puts together and hands to `validate_plan`, in plan-lint's types, which can be changed."""

START = api.Position(1, 2)
WHERE = api.Range(START, api.Position(1, 5))
FINDING = api.CheckedFinding("rule", "error", "Words.", 1, "r", "/nodes/0", 3, 6, WHERE, (), ())
PLACE = api.UncheckedPlace("rule", "limit", "Words.", "", 0, 1, WHERE)
VOTE = gate.Vote(gate.Verdict.DENY, "rule", "Words.")
POLICY = gate.Policy(allow_tools=["crm.find"], bounds={"pay.amount": [0, 10]})
VALUES: tuple[Any, ...] = (
    START,
    WHERE,
    FINDING,
    PLACE,
    CheckedEdit(3, 6, WHERE, "x"),
    api.CheckedFix("Title", True, (CheckedEdit(3, 6, WHERE, "x"),)),
    api.CheckedRelated("Words.", "/nodes/1", 3, 6, WHERE),
    api.CheckResult((FINDING,), (PLACE,), "calls"),
    api.AppliedFix("rule", 1, "Title", True),
    api.FixResult("text", (), (FINDING,), (PLACE,)),
    api.Settings({"raw_secret": Severity.HINT}),
    VOTE,
    gate.PolicyDecision(gate.Verdict.DENY, "Words.", "rule", (0,), (VOTE,), "sha256:0"),
    POLICY,
    POLICY.bounds[0],
    gate.GateRules(blocked_tools=["wipe"]),
    gate.Uses(("a",), 1),
    gate.Required(("a",), ("b",)),
    gate.HumanLimit("pay.amount", 3),
    plan_lint.PlanError(plan_lint.ErrorCode.TOOL_DENY, "Words.", 0),
    plan_lint.PlanWarning("NOT_CHECKED", "Words."),
    plan_lint.Violation("tool_deny", "Words.", 0, "TOOL_DENY"),
    plan_lint.ValidationResult(plan_lint.Status.PASS, 0.0),
)
"""One of each public type of values."""
UNHASHABLE = (api.Settings, plan_lint.ValidationResult)
"""They hold mappings and lists."""
each_value = pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)


def public_types() -> Iterator[tuple[str, type]]:
    for module in (plancheck, api, gate, plan_lint):
        for name in module.__all__:
            found = getattr(module, name)
            qualified = f"{module.__name__.rpartition('.')[2]}.{name}"
            if inspect.isclass(found) and not {name, qualified} & (SERVICES | INPUTS):
                yield name, found


def test_every_public_type_is_a_value_that_is_tried_here() -> None:
    tried = {type(value) for value in VALUES}
    names = [name for name, kind in public_types() if not issubclass(kind, (Enum, Exception)) and kind not in tried]
    assert names == []
    assert not [name for name, kind in public_types() if issubclass(kind, tuple)]


def test_what_values_are_made_of_are_values() -> None:
    """A field of a value is one, too, or a plain tuple of such."""
    tried = {type(value) for value in VALUES}
    for value in VALUES:
        for field in fields(value):
            held = getattr(value, field.name)
            for part in held if type(held) is tuple else (held,):
                assert type(part).__module__ == "builtins" or isinstance(part, Enum) or type(part) in tried


@each_value
def test_a_value_cannot_be_changed(value: Any) -> None:
    for field in fields(value):
        before = getattr(value, field.name)
        with pytest.raises(AttributeError):
            setattr(value, field.name, None)
        with pytest.raises(AttributeError):
            delattr(value, field.name)
        assert getattr(value, field.name) is before
    with pytest.raises((AttributeError, TypeError)):  # a dataclass with slots says TypeError on Python 3.10 to 3.13
        value.remark = "mine"


@each_value
def test_a_value_is_no_sequence(value: Any) -> None:
    attempts: list[Callable[[Any], Any]] = [iter, len, lambda one: one[0], lambda one: [*one]]
    for attempt in attempts:
        with pytest.raises(TypeError):
            attempt(value)
    assert not isinstance(value, tuple)


@each_value
def test_a_value_is_equal_to_its_copies_and_to_nothing_else(value: Any) -> None:
    for other in (copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value)), replace(value)):
        assert type(other) is type(value)
        assert other == value
        if not isinstance(value, UNHASHABLE):
            assert hash(other) == hash(value)
    plain = tuple(getattr(value, field.name) for field in fields(value))
    assert value != plain
    assert all(value != other for other in VALUES if other is not value)
    assert repr(value).startswith(f"{type(value).__name__}({fields(value)[0].name}=")


@each_value
def test_a_value_can_be_matched_by_its_fields(value: Any) -> None:
    assert type(value).__match_args__ == tuple(field.name for field in fields(value))
    assert list(asdict(value)) == [field.name for field in fields(value)]


def test_matching_by_keyword() -> None:
    match FINDING:
        case api.CheckedFinding(rule="rule", range=api.Range(start=Position(line=line))):
            assert line == 1
        case _:
            raise AssertionError


def test_a_changed_value_is_another_one() -> None:
    assert replace(FINDING, message="Other.").message == "Other."
    assert replace(FINDING, message="Other.") != FINDING
    assert FINDING.message == "Words."
    with pytest.raises(TypeError, match="weight"):
        replace(FINDING, weight=1)  # type: ignore[call-arg]


def test_what_is_derived_from_a_policy_is_not_carried_into_another() -> None:
    assert not POLICY.blocks("wipe")
    assert POLICY.digest != replace(POLICY, gate=gate.GateRules(blocked_tools=["wipe"])).digest
    assert replace(POLICY, gate=gate.GateRules(blocked_tools=["wipe"])).blocks("wipe")
    assert pickle.loads(pickle.dumps(POLICY)).__dict__ == {}


@pytest.mark.parametrize(
    "make",
    [
        lambda: replace(POLICY, allow_tools="crm.find"),  # type: ignore[arg-type]
        lambda: copy.deepcopy(POLICY).__replace__(bounds={"pay.amount": [2, 1]}),
        lambda: replace(POLICY, gate={"blocked_tools": "wipe"}),  # type: ignore[arg-type]
        lambda: gate.GateRules().__replace__(unknown="allow"),
    ],
)
def test_no_way_to_make_a_policy_leaves_out_its_validation(make: Callable[[], Any]) -> None:
    with pytest.raises(ValueError, match=r"must be|reversed|is not a valid"):
        make()


def test_a_policy_stays_as_it_was_made() -> None:
    POLICY.__init__(allow_tools=None)  # type: ignore[misc]
    assert POLICY.allow_tools == ("crm.find",)


def test_a_class_of_values_says_how_it_is_made() -> None:
    assert str(inspect.signature(Bound)) == "(key, low, high)"
    with pytest.raises(TypeError, match=r"Bound\(\) missing 1 required positional argument: 'high'"):
        Bound("a.b", 1)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="derive it from Frozen alone"):
        FrozenType("Sub", (Bound,), {})
    with pytest.raises(TypeError, match="say `init=False`"):
        FrozenType("Odd", (Frozen,), {"__new__": object.__new__})
