"""The key that all dialects share, and how a misspelt one is recognised."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any

from plancheck.plan.model import Fault, Ignore
from plancheck.syntax.tree import MISSING, Path

IGNORE = "plancheck-ignore"


LONGEST_COMPARED = 64
"""Characters of words that are compared letter by letter."""
MOST_COMPARED = 100
"""Words that a misspelt one is compared with in that way, those of about its length."""


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that `word` is a misspelling of, if it is one. Case, hyphens and plurals are misspellings."""
    folded = {_fold(name): name for name in known}
    wrong = _fold(word)
    if (right := folded.get(wrong)) is not None:
        return right
    if not 2 < len(word) <= LONGEST_COMPARED:
        return None
    candidates = comparable(wrong, folded, 0.8)
    if not candidates:
        return None
    from difflib import get_close_matches

    close = get_close_matches(wrong, candidates, n=1, cutoff=0.8)
    return folded[close[0]] if close else None


def comparable(word: str, known: Iterable[str], likeness: float) -> list[str]:
    """The words whose length leaves it possible that they are so much alike, as many as can be compared."""
    least, most = len(word) * likeness / (2 - likeness), len(word) * (2 - likeness) / likeness
    found = (name for name in known if least <= len(name) <= min(most, LONGEST_COMPARED))
    return list(islice(found, MOST_COMPARED))


def _fold(word: str) -> str:
    return word.lower().replace("-", "_").strip("_ ")


def lower_ignores(value: Any, path: Path, faults: list[Fault]) -> tuple[Ignore, ...]:
    """The rules named by a `plancheck-ignore` member."""
    if value is None or value is MISSING:
        return ()
    if not isinstance(value, list):
        faults.append(Fault("wrong_type", f"`{IGNORE}` must be a list of rule names.", path))
        return ()
    found = []
    for i, name in enumerate(value):
        if isinstance(name, str):
            found.append(Ignore(name, (*path, i)))
        elif name is not MISSING:
            faults.append(Fault("wrong_type", f"Each entry of `{IGNORE}` must be the name of a rule.", (*path, i)))
    return tuple(found)
