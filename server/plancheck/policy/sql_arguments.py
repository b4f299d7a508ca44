"""Which texts among the arguments of a call are SQL: by the tool, by the names of arguments, and by how they begin.

One that is handed to a tool under a name that means SQL is SQL, whatever it looks like. Under another name it is SQL if
it begins like it, in a value, in the name of a member, and inside JSON text alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import IntEnum
from functools import lru_cache
from typing import Any

from plancheck.plan.carried import ARGUMENT_NAMES, folded_key
from plancheck.plan.embedded import json_in
from plancheck.plan.model import Call
from plancheck.policy.model import Policy
from plancheck.policy.names import plain_name
from plancheck.policy.secrets import has_placeholder
from plancheck.policy.sql_shapes import Likeness, likeness_of
from plancheck.policy.sql_words import DATABASES, SEARCHES, split_words
from plancheck.syntax.tree import Path
from plancheck.tuples import NamedTuple


class SqlText(NamedTuple):
    """A text that is SQL, or may be."""

    path: Path
    text: str | None
    """None where JSON text is nested too deeply to be looked into."""
    is_certain: bool
    """Whether the tool takes it for SQL; else it could."""


class _Named(IntEnum):
    """What the name of an argument says about its value."""

    NOTHING = 0
    INPUT = 1
    """It may be SQL in a tool of a database, if nothing beside it is called so."""
    QUERY = 2
    """It is SQL in a tool of a database."""
    SQL = 3


class _Intake(NamedTuple):
    """What a tool makes of texts."""

    is_database: bool
    takes_sql: bool
    """Whether what looks like SQL is run as SQL, and what could be SQL may be."""
    may_run_queries: bool
    """Whether a text that nobody knows before the run may be run as SQL, if it is called a query."""


_QUERIES = split_words("query queries q statement statements stmt stmts")
_INPUTS = split_words("input command commands script scripts text code body expression arg arg1 arg_1")
_ENDINGS = split_words("text texts string str body code")
"""What may stand behind the word that means SQL: `sql_text`."""
_PARAMETERS = split_words(
    "values params parameters args arguments bindings binds bind variables vars inputs parameter_values"
)
"""Below these is what a statement is given, and no statement."""
_LONGEST_NAME = 100
"""Characters of a name that are looked at, from its end."""
_MOST_WRAPS = 8
"""How often a JSON text may stand inside another one."""


def _intake(tool: str, policy: Policy) -> _Intake:
    words = set(re.split(r"[._]", plain_name(tool)))
    is_database = any(word in DATABASES or word.endswith("sql") for word in words)
    takes_sql = is_database or (policy.gives_family(tool) and words.isdisjoint(SEARCHES))
    return _Intake(is_database, takes_sql, takes_sql or not words.isdisjoint(_QUERIES))


def _named(name: str) -> _Named:
    return _named_by_end(name[-_LONGEST_NAME:])


@lru_cache(maxsize=4096)
def _named_by_end(name: str) -> _Named:
    words = [word.rstrip("0123456789") for word in re.split(r"[._]", plain_name(name))]
    while len(words) > 1 and (words[-1] in _ENDINGS or not words[-1]):
        words.pop()
    last = words[-1]
    if (
        last.removesuffix("s").endswith("sql")
        or (last in _QUERIES and "sql" in words)
        or last.removeprefix("sql") in _QUERIES - {last}
    ):
        return _Named.SQL
    if last in _QUERIES:
        return _Named.QUERY
    return _Named.INPUT if plain_name(name) in _INPUTS else _Named.NOTHING


# ---- the walk --------------------------------------------------------------------------------------------------------


class _Spot(NamedTuple):
    """A value to look at."""

    value: Any
    path: Path
    named: _Named
    within: Path | None = None
    """The string that it was found in, as JSON text."""
    wraps: int = 0


def sql_of(call: Call, policy: Policy) -> Iterator[SqlText]:
    """The SQL among the arguments of a call, and what may be SQL, in the order of the text."""
    intake = _intake(call.tool or "", policy)
    todo = [_Spot(call.arguments, call.arguments_path, _named_as_a_whole(call))]
    while todo:
        spot = todo.pop()
        if isinstance(spot.value, str):
            found = _text(spot.value, spot, intake)
            if found is not None:
                yield found
            elif "{" in spot.value or "[" in spot.value:
                held = _held(spot)
                todo += reversed([inner for inner in held if inner.value is not None])
                if any(inner.value is None for inner in held):
                    yield SqlText(spot.within or spot.path, None, False)
        elif isinstance(spot.value, tuple):
            yield from _keys(spot, intake)
            todo += reversed(_members(spot))
        elif isinstance(spot.value, list):
            todo += (
                spot._replace(value=spot.value[i], path=(*spot.path, i)) for i in range(len(spot.value) - 1, -1, -1)
            )


def _named_as_a_whole(call: Call) -> _Named:
    """What is said about arguments without names: that they are the arguments, unless they stand elsewhere."""
    if isinstance(call.arguments, tuple):
        return _Named.NOTHING
    key = call.arguments_path[-1] if call.arguments_path else ""
    if isinstance(key, str) and key and folded_key(key) not in ARGUMENT_NAMES:
        return _named(key)
    return _Named.QUERY


def _members(spot: _Spot) -> list[_Spot]:
    """The members of an object. What is below a name that means SQL is SQL, too, but for what a statement is given and
    for what stands beside a member that says itself that it is SQL."""
    names = {name: _named(name) for name, _ in spot.value}
    least = _Named.QUERY if any(named > _Named.INPUT for named in names.values()) else _Named.INPUT
    inherited = spot.named if least is _Named.INPUT else _Named.NOTHING
    found = []
    for name, value in spot.value:
        named = max(names[name], inherited) if names[name] >= least else inherited
        if plain_name(name) in _PARAMETERS:
            named = _Named.NOTHING
        found.append(spot._replace(value=value, path=(*spot.path, name), named=named))
    return found


def _keys(spot: _Spot, intake: _Intake) -> Iterator[SqlText]:
    """The SQL among the names of an object's members: a plain name is none."""
    for name, _ in spot.value:
        if not name.isidentifier() and re.search(r"[^\w.-]", name.strip()):
            found = _text(name, spot._replace(path=(*spot.path, name)), intake)
            if found is not None:
                yield found


def _held(spot: _Spot) -> list[_Spot]:
    """What a text holds as JSON; None as the value of what is nested too deeply."""
    within = spot.within or spot.path
    return [
        spot._replace(value=None if spot.wraps == _MOST_WRAPS else value, within=within, wraps=spot.wraps + 1)
        for value in json_in(spot.value)
    ]


def _text(text: str, spot: _Spot, intake: _Intake) -> SqlText | None:
    """A text as SQL, if it is or may be SQL."""
    path = spot.path if spot.within is None else spot.within
    if spot.named is _Named.SQL or (spot.named is _Named.QUERY and intake.is_database):
        return SqlText(path, text, True)
    likeness = likeness_of(text)
    if likeness is Likeness.CERTAIN:
        return SqlText(path, text, intake.takes_sql)
    may_be_put_in = spot.named is _Named.QUERY and intake.may_run_queries
    may_be_put_in |= spot.named is _Named.INPUT and intake.is_database
    if (may_be_put_in and has_placeholder(text)) or (likeness is Likeness.POSSIBLE and intake.takes_sql):
        return SqlText(path, text, False)
    return None
