"""The key that all dialects share, and how a misspelt one is recognised."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from plancheck.plan.model import Fault, Ignore
from plancheck.syntax.tree import MISSING, Part, Path

IGNORE = "plancheck-ignore"
RULE = "rule"
"""What an entry is about, where it is an object."""
REASON = "reason"


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
    for i, entry in enumerate(value):
        place = (*path, i)
        if isinstance(entry, str):
            found.append(Ignore(entry, place))
        elif isinstance(entry, (dict, tuple)):
            found += _lower_ignore(dict(entry), place, faults)
        elif entry is not MISSING:
            message = f"Each entry of `{IGNORE}` must be the name of a rule, or an object with `{RULE}`."
            faults.append(Fault("wrong_type", message, place))
    return tuple(found)


def _lower_ignore(entry: dict[str, Any], path: Path, faults: list[Fault]) -> Iterator[Ignore]:
    """A rule with the reason why it is switched off."""
    for key in entry:
        if key not in (RULE, REASON) and (right := nearest(key, (RULE, REASON))) and right not in entry:
            message = f"`{key}` is not a key of an entry of `{IGNORE}`: did you mean `{right}`?"
            faults.append(Fault("unknown_key", message, (*path, key), Part.KEY))
    for key in (RULE, REASON):
        value = entry.get(key, MISSING)
        if value is not MISSING and not isinstance(value, str):
            faults.append(Fault("wrong_type", f"`{key}` in `{IGNORE}` must be a string.", (*path, key)))
    if RULE not in entry:
        message = f"This entry of `{IGNORE}` has no `{RULE}`: name the rule that is switched off."
        faults.append(Fault("missing_key", message, path))
    rule, reason = entry.get(RULE), entry.get(REASON)
    if isinstance(rule, str):
        yield Ignore(rule, (*path, RULE), reason if isinstance(reason, str) else "")
