"""The lexemes of SQL that are the same for every database, whatever its dialect.

Where a string or a comment ends elsewhere in another dialect (backslashes, `#`, `$$`, `/*! … */`, nested comments), a
text has no lexemes.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from plancheck.tuples import NamedTuple

WIDE_BLANKS = "\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
"""Some databases take these for blanks, some for letters, and to the others they are mistakes: no word that does
anything has such a letter, so that taking them for blanks misses none. Behind `--` they make no comment everywhere."""

_LEXEME = re.compile(
    rf"""
    (?P<blank>(?:[ \t\n{WIDE_BLANKS}]|\r\n)+
      | --(?=[ \t\r\n]|$)[^\r\n]*
      | /\*(?!M?!)(?:[^*/]|\*(?!/)|/(?!\*))*\*/)
  | (?P<string>(?<![qQ])'(?!'')[^'\\]*(?:''[^'\\]*)*'(?!'))
  | (?P<quoted>"(?!"")[^"\\]*(?:""[^"\\]*)*"(?!") | `(?:[\w\ .$:*]|-(?!-))+`)
  | (?P<word>[^\W\d]\w*)
  | (?P<number>(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)(?![\w.]))
  | (?P<mark>->>|:=|-(?!-)|/(?![/*])|\*(?!/)|\$(?!\w*\$)|[+%=<>!~|&^@:?.,()\[\];])
    """,
    re.VERBOSE,
)
_OUTER_JOIN = ("(", "+", ")")
"""Oracle's mark behind a column, which no call can look like."""

_WORD = re.compile(r"\w+|:=")
_LEADING = re.compile(r"(?:[\s(;]|--[^\r\n]*|#[^\r\n]*|/\*(?!M?!)(?:[^*]|\*(?!/))*\*/)*")


class Lexeme(NamedTuple):
    kind: str
    text: str
    """Words in lower case."""


END = Lexeme("mark", ")")
"""Stands beside the first and the last lexeme of a statement."""


def lexemes_of(sql: str) -> list[Lexeme] | None:
    """The lexemes without blanks and comments; nothing where dialects may disagree about one of them."""
    lexemes: list[Lexeme] = []
    position = bracket = 0
    for match in _LEXEME.finditer(sql):
        if match.start() != position:
            return None
        position = match.end()
        kind, text = match.lastgroup or "", match[0]
        if kind == "word":
            text = text.lower()
            if not text.isascii() and text != unicodedata.normalize("NFKC", text):
                return None
        elif text == "[":
            bracket += 1
        elif text == "]":
            bracket -= 1
        elif bracket and kind in ("blank", "string", "quoted") and "]" in text:
            return None  # a name in brackets may end there
        if kind != "blank":
            lexemes.append(Lexeme(kind, text))
    if position < len(sql):
        return None
    return _without_outer_joins(lexemes) if "+" in sql else lexemes


def _without_outer_joins(lexemes: list[Lexeme]) -> list[Lexeme]:
    texts = [lexeme.text for lexeme in lexemes]
    marks = {i for i in range(len(texts) - 2) if tuple(texts[i : i + 3]) == _OUTER_JOIN}
    return [lexeme for i, lexeme in enumerate(lexemes) if marks.isdisjoint((i, i - 1, i - 2))] if marks else lexemes


def statements_of(lexemes: list[Lexeme]) -> Iterator[list[Lexeme]]:
    """The statements that are not empty."""
    statement: list[Lexeme] = []
    for lexeme in lexemes:
        if lexeme.text != ";":
            statement.append(lexeme)
        elif statement:
            yield statement
            statement = []
    if statement:
        yield statement


def after_blanks(sql: str) -> int:
    position = 0
    while (match := _LEXEME.match(sql, position)) and match.lastgroup == "blank":
        position = match.end()
    return position


def after_leading(sql: str) -> int:
    """Where a text begins behind blanks, parentheses and what may be comments."""
    start = _LEADING.match(sql)
    return start.end() if start else 0


def first_word(sql: str) -> str:
    """The first word behind blanks, comments and parentheses, in lower case."""
    word = _WORD.match(sql, after_leading(sql))
    return word[0].lower() if word else ""


def words_in(sql: str) -> set[str]:
    """All words of a text, those in strings and comments included."""
    return {word.lower() for word in _WORD.findall(unicodedata.normalize("NFKC", sql))}
