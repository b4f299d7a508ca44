"""The numbers that the arguments of a call may be: bounds, and limits above which a human must look."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite
from typing import Any

from plancheck.plan.dialects.lowering import type_name
from plancheck.plan.model import dotted
from plancheck.policy.arguments import Given, Whence, given_to, is_number, values_at
from plancheck.policy.checks import Judged
from plancheck.policy.model import Bound, HumanLimit, Policy
from plancheck.policy.secrets import has_placeholder
from plancheck.syntax.tree import MISSING, Path
from plancheck.tuples import NamedTuple
from plancheck.unknown import Reason, Unknown


class LimitedArgument(NamedTuple):
    """What a call gives for an argument that has limits."""

    value: Any
    """MISSING where it is not there."""
    given: Given
    path: Path
    within: Path | None
    """The string that holds it as JSON text."""

    @property
    def place(self) -> Path:
        """Where to show it: nothing inside a string has a place of its own."""
        return self.path if self.within is None else self.within

    @property
    def name(self) -> str:
        return dotted(self.path[len(self.given.path) :]) or dotted(self.path[-1:])


class Outside(NamedTuple):
    """A number that is outside its bounds."""

    argument: LimitedArgument
    bound: Bound

    @property
    def path(self) -> Path:
        return self.argument.place


class Uncompared(NamedTuple):
    """An argument that has bounds, and of which nobody can say whether it keeps to them."""

    path: Path
    bound: Bound
    why: Unknown


class AboveLimit(NamedTuple):
    """An argument that a human must look at: it is above a limit, or nobody can say that it is not."""

    path: Path
    limit: HumanLimit
    name: str
    value: Any
    """MISSING where the argument is not there."""
    is_known: bool
    """Whether it is a number, so that it is above the limit indeed."""


def limited_arguments(judged: Judged, parts: tuple[str, ...]) -> list[LimitedArgument]:
    """All that a runner may take for the argument at a dotted path, wherever it is; what is not where arguments belong
    counts only if it is there, and beside them only if it is not what they say anyway."""
    call = judged.call
    found: list[LimitedArgument] = []
    for given in given_to(call):
        for path, value in values_at(given.value, parts, given.path):
            if given.whence is Whence.ARGUMENTS or _says_more(given, value, parts, found):
                within = judged.within if judged.within is not None else given.within
                found.append(LimitedArgument(value, given, path, within))
    return found


def _says_more(given: Given, value: Any, parts: tuple[str, ...], found: list[LimitedArgument]) -> bool:
    """Whether what was found outside of the arguments is worth looking at. Of a text that was not understood, only one
    that names the argument is."""
    if value is MISSING:
        return False
    if isinstance(given.value, str):
        return parts[-1].lower() in given.value.lower()
    if given.whence is Whence.WRAPPED:
        return True
    own = (one.value for one in found if one.given.whence is Whence.ARGUMENTS)
    return not any(one == value and is_number(one) is is_number(value) for one in own)


# ---- bounds ----------------------------------------------------------------------------------------------------------


def outside_bounds(judged: Judged, policy: Policy) -> Iterator[Outside | Uncompared]:
    """The bounded arguments of a call that are not inside their bounds, or not known to be."""
    bounds = policy.bounds_of(judged.call.tool or "")
    if not bounds or judged.is_misplaced:
        return
    if judged.is_unread:
        message = f"What `{judged.call.tool}` is called with cannot be read here, and it has bounds: write it as JSON."
        where = judged.place(judged.call.tool_path)
        yield Uncompared(where, bounds[0].bound, Unknown(Reason.NOT_UNDERSTOOD, message))
        return
    for where, name in unknown_names(judged):
        message = f"Which argument `{name}` is cannot be known before the run, and some have bounds: name it."
        yield Uncompared(where, bounds[0].bound, Unknown(Reason.RUNTIME, message))
    for bound, parts in bounds:
        for argument in limited_arguments(judged, parts):
            value = argument.value
            if value is MISSING:
                continue
            if not is_number(value):
                why = _no_number(parts[-1], value, f"from {bound.low} to {bound.high}")
                yield Uncompared(argument.place, bound, why)
            elif not bound.low <= value <= bound.high:
                yield Outside(argument, bound)


def unknown_names(judged: Judged) -> Iterator[tuple[Path, str]]:
    """The arguments of a call whose names only the run can tell, with their places: each may be one that is limited."""
    given = judged.call.arguments
    for name, _ in given if isinstance(given, tuple) else ():
        if has_placeholder(name):
            yield judged.place((*judged.call.arguments_path, name)), name


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


# ---- limits above which a human must look ----------------------------------------------------------------------------


def above_limits(judged: Judged, policy: Policy) -> Iterator[AboveLimit]:
    """The arguments of a call that are not known to be at most what needs no human."""
    if judged.is_misplaced:
        return
    for limit, parts in policy.human_limits_of(judged.call.tool or ""):
        for argument in limited_arguments(judged, parts):
            value = argument.value
            is_known = is_number(value) and (not isinstance(value, float) or isfinite(value))
            if is_known and value <= limit.above:
                continue
            is_absent = value is MISSING and argument.path == judged.call.arguments_path
            path = judged.place(judged.call.tool_path) if is_absent else argument.place
            yield AboveLimit(path, limit, ".".join(parts), value, is_known)


# ---- arguments that are not where they belong ------------------------------------------------------------------------


def misplaced_limited(judged: Judged, policy: Policy) -> Iterator[LimitedArgument]:
    """The arguments of a call that have limits and are beside its arguments."""
    tool = judged.call.tool or ""
    if judged.is_misplaced or not judged.call.beside:
        return
    for parts in policy.limited_paths(tool):
        for argument in limited_arguments(judged, parts):
            is_read = is_number(argument.value) or argument.within is None
            if argument.given.whence is Whence.BESIDE and is_read:
                yield argument
