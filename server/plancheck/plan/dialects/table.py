"""All dialects. A new one is a folder beside this file, and a line in the table."""

from __future__ import annotations

from plancheck.plan.dialects import calls, declared, steps, trace
from plancheck.plan.dialects.dialect import Dialect, Dialects, Match
from plancheck.syntax.tree import Tree

DIALECTS: Dialects = (declared.DIALECT, steps.DIALECT, trace.DIALECT, calls.DIALECT)
"""In the order in which they are asked. The first is what a document counts as that looks like none of them."""

VALIDATED = steps.DIALECT.name
"""What `plan_lint.validate_plan` is given."""


def names(dialects: Dialects = DIALECTS) -> tuple[str, ...]:
    return tuple(dialect.name for dialect in dialects)


def named(name: str, dialects: Dialects = DIALECTS) -> Dialect:
    """The dialect of that name; raises ValueError, listing all of them, if there is none."""
    for dialect in dialects:
        if dialect.name == name:
            return dialect
    raise ValueError(f"Unknown dialect `{name}`: use {one_of(names(dialects))}.")


def one_of(words: tuple[str, ...]) -> str:
    """Words to choose from: `a`, `a or b`, `a, b or c`."""
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last


def detect(tree: Tree, dialects: Dialects = DIALECTS) -> Dialect:
    """The dialect that a document looks most like; the first one where nothing tells."""
    best, found = Match.NONE, dialects[0]
    for dialect in dialects:
        match = dialect.detect(tree)
        if match is Match.CERTAIN:
            return dialect
        if match > best:
            best, found = match, dialect
    return found


def expected(dialects: Dialects = DIALECTS) -> str:
    """What is said of a document that is no plan of any dialect."""
    keys = one_of(tuple(f'"{key}"' for key in steps_keys(dialects)))
    forms = (f"steps under {keys}", *(dialect.bare for dialect in dialects if dialect.bare))
    return f"This is not a plan: expected {one_of(forms)}."


def steps_keys(dialects: Dialects = DIALECTS) -> tuple[str, ...]:
    """The keys under which the steps of a plan may stand."""
    return tuple(dict.fromkeys(dialect.steps_key for dialect in dialects))
