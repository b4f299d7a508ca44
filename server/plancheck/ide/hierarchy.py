"""The control flow as a call hierarchy: what runs directly before a step, and what directly after it."""

from __future__ import annotations

from typing import NamedTuple

from plancheck.analysis.snapshot import Snapshot
from plancheck.ide.symbols import SymbolKind
from plancheck.plan.model import Identity
from plancheck.text import Span


class Item(NamedTuple):
    """A step. The rim hands `position` and `identity` back to ask for its neighbours."""

    position: int
    identity: Identity | None
    name: str
    detail: str
    kind: SymbolKind
    span: Span
    selection: Span


class Call(NamedTuple):
    item: Item
    spans: tuple[Span, ...]
    """Where the one that runs first stands, in its own text, as the protocol wants it."""


def prepare(snapshot: Snapshot, offset: int) -> Item | None:
    return None


def incoming(snapshot: Snapshot, position: int) -> list[Call]:
    return []


def outgoing(snapshot: Snapshot, position: int) -> list[Call]:
    return []
