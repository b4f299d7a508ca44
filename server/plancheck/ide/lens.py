"""Lines above a plan and its steps that say what it comes to and open what there is to open."""

from __future__ import annotations

from typing import NamedTuple

from plancheck.analysis.snapshot import Snapshot
from plancheck.ide.commands import Command
from plancheck.text import Span


class Lens(NamedTuple):
    span: Span
    command: Command


def lenses(snapshot: Snapshot) -> list[Lens]:
    return []
