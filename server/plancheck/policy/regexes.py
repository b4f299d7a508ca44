"""Patterns that a policy brings along: which of them are safe to run here, and who runs the others.

Python's `re` backtracks, and some patterns take longer than the universe on a value made for them. A pattern is run in
this process only if it can be shown to be harmless; every other one is handed to a `Matcher`, which runs it where it
can be stopped (see `workspace.regex_process`).
"""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Callable
from enum import Enum
from functools import lru_cache
from typing import Any, Protocol, TypeAlias

from plancheck.lazy_regex import regex
from plancheck.text import Span

if sys.version_info >= (3, 11):
    from re import _constants as sre_constants  # type: ignore[attr-defined]
    from re import _parser as sre_parser  # type: ignore[attr-defined]
else:
    import sre_constants
    import sre_parse as sre_parser

LONGEST_VALUE = 1_000_000
"""A longer value is not searched: what is in it is unknown, as if the pattern had been stopped."""
LONGEST_HERE = 2_000
"""A value up to this length may be searched in this process, by a harmless pattern."""
MOST_HITS = 100


class Outcome(Enum):
    """Why there is no answer."""

    PENDING = "pending"  # it is being found out: ask again
    STOPPED = "stopped"  # the pattern took too long, or the value is too long


Hits: TypeAlias = "tuple[Span, ...]"
Ask: TypeAlias = Callable[[str, str], "Hits | Outcome"]
"""Where a pattern occurs in a value."""


class Matcher(Protocol):
    """Runs patterns that could take forever."""

    @property
    def stopped(self) -> tuple[str, ...]:
        """The patterns that took too long on some value."""

    def __call__(self, pattern: str, value: str) -> Hits | Outcome:
        """Where a pattern occurs in a value."""


class RefusingMatcher:
    """For those who cannot stop a pattern: one that is not harmless is never run."""

    stopped: tuple[str, ...] = ()

    def __call__(self, pattern: str, value: str) -> Hits | Outcome:  # noqa: ARG002 - a Matcher
        return Outcome.STOPPED


refusing_matcher = RefusingMatcher()


