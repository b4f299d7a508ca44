"""Each rule by itself: a text in which every rule that decides has a copy under a name of its own.

The file is left as it is, and the copies come below it. So one evaluation says of each rule what it says by itself,
every line keeps its number, and what refers to `deny` still means all of its rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from plancheck.policy.rego.source import RegoRule, RegoSource
from plancheck.text import Edit, apply_edits
from plancheck.tuples import NamedTuple

_PREFIX = "plancheck_rule"
_USED = re.compile(f"{_PREFIX}(_*)")


class Alone(NamedTuple):
    text: str
    copies: tuple[tuple[str, RegoRule], ...]
    """The name of each copy, and the rule that it is a copy of."""


def free_prefix(texts: Iterable[str]) -> str:
    """What no name in any of the texts begins with."""
    used = (match.group(1) for text in texts for match in _USED.finditer(text))
    longest = max((len(underscores) for underscores in used), default=-1)
    return _PREFIX + "_" * (longest + 1)


def rules_alone(source: RegoSource, prefix: str, first: int = 0) -> Alone:
    """The file's text with the copies. A default holds for all rules of its name, so it has no copy; nor has
    `allow`, of which it matters only that no rule does."""
    rules = [rule for rule in source.deciding if not rule.is_default and rule.name != "allow"]
    copies = tuple((f"{prefix}_{number}", rule) for number, rule in enumerate(rules, first))
    added = "".join(f"\n\n{renamed(source, rule, name)}" for name, rule in copies)
    return Alone(f"{source.text}{added}\n" if added else source.text, copies)


def renamed(source: RegoSource, rule: RegoRule, name: str) -> str:
    """A rule's own text, under another name."""
    start, end = rule.span
    head = Edit(rule.name_span.start - start, rule.name_span.end - start, name)
    return apply_edits(source.text[start:end], [head])
