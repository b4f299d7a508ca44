"""The plain values that policies are made of: names, numbers, lists and mappings, each mistake noted at its place."""

from __future__ import annotations

import math
from collections import abc
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias, TypeVar

from plancheck.plan.dialects.keys import nearest
from plancheck.policy.coercion import fault_of_name
from plancheck.policy.problems import PolicyPlace, PolicyProblem, key_of, start_of
from plancheck.policy.resources import fault_of_resource
from plancheck.policy.showing import shortened
from plancheck.policy.yaml import Mapping, Scalar, Sequence, Value, YamlMember

T = TypeVar("T")
Readers: TypeAlias = "abc.Mapping[str, Callable[[YamlMember], Any]]"
"""For each key what reads its value."""


_NEVER_EMPTY = frozenset({"allow_scope", "allow_tools", "allow_writes", "unblock_tools"})
"""Keys that are not the same with nothing behind them as if they were left out: that would allow more than any list."""


def _is_empty(value: Value) -> bool:
    return isinstance(value, Scalar) and value.value is None


def kind(value: Value) -> str:
    """What a value is, in words."""
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


def misspelt(value: Value, words: Iterable[str]) -> str | None:
    """The word that a value is a misspelling of, if it is one."""
    text = value.value if isinstance(value, Scalar) else None
    return nearest(text, words) if isinstance(text, str) else None


class ValueReader:
    """Turns YAML values into plain ones; None stands for one that has a mistake, which is noted."""

    def __init__(self, problems: list[PolicyProblem]) -> None:
        self.problems = problems

    def bad(self, place: PolicyPlace, message: str, rule: str = "policy_bad_value", meant: str | None = None) -> None:
        self.problems.append(PolicyProblem(rule, message, place.span, place.pointer, meant))

    def members(self, mapping: Mapping, what: str, readers: Readers, never_empty: bool = False) -> dict[str, Any]:
        """The members that could be read. One with nothing behind it is as good as left out, where that is no rule."""
        good: dict[str, Any] = {}
        for member in mapping.members:
            if member.key not in readers:
                right = nearest(member.key, readers)
                *most, last = (f"`{name}`" for name in readers)
                hint = f"did you mean `{right}`?" if right else f"there are {', '.join(most)} and {last}."
                self.bad(key_of(member), f"`{member.shown}` is not a {what}: {hint}", "policy_unknown_key", right)
            elif never_empty or not _is_empty(member.value) or member.key in _NEVER_EMPTY:
                read = readers[member.key](member)
                if read is not None:
                    good[member.key] = read
        return good

    def names(self, member: YamlMember) -> tuple[str, ...] | None:
        return self.list_of(member, "tool", self.name)

    def resources(self, member: YamlMember) -> tuple[str, ...] | None:
        return self.list_of(member, "resource", self.resource)

    def resource(self, value: Value, what: str) -> str | None:
        text = value.value if isinstance(value, Scalar) else None
        if not isinstance(text, str) or not text.strip():
            self.bad(start_of(value), f"Each {what} must be a name, not {kind(value)}: put it in quotes.")
            return None
        fault = fault_of_resource(text)
        if fault is not None:
            self.bad(start_of(value), f"`{shortened(text)}` {fault}.")
        return text if fault is None else None

    def some_names(self, member: YamlMember) -> tuple[str, ...] | None:
        """The same, where an empty list would make a rule of nothing."""
        if isinstance(member.value, Sequence) and not member.value.items:
            self.bad(start_of(member.value), f"`{member.shown}` names no tool: name one, or leave the rule out.")
            return None
        return self.names(member) or None

    def name(self, value: Value, what: str) -> str | None:
        if not isinstance(value, Scalar) or not isinstance(value.value, str) or not value.value.strip():
            self.bad(start_of(value), f"Each {what} must be a name, not {kind(value)}: put it in quotes.")
            return None
        return value.value if self.is_name(value.value, start_of(value)) else None

    def is_name(self, name: str, place: PolicyPlace) -> bool:
        """Whether a text can be the name of a tool."""
        fault = fault_of_name(name)
        if fault is not None:
            self.bad(place, f"`{shortened(name)}` {fault}.")
        return fault is None

    def list_of(self, member: YamlMember, what: str, read: Callable[[Value, str], T | None]) -> tuple[T, ...] | None:
        if not isinstance(member.value, Sequence):
            self.bad(
                start_of(member.value),
                f"`{member.shown}` must be a list of {what}s, not {kind(member.value)}.",
            )
            return None
        found = (read(item, what) for item in member.value.items)
        return tuple(item for item in found if item is not None)

    def count(self, member: YamlMember) -> int | None:
        value = member.value
        number = value.value if isinstance(value, Scalar) else None
        if isinstance(number, int) and not isinstance(number, bool) and number >= 0:
            return number
        self.bad(start_of(value), f"`{member.shown}` must be a whole number, 0 or more, not {kind(value)}.")
        return None

    def number(self, value: Value) -> float | None:
        if not isinstance(value, Scalar) or isinstance(value.value, bool) or not isinstance(value.value, (int, float)):
            return None
        return None if math.isnan(value.value) else value.value

    def fraction(self, member: YamlMember) -> float | None:
        number = self.number(member.value)
        if number is None or not 0 <= number <= 1:
            self.bad(
                start_of(member.value),
                f"`{member.shown}` must be a number from 0 to 1, not {kind(member.value)}.",
            )
            return None
        return number

    def switch(self, member: YamlMember) -> bool | None:
        value = member.value
        if isinstance(value, Scalar) and isinstance(value.value, bool):
            return value.value
        self.bad(start_of(value), f"`{member.shown}` must be true or false, not {kind(value)}.")
        return None

    def mapping(self, member: YamlMember, what: str) -> Mapping | None:
        if isinstance(member.value, Mapping):
            return member.value
        self.bad(
            start_of(member.value),
            f"`{member.shown}` must be a mapping from {what}, not {kind(member.value)}.",
        )
        return None

    def record(
        self,
        value: Value,
        what: str,
        example: str,
        readers: Readers,
        optional: tuple[str, ...] = (),
    ) -> dict[str, Any] | None:
        if not isinstance(value, Mapping):
            self.bad(start_of(value), f"Each {what} must be a mapping such as {example}, not {kind(value)}.")
            return None
        good = self.members(value, f"key of a {what}", readers, never_empty=True)
        given = {member.key for member in value.members}
        missing = [name for name in readers if name not in optional and name not in given]
        if missing:
            self.bad(start_of(value), f"This {what} has no `{missing[0]}`: write {example}.")
        return good if all(name in good for name in readers if name not in optional) else None
