"""What a policy says about a call: pure functions that the rules, the gate and `plan_lint` share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import isfinite
from typing import Any, NamedTuple

from plancheck.plan.carried import carried_calls
from plancheck.plan.dialects.lowering import type_name
from plancheck.plan.model import Call, Carried, Step
from plancheck.policy.arguments import Leaf, is_number, leaves, values_at
from plancheck.policy.model import CONSEQUENTIAL, Bound, Family, HumanLimit, Policy
from plancheck.policy.names import mixes_scripts
from plancheck.policy.regexes import LONGEST_VALUE, Ask, Outcome, find
from plancheck.policy.secrets import SHORTEST_SECRET, find_secrets, has_placeholder, without_placeholders
from plancheck.policy.showing import shortened
from plancheck.policy.sql import LONGEST, SqlWork, effect_of
from plancheck.policy.sql_arguments import sql_of
from plancheck.policy.sql_parsing import Effect
from plancheck.syntax.tree import MISSING, Path
from plancheck.text import Span
from plancheck.unknown import Reason, Unknown

# ---- calls -----------------------------------------------------------------------------------------------------------


class Judged(NamedTuple):
    """A call that is judged: the one that a step makes, the same with arguments from elsewhere, or one it carries."""

    call: Call
    within: Path | None = None
    """The string that holds it as JSON text."""
    is_misplaced: bool = False
    """Whether the arguments stand where none should."""
    is_clear: bool = True
    """Whether it can hardly be anything but a call."""

    def place(self, path: Path) -> Path:
        """Where to show what is at a path: nothing inside a string has a place of its own."""
        return path if self.within is None else self.within


def judged_calls(step: Step) -> Iterator[Judged]:
    """Every call that may come of a step, its own first."""
    call = step.call
    if call is not None and call.tool is not None:
        yield Judged(call)
        yield from _with_what_stands_beside(call, (), None)
    yield from judged_carried(step.carried)


def judged_carried(carried: Iterable[Carried]) -> Iterator[Judged]:
    """The same of calls that are carried along."""
    for call, within, is_clear in carried:
        if call is not None:
            yield Judged(call, within, is_clear=is_clear)
            yield from _with_what_stands_beside(call, call.tool_path[:-1], within)


def _with_what_stands_beside(call: Call, path: Path, within: Path | None) -> Iterator[Judged]:
    """A call as somebody may make it who takes what stands beside its arguments for arguments, too."""
    for key, value in call.beside:
        if isinstance(value, (tuple, list)):
            yield Judged(call._replace(arguments=value, arguments_path=(*path, key)), within, True)
    if call.beside:
        yield Judged(call._replace(arguments=call.beside, arguments_path=path), within, True)


def judged_beside(path: Path, value: Any) -> Iterator[Judged]:
    """The calls that are carried by a member beside the steps, whose path leads from the document's root."""
    for judged in judged_carried(carried_calls(((str(path[0]), value),))):
        call, within, is_misplaced, is_clear = judged
        tool_path, arguments_path = (*path, *call.tool_path[1:]), (*path, *call.arguments_path[1:])
        placed = call._replace(tool_path=tool_path, arguments_path=arguments_path)
        yield Judged(placed, None if within is None else (*path, *within[1:]), is_misplaced, is_clear)


def unknown_tool_name(tool: str, policy: Policy) -> Unknown | None:
    """Why nobody can say which tool a name means, if that is so."""
    if has_placeholder(tool):
        return Unknown(Reason.RUNTIME, f"Which tool `{tool}` is cannot be known before the run: name the tool.")
    if mixes_scripts(tool) and (policy.allow_tools is None or not policy.allows(tool)):
        message = f"`{tool}` has letters of several scripts, so it can be taken for another tool: respell it."
        return Unknown(Reason.NOT_UNDERSTOOD, message)
    return None


# ---- SQL -------------------------------------------------------------------------------------------------------------


_MOST_SHOWN = 20
"""Of one call and for one reason."""


