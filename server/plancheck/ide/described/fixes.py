"""Quick fixes for what is misspelt in a policy or a configuration."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from plancheck.ide.described.file import inner
from plancheck.text import Edit, Span
from plancheck.tuples import NamedTuple


class Misspelling(NamedTuple):
    """A token of which its reader says what was probably meant."""

    span: Span
    message: str
    """What the reader says."""
    meant: str


class SpellingFix(NamedTuple):
    title: str
    edit: Edit
    about: Misspelling


def spelling_fixes(text: str, wrong: Iterable[Misspelling], span: Span) -> Iterator[SpellingFix]:
    """A fix for each misspelling that a selection (or a cursor, an empty span) touches: the word is replaced, and the
    quotes around it stay."""
    for each in wrong:
        if each.span.start <= span.end and span.start <= each.span.end:
            token = inner(text, each.span)
            yield SpellingFix(f"Change it to `{each.meant}`", Edit(*token, each.meant), each)
