"""Patterns of JSON Schema: written for ECMA-262, searched anywhere in a text, and run under the limits of policies."""

from __future__ import annotations

import re
from functools import lru_cache

from plancheck.policy.regexes import Ask, Outcome, compiled, fault_of, find, is_harmless, shortest_match
from plancheck.tuples import NamedTuple

_BLANKS = r"\t\n\x0b\x0c\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
_OUTSIDE = {"$": r"(?![\s\S])", ".": r"[^\n\r\u2028\u2029]", r"\s": f"[{_BLANKS}]", r"\S": f"[^{_BLANKS}]"}
_TOKEN = re.compile(
    r"\\u\{(?P<point>[0-9a-fA-F]{1,6})\}|\\k<(?P<again>\w+)>|\(\?<(?P<group>\w+)>|\[\^?\]|\\.|[\s\S]", re.DOTALL
)
_FLAGS = re.compile(r"\(\?([imsx]+)\)")


def in_python(pattern: str) -> str:
    """The same pattern for Python's `re`: `$` is the very end, classes are those of ASCII except for blanks."""
    flags = _FLAGS.match(pattern)
    pieces = ["(?a", flags[1] if flags else "", ":"]
    in_class = False
    for token in _TOKEN.finditer(pattern, flags.end() if flags else 0):
        piece = token[0]
        if token["point"]:
            piece = f"\\U{int(token['point'], 16):08x}"
        elif in_class:
            in_class = piece != "]"
            piece = _BLANKS if piece == r"\s" else piece
            if piece in ("[]", "[^]"):  # an opening bracket in a class is a character, and the class ends here
                in_class, piece = False, f"\\{piece}"
        elif token["again"]:
            piece = f"(?P={token['again']})"
        elif token["group"]:
            piece = f"(?P<{token['group']}>"
        elif piece == "[]":
            piece = "(?!)"
        elif piece == "[^]":
            piece = r"[\s\S]"
        else:
            in_class = piece == "["
            piece = _OUTSIDE.get(piece, piece)
        pieces.append(piece)
    return "".join((*pieces, ")"))


class PreparedPattern(NamedTuple):
    """A pattern for Python's `re`."""

    text: str
    fault: str | None
    """Why it cannot be run, in words."""
    can_be_empty: bool = False


@lru_cache(maxsize=512)
def prepared(pattern: str) -> PreparedPattern:
    if len(pattern) > 2_000:
        return PreparedPattern("", "it has more than 2,000 characters")
    translated = in_python(pattern)
    try:
        compiled(translated)
    except (re.error, OverflowError, RecursionError, ValueError):
        return PreparedPattern("", fault_of(pattern) or "Python cannot run it")
    return PreparedPattern(translated, None, shortest_match(translated) == 0)


def occurs(pattern: str, value: str, ask: Ask) -> bool | Outcome | None:
    """Whether a pattern occurs in a text; None if it is none that can be run. An empty occurrence counts here: that of
    `^a*$` in an empty text."""
    text, fault, can_be_empty = prepared(pattern)
    if fault is not None:
        return None
    found = find(text, value, ask)
    if isinstance(found, Outcome):
        return found
    if found or not can_be_empty:
        return bool(found)
    if not value:
        return compiled(text).search("") is not None if is_harmless(text) else Outcome.STOPPED
    for longer in (f"{text}[\\s\\S]", f"[\\s\\S]{text}"):
        found = find(longer, value, ask)
        if isinstance(found, Outcome) or found:
            return found if isinstance(found, Outcome) else True
    return False
