"""The control flow as a call hierarchy: what runs directly before a step, and what directly after it."""

from __future__ import annotations

from plancheck.analysis.snapshot import Snapshot
from plancheck.ide.cursor import Role, cursor_at, step_at, step_span
from plancheck.ide.symbols import SymbolKind, detail_of, kind_of
from plancheck.ide.words import step_title
from plancheck.plan.model import Identity, Place, Pred, Read
from plancheck.text import Span
from plancheck.tuples import NamedTuple


class HierarchyItem(NamedTuple):
    """A step. The rim hands `position` and `identity` back to ask for its neighbours."""

    position: int
    identity: Identity | None
    name: str
    detail: str
    kind: SymbolKind
    span: Span
    selection: Span


class HierarchyCall(NamedTuple):
    item: HierarchyItem
    spans: tuple[Span, ...]
    """Where the one that runs first stands, in its own text, as the protocol wants it."""


def prepare(snapshot: Snapshot, offset: int) -> HierarchyItem | None:
    """The step that a reference at the offset names, or the one around the offset."""
    cursor = cursor_at(snapshot, offset)
    identity = None
    if cursor is not None and isinstance(cursor.element, Pred):
        identity = cursor.element.identity
    elif cursor is not None and cursor.role is Role.PRODUCER and isinstance(cursor.element, Read):
        identity = cursor.element.producer
    position = snapshot.graph.position_of.get(identity) if identity is not None else step_at(snapshot, offset)
    return None if position is None else _item(snapshot, position)


def incoming(snapshot: Snapshot, position: int) -> list[HierarchyCall]:
    """The steps that run directly before this one."""
    if not 0 <= position < len(snapshot.graph):
        return []
    before = [_item(snapshot, pred) for pred in snapshot.graph.preds[position]]
    return [HierarchyCall(item, (item.selection,)) for item in before]


def outgoing(snapshot: Snapshot, position: int) -> list[HierarchyCall]:
    """The steps that run directly after this one."""
    if not 0 <= position < len(snapshot.graph):
        return []
    here = (_item(snapshot, position).selection,)
    return [HierarchyCall(_item(snapshot, follower), here) for follower in snapshot.graph.successors[position]]


def _item(snapshot: Snapshot, position: int) -> HierarchyItem:
    step = snapshot.plan.steps[position]
    return HierarchyItem(
        position,
        step.outline.identity,
        step_title(snapshot.plan, position),
        detail_of(snapshot, position),
        kind_of(step),
        step_span(snapshot, position),
        snapshot.place_span(Place(position, step.identity_path)),
    )
