"""What SQL does by its statements, as sqlglot parses them, which is imported when the first text needs it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING

from plancheck.policy.sql_words import (
    BEFORE_PARENTHESES,
    COMPUTING_FUNCTIONS,
    HARMFUL_FUNCTIONS,
    PLAIN_FUNCTIONS,
    PLAIN_SCHEMAS,
    READING_IF_EMPTY,
    WRITING_FUNCTIONS,
    split_words,
)
from plancheck.tuples import NamedTuple

if TYPE_CHECKING:
    from sqlglot import exp


class Effect(str, Enum):
    READ = "read"
    WRITE = "write"
    UNKNOWN = "unknown"


class Parsed(NamedTuple):
    """What one dialect makes of a text."""

    effect: Effect | None
    """None where the dialect does not know such SQL."""
    work: int
    """How many tokens were looked at."""


MOST_WORK = 20_000
"""How many tokens of one text are parsed at most, over all dialects: about half a second."""
_DEEPEST = 100
_DIALECTS = ("", "postgres", "mysql", "tsql", "sqlite", "oracle", "bigquery", "snowflake", "duckdb")

# ---- limits ----------------------------------------------------------------------------------------------------------

_ATOM = re.compile(r"\w+|-{2,}|[^\w\s]")
_PARSED_ONCE = BEFORE_PARENTHESES | PLAIN_FUNCTIONS - {"date", "year", "month", "day"}
_PREFIXES = split_words("not - + ~ interval distinct all")
_NESTING = ("(", "[", "{", "case", *_PREFIXES)


def is_too_deep(sql: str) -> bool:
    """Whether the text is nested more deeply than a recursive parser should be asked to follow."""
    lower = sql.lower()
    if sum(map(lower.count, _NESTING)) <= _DEEPEST:
        return False
    depth = cases = prefixes = 0
    for atom in _ATOM.findall(lower):
        depth += (atom in "([{") - (atom in ")]}" and depth > 0)
        cases += (atom == "case") - (atom == "end" and cases > 0)
        prefixes = prefixes + 1 if atom in _PREFIXES else 0
        if max(depth, cases, prefixes) > _DEEPEST:
            return True
    return False


def _work(sql: str) -> int:
    """How many tokens sqlglot looks at to parse the text, or more than are allowed.

    It parses what may be a type, such as `date(…)`, once as a type and then again, and copies the arguments of some
    functions: each level may double the work.
    """
    work, weight = 0, 1
    doubled: list[bool] = []
    previous = ""
    for atom in map(str.lower, _ATOM.findall(sql)):
        if atom in "([{":
            doubled.append(previous.isidentifier() and previous not in _PARSED_ONCE)
            weight <<= doubled[-1]
        elif atom in ")]}" and doubled:
            weight >>= doubled.pop()
        work += weight
        if work > MOST_WORK:
            break
        previous = atom
    return work


# ---- statements ------------------------------------------------------------------------------------------------------

_PARAMETER = re.compile(r"%\(\w+\)s|%s\b")
_PLACEHOLDER = re.compile(r"\$\{\{[^{}]*\}\}|\$\{[^{}]*\}|\{\{[^{}]*\}\}")
_EXECUTED_COMMENT = re.compile(r"/\*M?!\d*((?:[^*/]|\*(?!/)|/(?!\*))*)\*/")
_WRITING_COMMANDS = split_words("vacuum reindex refresh cluster optimize revoke grant rename import")


def parsed_effects(sql: str) -> Iterator[Parsed]:
    """The effect by each dialect, and an unknown one at last where that would take too long."""
    text = _PARAMETER.sub("?", _PLACEHOLDER.sub("placeholder", sql)).replace("/*+", "/* ")
    works = {variant: _work(variant) for variant in (text, _EXECUTED_COMMENT.sub(r" \1 ", text))}
    work_left = MOST_WORK
    for dialect in _DIALECTS:
        for variant, work in works.items():
            work_left -= work
            if work_left < 0:
                yield Parsed(Effect.UNKNOWN, 0)
                return
            effects = {_effect(statement) for statement in _parsed(variant, dialect)}
            worst = (effect for effect in (Effect.WRITE, Effect.UNKNOWN, Effect.READ) if effect in effects)
            yield Parsed(next(worst, None), work)


def _parsed(sql: str, dialect: str) -> list[exp.Expr]:
    """The statements; none where the dialect does not know such SQL."""
    import logging

    import sqlglot
    from sqlglot.errors import SqlglotError

    logging.getLogger("sqlglot").setLevel(logging.ERROR)  # it warns of each statement that it does not know
    try:
        return [statement for statement in sqlglot.parse(sql, read=dialect or None) if statement is not None]
    except (SqlglotError, RecursionError, ValueError, TypeError, AttributeError, LookupError, ArithmeticError):
        return []  # its own bugs about SQL that is none show as any of these


def _effect(statement: exp.Expr) -> Effect:
    from sqlglot import exp

    if isinstance(statement, exp.Command):
        return Effect.WRITE if str(statement.this).lower() in _WRITING_COMMANDS else Effect.UNKNOWN
    if isinstance(statement, exp.Copy):
        return Effect.WRITE if statement.args.get("kind") else Effect.UNKNOWN
    effects = {_effect_of_node(node) for node in statement.walk()}
    if Effect.WRITE in effects:
        return Effect.WRITE
    reads = isinstance(statement, (exp.Query, exp.Values, exp.Semicolon)) and effects == {Effect.READ}
    return Effect.READ if reads else Effect.UNKNOWN


def _effect_of_node(node: exp.Expr) -> Effect:
    from sqlglot import exp

    changes = (
        exp.Insert,
        exp.Update,
        exp.Delete,
        exp.Merge,
        exp.Create,
        exp.Drop,
        exp.Alter,
        exp.TruncateTable,
        exp.Into,
        exp.Lock,
        exp.Grant,
        exp.Revoke,
        exp.LoadData,
        exp.Kill,
        exp.NextValueFor,
    )
    if isinstance(node, changes) or (isinstance(node, exp.Anonymous) and node.name.lower() in WRITING_FUNCTIONS):
        return Effect.WRITE
    if isinstance(node, exp.TableAlias) and node.args.get("columns") and not node.this:
        return Effect.UNKNOWN  # a function that was taken for a table with named columns
    if isinstance(node, (exp.Command, exp.QueryTransform)) or (isinstance(node, exp.Func) and not _only_computes(node)):
        return Effect.UNKNOWN
    return Effect.READ


# ---- functions -------------------------------------------------------------------------------------------------------


def _only_computes(call: exp.Func) -> bool:
    """Whether a call does nothing but compute: by its name, and where no schema says that it is somebody's own."""
    from sqlglot import exp

    parent = call.parent
    schema = parent.this if isinstance(parent, exp.Dot) and parent.expression is call else None
    if isinstance(parent, exp.Table):
        schema = parent.args.get("db")
    if schema is not None and schema.name.lower() not in PLAIN_SCHEMAS:
        return False
    if isinstance(call, exp.Anonymous):
        return computes(call.name) or (call.name.lower() in READING_IF_EMPTY and not call.expressions)
    return HARMFUL_FUNCTIONS.isdisjoint(name.lower() for name in call.sql_names())


def computes(function: str) -> bool:
    name = function.lower()
    if name in PLAIN_FUNCTIONS or name in COMPUTING_FUNCTIONS or name in BEFORE_PARENTHESES:
        return True
    return name not in HARMFUL_FUNCTIONS and name.upper() in _functions()


@lru_cache(maxsize=1)
def _functions() -> frozenset[str]:
    """The functions that sqlglot knows for any dialect."""
    from sqlglot import Dialect

    return frozenset().union(*(Dialect.get_or_raise(dialect).parser_class.FUNCTIONS for dialect in _DIALECTS))
