"""The C scanner of `json`, strict, and finding one place in proper JSON with its help: all that is not on the way there
is skipped at the scanner's speed, and no node is made."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any

from plancheck.tuples import NamedTuple


class NotStrictError(Exception):
    pass


def _refuse(_: str) -> Any:
    raise NotStrictError


scan = json.JSONDecoder(object_pairs_hook=tuple, parse_constant=_refuse).scan_once  # type: ignore[attr-defined]
"""`scan(text, start)` is the value at an offset, objects as pairs, and where it ends."""

_BLANKS = " \t\n\r"
_blanks = re.compile(r"[ \t\n\r]*").match


class FoundValue(NamedTuple):
    """Where a value starts, and the key that it stands under."""

    start: int
    key: tuple[int, int] | None


def find(text: str, path: Sequence[object], value: Any) -> FoundValue:
    """The value at a path of keys and positions in proper JSON text, or the nearest one above it that exists.
    Of repeated keys the last counts, as in `json`. `value` is what the scanner makes of the text."""
    found = FoundValue(0, None)
    known = _only_member(text, path[0], value) if path and isinstance(path[0], str) else None
    if known is not None:
        found, path = known, path[1:]
    for name in path:
        if isinstance(name, str):
            inner = _member(text, found.start, name)
        elif isinstance(name, int):
            inner = _element(text, found.start, name)
        else:
            break
        if inner is None:
            break
        found = inner
    return found


def _only_member(text: str, name: str, value: Any) -> FoundValue | None:
    """A member of the whole object, if its name is written nowhere else: then nothing before it has to be scanned."""
    quoted = f'"{name}"'
    offset = text.find(quoted)
    end = offset + len(quoted)
    if offset < 0 or "\\" in text or text.find(quoted, offset + 1) >= 0:  # two may share a quote
        return None
    if not isinstance(value, tuple) or all(key != name for key, _ in value):  # it is a name or a text further inside
        return None
    return FoundValue(_next(text, (end if text[end] == ":" else _next(text, end)) + 1), (offset, end))


def _member(text: str, start: int, name: str) -> FoundValue | None:
    found = None
    offset = start
    opening = "{"
    while text[offset] == opening:
        offset = _next(text, offset + 1)
        if text[offset] != '"':  # the object has no members
            break
        key, end = scanstring(text, offset + 1, True)
        value = _next(text, (end if text[end] == ":" else _next(text, end)) + 1)
        if key == name:
            found = FoundValue(value, (offset, end))
            if "\\" not in text and text.find(f'"{name}"', value) < 0:  # it is not repeated
                break
        offset = _next(text, scan(text, value)[1])
        opening = ","
    return found


def _element(text: str, start: int, number: int) -> FoundValue | None:
    if number < 0:
        return None
    offset = start
    opening = "["
    while text[offset] == opening:
        offset = _next(text, offset + 1)
        if text[offset] == "]":  # the list is empty
            break
        if number == 0:
            return FoundValue(offset, None)
        offset = _next(text, scan(text, offset)[1])
        opening = ","
        number -= 1
    return None


def _next(text: str, offset: int) -> int:
    """Where the next token begins. Mostly there is no blank before it, or one."""
    if text[offset] not in _BLANKS:
        return offset
    if text[offset + 1] not in _BLANKS:
        return offset + 1
    return _blanks(text, offset).end()  # type: ignore[union-attr]
