"""The key that all dialects share, and how a misspelt one is recognised."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any

from plancheck.plan.model import Fault, Ignore
from plancheck.syntax.tree import MISSING, Path

IGNORE = "plancheck-ignore"


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that `word` is a misspelling of, if it is one. Case, hyphens and plurals are misspellings."""
    words = list(known)
    folded = {_fold(name): name for name in words}
    if (right := folded.get(_fold(word))) is not None:
        return right
    close = get_close_matches(_fold(word), folded, n=1, cutoff=0.8) if len(word) > 2 else []
    return folded[close[0]] if close else None


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
