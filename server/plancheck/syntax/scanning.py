"""The C scanner of `json`, strict, and finding one place in proper JSON with its help: all that is not on the way there
is skipped at the scanner's speed, and no node is made."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any, NamedTuple


class NotStrictError(Exception):
    pass


def _refuse(_: str) -> Any:
    raise NotStrictError


scan = json.JSONDecoder(object_pairs_hook=tuple, parse_constant=_refuse).scan_once  # type: ignore[attr-defined]
"""`scan(text, start)` is the value at an offset, objects as pairs, and where it ends."""

_blanks = re.compile(r"[ \t\n\r]*").match


class FoundValue(NamedTuple):
    """Where a value starts, and the key that it stands under."""

    start: int
    key: tuple[int, int] | None


def find(text: str, path: Sequence[object]) -> FoundValue:
    """The value at a path of keys and positions in proper JSON text, or the nearest one above it that exists.
    Of repeated keys the last counts, as in `json`."""
    found = FoundValue(0, None)
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


def _member(text: str, start: int, name: str) -> FoundValue | None:
    found = None
    if text[start] != "{":
        return None
    offset = _next(text, start + 1)
    while text[offset] == '"':
        key, end = scanstring(text, offset + 1, True)
        value = _next(text, _next(text, end) + 1)
        if key == name:
            found = FoundValue(value, (offset, end))
        offset = _next(text, scan(text, value)[1])
        if text[offset] == ",":
            offset = _next(text, offset + 1)
    return found


def _element(text: str, start: int, number: int) -> FoundValue | None:
    if text[start] != "[" or number < 0:
        return None
    offset = _next(text, start + 1)
    while text[offset] != "]":
        if number == 0:
            return FoundValue(offset, None)
        offset = _next(text, scan(text, offset)[1])
        if text[offset] == ",":
            offset = _next(text, offset + 1)
        number -= 1
    return None


def _next(text: str, offset: int) -> int:
    """Where the next token begins."""
    return _blanks(text, offset).end()  # type: ignore[union-attr]
