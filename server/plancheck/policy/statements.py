"""The SQL statements of a call: those that its tool runs for certain, and those of them that change whole tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from plancheck.plan.carried import folded_key
from plancheck.plan.embedded import json_in, may_hold_json
from plancheck.plan.model import Call
from plancheck.policy.families import Family, families_in
from plancheck.policy.model import NO_POLICY, Policy
from plancheck.policy.names import plain_name
from plancheck.policy.sql_arguments import sql_of
from plancheck.policy.sql_lexemes import Lexeme, lexemes_of, statements_of
from plancheck.policy.sql_shapes import Likeness, likeness_of
from plancheck.policy.sql_words import SEARCHES
from plancheck.syntax.tree import Path
from plancheck.tuples import NamedTuple


class SqlRun(NamedTuple):
    """A text that a tool runs as SQL."""

    path: Path
    sql: str


def sql_run_by(call: Call, policy: Policy) -> Iterator[SqlRun]:
    """The texts that the tool of a call runs as SQL. What a tool that searches calls a query must look like SQL."""
    tool = call.tool or ""
    words = set(re.split(r"[._]", plain_name(tool)))
    takes_sql = not {Family.SQL, Family.QUERY}.isdisjoint(families_in(policy.words_about(tool)))
    searches, runs_queries = not words.isdisjoint(SEARCHES), not words.isdisjoint({"query", "queries", "statement"})
    for path, sql, is_certain in sql_of(call, policy if takes_sql else NO_POLICY):
        if sql is None or any(isinstance(part, str) and folded_key(part) in _ROWS for part in path):
            continue
        if not is_certain and may_hold_json(sql):
            held = [value for value in json_in(sql) if value is not None]
            for value in held:
                inner = sql_run_by(call._replace(arguments=value), policy)
                yield from (SqlRun(path, found.sql) for found in inner)
            if held:
                continue
        is_expected = takes_sql or (is_certain and not searches) or _is_named_sql(path)
        may_be_run = is_certain or (runs_queries and not searches)
        if is_expected or (may_be_run and likeness_of(sql) is Likeness.CERTAIN):
            yield SqlRun(path, sql)


def _is_named_sql(path: Path) -> bool:
    names = [part for part in path if isinstance(part, str)]
    return bool(names) and folded_key(names[-1]).rstrip("s").endswith("sql")


# ---- statements that change whole tables -----------------------------------------------------------------------------

_PLACEHOLDER = re.compile(r"\$\{\{[^{}]*\}\}|\$\{[^{}]*\}|\{\{[^{}]*\}\}")
_OF_THE_RUN = "value_of_the_run"
_EXECUTED_COMMENT = re.compile(r"/\*M?!\d*|\*/")
_HASH_COMMENT = re.compile(r"#[^\r\n]*")
_STRING = re.compile(r"'(?:[^'\\]|\\.)*(?:'|\\?\Z)|\"(?:[^\"\\]|\\.)*(?:\"|\\?\Z)", re.DOTALL)
"""One that does not end goes on to the end of the text, so that none is searched for twice."""
_BEFORE_A_VERB = frozenset({"", "(", ")", "begin", "then", "else", "explain", "analyze", "loop", "as"})
_LIMITED_BY = frozenset({"where", "limit", "top", "join", "using", "fetch"})
"""With one of these a statement does not change each row."""
_AFTER_CONDITION = frozenset({"returning", "order", "limit", "output", "option"})
LONGEST = 100_000
_MOST_VERBS = 50
"""Of one statement."""
_ROWS = frozenset(
    {*("values", "params", "bindings", "binds", "bind", "row", "rows", "record", "records", "document", "documents")}
)
"""Below these are values, whatever they look like."""


def changes_all(sql: str) -> str | None:
    """What a text does to all of a table, in words, if it does such a thing."""
    if len(sql) > LONGEST:
        return None
    text = _PLACEHOLDER.sub(_OF_THE_RUN, sql)
    lexemes = lexemes_of(text)
    if lexemes is None:  # where the dialect decides about strings and comments, take MySQL's
        text = _HASH_COMMENT.sub(" ", _STRING.sub("''", _EXECUTED_COMMENT.sub(" ", text)))
        lexemes = lexemes_of(text)
    for statement in statements_of(lexemes or []):
        found = _change_of_all(statement)
        if found is not None:
            return found
    return None


def _change_of_all(statement: list[Lexeme]) -> str | None:
    texts = [lexeme.text if lexeme.kind in ("word", "mark", "number") else f"'{lexeme.text}" for lexeme in statement]
    first = next((i for i, text in enumerate(texts) if text not in ("(", "explain", "analyze", "begin")), len(texts))
    beginning = texts[first : first + 2]
    if beginning[:1] == ["truncate"] and len(beginning) == 2:
        return "`TRUNCATE` empties the whole table"
    if first < len(texts) and texts[first] == "alter" and ("drop", "column") in pairwise(texts):
        return "`DROP COLUMN` cannot be undone"
    if beginning[:1] == ["drop"] and len(beginning) == 2 and beginning[1] not in ("temporary", "temp"):
        return f"`DROP {beginning[1].upper()}` cannot be undone" if beginning[1].isalpha() else None
    verbs = [i for i, text in enumerate(texts) if text in ("delete", "update")]
    for i in verbs[:_MOST_VERBS]:
        text, before = texts[i], texts[i - 1] if i else ""
        begins = before in _BEFORE_A_VERB or (text == "delete" and texts[i + 1 : i + 2] == ["from"])
        if begins and _is_unfiltered(text, texts[i + 1 :]):
            return f"`{text.upper()}` without a condition changes every row"
    return None


def _is_unfiltered(verb: str, rest: list[str]) -> bool:
    own: list[str] = []
    """The words of the statement itself, none of what is in parentheses."""
    depth = end = condition = 0
    for end, text in enumerate(rest, 1):
        depth += (text == "(") - (text == ")")
        if depth < 0:
            end -= 1
            break
        if depth == 0:
            own.append(text)
            condition = end if text == "where" and not condition else condition
    if verb == "update" and "set" not in own:
        return False
    if condition:
        return _is_always_true(rest[condition:end])
    is_left_to_the_run = own[-1:] == [_OF_THE_RUN] and own[-2:-1] not in (["from"], ["="], [","], ["table"])
    return bool(own) and _LIMITED_BY.isdisjoint(own) and not is_left_to_the_run


def _is_always_true(condition: list[str]) -> bool:
    """Whether one of the alternatives of a condition holds for every row: `1 = 1`, `true`."""
    if "select" in condition or "and" in condition:
        return False
    end = next((i for i, text in enumerate(condition) if text in _AFTER_CONDITION), len(condition))
    alternatives: list[list[str]] = [[]]
    for text in condition[:end]:
        if text == "or":
            alternatives.append([])
        elif text not in ("(", ")"):
            alternatives[-1].append(text)
    return any(map(_holds, alternatives))


def _holds(words: list[str]) -> bool:
    if len(words) == 1:
        return words[0] == "true" or (words[0].isdecimal() and words[0].strip("0") != "")
    is_equation = len(words) == 3 and words[1] == "=" and words[0] == words[2]
    return is_equation and (words[0].isdecimal() or words[0].startswith("'"))
