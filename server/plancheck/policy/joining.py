"""Several policy files that are in force together: what any of them forbids is forbidden."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any

from plancheck.policy.model import DEFAULT_GATE_STEPS, Family, OnUnknown

Given = Mapping[str, Any]


def join(texts: Sequence[Given]) -> dict[str, Any]:
    """What several files say together, by the names of the policy's fields. The first of them has the say where two
    say different things and none is stricter."""
    return reduce(_join, texts[1:], dict(texts[0])) if texts else {}


def only_stricter(given: Given) -> dict[str, Any]:
    """What is left of a policy that must not allow anything: whoever writes the plan may have written it, too."""
    found = {field: value for field, value in given.items() if field != "unblock_tools"}
    if "max_steps" in found:
        found["max_steps"] = min(found["max_steps"], DEFAULT_GATE_STEPS)
    if "tools" in found:
        found["tools"] = tuple((tool, family) for tool, family in found["tools"] if family is Family.READ)
    if "gate" in found:
        found["gate"] = only_stricter(found["gate"])
    return found


def _join(one: Given, other: Given) -> dict[str, Any]:
    found = {field: value for field, value in one.items() if field not in _AGREED or field in other}
    if "gate" in one:
        found["gate"] = _join(one["gate"], {})
    for field, value in other.items():
        if field in one:
            found[field] = _JOINED[field](one[field], value)
        elif field not in _AGREED:
            found[field] = _join({}, value) if field == "gate" else value
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
    """That a tool only reads forbids something; else the first has the say."""
    reading = {tool: family for tool, family in (*one, *other) if family is Family.READ}
    return tuple({**dict(other), **dict(one), **reading}.items())


_AGREED = frozenset({"unblock_tools"})
"""What every file must say for it to hold."""
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
