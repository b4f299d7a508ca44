"""What a policy says about a call: pure functions that the rules, the gate and `plan_lint` share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from plancheck.plan.model import Call
from plancheck.policy.arguments import is_number, leaves, values_at
from plancheck.policy.model import CONSEQUENTIAL, Applied, Bound, Family, Policy
from plancheck.policy.regexes import Ask, Outcome, find
from plancheck.policy.secrets import find_secrets, without_placeholders
from plancheck.policy.sql import ARGUMENTS, Effect, effect_of
from plancheck.syntax.tree import Path
from plancheck.text import Span


def is_allowed(tool: str, policy: Policy) -> bool:
    return not policy.allow_tools or tool in policy.allow_tools


# ---- SQL -------------------------------------------------------------------------------------------------------------


def sql_of(call: Call) -> Iterator[tuple[Path, str]]:
    """The SQL among the arguments of a call."""
    if isinstance(call.arguments, tuple):
        for name, value in dict(call.arguments).items():
            if name.lower() in ARGUMENTS:
                for leaf in leaves(value, (*call.arguments_path, name), name):
                    if isinstance(leaf.value, str):
                        yield leaf.path, leaf.value


def writes_through(call: Call, policy: Policy) -> Iterator[Path]:
    """Where a call writes by SQL through a tool that only reads."""
    if call.tool is not None and policy.family(call.tool) is Family.READ:
        yield from (path for path, sql in sql_of(call) if effect_of(sql) is Effect.WRITE)


def read_only_variant(call: Call, policy: Policy) -> str | None:
    """The read-only tool that would do for this call, because all its SQL only reads."""
    if call.tool is None or policy.family(call.tool) is not Family.QUERY:
        return None
    statements = [sql for _, sql in sql_of(call)]
    if not statements or any(effect_of(sql) is not Effect.READ for sql in statements):
        return None
    narrow = f"{call.tool}_ro"
    return narrow if policy.family(narrow) is Family.READ and is_allowed(narrow, policy) else None


def consequence(call: Call, policy: Policy) -> Family | None:
    """What a call does that cannot be taken back, if it does such a thing."""
    if call.tool is None:
        return None
    family = policy.family(call.tool)
    if family is Family.QUERY:
        writes = any(effect_of(sql) is Effect.WRITE for _, sql in sql_of(call))
        return Family.WRITE if writes else None
    return family if family in CONSEQUENTIAL else None


# ---- bounds ----------------------------------------------------------------------------------------------------------


class Outside(NamedTuple):
    path: Path
    value: float
    bound: Bound


def outside_bounds(call: Call, bounds: tuple[Applied, ...]) -> Iterator[Outside]:
    """The numbers among a call's arguments that are outside the bounds of its tool."""
    for bound, parts in bounds:
        for path, value in values_at(call.arguments, parts, call.arguments_path):
            if is_number(value) and not bound.low <= value <= bound.high:
                yield Outside(path, value, bound)


# ---- secrets ---------------------------------------------------------------------------------------------------------


class Found(NamedTuple):
    """A secret, told by everything but itself."""

    path: Path
    name: str
    """As in `… holds {name}`."""
    variable: str
    span: Span


def secrets_in(value: Any, path: Path, policy: Policy, matcher: Ask) -> Iterator[Found]:
    """The secrets in an argument, or in anything else: by their own shapes, then by the policy's patterns."""
    key = next((part for part in reversed(path) if isinstance(part, str)), "")
    for leaf in leaves(value, path, key):
        text = without_placeholders(leaf.value) if isinstance(leaf.value, str) else str(leaf.value)
        taken: list[Span] = []
        if isinstance(leaf.value, str):
            for hit in find_secrets(text, leaf.key):
                taken.append(hit.span)
                yield Found(leaf.path, hit.name, hit.variable, hit.span)
        for number, pattern in enumerate(policy.deny_tokens_regex, 1):
            hits = find(pattern, text, matcher)
            for span in () if isinstance(hits, Outcome) else hits:
                if not text[span.start : span.end].strip():
                    continue  # nothing is left but what a placeholder was blanked by
                if not any(span.start < end and start < span.end for start, end in taken):
                    taken.append(span)
                    name = f"what pattern {number} of the policy's `deny_tokens_regex` denies"
                    yield Found(leaf.path, name, _variable(leaf.key), span)


def _variable(key: str) -> str:
    """An environment variable for the value of an argument."""
    name = "".join(char if char.isalnum() and char.isascii() else "_" for char in key).upper().strip("_")
    return name if name and not name[0].isdigit() else f"SECRET_{name}".rstrip("_")
