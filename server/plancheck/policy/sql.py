"""Whether SQL reads or writes, decided by parsing it. sqlglot is imported when the first statement is looked at."""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlglot import exp


class Effect(str, Enum):
    READ = "read"
    WRITE = "write"
    UNKNOWN = "unknown"


LONGEST = 20_000
"""SQL longer than this is not parsed: its effect is unknown."""

ARGUMENTS = frozenset({"query", "queries", "sql", "statement", "statements", "stmt", "q"})
"""The names of arguments that hold SQL."""

_DIALECTS = ("", "postgres", "mysql", "tsql", "sqlite", "bigquery", "snowflake")
_PLACEHOLDER = re.compile(r"\$\{\{[^{}]*\}\}|\$\{[^{}]*\}|\{\{[^{}]*\}\}")
_PARAMETER = re.compile(r"%\(\w+\)s|%s\b")
_READING_COMMANDS = ("SHOW", "DESCRIBE", "DESC", "USE", "LIST")
_WRITING_COMMANDS = ("VACUUM", "REINDEX", "REFRESH", "CLUSTER", "OPTIMIZE", "REVOKE", "GRANT", "RENAME", "IMPORT")
_CHANGES = frozenset(
    {"INSERT", "UPDATE", "DELETE", "REPLACE", "UPSERT", "MERGE", "DROP", "ALTER", "CREATE", "TRUNCATE", "LOAD"}
)
_WRITING_FUNCTIONS = frozenset({"setval", "nextval", "lo_import", "lo_unlink", "pg_terminate_backend", "dblink_exec"})

_SELECT = re.compile(r"\s*select\b", re.IGNORECASE)
_MAY_CHANGE = re.compile(
    r"(?i);\s*\S|\b(?:insert|update|delete|merge|into|create|drop|alter|truncate|replace|upsert|grant|revoke|copy|call|exec"
    r"|execute|do|lock|load|share|kill|vacuum|reindex|refresh|set|setval|nextval|next|lo_import|lo_export|lo_unlink"
    r"|pg_terminate_backend|pg_cancel_backend|dblink_exec|dblink|outfile|dumpfile|openrowset|openquery)\b"
)
"""Without any of these a SELECT changes nothing, whatever else it says: that much needs no parsing. With one of them it
may be a name, a string or a comment, so that it is parsed."""


@lru_cache(maxsize=4096)
def effect_of(sql: str) -> Effect:
    """What running the SQL does: it writes if any of its statements does, and reads only if all of them do."""
    if len(sql) > LONGEST or not _PLACEHOLDER.sub("", sql).strip():
        return Effect.UNKNOWN
    text = _PARAMETER.sub("?", _PLACEHOLDER.sub("placeholder", sql))
    if _SELECT.match(text) and not _MAY_CHANGE.search(text):
        return Effect.READ
    for dialect in _DIALECTS:
        effects = {_effect(statement) for statement in _parsed(text, dialect)}
        if Effect.WRITE in effects:
            return Effect.WRITE
        if effects == {Effect.READ}:
            return Effect.READ
    return Effect.WRITE if _starts_with_a_change(text) else Effect.UNKNOWN


def _starts_with_a_change(sql: str) -> bool:
    """Whether a statement that no dialect could parse begins as only statements that write do."""
    import sqlglot
    from sqlglot import TokenType
    from sqlglot.errors import SqlglotError

    try:
        tokens = sqlglot.tokenize(sql)
    except SqlglotError:
        return False
    firsts = [*tokens[:1], *(after for token, after in pairwise(tokens) if token.token_type is TokenType.SEMICOLON)]
    return any(token.text.upper() in _CHANGES and token.token_type is not TokenType.STRING for token in firsts)


def _parsed(sql: str, dialect: str) -> list[exp.Expr]:
    """The statements; none where the dialect does not know such SQL."""
    import logging

    import sqlglot
    from sqlglot.errors import SqlglotError

    logging.getLogger("sqlglot").setLevel(logging.ERROR)  # it warns of each statement that it does not know
    try:
        return [statement for statement in sqlglot.parse(sql, read=dialect or None) if statement is not None]
    except (SqlglotError, RecursionError, ValueError):
        return []


def _effect(statement: exp.Expr) -> Effect:
    from sqlglot import exp

    if isinstance(statement, exp.Command):
        return _effect_of_command(statement)
    if isinstance(statement, exp.Copy):
        return Effect.WRITE if statement.args.get("kind") else _effect_of_copying_out(statement)
    if isinstance(statement, (exp.Transaction, exp.Commit, exp.Rollback, exp.Use, exp.Describe, exp.Show)):
        return Effect.READ
    if isinstance(statement, exp.Semicolon):
        return Effect.READ
    if _writes(statement):
        return Effect.WRITE
    return Effect.READ if isinstance(statement, (exp.Query, exp.Values)) else Effect.UNKNOWN


def _effect_of_copying_out(statement: exp.Copy) -> Effect:
    """`COPY … TO` hands rows to the client, or to a file or a program on the server."""
    targets = [target.name.upper() for target in statement.args.get("files") or ()]
    return Effect.READ if targets == ["STDOUT"] and not _writes(statement) else Effect.UNKNOWN


def _writes(statement: exp.Expr) -> bool:
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
    )
    if isinstance(statement, exp.Kill) or statement.find(*changes) is not None:
        return True
    if statement.find(exp.NextValueFor) is not None:
        return True
    return any(call.name.lower() in _WRITING_FUNCTIONS for call in statement.find_all(exp.Anonymous))


def _effect_of_command(command: exp.Command) -> Effect:
    word = str(command.this).upper()
    rest = command.expression
    text = rest if isinstance(rest, str) else rest.name if rest is not None else ""
    if word == "EXPLAIN":
        analyzed = re.match(
            r"\s*(?:ANALYZE|ANALYSE|\([^)]*\bANALYZE\b[^)]*\))\s*(?:VERBOSE\s+)?(.*)", text, re.I | re.S
        )
        return effect_of(analyzed[1]) if analyzed else Effect.READ
    if word in _READING_COMMANDS:
        return Effect.READ
    return Effect.WRITE if word in _WRITING_COMMANDS else Effect.UNKNOWN
