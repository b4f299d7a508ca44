"""What a policy says about a call: pure functions that the rules, the gate and `plan_lint` share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from plancheck.plan.dialects.lowering import type_name
from plancheck.plan.model import Call
from plancheck.policy.arguments import is_number, leaves, values_at
from plancheck.policy.model import CONSEQUENTIAL, Bound, Family, Policy, ToolBound
from plancheck.policy.regexes import LONGEST_VALUE, Ask, Outcome, find
from plancheck.policy.secrets import find_secrets, has_placeholder, without_placeholders
from plancheck.policy.sql import ARGUMENTS, LONGEST, Effect, effect_of
from plancheck.syntax.tree import MISSING, Path
from plancheck.text import Span
from plancheck.unknown import Reason, Unknown


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


def writes_through(call: Call, policy: Policy) -> Iterator[tuple[Path, Unknown | None]]:
    """Where a call writes by SQL through a tool that only reads; with a reason, where it may."""
    if call.tool is None or policy.family(call.tool) is not Family.READ:
        return
    for path, sql in sql_of(call):
        effect = effect_of(sql)
        if effect is Effect.WRITE:
            yield path, None
        elif effect is Effect.UNKNOWN:
            yield path, _unknown_effect(call.tool, sql)


def _unknown_effect(tool: str, sql: str) -> Unknown:
    if len(sql) > LONGEST:
        message = f"`{tool}` may only read, and SQL of more than {LONGEST:,} characters is not looked at: split it."
        return Unknown(Reason.LIMIT, message)
    if has_placeholder(sql):
        message = f"`{tool}` may only read, and what this SQL does cannot be known before the run: write it out."
        return Unknown(Reason.RUNTIME, message)
    message = f"`{tool}` may only read, and nothing shows that this SQL does: use a SELECT, or a tool that may write."
    return Unknown(Reason.NOT_UNDERSTOOD, message)


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


class Uncompared(NamedTuple):
    """An argument that has bounds, and of which nobody can say whether it keeps to them."""

    path: Path
    bound: Bound
    why: Unknown


def outside_bounds(call: Call, bounds: tuple[ToolBound, ...]) -> Iterator[Outside | Uncompared]:
    """The bounded arguments of a call that are not inside their bounds, or not known to be."""
    for bound, parts in bounds:
        for path, value in values_at(call.arguments, parts, call.arguments_path):
            if value is MISSING:
                continue
            if not is_number(value):
                yield Uncompared(path, bound, _no_number(parts[-1], value, bound))
            elif not bound.low <= value <= bound.high:
                yield Outside(path, value, bound)


def _no_number(name: str, value: Any, bound: Bound) -> Unknown:
    limits = f"from {bound.low} to {bound.high}"
    if isinstance(value, str) and has_placeholder(value):
        return Unknown(
            Reason.RUNTIME,
            f"`{name}` must be {limits}, and its value cannot be known before the run: check it when the step runs.",
        )
    return Unknown(
        Reason.NOT_UNDERSTOOD,
        f"`{name}` must be a number {limits}, and {type_name(value)} cannot be compared: write a number.",
    )


# ---- secrets ---------------------------------------------------------------------------------------------------------


class Found(NamedTuple):
    """A secret, told by everything but itself."""

    path: Path
    name: str
    """As in `… holds {name}`."""
    variable: str
    span: Span


class Unsearched(NamedTuple):
    """A value that a pattern of the policy was not, or not wholly, looked for in."""

    path: Path
    why: Unknown | None
    """None while it is still being found out."""


def secrets_in(value: Any, path: Path, policy: Policy, matcher: Ask) -> Iterator[Found | Unsearched]:
    """The secrets in an argument, or in anything else: by their own shapes, then by the policy's patterns."""
    key = next((part for part in reversed(path) if isinstance(part, str)), "")
    for leaf in leaves(value, path, key):
        text = without_placeholders(leaf.value) if isinstance(leaf.value, str) else str(leaf.value)
        taken: list[Span] = []
        if isinstance(leaf.value, str):
            for hit in find_secrets(text, leaf.key):
                taken.append(hit.span)
                yield Found(leaf.path, hit.name, hit.variable, hit.span)
        if policy.deny_tokens_regex and len(text) > LONGEST_VALUE:
            yield Unsearched(leaf.path, _too_long(len(text)))
            continue
        for number, pattern in enumerate(policy.deny_tokens_regex, 1):
            hits = find(pattern, text, matcher)
            if isinstance(hits, Outcome):
                yield Unsearched(leaf.path, _unsearched(pattern) if hits is Outcome.STOPPED else None)
                continue
            for span in hits:
                if not text[span.start : span.end].strip():
                    continue  # nothing is left but what a placeholder was blanked by
                if not any(span.start < end and start < span.end for start, end in taken):
                    taken.append(span)
                    name = f"what pattern {number} of the policy's `deny_tokens_regex` denies"
                    yield Found(leaf.path, name, _variable(leaf.key), span)


def _unsearched(pattern: str) -> Unknown:
    message = f"The policy's pattern `{pattern}` took too long on this value and was stopped: simplify the pattern."
    return Unknown(Reason.LIMIT, message)


def _too_long(length: int) -> Unknown:
    message = (
        f"This value has {length:,} characters, and the policy's patterns search at most {LONGEST_VALUE:,}: shorten it."
    )
    return Unknown(Reason.LIMIT, message)


def _variable(key: str) -> str:
    """An environment variable for the value of an argument."""
    name = "".join(char if char.isalnum() and char.isascii() else "_" for char in key).upper().strip("_")
    return name if name and not name[0].isdigit() else f"SECRET_{name}".rstrip("_")
