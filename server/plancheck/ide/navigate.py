"""From a name to where it is defined and used, and renaming it everywhere at once."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from plancheck.analysis.snapshot import Snapshot
from plancheck.text import Edit, Span


class Target(NamedTuple):
    """Where a name leads: from the token at the cursor to the whole thing, and to the token to select in it."""

    origin: Span
    span: Span
    selection: Span


class Access(Enum):
    TEXT = "text"
    READ = "read"
    WRITE = "write"


class Highlight(NamedTuple):
    span: Span
    access: Access


class Renamable(NamedTuple):
    span: Span
    placeholder: str


class RenameError(ValueError):
    """Why something cannot be renamed, in words for the user (`str(error)`)."""


def definition(snapshot: Snapshot, offset: int) -> list[Target]:
    return []


def references(snapshot: Snapshot, offset: int, include_declaration: bool = True) -> list[Span]:
    return []


def highlights(snapshot: Snapshot, offset: int) -> list[Highlight]:
    return []


def prepare_rename(snapshot: Snapshot, offset: int) -> Renamable | None:
    return None


def rename(snapshot: Snapshot, offset: int, new_name: str) -> list[Edit]:
    return []
