"""From a policy file to the policy. What is wrong becomes a problem at its place, and the rest is in force."""

from __future__ import annotations

import math
from collections import abc
from collections.abc import Callable, Iterable
from functools import reduce
from typing import Any, NamedTuple, TypeVar

from plancheck.plan.dialects.keys import nearest
from plancheck.policy.model import Bound, Family, GateRules, HumanLimit, Policy, Required, Uses
from plancheck.policy.regexes import fault_of
from plancheck.policy.yaml import Mapping, Member, Scalar, Sequence, Value, from_plain, read_yaml
from plancheck.text import Span

T = TypeVar("T")

CODES = (
    "SCHEMA_INVALID",
    "TOOL_DENY",
    "BOUND_VIOLATION",
    "RAW_SECRET",
    "LOOP_DETECTED",
    "MAX_STEPS_EXCEEDED",
    "MISSING_HANDLER",
    "NOT_CHECKED",
)
NAMES = ("plan-policy.yaml", "plan-policy.yml")


class PolicyProblem(NamedTuple):
    """One mistake in a policy file."""

    rule: str
    message: str
    span: Span
    pointer: str = ""
    """The place as a JSON pointer (RFC 6901)."""


class PolicyText(NamedTuple):
    """A policy as it was read, with the places of what may turn out wrong later."""

    policy: Policy
    problems: tuple[PolicyProblem, ...]
    patterns: tuple[tuple[str, Span], ...] = ()
    bounds: tuple[tuple[str, Span], ...] = ()
    """The keys of bounds, and where they stand."""
    given: abc.Mapping[str, Any] = {}
    """What the file says, by the names of the policy's fields; the rest of the policy is what holds by default."""


def read_policy(text: str) -> PolicyText:
    """The policy in a YAML text."""
    value, wrong = read_yaml(text)
    return _read(value, [PolicyProblem("policy_syntax", problem.message, problem.span) for problem in wrong])


def policy_of(plain: dict[str, Any]) -> PolicyText:
    """The policy in a dict of the same keys; what is wrong with it stands nowhere."""
    return _read(from_plain(plain), [])


def _read(value: Value | None, problems: list[PolicyProblem]) -> PolicyText:
    reader = _Reader(problems)
    given = reader.given(value)
    policy = _policy(given)
    ordered = tuple(sorted(reader.problems, key=lambda problem: problem.span))
    return PolicyText(policy, ordered, tuple(reader.patterns), tuple(reader.bound_keys), given)


def _policy(given: abc.Mapping[str, Any]) -> Policy:
    gate = GateRules(**given.get("gate", {}))
    return Policy(**{**given, "gate": gate})


def joined(texts: Iterable[PolicyText]) -> Policy:
    """Several files read as one: lists and mappings are joined, of numbers the strictest counts."""
    return _policy(reduce(_join, (text.given for text in texts), dict[str, Any]()))


def _join(one: abc.Mapping[str, Any], other: abc.Mapping[str, Any]) -> dict[str, Any]:
    found = dict(one)
    for key, value in other.items():
        if key not in one:
            found[key] = value
        elif isinstance(value, dict):
            found[key] = _join(one[key], value)
        elif isinstance(value, bool):
            found[key] = one[key] or value
        elif isinstance(value, tuple):
            found[key] = tuple(dict.fromkeys((*one[key], *value)))
        else:
            found[key] = min(one[key], value)
    return found


def _kind(value: Value) -> str:
    if isinstance(value, Sequence):
        return "a list"
    if isinstance(value, Mapping):
        return "a mapping"
    plain = value.value
    if plain is None:
        return "nothing"
    if isinstance(plain, bool):
        return "true" if plain else "false"
    return "a text" if isinstance(plain, str) else f"{plain}"


