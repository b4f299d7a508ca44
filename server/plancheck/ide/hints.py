"""Small notes between the lines: how many steps follow a step, and which one is the keystone."""

from __future__ import annotations

from typing import NamedTuple

from plancheck.analysis.snapshot import Snapshot
from plancheck.text import Span


class Hint(NamedTuple):
    offset: int
    label: str
    tooltip: str


def hints(snapshot: Snapshot, span: Span) -> list[Hint]:
    return []
