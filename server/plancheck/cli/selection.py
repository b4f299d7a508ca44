"""Which rules `--select` and `--ignore` mean: by name, by the beginning of names, by category, by tag."""

from __future__ import annotations

from plancheck.analysis.rule import Category
from plancheck.analysis.rules import RULES
from plancheck.plan.dialects.keys import nearest
from plancheck.tuples import NamedTuple

_CATEGORY = "category:"


class UnknownRulesError(ValueError):
    """A word that means no rules, with the way out as its text."""


class _Known(NamedTuple):
    """The words that mean several rules, each with these."""

    categories: dict[str, list[str]]
    tags: dict[str, list[str]]


def selected(word: str) -> list[str]:
    """The rules that a word means."""
    if word in RULES:
        return [word]
    known = _known()
    if word.endswith("*") and (found := _beginning_with(word[:-1], known)):
        return found
    folded = word.lower()
    if folded.startswith(_CATEGORY):
        return _category(word, known)
    named = known.categories.get(folded) or known.tags.get(word.upper())
    if not named:
        raise UnknownRulesError(f"unknown rule {word!r}: {_way_out(word, known)}")
    return named


def _beginning_with(start: str, known: _Known) -> list[str]:
    rules = [name for name in RULES if name.startswith(start)]
    if rules or not start:
        return rules
    return list(
        dict.fromkeys(rule for tag, named in known.tags.items() if tag.startswith(start.upper()) for rule in named)
    )


def _category(word: str, known: _Known) -> list[str]:
    name = word[len(_CATEGORY) :].lower()
    if name not in known.categories:
        right = nearest(name, known.categories)
        hint = f"did you mean {_CATEGORY}{right}?" if right else f"there are {', '.join(known.categories)}"
        raise UnknownRulesError(f"unknown category {word[len(_CATEGORY) :]!r}: {hint}")
    return known.categories[name]


def _way_out(word: str, known: _Known) -> str:
    if word.endswith("*"):
        return "no rule and no tag begins like this; `plancheck rules` lists them"
    right = nearest(word, (*RULES, *known.categories, *known.tags))
    return f"did you mean {right}?" if right else "`plancheck rules` lists them"


def _known() -> _Known:
    known = _Known({category.value: [] for category in Category}, {})
    for name, rule in RULES.items():
        known.categories[rule.category.value].append(name)
        for tag in rule.tags:
            known.tags.setdefault(tag, []).append(name)
    return known
