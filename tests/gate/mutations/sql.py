"""Other spellings of a statement, and other places for it, which leave it what it was to a database."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from gate.mutations.document import Members, Path, Value, arguments, key_at, replaced, value_at, walk

_AS_WRITTEN = re.compile(r"""('[^']*'|"[^"]*"|`[^`]*`|/\*M!)""")
"""What is quoted, and the mark of a comment that MariaDB executes: it takes no small letter for it."""

_PLAIN_START = re.compile(r"\s*(?:DELETE|UPDATE|INSERT|DROP|SELECT|WITH|CREATE|TRUNCATE|MERGE)\b", re.IGNORECASE)
_QUOTES_AND_COMMENTS = ("--", "/*", "'", '"', "`", "#", "$$")
_COMMENTS = ("/**/", "/* reads only */", " /*SELECT*/ ", "/*\n*/")
_LEADING_COMMENTS = ("/* reads only */ ", "-- SELECT\n", "/**/", "\n/* one */ -- two\n")
_ENDS = (";", " ;", ";;", ";\n", " ; ; ")
_ARGUMENT_NAMES = ("q", "statement", "x", "body", "payload", "run")
_MOST_CHANGES = 5


def sql_keywords_in_other_case(plan: Value, random: Random) -> Value | None:
    """Keywords and plain names are the same in either case."""
    return _respelled(plan, random, lambda sql: _in_other_case(sql, random))


def _in_other_case(sql: str, random: Random) -> str:
    pieces = _AS_WRITTEN.split(sql)
    pieces[::2] = [
        "".join(letter.swapcase() if letter.isascii() and random.random() < 0.5 else letter for letter in piece)
        for piece in pieces[::2]
    ]
    return "".join(pieces)


def sql_with_tabs(plan: Value, random: Random) -> Value | None:
    """A tab separates words as a blank does."""
    return _respelled(plan, random, lambda sql: _blanks_replaced(sql, random, ("\t", "\t ")))


def sql_over_lines(plan: Value, random: Random) -> Value | None:
    """So does a line break, except that it ends a comment."""
    return _respelled(plan, random, lambda sql: _blanks_replaced(sql, random, ("\n", "\r\n"), unless=("--", "#")))


def sql_with_comments(plan: Value, random: Random) -> Value | None:
    """So does a comment, outside of strings and of other comments."""
    return _respelled(plan, random, lambda sql: _blanks_replaced(sql, random, _COMMENTS, unless=_QUOTES_AND_COMMENTS))


def _blanks_replaced(sql: str, random: Random, separators: tuple[str, ...], unless: tuple[str, ...] = ()) -> str:
    blanks = [position for position, letter in enumerate(sql) if letter == " "]
    if not blanks or any(mark in sql for mark in unless):
        return sql
    letters = list(sql)
    for position in random.sample(blanks, random.randint(1, min(len(blanks), _MOST_CHANGES))):
        letters[position] = random.choice(separators)
    return "".join(letters)


def sql_behind_a_comment(plan: Value, random: Random) -> Value | None:
    """A comment in front does nothing."""
    return _respelled(plan, random, lambda sql: random.choice(_LEADING_COMMENTS) + sql)


def sql_ended(plan: Value, random: Random) -> Value | None:
    """Semicolons behind a statement do nothing."""
    return _respelled(plan, random, lambda sql: sql + random.choice(_ENDS))


def sql_behind_a_harmless_statement(plan: Value, random: Random) -> Value | None:
    """The second statement is run like the first."""
    return _respelled(plan, random, lambda sql: "SELECT 1; " + sql if _PLAIN_START.match(sql) else sql)


def sql_under_another_name(plan: Value, random: Random) -> Value | None:
    """What starts like SQL is SQL, whatever the argument is called."""
    candidates = []
    for path, sql in _statements(plan):
        home, key = value_at(plan, path[:-1]), key_at(plan, path)
        name = random.choice(_ARGUMENT_NAMES)
        if isinstance(home, Members) and key is not None and name not in home.keys and _PLAIN_START.match(sql):
            candidates.append((path[:-1], home.renamed({key: name})))
    return replaced(plan, *random.choice(candidates)) if candidates else None


def sql_nested(plan: Value, random: Random) -> Value | None:
    """A list or an object around a statement hands it on as it is."""
    candidates = [(path, sql) for path, sql in _statements(plan) if _PLAIN_START.match(sql)]
    if not candidates:
        return None
    path, sql = random.choice(candidates)
    forms: list[Value] = [[sql], ["SELECT 1", sql], Members((("text", sql),)), [Members((("sql", sql),))]]
    return replaced(plan, path, random.choice(forms))


def _respelled(plan: Value, random: Random, respell: Callable[[str], str]) -> Value | None:
    changed = [(path, sql, respell(sql)) for path, sql in _statements(plan)]
    candidates = [(path, other) for path, sql, other in changed if other != sql]
    return replaced(plan, *random.choice(candidates)) if candidates else None


def _statements(plan: Value) -> list[tuple[Path, str]]:
    """The texts among the arguments; JSON text is left alone, for it would no longer be JSON."""
    return [
        ((*path, *inner), value)
        for path, argument in arguments(plan)
        if isinstance(argument, Members)
        for inner, value in walk(argument)
        if isinstance(value, str) and not value.lstrip().startswith(('{"', "["))
    ]
