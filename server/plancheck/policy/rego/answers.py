"""What a policy's rules say about a plan, whatever form they say it in."""

from __future__ import annotations

import json
from collections.abc import Iterator
from enum import Enum
from typing import Any

from plancheck.policy.rego.source import RegoRule
from plancheck.tuples import NamedTuple
from plancheck.unknown import Reason, Unknown

MOST_FIRINGS = 100
"""Of one rule; more tell nobody more."""


class FiringKind(str, Enum):
    DENY = "deny"
    HUMAN = "requires_hitl"


class RuleSite(NamedTuple):
    """A rule of a policy, and where it stands."""

    path: str
    rule: RegoRule
    package: str = ""

    @property
    def name(self) -> str:
        return self.rule.name

    @property
    def kind(self) -> FiringKind:
        return FiringKind.HUMAN if self.rule.name == "requires_hitl" else FiringKind.DENY


class Firing(NamedTuple):
    """One thing that a rule says against a plan."""

    site: RuleSite
    message: str
    """In the policy's own words, if it has any."""
    step: Any = None
    """The step that the policy names, if it does: a position or an identity."""
    code: str | None = None

    @property
    def kind(self) -> FiringKind:
        return self.site.kind

    @property
    def rule(self) -> str:
        return self.site.name

    @property
    def line(self) -> int:
        return self.site.rule.line


def firings_of(site: RuleSite, value: Any) -> tuple[Firing, ...] | Unknown:
    """What a rule says by its value: nothing by false, and by an empty set or object."""
    if site.name == "allow":
        return _of_allow(site, value)
    try:
        found = list(dict.fromkeys(_read(site, value)))
    except _NotUnderstoodError as error:
        message = f"The rule `{site.name}` returns `{error}`: use true or false, messages, or objects with `msg`."
        return Unknown(Reason.NOT_UNDERSTOOD, message)
    return tuple(sorted(found, key=lambda firing: (firing.message, _written(firing.step), firing.code or "")))[
        :MOST_FIRINGS
    ]


def _of_allow(site: RuleSite, value: Any) -> tuple[Firing, ...] | Unknown:
    if value is True:
        return ()
    if value is False or value is None:
        return (Firing(site, site.rule.comment or "The policy's rule `allow` does not allow this plan."),)
    return Unknown(Reason.NOT_UNDERSTOOD, f"The rule `allow` returns `{_written(value)}`: use true or false.")


class _NotUnderstoodError(Exception):
    pass


def _read(site: RuleSite, value: Any) -> Iterator[Firing]:
    if isinstance(value, list):
        for item in value:
            yield from _read(site, item)
    elif isinstance(value, dict):
        yield from _of_object(site, value)
    elif value is True:
        yield Firing(site, _own_words(site))
    elif isinstance(value, str):
        yield Firing(site, value.strip() or _own_words(site))
    elif value is not False:
        raise _NotUnderstoodError(_written(value))


_MESSAGES = ("msg", "message", "reason")
_CODES = ("code", "rule", "id")


def _of_object(site: RuleSite, value: dict[str, Any]) -> Iterator[Firing]:
    if any(key in value for key in (*_MESSAGES, "step", "code")):
        message = next((value[key] for key in _MESSAGES if isinstance(value.get(key), str)), "")
        code = next((value[key] for key in _CODES if isinstance(value.get(key), str)), None)
        step = value.get("step")
        if not isinstance(step, (str, int, float)) or isinstance(step, bool):
            step = None
        yield Firing(site, message.strip() or _own_words(site), step, code)
        return
    for key, item in value.items():
        for firing in _read(site, item):
            has_words = item is not True and firing.message != _own_words(site)
            yield firing._replace(message=firing.message if has_words else key, code=firing.code or key)


def _own_words(site: RuleSite) -> str:
    if site.rule.comment:
        return site.rule.comment
    verb = "asks for a human" if site.kind is FiringKind.HUMAN else "denies this plan"
    return f"The policy's rule `{site.name}` in line {site.rule.line} {verb}."


def _written(value: Any) -> str:
    text = json.dumps(value, sort_keys=True, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}…"