class NotingMatcher:
    """Another matcher, of which it is noted whether an answer is still to come."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self.is_pending = False

    def __call__(self, pattern: str, value: str) -> Hits | Outcome:
        found = self._ask(pattern, value)
        self.is_pending |= found is Outcome.PENDING
        return found

    def search_here(self, pattern: str, value: str) -> Hits | Outcome:
        here: Ask = getattr(self._ask, "search_here", search)
        return here(pattern, value)


def find(pattern: str, value: str, matcher: Ask) -> Hits | Outcome:
    """Where a pattern occurs in a value. A harmless pattern is run at once: by the matcher, if it counts the time that
    all patterns take together and has a `search_here` for that."""
    if len(value) <= LONGEST_HERE and is_harmless(pattern):
        here: Ask = getattr(matcher, "search_here", search)
        return here(pattern, value)
    return matcher(pattern, value)


def search(pattern: str, value: str) -> Hits:
    """Run a pattern. An empty match is about the whole value, as that of `^(?=.*internal)(?=.*secret)`; those of a
    pattern that fits the empty text do not count, for they would be everywhere."""
    found = []
    for match in compiled(pattern).finditer(value):
        if match.end() > match.start():
            found.append(Span(*match.span()))
            if len(found) == MOST_HITS:
                break
        elif compiled(pattern).search("") is None:
            return (Span(0, len(value)),)
    return tuple(found)


@lru_cache(maxsize=512)
def compiled(pattern: str) -> re.Pattern[str]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a pattern's author hears of its faults in the policy
        return re.compile(pattern)


def fault_of(pattern: str) -> str | None:
    """What is wrong with a pattern, in words."""
    if len(pattern) > 2_000:
        return "it has more than 2,000 characters"
    try:
        if _IGNORES_CASE.search(pattern) is not None and _characters(_parse(pattern)) > _MOST_CHARACTERS:
            return "its sets are too large for a pattern that ignores case"
        compiled(pattern)
    except re.error as error:
        return error.msg if error.pos is None else f"{error.msg} at character {error.pos + 1}"
    except (OverflowError, RecursionError) as error:
        return f"it is too large ({type(error).__name__})"
    if compiled(pattern).fullmatch("") is not None and not _can_consume(pattern):
        return "it fits the empty text only, so it denies nothing"
    return None


_IGNORES_CASE = regex(r"\(\?[aLmsux]*i")
_MOST_CHARACTERS = 0x20000
"""Of a pattern that ignores case, `re` looks at each character of each set when it compiles it."""


def _characters(parsed: Any) -> int:
    """How many characters the ranges of a pattern have together."""
    found = 0
    todo = [parsed]
    while todo:
        part = todo.pop()
        if isinstance(part, tuple) and part[:1] == (sre_constants.RANGE,):
            low, high = part[1]
            found += min(high - low, 0x10000)  # above that, `re` takes a shorter way
        elif isinstance(part, (tuple, list)):
            todo += part
        elif isinstance(part, sre_parser.SubPattern):
            todo += part.data
    return found


def _can_consume(pattern: str) -> bool:
    return int(_parse(pattern).getwidth()[1]) > 0


def shortest_match(pattern: str) -> int:
    """No occurrence of a pattern is shorter than this."""
    return int(_parse(pattern).getwidth()[0])


@lru_cache(maxsize=512)
def is_harmless(pattern: str) -> bool:
    """Whether a pattern takes, on every value that is not too long, a time that nobody notices.

    Backtracking tries every way through a pattern. Here there are few of them: at most one repetition of unknown length
    on each, nothing but single characters in it, no reference back to a group, and a bounded number of other choices.
    """
    try:
        ways, repetitions = _ways(_parse(pattern))
    except _DangerousError:
        return False
    return ways <= (_MOST_WAYS_REPEATED if repetitions else _MOST_WAYS)


_MOST_WAYS = 1_000
_MOST_WAYS_REPEATED = 32
_LONG = 64
"""A repetition that is bounded by this is a bounded number of choices."""


class _DangerousError(Exception):
    pass


def _parse(pattern: str) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return sre_parser.parse(pattern)


def _ways(parsed: Any) -> tuple[int, int]:
    """How many ways lead through a sequence, and how many repetitions of unknown length stand on one of them."""
    c = sre_constants
    ways, repetitions = 1, 0
    for op, argument in parsed:
        if op in (c.MAX_REPEAT, c.MIN_REPEAT, getattr(c, "POSSESSIVE_REPEAT", None)):
            more, repeated = _ways_of_repeat(*argument)
        elif op is c.SUBPATTERN:
            more, repeated = _ways(argument[-1])
        elif op is c.BRANCH:
            branches = [_ways(branch) for branch in argument[1]]
            more, repeated = sum(w for w, _ in branches), max(r for _, r in branches)
        elif op in (c.ASSERT, c.ASSERT_NOT):
            more, repeated = _ways(argument[1])
        elif op is getattr(c, "ATOMIC_GROUP", None):
            more, repeated = _ways(argument)
        elif op in (c.GROUPREF, c.GROUPREF_EXISTS, c.GROUPREF_IGNORE):
            raise _DangerousError
        else:
            more, repeated = 1, 0
        ways, repetitions = ways * more, repetitions + repeated
        if ways > _MOST_WAYS or repetitions > 1:
            raise _DangerousError
    return ways, repetitions


def _ways_of_repeat(low: int, high: int, inner: Any) -> tuple[int, int]:
    c = sre_constants
    is_character = len(inner) == 1 and inner[0][0] in (c.IN, c.LITERAL, c.NOT_LITERAL, c.ANY)
    ways, repetitions = _ways(inner)
    if repetitions and high > 1:
        raise _DangerousError
    if low == high and ways == 1:
        return 1, repetitions
    if high > _LONG:
        if not is_character:
            raise _DangerousError
        return 1, 1
    if ways == 1:
        return high - low + 1, repetitions
    if high > 10:
        raise _DangerousError
    return sum(ways**times for times in range(low, high + 1)), repetitions
