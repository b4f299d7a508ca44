"""Whether SQL reads or writes. It reads only where that is shown: for every database, whatever its dialect.

Two looks have to agree: `sql_look`, at words that mean the same in all dialects, and `sql_parsing`, at the statements.
Most SQL needs only the first, and the second is bounded: for a text, and for all texts of a run.
"""

from __future__ import annotations

import re
from functools import lru_cache

from plancheck.policy.checks import SqlBudget
from plancheck.policy.sql_lexemes import WIDE_BLANKS, after_blanks
from plancheck.policy.sql_look import FirstLook, Seen, look_at
from plancheck.policy.sql_parsing import Effect, is_too_deep, parsed_effects
from plancheck.tuples import NamedTuple

LONGEST = 100_000
"""SQL longer than this is not looked at: its effect is unknown."""

_COPY_OUT = re.compile(r"copy\s+\w+(?:\.\w+)?(?:\s*\([\w\s,]*\))?\s+to\s+stdout\b[\w\s,()]*;?", re.IGNORECASE)
_EXPLAIN = re.compile(
    r"(?:explain|describe|desc)\b"
    r"(?P<options>(?:\s+(?:analyze|analyse|verbose|extended|query\s+plan|format\s*=\s*\w+)\b|\s*\([\w\s,]*\))*)"
    r"(?=[\s(]*(?:select|with|values|insert|update|delete|merge|replace|call|exec|execute)\b)",
    re.IGNORECASE,
)
_BLANK = re.compile(f"[\t\r\n{WIDE_BLANKS}]")
_JOINER = re.compile(r"(?<=[^\x00-\x7f])[\u200c\u200d](?=[^\x00-\x7f])")
"""Joins letters or pictures of other scripts to one: no word of SQL has such letters."""


class Weighed(NamedTuple):
    """What running SQL does, and what it took to find out."""

    effect: Effect
    work: int
    """How many tokens were parsed."""


def effect_of(sql: str) -> Effect:
    """What running the SQL does: it writes if any of its statements does, and reads only if all are shown to."""
    return weighed(sql).effect


def effect_within(sql: str, budget: SqlBudget) -> Effect | None:
    """The same, with what a run may still parse; None where nothing is left to find out by."""
    if budget.left <= 0:
        return _without_parsing(sql)
    effect, work = weighed(sql)
    budget.left -= work
    return effect


@lru_cache(maxsize=1024)
def weighed(sql: str) -> Weighed:
    """What running the SQL does, within the limits of one text."""
    text, query = _cleared(sql)
    if text is None:
        return Weighed(Effect.UNKNOWN, 0)
    seen = look_at(query)
    effect, work = _by_words(query, seen), 0
    if effect is None:
        effect, work = _by_statements(query, seen.look)
    return Weighed(_explained(effect, text, query), work)


def _without_parsing(sql: str) -> Effect | None:
    text, query = _cleared(sql)
    if text is None:
        return Effect.UNKNOWN
    effect = _by_words(query, look_at(query))
    return None if effect is None else _explained(effect, text, query)


def _cleared(sql: str) -> tuple[str | None, str]:
    """A text that can be looked at, if it is one, and the statements of it behind an `EXPLAIN`."""
    if len(sql) > LONGEST:
        return None, ""
    text = sql.removeprefix("\ufeff")
    if not text.isascii():
        text = _JOINER.sub("", text)
    if not _BLANK.sub("", text).isprintable() or is_too_deep(text):
        return None, ""
    explained = _EXPLAIN.match(text, after_blanks(text))
    return text, text if explained is None else text[explained.end() :]


def _explained(effect: Effect, text: str, query: str) -> Effect:
    """The effect of a text, given that of its statements: what is only explained does not run."""
    if effect is not Effect.WRITE or text is query:
        return effect
    options = text[: len(text) - len(query)]
    runs = re.search(r"analy[sz]e", options, re.IGNORECASE) or ";" in query
    return effect if runs else Effect.UNKNOWN


def _by_words(sql: str, seen: Seen) -> Effect | None:
    """The effect, where words alone show it."""
    if seen.look is FirstLook.PLAIN or _COPY_OUT.fullmatch(sql.strip()):
        return Effect.READ
    return Effect.WRITE if seen.starts_with_a_change else None


def _by_statements(sql: str, look: FirstLook) -> Weighed:
    """The effect by the dialects that can parse the SQL."""
    found: set[Effect] = set()
    total = 0
    for effect, work in parsed_effects(re.sub(f"[{WIDE_BLANKS}]", " ", sql)):
        total += work
        if effect is Effect.WRITE or (effect is Effect.READ and look is FirstLook.READING):
            return Weighed(effect, total)
        if effect is not None:
            found.add(effect)
    reads = found == {Effect.READ} and look is FirstLook.DOUBTFUL
    return Weighed(Effect.READ if reads else Effect.UNKNOWN, total)
