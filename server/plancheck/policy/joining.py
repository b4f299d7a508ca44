"""Several policy files that are in force together: what any of them forbids is forbidden."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any

from plancheck.policy.model import Family, OnUnknown

Given = Mapping[str, Any]


def join(texts: list[Given]) -> dict[str, Any]:
    """What several files say together, by the names of the policy's fields. The first of them has the say where two
    say different things and none is stricter."""
    return reduce(_join, texts[1:], dict(texts[0])) if texts else {}


def _join(one: Given, other: Given) -> dict[str, Any]:
    found = dict(one)
    for field, value in other.items():
        if field not in one:
            found[field] = _ALONE[field](value) if field in _ALONE else value
        else:
            found[field] = _JOINED[field](one[field], value)
    found.update((field, ()) for field in _AGREED if field in one and field not in other)
    return found


def _both(one: tuple[Any, ...], other: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(dict.fromkeys((*one, *other)))


def _common(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(item for item in one if item in other)


def _heavier(one: tuple[tuple[str, float], ...], other: tuple[tuple[str, float], ...]) -> tuple[tuple[str, float], ...]:
    found: dict[str, float] = {}
    for code, weight in (*one, *other):
        found[code.upper()] = max(weight, found.get(code.upper(), weight))
    return tuple(found.items())


def _families(
    one: tuple[tuple[str, Family], ...], other: tuple[tuple[str, Family], ...]
) -> tuple[tuple[str, Family], ...]:
    return tuple({**dict(_only_reading(other)), **dict(one)}.items())


def _only_reading(families: tuple[tuple[str, Family], ...]) -> tuple[tuple[str, Family], ...]:
    """That a tool only reads forbids something; that it does more allows what its name would not."""
    return tuple((tool, family) for tool, family in families if family is Family.READ)


def _nothing(_: tuple[str, ...]) -> tuple[str, ...]:
    return ()


_AGREED = frozenset({"unblock_tools"})
"""What every file must say for it to hold."""
_ALONE: dict[str, Callable[[Any], Any]] = {
    "tools": _only_reading,
    "unblock_tools": _nothing,
    "gate": lambda gate: {**gate, "unblock_tools": ()},
}
"""What is left of a field that only the other file has."""
_JOINED: dict[str, Callable[[Any, Any], Any]] = {
    "allow_tools": _common,
    "bounds": _both,
    "deny_tokens_regex": _both,
    "max_steps": min,
    "risk_weights": _heavier,
    "fail_risk_threshold": min,
    "require_handlers": lambda one, other: one or other,
    "tools": _families,
    "gate": _join,
    "blocked_tools": _both,
    "unblock_tools": _common,
    "at_most": _both,
    "not_first": _both,
    "required": _both,
    "needs_human": _both,
    "unknown": lambda one, other: OnUnknown.DENY if OnUnknown.DENY in (one, other) else OnUnknown.HUMAN,
}