def writes_through(call: Call, policy: Policy, work: SqlWork) -> Iterator[tuple[Path, Unknown | None]]:
    """Where a call writes by SQL through a tool that only reads; with a reason, where it may. Of a call with very many
    such places some are enough."""
    if call.tool is None or policy.family(call.tool) is not Family.READ:
        return
    reasons: list[Reason | None] = []
    for path, sql, is_certain in sql_of(call, policy):
        effect = None if sql is None else work.effect_of(sql)
        if effect is Effect.READ:
            continue
        is_write = effect is Effect.WRITE and is_certain
        why = None if is_write else _unknown_effect(call.tool, sql, effect)
        reason = None if why is None else why.reason
        if reasons.count(reason) < _MOST_SHOWN:
            reasons.append(reason)
            yield path, why


def _unknown_effect(tool: str, sql: str | None, effect: Effect | None) -> Unknown:
    if sql is None:
        message = f"`{tool}` may only read, and this JSON text is nested too deeply to look for SQL: unwrap it."
        return Unknown(Reason.LIMIT, message)
    if len(sql) > LONGEST:
        message = f"`{tool}` may only read, and SQL of more than {LONGEST:,} characters is not looked at: split it."
        return Unknown(Reason.LIMIT, message)
    if has_placeholder(sql):
        message = f"`{tool}` may only read, and what this SQL does cannot be known before the run: write it out."
        return Unknown(Reason.RUNTIME, message)
    if effect is None:
        message = f"`{tool}` may only read, and this plan has too much SQL to check all of it: split the plan."
        return Unknown(Reason.LIMIT, message)
    message = f"`{tool}` may only read, and nothing shows that this SQL does: use a SELECT, or a tool that may write."
    return Unknown(Reason.NOT_UNDERSTOOD, message)


def read_only_variant(call: Call, policy: Policy) -> str | None:
    """The read-only tool that would do for this call, because all its SQL only reads."""
    if call.tool is None or policy.family(call.tool) is not Family.QUERY:
        return None
    statements = [sql for _, sql, _ in sql_of(call, policy)]
    if not statements or any(sql is None or effect_of(sql) is not Effect.READ for sql in statements):
        return None
    narrow = f"{call.tool}_ro"
    return narrow if policy.family(narrow) is Family.READ and policy.allows(narrow) else None


def consequence(call: Call, policy: Policy) -> Family | None:
    """What a call does that cannot be taken back, if it does such a thing."""
    if call.tool is None:
        return None
    family = policy.family(call.tool)
    if family is Family.QUERY:
        found = sql_of(call, policy)
        writes = any(sql is not None and certain and effect_of(sql) is Effect.WRITE for _, sql, certain in found)
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


def outside_bounds(judged: Judged, policy: Policy) -> Iterator[Outside | Uncompared]:
    """The bounded arguments of a call that are not inside their bounds, or not known to be."""
    call = judged.call
    bounds = policy.bounds_of(call.tool or "")
    if bounds and not judged.is_misplaced:
        yield from _unknown_names(judged, bounds[0].bound)
    for bound, parts in bounds:
        for path, value in values_at(call.arguments, parts, call.arguments_path):
            if value is MISSING:
                continue
            where = judged.place(path)
            if not is_number(value):
                yield Uncompared(where, bound, _no_number(parts[-1], value, f"from {bound.low} to {bound.high}"))
            elif not bound.low <= value <= bound.high:
                yield Outside(where, value, bound)


def _unknown_names(judged: Judged, bound: Bound) -> Iterator[Uncompared]:
    """The arguments of a call whose names only the run can tell: each may be the one that has bounds."""
    given = judged.call.arguments
    for name, _ in given if isinstance(given, tuple) else ():
        if has_placeholder(name):
            message = f"Which argument `{name}` is cannot be known before the run, and some have bounds: name it."
            where = judged.place((*judged.call.arguments_path, name))
            yield Uncompared(where, bound, Unknown(Reason.RUNTIME, message))


class AboveLimit(NamedTuple):
    """An argument that a human must look at: it is above a limit, or nobody can say that it is not."""

    path: Path
    limit: HumanLimit
    name: str
    value: Any
    """MISSING where the argument is not there."""
    is_known: bool
    """Whether it is a number, so that it is above the limit indeed."""


