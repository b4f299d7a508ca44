"""From the characters of a string's value to where they stand in its token, escapes and all."""

from __future__ import annotations

import re
from bisect import bisect_right

from plancheck.lazy_regex import regex

_ESCAPE = regex(
    r"\\(?:(?P<pair>u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})"
    r'|(?P<proper>["\\/bfnrt]|u[0-9a-fA-F]{4})'
    r"|(?P<broken>u[0-9a-fA-F]{0,3}|[^u]|\Z))",
    re.DOTALL,
)


def raw_offset(token: str, offset: int) -> int:
    """Where in a string's token, quotes included, the character number `offset` of its value starts."""
    raw = 1 if token[:1] in ('"', "'") else 0
    if "\\" not in token:
        return min(raw + offset, len(token))
    for match in _ESCAPE.finditer(token, raw):
        between = match.start() - raw
        if offset <= between:
            break
        # a broken escape counts for what stands behind its backslash, as in `decode_string`
        letters = len(match["broken"]) if match["broken"] is not None else 1
        offset -= between + letters
        raw = match.end()
        if offset < 0:
            return raw
    return min(raw + offset, len(token))


def value_offset(token: str, raw: int) -> int:
    """The character of a string's value that stands at `raw` in its token: the inverse of `raw_offset`."""
    start = 1 if token[:1] in ('"', "'") else 0
    if "\\" not in token:
        return max(raw - start, 0)
    value = 0
    for match in _ESCAPE.finditer(token, start):
        if match.start() >= raw:
            break
        value += match.start() - start + (len(match["broken"]) if match["broken"] is not None else 1)
        start = match.end()
    return value + max(raw - start, 0)


class StringOffsets:
    """The same both ways for a string in which many places are looked for: its escapes are found once."""

    __slots__ = ("_ends", "_first", "_raw_ends", "_raw_starts", "_size", "_starts")

    def __init__(self, token: str) -> None:
        self._size = len(token)
        self._first = 1 if token[:1] in ('"', "'") else 0
        self._starts: list[int] = []
        """Where each escape begins and ends, in characters of the value and of the token."""
        self._ends: list[int] = []
        self._raw_starts: list[int] = []
        self._raw_ends: list[int] = []
        value, raw = 0, self._first
        for match in _ESCAPE.finditer(token, raw) if "\\" in token else ():
            value += match.start() - raw
            self._starts.append(value)
            value += len(match["broken"]) if match["broken"] is not None else 1
            raw = match.end()
            self._ends.append(value)
            self._raw_starts.append(match.start())
            self._raw_ends.append(raw)

    def raw(self, offset: int) -> int:
        """See `raw_offset`."""
        behind = bisect_right(self._ends, offset)
        if behind < len(self._starts) and self._starts[behind] < offset:
            return self._raw_ends[behind]
        base, raw = (self._ends[behind - 1], self._raw_ends[behind - 1]) if behind else (0, self._first)
        return min(raw + offset - base, self._size)

    def value(self, raw: int) -> int:
        """See `value_offset`."""
        behind = bisect_right(self._raw_starts, raw - 1)
        base, start = (self._ends[behind - 1], self._raw_ends[behind - 1]) if behind else (0, self._first)
        return base + max(raw - start, 0)
