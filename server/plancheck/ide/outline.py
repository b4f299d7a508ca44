"""The shape of the text: what folds, what to select next, what is a link."""

from __future__ import annotations

from typing import NamedTuple

from plancheck.analysis.snapshot import Snapshot
from plancheck.text import Span


class Link(NamedTuple):
    span: Span
    target: str
    """A URL, or a path relative to the document."""


def folds(snapshot: Snapshot) -> list[Span]:
    """Every object and list that takes more than one line, brackets included, in the order of the text."""
    return []


def selections(snapshot: Snapshot, offset: int) -> list[Span]:
    """What to select around an offset, the smallest first, each inside the next."""
    return [Span(offset, offset)]


def links(snapshot: Snapshot) -> list[Link]:
    return []
