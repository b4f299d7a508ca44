"""JSON inside texts: what a reader finds who takes a text, or some part of it, for JSON.

A text that is JSON as a whole is read as that. In any other one, the objects in it are read, what an escape stands for
is put in its place and looked at again, and the rest is searched for pairs of a name and a value, as a lenient reader
would take them. Every step costs time in proportion to the text; past a limit the answer is that nobody looked.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from plancheck.lazy_regex import regex
from plancheck.tuples import NamedTuple

MOST_WRAPS = 8
"""How often a JSON text may be inside another one."""
_LEAST_WORK = 200_000
_MOST_WORK = 4
"""How many characters may be read in vain, trying where in a text an object begins: so many, and for each character of
the text so many more."""
_TRY = 20
"""What each try costs besides its characters."""
_TOO_DEEP = 1 << 60
"""Farther than any work is done."""
_PIECE = 1 << 12
"""How much of a text is tried first. A try that fails in a longer one takes longer, wherever it fails."""
_LONGEST_TOKEN = 16
"""So close to the end of a piece, a fault may be that the piece ends there."""


class TextContent(NamedTuple):
    """What a text holds."""

    values: tuple[Any, ...]
    """Objects as pairs and lists, as the syntax tree has them, and texts that have to be looked at in turn."""
    rest: str = ""
    """What no value was read from; empty where the text was JSON as a whole, or `values` has it unescaped."""
    is_cut: bool = False
    """Whether a limit was passed, so that there may be more."""


class NamedValue(NamedTuple):
    """A name and the text that stands behind it, in a text that is not JSON."""

    name: str
    value: str
    is_quoted: bool


def may_hold_json(text: str) -> bool:
    """Whether a text may have an object or a list in it. What has none is not looked at: almost every text."""
    return "{" in text or "[" in text or "\\u" in text or "\\x" in text


def content_of(text: str) -> TextContent:
    """What a text holds, one level deep."""
    try:
        whole = _DECODER.decode(text.strip().strip("\ufeff"))
    except ValueError:
        return _content_of_parts(text)
    except RecursionError:
        return TextContent((), is_cut=True)
    return TextContent((whole,) if isinstance(whole, (tuple, list, str)) else ())


def json_in(text: str) -> Iterator[Any]:
    """The objects and lists that a text is, or has in it, however often they are wrapped; None past a limit."""
    todo = [(text, 0)]
    while todo:
        wrapped, depth = todo.pop()
        if not may_hold_json(wrapped):
            continue
        if depth == MOST_WRAPS:
            yield None
            continue
        content = content_of(wrapped)
        if content.is_cut:
            yield None
        for value in content.values:
            if isinstance(value, str):
                todo.append((value, depth + 1))
            else:
                yield value


def named_values(text: str) -> Iterator[NamedValue]:
    """The pairs of a name and a value in a text, as in `{tool: 'x'}`. A value without quotes counts behind a brace or
    a comma only: in a sentence, a colon means nothing. A value that is no text is empty."""
    for match in _PAIR.finditer(text):
        name, quote, value = match.groups()
        before = text[max(match.start() - 12, 0) : match.start()].rstrip(" \t\r\n\"'`\\")
        if quote or not value.strip() or before[-1:] in ("{", ","):
            yield NamedValue(name, value.strip(), bool(quote))


def unescaped(text: str) -> str:
    """A text with what its escapes stand for, however often they are escaped themselves."""
    for _ in range(MOST_WRAPS if "\\" in text else 0):
        plain = _ESCAPE.sub(_unescaped, text)
        if plain == text:
            break
        text = plain
    return text


def _content_of_parts(text: str) -> TextContent:
    values: list[Any] = []
    rest: list[str] = []
    left, done, start = _LEAST_WORK + _MOST_WORK * len(text), 0, 0
    while (brace := _OBJECT.search(text, start)) is not None:
        value, end = _object_from(text, brace.start())
        if value is None:
            left -= _TRY + end - brace.start()
            if left < 0:
                return TextContent(tuple(values), is_cut=True)
            start = brace.start() + 1
        else:
            values.append(value)
            rest += (text[done : brace.start()], "{}")
            done = start = end
    rest.append(text[done:])
    return _with_rest(values, "".join(rest))


def _with_rest(values: list[Any], rest: str) -> TextContent:
    unescaped = _ESCAPE.sub(_unescaped, rest) if "\\" in rest else rest
    return TextContent(tuple(values), rest) if unescaped == rest else TextContent((*values, unescaped))


def _object_from(text: str, start: int, size: int = _PIECE) -> tuple[Any, int]:
    """The object that begins somewhere in a text, and where it ends; None, and where it is none any more."""
    piece = text[start : start + size]
    try:
        value, end = _DECODER.raw_decode(piece)
    except RecursionError:
        return None, _TOO_DEEP
    except json.JSONDecodeError as error:
        end = len(piece) if error.msg.startswith("Unterminated") else error.pos
        if end + _LONGEST_TOKEN > len(piece) and start + size < len(text):
            return _object_from(text, start, 8 * size)
        return None, start + end
    return value, start + end


def _integer(digits: str) -> float:
    """A number of any length: Python refuses to read very long ones exactly."""
    return int(digits) if len(digits) < 4_000 else float(digits)


_DECODER = json.JSONDecoder(object_pairs_hook=tuple, parse_int=_integer, strict=False)
"""Objects as pairs, as the syntax tree has them."""
_OBJECT = regex(r"\{\s*\"")

_ESCAPE = regex(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([\"'\\/nrt]))")
_CONTROLS = {"n": "\n", "r": "\r", "t": "\t"}


def _unescaped(escape: re.Match[str]) -> str:
    code = escape[1] or escape[2]
    return chr(int(code, 16)) if code else _CONTROLS.get(escape[3], escape[3])


_PART = r"[^\s\"'`\\:=,;{}\[\]()<>]"
_PAIR = regex(
    rf"(?<!{_PART})({_PART}{{1,40}}(?:[ ]{_PART}{{1,40}})?)"
    r"[\\\"'`]{0,9}\s{0,9}[:=]\s{0,9}\[?([\\\"'`]{0,9})([^\"'`\\,{}\[\]\n]{0,200})"
)
