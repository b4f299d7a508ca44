"""Several policy files that are in force together: what any of them forbids is forbidden.

A file that says nothing about something asks for what holds by default, and another file does not take that away.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any

from plancheck.frozen import replace
from plancheck.policy.families import Family, ToolWords, Trait, family_by_name
from plancheck.policy.model import (
    DEFAULT_GATE_STEPS,
    DEFAULT_MAX_STEPS,
    DEFAULT_RISK,
    DEFAULT_WEIGHT,
    OnUnknown,
    OnWarning,
)
from plancheck.policy.names import folded
from plancheck.policy.resources import common

Given = Mapping[str, Any]


def join(texts: Sequence[Given], untrusted: Sequence[Given] = ()) -> dict[str, Any]:
    """What several files say together, by the names of the policy's fields. The first of them has the say where two
    say different things and none is stricter. Of what is not trusted, nothing holds that would allow anything.

    A Rego policy can only forbid, and asks for none of the defaults: it does not count where the others are joined.
    """
    rego = tuple(dict.fromkeys(files for given in (*texts, *untrusted) for files in given.get("rego", ())))
    trusted = [given for given in texts if "rego" not in given]
    spelt_out = _with_defaults(trusted) if len(trusted) > 1 else trusted
    stricter = [only_stricter(given) for given in untrusted if "rego" not in given]
    if not any(field in given for given in trusted for field in _MAKES_JUDGEABLE):
        stricter = [{field: value for field, value in one.items() if field not in _MAKES_JUDGEABLE} for one in stricter]
    whole = [*spelt_out, *stricter]
    found = reduce(_join, whole[1:], dict(whole[0])) if whole else {}
    return {**found, "rego": rego} if rego else found


def only_stricter(given: Given) -> dict[str, Any]:
    """What is left of a policy that must not allow anything: whoever writes the plan may have written it, too."""
    found = {field: value for field, value in given.items() if field != "unblock_tools"}
    if "max_steps" in found:
        found["max_steps"] = min(found["max_steps"], DEFAULT_GATE_STEPS)
    if "tools" in found:
        found["tools"] = tuple((tool, only) for tool, words in found["tools"] if (only := _stricter_words(words)))
    if "recipients" in found:
        found["recipients"] = tuple(replace(one, is_trusted=False) for one in found["recipients"])
    if "gate" in found:
        found["gate"] = only_stricter(found["gate"])
    return found


def _with_defaults(texts: Sequence[Given]) -> list[dict[str, Any]]:
    """The files with what each of them asks for by saying nothing, where another one says something about it."""
    fields = {field for given in texts for field in given}
    has_limit = "max_steps" in fields or any("max_steps" in given.get("gate", {}) for given in texts)
    tools = {folded(tool): tool for given in texts for tool, _ in given.get("tools", ())}
    found = []
    for given in texts:
        full = {field: default for field, default in _DEFAULTS.items() if field in fields} | dict(given)
        gate = given.get("gate", {})
        if has_limit and "max_steps" not in gate and "max_steps" not in given:
            full["gate"] = {**gate, "max_steps": DEFAULT_GATE_STEPS}
        if tools:
            own = {folded(tool) for tool, _ in given.get("tools", ())}
            by_name = ((tool, (family_by_name(tool),)) for fold, tool in tools.items() if fold not in own)
            full["tools"] = (*given.get("tools", ()), *by_name)
        found.append(full)
    return found


_DEFAULTS: Given = {"max_steps": DEFAULT_MAX_STEPS, "fail_risk_threshold": DEFAULT_RISK, "risk_weights": ()}


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
    mine, others = ({code.upper(): weight for code, weight in weights} for weights in (one, other))
    codes = dict.fromkeys((*mine, *others))
    return tuple((code, max(mine.get(code, DEFAULT_WEIGHT), others.get(code, DEFAULT_WEIGHT))) for code in codes)


def _stricter_words(words: ToolWords) -> ToolWords:
    """What of the words about a tool asks for more: that it only reads, and what is known of it besides."""
    return tuple(word for word in words if word is Family.READ or isinstance(word, Trait))


def _words(
    one: tuple[tuple[str, ToolWords], ...], other: tuple[tuple[str, ToolWords], ...]
) -> tuple[tuple[str, ToolWords], ...]:
    """Two spellings of a name are one tool, and the strictest of the words about it counts."""
    found: dict[str, tuple[str, ToolWords]] = {}
    for tool, words in (*one, *other):
        first, known = found.get(folded(tool), (tool, ()))
        found[folded(tool)] = first, tuple(dict.fromkeys((*known, *words)))
    return tuple(found.values())


_MAKES_JUDGEABLE = frozenset({"allow_writes", "allow_scope"})
"""What lets the gate allow plans that it could not decide on: only who runs the gate may begin with that."""
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
    "tools": _words,
    "gate": _join,
    "blocked_tools": _both,
    "unblock_tools": _common,
    "at_most": _both,
    "not_first": _both,
    "required": _both,
    "needs_human": _both,
    "blocked_writes": _both,
    "allow_writes": common,
    "allow_scope": common,
    "recipients": _both,
    "security_warnings": lambda one, other: max(one, other, key=list(OnWarning).index),
    "unknown": lambda one, other: OnUnknown.DENY if OnUnknown.DENY in (one, other) else OnUnknown.HUMAN,
}
