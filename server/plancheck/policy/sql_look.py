"""The first look at SQL: what its words alone show, without a parser.

Where a text has no lexemes that are the same in all dialects, a word that may change something is taken for one
wherever it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum

from plancheck.policy.sql_lexemes import END, Lexeme, first_word, lexemes_of, statements_of, words_in
from plancheck.policy.sql_parsing import computes
from plancheck.policy.sql_words import (
    AFTER_NAMES,
    BATCH_WORDS,
    BEFORE_NAMES,
    BEFORE_OPERANDS,
    BEFORE_PARENTHESES,
    CATALOGUE_STARTS,
    CHANGES,
    NEVER,
    PLAIN_FUNCTIONS,
    QUERY_STARTS,
    READING_IF_EMPTY,
    READING_PRAGMAS,
    READING_SETTINGS,
    SAMPLING_METHODS,
    STATEMENTS,
)
from plancheck.tuples import NamedTuple


class FirstLook(Enum):
    PLAIN = "reads, and needs no parsing"
    READING = "reads, if it parses at all"
    DOUBTFUL = "reads, if it does for each dialect that can parse it"
    NOT_SHOWN = "not known to read"


_BRACES = re.compile(r"\{\{|\$\{|\{%|<%|[#%]\{|\{[^\W\d][\w.\[\]]*\}")
"""Marks of text that is put together at run time."""
_RUN_LINE = re.compile(r"(?m)^[ \t]*/[ \t\r]*$")
"""By such a line SQL*Plus runs what stands before it; the next statement needs no semicolon."""
_NAMED_PARAMETER = re.compile(r"%\(\w+\)s")
_LATER_STATEMENT = re.compile(r";\s*[^\s;]")
_CALL = re.compile(r"\b(\w+)\s*\(")
_STRING = re.compile(r"'(?:[^']|'')*'")
_PLAIN_MARKS = frozenset("(),.*=<>+-/%|?!:$@")
_PARAMETER_MARKS = frozenset("%:@$?")


class Seen(NamedTuple):
    """What the first look at a text shows."""

    look: FirstLook
    starts_with_a_change: bool
    """Whether a statement begins as only statements that write do."""


def look_at(sql: str) -> Seen:
    lexemes = lexemes_of(sql)
    is_more = _BRACES.search(sql) is not None or _RUN_LINE.search(sql) is not None
    if lexemes is None:
        look = FirstLook.NOT_SHOWN if is_more else _look_at_words(sql)
        return Seen(look, first_word(sql) in CHANGES)
    if any(statement[0].text in CHANGES for statement in statements_of(lexemes)):
        return Seen(FirstLook.NOT_SHOWN, True)
    return Seen(FirstLook.NOT_SHOWN if is_more else _look_at_statements(lexemes), False)


def _look_at_statements(lexemes: list[Lexeme]) -> FirstLook:
    if any(lexeme.kind == "string" and _NAMED_PARAMETER.search(lexeme.text) for lexeme in lexemes):
        return FirstLook.NOT_SHOWN
    marks = [lexeme.text for lexeme in lexemes if lexeme.kind == "mark"]
    if marks.count("(") != marks.count(")"):
        return FirstLook.NOT_SHOWN
    return _worst(map(_look_at_statement, statements_of(lexemes)), FirstLook.NOT_SHOWN)


def _worst(looks: Iterator[FirstLook], otherwise: FirstLook) -> FirstLook:
    found = set(looks)
    return next((look for look in reversed(FirstLook) if look in found), otherwise)


def _look_at_words(sql: str) -> FirstLook:
    """The look at a text whose strings and comments depend on the dialect: each of its words may be outside of them."""
    words = words_in(sql)
    if first_word(sql) not in QUERY_STARTS or words & (STATEMENTS | NEVER) or {"next", "value"} <= words:
        return FirstLook.NOT_SHOWN
    if words & BATCH_WORDS and words_in(_STRING.sub("''", sql)) & BATCH_WORDS:
        return (
            FirstLook.NOT_SHOWN
        )  # they begin something in T-SQL only, where backslashes are nothing special in strings
    if any(word[0].isdigit() and word.endswith(tuple(STATEMENTS)) for word in words):
        return FirstLook.NOT_SHOWN  # `1DELETE` is a number and a word
    if "{" in re.sub(r"'\{[^']*\}'", "", sql) or _NAMED_PARAMETER.search(sql) or _LATER_STATEMENT.search(sql):
        return FirstLook.NOT_SHOWN
    if re.search(r"(?m)^[ \t]*\\|\\[a-z!]+[ \t\r]*$", sql):
        return FirstLook.NOT_SHOWN  # a command of psql
    if re.search(r"[\"`\]/'](?:\s|--[^\n'\"`\]/]*\n)*\(", sql):
        return FirstLook.NOT_SHOWN  # a function whose name is in quotes or before a comment
    if re.search(r"(?i)\busing\s*['\"]", sql):
        return FirstLook.NOT_SHOWN
    return FirstLook.DOUBTFUL if all(map(computes, _CALL.findall(sql))) else FirstLook.NOT_SHOWN


def _look_at_statement(statement: list[Lexeme]) -> FirstLook:
    first = next((lexeme.text for lexeme in statement if lexeme.text != "("), "")
    if first in CATALOGUE_STARTS:
        return _look_at_catalogue_statement(statement)
    if first == "pragma":
        return FirstLook.PLAIN if _only_asks(statement) else FirstLook.NOT_SHOWN
    selects_last = first == "from" and any(lexeme.text == "select" for lexeme in statement)
    if first not in QUERY_STARTS and not selects_last:
        return FirstLook.NOT_SHOWN
    return _worst(_looks_at_lexemes(statement), FirstLook.PLAIN if not selects_last else FirstLook.DOUBTFUL)


def _look_at_catalogue_statement(statement: list[Lexeme]) -> FirstLook:
    """`SHOW …` and `DESCRIBE …`, which read as long as nothing is called in them and nothing else begins."""
    words = {lexeme.text for lexeme in statement if lexeme.kind == "word"}
    marks = {lexeme.text for lexeme in statement if lexeme.kind == "mark"}
    begins_more = STATEMENTS - {"create", "open"} | BATCH_WORDS | NEVER
    reads = len(statement) > 1 and marks <= set(".,=*@%") and words.isdisjoint(begins_more)
    return FirstLook.PLAIN if reads else FirstLook.NOT_SHOWN


def _only_asks(pragma: list[Lexeme]) -> bool:
    """Whether a PRAGMA asks about a table, or for a setting without giving it another value."""
    texts = [lexeme.text for lexeme in pragma[1:]]
    if texts[1:2] == ["."]:
        texts = texts[2:]
    is_asked_about = len(texts) == 4 and (texts[1], texts[3]) == ("(", ")") and pragma[-2].kind != "mark"
    if is_asked_about:
        return texts[0] in READING_PRAGMAS
    return len(texts) == 1 and (texts[0] in READING_PRAGMAS or texts[0] in READING_SETTINGS)


# ---- lexemes ---------------------------------------------------------------------------------------------------------

_NOTED = STATEMENTS | BATCH_WORDS | NEVER | {"next", "using"}


def _looks_at_lexemes(statement: list[Lexeme]) -> Iterator[FirstLook]:
    """The looks at the lexemes that are not plain by themselves."""
    padded = [END, END, END, *statement, END, END]
    for i in range(3, len(padded) - 2):
        lexeme, after = padded[i], padded[i + 1]
        if lexeme.text in _NOTED:
            yield _look_at_word(padded, i)
        elif after.text == "(":
            yield _look_at_what_is_called(padded, i)
        elif lexeme.kind == "mark" and lexeme.text not in _PLAIN_MARKS:
            yield FirstLook.READING


def _look_at_word(padded: list[Lexeme], i: int) -> FirstLook:
    word, after = padded[i].text, padded[i + 1]
    if word in NEVER or (word, after.text) == ("next", "value") or (word == "using" and after.kind == "string"):
        return FirstLook.NOT_SHOWN
    if word in ("next", "using") or _is_part_of_a_query(padded, i):
        return FirstLook.PLAIN
    return _look_at_name(padded, i)


def _is_part_of_a_query(padded: list[Lexeme], i: int) -> bool:
    """Whether a word begins a part of a query here, and not a statement: `FETCH NEXT 5 ROWS`, `USE INDEX (…)`."""
    word, after, beyond = padded[i].text, padded[i + 1].text, padded[i + 2]
    if word == "fetch":
        counts = beyond.kind in ("number", "mark") or beyond.text in ("row", "rows")
        return after in ("first", "next") and counts
    return word == "use" and after in ("index", "key")


def _look_at_name(padded: list[Lexeme], i: int) -> FirstLook:
    """The look at a word that begins a statement, if it does not stand for a name: where an operand has to come, no
    statement can begin."""
    before, lexeme, after = padded[i - 1].text, padded[i], padded[i + 1]
    if before == "*" and padded[i - 2].text in ("select", "distinct", "all", ",", ".", "("):
        return FirstLook.NOT_SHOWN  # all columns, and not a product
    if before == ">" and padded[i - 2].text == "|":
        return FirstLook.NOT_SHOWN  # a part of a pipe
    if before == "." and not _is_qualified(padded, i):
        return FirstLook.NOT_SHOWN
    if before in ("from", "join") and after.kind == "word" and after.text not in _NOTED:
        return FirstLook.DOUBTFUL
    if before not in BEFORE_NAMES or after.text not in AFTER_NAMES or (before, after.text) == ("(", "from"):
        return FirstLook.NOT_SHOWN
    if before not in BEFORE_OPERANDS or lexeme.text == "into":
        return FirstLook.DOUBTFUL
    return _look_at_what_is_called(padded, i) if after.text == "(" else FirstLook.READING


def _is_qualified(padded: list[Lexeme], i: int) -> bool:
    """Whether a name stands before the dot: a number may, where a parameter is put in."""
    owner, before = padded[i - 2], padded[i - 3].text
    return (owner.kind in ("word", "quoted") or owner.text == "]") and before not in _PARAMETER_MARKS


def _look_at_what_is_called(padded: list[Lexeme], i: int) -> FirstLook:
    """The look at what stands before a parenthesis: a function, if it is none of the words that stand there, too."""
    before, lexeme, inside = padded[i - 1].text, padded[i], padded[i + 2].text
    if lexeme.text in BEFORE_PARENTHESES or lexeme.text in ("(", ",", "=", "<", ">", "*"):
        return FirstLook.PLAIN
    if lexeme.kind == "mark" and lexeme.text != "]":
        return FirstLook.READING
    if lexeme.kind == "string":
        return FirstLook.NOT_SHOWN
    if before != "." and (lexeme.text in PLAIN_FUNCTIONS or (lexeme.text in READING_IF_EMPTY and inside == ")")):
        return FirstLook.PLAIN
    if lexeme.text in SAMPLING_METHODS:
        return FirstLook.PLAIN if before == "tablesample" else FirstLook.NOT_SHOWN
    return FirstLook.READING if lexeme.kind == "word" and computes(lexeme.text) else FirstLook.DOUBTFUL