class _Reader:
    def __init__(self, problems: list[PolicyProblem]) -> None:
        self.problems = problems
        self.patterns: list[tuple[str, Span]] = []
        self.bound_keys: list[tuple[str, Span]] = []

    def bad(self, span: Span, message: str, rule: str = "policy_bad_value") -> None:
        self.problems.append(PolicyProblem(rule, message, span))

    def given(self, value: Value | None) -> dict[str, Any]:
        if value is None or (isinstance(value, Scalar) and value.value is None):
            return {}
        if not isinstance(value, Mapping):
            self.bad(_start(value), f"A policy must be a mapping such as `allow_tools: [...]`, not {_kind(value)}.")
            return {}
        return self.members(
            value,
            "key of a policy",
            {
                "allow_tools": self.names,
                "bounds": self.bounds,
                "deny_tokens_regex": self.regexes,
                "max_steps": self.count,
                "risk_weights": self.weights,
                "fail_risk_threshold": self.fraction,
                "require_handlers": self.switch,
                "tools": self.families,
                "gate": self.gate,
            },
        )

    def members(self, mapping: Mapping, what: str, readers: dict[str, Callable[[Member], Any]]) -> dict[str, Any]:
        """The members that could be read."""
        good: dict[str, Any] = {}
        for member in mapping.members:
            if member.key not in readers:
                right = nearest(member.key, readers)
                *most, last = (f"`{name}`" for name in readers)
                hint = f"did you mean `{right}`?" if right else f"there are {', '.join(most)} and {last}."
                self.bad(member.key_span, f"`{member.key}` is no {what}: {hint}", "policy_unknown_key")
            elif not (isinstance(member.value, Scalar) and member.value.value is None):
                read = readers[member.key](member)
                if read is not None:
                    good[member.key] = read
        return good

    # ---- plain values

    def names(self, member: Member) -> tuple[str, ...] | None:
        return self.list_of(member, "tool", self.name)

    def name(self, value: Value, what: str) -> str | None:
        if isinstance(value, Scalar) and isinstance(value.value, str) and value.value.strip():
            return value.value
        self.bad(_start(value), f"Each {what} must be a name, not {_kind(value)}: put it in quotes.")
        return None

    def list_of(self, member: Member, what: str, read: Callable[[Value, str], T | None]) -> tuple[T, ...] | None:
        if not isinstance(member.value, Sequence):
            self.bad(_start(member.value), f"`{member.key}` must be a list of {what}s, not {_kind(member.value)}.")
            return None
        found = (read(item, what) for item in member.value.items)
        return tuple(item for item in found if item is not None)

    def count(self, member: Member) -> int | None:
        value = member.value
        number = value.value if isinstance(value, Scalar) else None
        if isinstance(number, int) and not isinstance(number, bool) and number >= 0:
            return number
        self.bad(_start(value), f"`{member.key}` must be a whole number, 0 or more, not {_kind(value)}.")
        return None

    def number(self, value: Value) -> float | None:
        if not isinstance(value, Scalar) or isinstance(value.value, bool) or not isinstance(value.value, (int, float)):
            return None
        return None if math.isnan(value.value) else value.value

    def fraction(self, member: Member) -> float | None:
        number = self.number(member.value)
        if number is None or not 0 <= number <= 1:
            self.bad(_start(member.value), f"`{member.key}` must be a number from 0 to 1, not {_kind(member.value)}.")
            return None
        return number

    def switch(self, member: Member) -> bool | None:
        value = member.value
        if isinstance(value, Scalar) and isinstance(value.value, bool):
            return value.value
        self.bad(_start(value), f"`{member.key}` must be true or false, not {_kind(value)}.")
        return None

    def mapping(self, member: Member, what: str) -> Mapping | None:
        if isinstance(member.value, Mapping):
            return member.value
        self.bad(_start(member.value), f"`{member.key}` must be a mapping from {what}, not {_kind(member.value)}.")
        return None

    # ---- the parts of a policy

    def regexes(self, member: Member) -> tuple[str, ...] | None:
        return self.list_of(member, "pattern", self.regex)

    def regex(self, value: Value, what: str) -> str | None:
        if not isinstance(value, Scalar) or not isinstance(value.value, str) or not value.value:
            self.bad(
                _start(value),
                f"Each {what} must be a regular expression in quotes, not {_kind(value)}.",
                "policy_bad_regex",
            )
            return None
        fault = fault_of(value.value)
        if fault is not None:
            self.bad(value.span, f"This is no regular expression: {fault}; it denies nothing.", "policy_bad_regex")
            return None
        self.patterns.append((value.value, value.span))
        return value.value

    def bounds(self, member: Member) -> tuple[Bound, ...] | None:
        found = self.mapping(member, "`tool.argument` to `[lowest, highest]`")
        if found is None:
            return None
        bounds = (self.bound(item) for item in found.members)
        return tuple(bound for bound in bounds if bound is not None)

    def bound(self, member: Member) -> Bound | None:
        value, rule = member.value, "policy_bad_bound"
        if not self.is_argument(member):
            return None
        if not isinstance(value, Sequence) or len(value.items) != 2:
            given = f"a list of {len(value.items)}" if isinstance(value, Sequence) else _kind(value)
            self.bad(_start(value), f"The bound of `{member.key}` must be `[lowest, highest]`, not {given}.", rule)
            return None
        low, high = (self.number(item) for item in value.items)
        for item, number in zip(value.items, (low, high), strict=True):
            if number is None:
                self.bad(_start(item), f"A bound of `{member.key}` must be a number, not {_kind(item)}.", rule)
        if low is None or high is None:
            return None
        if low > high:
            message = f"The bound of `{member.key}` is reversed: {low} is above {high}, so write `[{high}, {low}]`."
            self.bad(_start(value), message, rule)
            return None
        self.bound_keys.append((member.key, member.key_span))
        return Bound(member.key, low, high)

    def is_argument(self, member: Member) -> bool:
        """Whether a key names an argument of a tool."""
        parts = member.key.split(".")
        if len(parts) > 1 and all(parts):
            return True
        message = f"`{member.key}` names no argument: write `tool.argument`, as in `payments.transfer.amount`."
        self.bad(member.key_span, message, "policy_bad_bound")
        return False

    def weights(self, member: Member) -> tuple[tuple[str, float], ...] | None:
        found = self.mapping(member, "codes to weights")
        if found is None:
            return None
        good: list[tuple[str, float]] = []
        for item in found.members:
            number = self.number(item.value)
            if item.key.upper() not in CODES:
                right = nearest(item.key, [code.lower() for code in CODES])
                hint = (
                    f"did you mean `{right}`?" if right else f"there are {', '.join(code.lower() for code in CODES)}."
                )
                self.bad(item.key_span, f"`{item.key}` is no code: {hint}", "policy_unknown_key")
            elif number is None or number < 0:
                message = f"The weight of `{item.key}` must be a number, 0 or more, not {_kind(item.value)}."
                self.bad(_start(item.value), message)
            else:
                good.append((item.key, number))
        return tuple(good)

    def families(self, member: Member) -> tuple[tuple[str, Family], ...] | None:
        found = self.mapping(member, "tools to what they do")
        if found is None:
            return None
        good = []
        for item in found.members:
            word = item.value.value if isinstance(item.value, Scalar) else None
            if word in list(Family):
                good.append((item.key, Family(word)))
            else:
                words = ", ".join(family.value for family in Family)
                self.bad(_start(item.value), f"What `{item.key}` does must be one of {words}, not {_kind(item.value)}.")
        return tuple(good)

    # ---- the gate

    def gate(self, member: Member) -> dict[str, Any] | None:
        found = self.mapping(member, "the gate's rules to their values")
        if found is None:
            return None
        return self.members(
            found,
            "rule of the gate",
            {
                "max_steps": self.count,
                "blocked_tools": self.names,
                "at_most": lambda m: self.list_of(m, "limit", self.uses),
                "not_first": self.names,
                "required": lambda m: self.list_of(m, "requirement", self.requirement),
                "needs_human": self.human,
            },
        )

    def uses(self, value: Value, what: str) -> Uses | None:
        example = "`{tools: [db.write], count: 3}`"
        good = self.record(value, what, example, {"tools": self.names, "count": self.count})
        return Uses(good["tools"], good["count"]) if good is not None else None

    def requirement(self, value: Value, what: str) -> Required | None:
        example = "`{tools: [verify], before: [payments.transfer]}`"
        good = self.record(value, what, example, {"tools": self.names, "before": self.names}, optional=("before",))
        return Required(good["tools"], good.get("before", ())) if good is not None else None

    def record(
        self,
        value: Value,
        what: str,
        example: str,
        readers: dict[str, Callable[[Member], Any]],
        optional: tuple[str, ...] = (),
    ) -> dict[str, Any] | None:
        if not isinstance(value, Mapping):
            self.bad(_start(value), f"Each {what} must be a mapping such as {example}, not {_kind(value)}.")
            return None
        good = self.members(value, f"key of a {what}", readers)
        given = {member.key for member in value.members}
        missing = [name for name in readers if name not in optional and name not in given]
        if missing:
            self.bad(_start(value), f"This {what} has no `{missing[0]}`: write {example}.")
        return good if all(name in good for name in readers if name not in optional) else None

    def human(self, member: Member) -> tuple[HumanLimit, ...] | None:
        found = self.mapping(member, "`tool.argument` to the highest number that needs no human")
        if found is None:
            return None
        good = []
        for item in found.members:
            number = self.number(item.value)
            if not self.is_argument(item):
                continue
            if number is None:
                self.bad(_start(item.value), f"The limit of `{item.key}` must be a number, not {_kind(item.value)}.")
            else:
                good.append(HumanLimit(item.key, number))
        return tuple(good)


def _start(value: Value) -> Span:
    """The token that stands for a value: a scalar itself, of anything else where it begins."""
    if isinstance(value, Scalar):
        return value.span if value.span.end > value.span.start else Span(value.span.start, value.span.start + 1)
    return Span(value.span.start, value.span.start + 1)
