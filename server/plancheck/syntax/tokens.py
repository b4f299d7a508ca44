"""Tokens of JSON and of the things people type instead of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from json.decoder import scanstring as _scan_string  # type: ignore[attr-defined]
from typing import Any

from plancheck.lazy_regex import regex
from plancheck.syntax.tree import Problem
from plancheck.text import Span

TOKEN = re.compile(
    r"""[ \t\n\r]*(?:
      (?P<string>"[^"\\\x00-\x1f]*")                                  # the usual string: nothing to decode
    | (?P<punctuation>[{}\[\],:])
    | (?P<number>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?=[ \t\n\r,:\]}]|\Z))
    | (?P<literal>(?:true|false|null)(?=[ \t\n\r,:\]}]|\Z))
    | (?P<quoted>"[^"\\\n\r]*(?:\\[^\n\r][^"\\\n\r]*)*(?:"|\\?(?=[\n\r]|\Z)))  # escapes, control characters, no end
    | (?P<conflict>(?:(?<=\n)|(?<=\r)|(?<![\s\S]))(?:<{7}|={7}|>{7}|\|{7})(?![<=>|])[^\n\r]*)
    | (?P<comment>//[^\n\r]*|/\*(?:[^*]|\*(?!/))*(?:\*/)?|\#[^\n\r]*)
    | (?P<single>'[^'\\\n\r]*(?:\\[^\n\r][^'\\\n\r]*)*'?)
    | (?P<word>[^\s{}\[\],:"']+)
    | (?P<junk>[^ \t\n\r])
    )""",
    re.VERBOSE,
)

COLON_AHEAD = re.compile(r"[ \t\n\r]*:")
_WORD_AHEAD = regex(r"[ \t]*[A-Za-z_]")
_CUT = regex(r"(?<!\s)\s*[,:}\]]")
"""Not tried from within a run of spaces: from its start is enough, and from each of them is quadratic."""
_ESCAPE = regex(r'\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}|u[0-9a-fA-F]{0,3}|[^u]|\Z)|[\x00-\x1f]', re.DOTALL)
_ESCAPES_HELP = "write \\\\ for a backslash, or \\u with four hex digits."
_BAD_APOSTROPHE = "\\' is not a JSON escape: an apostrophe needs no backslash."
_SIMPLE = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_HIGH, _LOW = r"\\u[dD][89abAB][0-9a-fA-F]{2}", r"\\u[dD][c-fC-F][0-9a-fA-F]{2}"
_SURROGATES = regex(rf"{_HIGH}{_LOW}|(?P<lone>{_HIGH}|{_LOW})|\\.", re.DOTALL)
"""Every escape is consumed, so that in `\\ud83d` the second backslash is not taken for the start of one."""
_MAYBE_SURROGATE = regex(r"\\u[dD][89a-fA-F]")


class Expect(Enum):
    """What a container waits for."""

    KEY = "a key"
    COLON = "a colon"
    VALUE = "a value"
    NEXT = "a comma or the end"


def has_lone_surrogate(text: str) -> bool:
    return _MAYBE_SURROGATE.search(text) is not None and next(_lone_surrogates(text), None) is not None


def _lone_surrogates(text: str) -> Iterator[Span]:
    return (Span(*match.span()) for match in _SURROGATES.finditer(text) if match["lone"])


def string_end(text: str, start: int, end: int) -> int:
    """Where the string that seems to end at `end` really does.

    In `"agent": "a, "kind": …` the quote that closes the text is missing, and the quote of `"kind"` looks like it. A
    word right behind a closing quote gives that away; the string then ends where its next comma or bracket is.
    """
    if _WORD_AHEAD.match(text, end) and (cut := _CUT.search(text, start + 1, end - 1)):
        return cut.start()
    return end


def decode_string(text: str, start: int, end: int) -> tuple[str, list[Problem]]:
    """The value of the quoted string at `text[start:end]`, and what is wrong with it."""
    quote = text[start]
    closed = end - start >= 2 and text[end - 1] == quote and not _ends_escaped(text, start + 1, end - 1)
    body = text[start + 1 : end - 1 if closed else end]
    problems: list[Problem] = []
    if not closed:
        problems.append(Problem(start, end, f"This string is never closed: add {quote} at its end."))
    elif quote == "'":
        problems.append(Problem(start, end, "JSON strings need double quotes, not single ones."))
    if closed and quote == '"' and not has_lone_surrogate(body):
        try:
            return _scan_string(text, start + 1, True)[0], problems
        except ValueError:
            pass  # decoded below, where each fault is reported
    return _decode_roughly(body, quote, start + 1, problems), problems


def _ends_escaped(text: str, start: int, end: int) -> bool:
    body = text[start:end]
    return (len(body) - len(body.rstrip("\\"))) % 2 == 1


def _decode_roughly(body: str, quote: str, base: int, problems: list[Problem]) -> str:
    """The value that the body of a string is meant to have; what is wrong with it is added to `problems`."""
    pieces: list[str] = []
    done = 0
    for match in _ESCAPE.finditer(body):
        found = match.group()
        pieces.append(body[done : match.start()])
        done = match.end()
        if found[0] != "\\":
            name = {"\t": "tab"}.get(found, f"control character U+{ord(found):04X}")
            message = f"A {name} inside a string must be written as an escape such as \\t or \\u{ord(found):04x}."
            pieces.append(found)
        elif len(found) == 6:
            pieces.append(chr(int(found[2:], 16)))
            continue
        elif found[1:] in _SIMPLE:
            pieces.append(_SIMPLE[found[1:]])
            continue
        else:
            pieces.append(found[1:])
            if found == "\\'" and quote == "'":
                continue  # the quotes are reported already
            message = _BAD_APOSTROPHE if found == "\\'" else f"{found} is not a JSON escape: {_ESCAPES_HELP}"
        problems.append(Problem(base + match.start(), base + match.end(), message))
    pieces.append(body[done:])
    for start, end in _lone_surrogates(body):
        message = f"{body[start:end]} is half of a character: its other half must be next to it."
        problems.append(Problem(base + start, base + end, message))
    value = "".join(pieces)
    return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


_SPELLINGS: dict[str, tuple[Any, str]] = {
    "True": (True, "true"),
    "False": (False, "false"),
    "None": (None, "null"),
    "undefined": (None, "null"),
    "nil": (None, "null"),
}
_NON_FINITE = {"NaN", "Infinity", "-Infinity", "+Infinity", "nan", "inf", "-inf"}


def _read_number(text: str, start: int) -> tuple[Any, list[Problem]]:
    """The value of a number that is spelt as JSON wants it."""
    try:
        return (float(text) if not text.lstrip("-").isdigit() else int(text)), []
    except ValueError:  # Python refuses to convert integers of thousands of digits
        return float("inf"), [Problem(start, start + len(text), "This number has too many digits to be read.")]


def _read_word(text: str, start: int) -> tuple[Any, list[Problem]]:
    """The value meant by a run of characters that JSON does not know, and what to write instead."""
    end = start + len(text)
    if text in _SPELLINGS:
        value, right = _SPELLINGS[text]
        return value, [Problem(start, end, f"{text} is not JSON: write {right}.")]
    if text in _NON_FINITE:
        return float(text), [Problem(start, end, f"{text} is not JSON: numbers are finite; write null or a string.")]
    if text[0].isdigit() or text[0] in "+-.":
        return text, [Problem(start, end, f"{text} is not a JSON number.")]
    return text, [Problem(start, end, f"{text} needs double quotes around it.")]


_LITERALS = {"true": True, "false": False, "null": None}


def read_scalar(kind: str, text: str, start: int, end: int) -> tuple[Any, list[Problem]]:
    """The value of a token that is no punctuation, and what is wrong with it."""
    if kind == "string":
        return text[start + 1 : end - 1], []
    if kind in ("quoted", "single"):
        return decode_string(text, start, end)
    raw = text[start:end]
    if kind == "literal":
        return _LITERALS[raw], []
    return _read_number(raw, start) if kind == "number" else _read_word(raw, start)
