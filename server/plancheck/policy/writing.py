"""A policy as the text of a policy file: read again, it is the same policy, but for what has files in Rego."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from math import inf
from typing import Any

from plancheck.frozen import Frozen
from plancheck.policy.families import plain_words
from plancheck.policy.model import NO_GATE_RULES, NO_POLICY, GateRules, Policy


def policy_text(policy: Policy) -> str:
    """What a policy says, in YAML; an empty text where it says nothing."""
    return "".join(f"{key}: {_flow(value)}\n" for key, value in _given(policy, NO_POLICY, _WRITTEN).items())


def _given(value: Frozen, usual: Frozen, written: Mapping[str, Callable[[Any], Any]]) -> dict[str, Any]:
    """The fields in which a value differs from the usual one, as a policy file has them."""
    given: dict[str, Any] = {}
    for name in value.__match_args__:
        field = getattr(value, name)
        if field != getattr(usual, name) and name != "rego":
            given[name] = written[name](field) if name in written else field
    return given


def _gate(rules: GateRules) -> dict[str, Any]:
    return _given(rules, NO_GATE_RULES, _WRITTEN_IN_GATE)


def _records(*names: tuple[str, str]) -> Callable[[Iterable[Any]], list[dict[str, Any]]]:
    """Values as objects, with their fields under the names that a policy file has for them."""
    return lambda values: [
        {key: getattr(value, name) for key, name in names if getattr(value, name) != ()} for value in values
    ]


_WRITTEN: dict[str, Callable[[Any], Any]] = {
    "bounds": lambda bounds: {bound.key: (bound.low, bound.high) for bound in bounds},
    "risk_weights": dict,
    "tools": lambda tools: {tool: plain_words(words) for tool, words in tools},
    "gate": _gate,
    "recipients": lambda recipients: {one.key: one.allowed for one in recipients},
}
_WRITTEN_IN_GATE: dict[str, Callable[[Any], Any]] = {
    "at_most": _records(("tools", "tools"), ("count", "at_most")),
    "required": _records(("tools", "tools"), ("before", "before")),
    "needs_human": lambda limits: {limit.key: limit.above for limit in limits},
}


def _flow(value: Any) -> str:
    """A value in YAML on one line, which is JSON but for some numbers."""
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{_key(key)}: {_flow(member)}' for key, member in value.items())}}}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_flow, value))}]"
    if isinstance(value, float):
        return _number(value)
    return json.dumps(value.value if isinstance(value, Enum) else value)


def _key(key: str) -> str:
    """A key, which YAML wants to be announced where it is long."""
    return json.dumps(key) if len(key) < _LONGEST_PLAIN else f"? {json.dumps(key)} "


_LONGEST_PLAIN = 150
"""Characters of a key: YAML takes 1,024, and each character may be an escape of six."""


def _number(value: float) -> str:
    """A number as YAML 1.1 has it, to which `1e+308` is a text."""
    if value in (inf, -inf):
        return ".inf" if value > 0 else "-.inf"
    digits, exponent, power = repr(value).partition("e")
    return f"{digits if '.' in digits else f'{digits}.0'}{exponent}{power}"
