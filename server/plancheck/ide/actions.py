"""Changes on offer at a place that need no rule's own fix: switching rules off, and refactorings."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from plancheck.analysis.finding import Finding
from plancheck.analysis.snapshot import Snapshot
from plancheck.ide.commands import Command
from plancheck.text import Edit, Span


class ActionKind(str, Enum):
    """The kinds of the protocol that we use."""

    QUICK_FIX = "quickfix"
    REFACTOR = "refactor.rewrite"


class Action(NamedTuple):
    """Either edits or a command. `finding` is the one (of `snapshot.shown`) that the action answers."""

    title: str
    kind: ActionKind
    edits: tuple[Edit, ...] = ()
    command: Command | None = None
    finding: Finding | None = None
    is_preferred: bool = False


def actions(snapshot: Snapshot, span: Span) -> list[Action]:
    """Everything on offer for a selection (or a cursor, an empty span)."""
    return []