def above_limits(step: Step, policy: Policy) -> Iterator[AboveLimit]:
    """The arguments of the calls of a step that are not known to be at most what needs no human."""
    if not policy.gate.needs_human:
        return
    same: list[Judged] = []
    for judged in judged_calls(step):
        if same and not judged.is_misplaced:
            yield from _above(same, policy)
            same = []
        same.append(judged)
    yield from _above(same, policy) if same else ()


def _above(calls: list[Judged], policy: Policy) -> Iterator[AboveLimit]:
    """The same of one call, whose arguments may stand in several places."""
    first = calls[0].call
    for limit, parts in policy.human_limits_of(first.tool or ""):
        found = [
            (judged.place(path), value)
            for judged in calls
            for path, value in values_at(judged.call.arguments, parts, judged.call.arguments_path)
        ]
        name = ".".join(parts)
        if not found:
            yield AboveLimit(calls[0].place(first.tool_path), limit, name, MISSING, False)
        for path, value in found:
            is_known = is_number(value) and (not isinstance(value, float) or isfinite(value))
            if not (is_known and value <= limit.above):
                yield AboveLimit(path, limit, name, value, is_known)


def _no_number(name: str, value: Any, limits: str) -> Unknown:
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
    is_key: bool = False
    """Whether it stands in the name of a member, and not in its value."""
    is_denied: bool = False
    """Whether a pattern of the policy denies it; else it has the shape of a secret."""


class Unsearched(NamedTuple):
    """A value that a pattern of the policy was not, or not wholly, looked for in."""

    path: Path
    why: Unknown | None
    """None while it is still being found out."""


def secrets_in(
    value: Any, path: Path, policy: Policy, matcher: Ask, clean: set[str] | None = None
) -> Iterator[Found | Unsearched]:
    """The secrets in a value, its keys included: by their own shapes, then by the policy's patterns. Names that are in
    `clean` are not looked at again, and those that turn out to be are added: steps tend to have the same keys."""
    key = next((part for part in reversed(path) if isinstance(part, str)), "")
    for leaf in leaves(value, path, key, () if clean is None else clean):
        if not policy.deny_tokens_regex and (not isinstance(leaf.value, str) or len(leaf.value) < SHORTEST_SECRET):
            continue
        found = list(_secrets_of(leaf, policy, matcher))
        if found:
            yield from found
        elif leaf.is_key and clean is not None:
            clean.add(leaf.value)


def _secrets_of(leaf: Leaf, policy: Policy, matcher: Ask) -> Iterator[Found | Unsearched]:
    value = leaf.value
    taken: list[Span] = []
    if isinstance(value, str) and len(value) >= SHORTEST_SECRET:
        for hit in find_secrets(value, leaf.key):
            taken.append(hit.span)
            yield Found(leaf.path, hit.name, hit.variable, hit.span, leaf.is_key)
    if not policy.deny_tokens_regex:
        return
    text = without_placeholders(value) if isinstance(value, str) else str(value)
    if len(text) > LONGEST_VALUE:
        yield Unsearched(leaf.path, _too_long(len(text)))
        return
    for number, pattern in enumerate(policy.deny_tokens_regex, 1):
        hits = find(pattern, text, matcher)
        if isinstance(hits, Outcome):
            yield Unsearched(leaf.path, _unsearched(pattern) if hits is Outcome.STOPPED else None)
            continue
        for span in hits:
            if _is_blanked(leaf.value, text, span):
                continue
            if not any(span.start < end and start < span.end for start, end in taken):
                taken.append(span)
                name = f"what the policy's pattern {number}, `{shortened(pattern)}`, denies"
                yield Found(leaf.path, name, _variable(leaf.key), span, leaf.is_key, is_denied=True)


def _is_blanked(value: Any, text: str, span: Span) -> bool:
    """Whether a hit is nothing but what a placeholder was blanked by."""
    found = text[span.start : span.end]
    return not found.strip() and isinstance(value, str) and value[span.start : span.end] != found


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
