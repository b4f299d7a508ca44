"""From a name to where it is defined and used, and renaming it everywhere at once.

Two kinds of things have names: steps (named by their identity, used by those that wait for them or take something from
them) and resources. A resource has no declaration; the steps that write it, or else the first that names it, stand in
for one.
"""

from __future__ import annotations

import json
import re
from enum import Enum
from typing import NamedTuple

from plancheck.analysis.snapshot import Snapshot
from plancheck.ide.cursor import Cursor, Role, cursor_at, step_span
from plancheck.plan.dialects.references import references_in
from plancheck.plan.graph.touches import Use
from plancheck.plan.model import Identity, Place, Pred, Read
from plancheck.syntax.tree import Within
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
    """The name without its quotes."""
    placeholder: str


class RenameError(ValueError):
    """Why something cannot be renamed, in words for the user (`str(error)`)."""


class _Use(NamedTuple):
    place: Place
    access: Access
    declares: bool


def definition(snapshot: Snapshot, offset: int) -> list[Target]:
    cursor = cursor_at(snapshot, offset)
    if cursor is None:
        return []
    if cursor.resource is not None:
        uses = [use for use in _resource_uses(snapshot, cursor.resource) if use.declares]
        spans = [snapshot.place_span(use.place) for use in uses]
        return [Target(cursor.span, span, span) for span in spans]
    identity = _identity(snapshot, cursor)
    if identity is None:
        return []
    position = cursor.step if cursor.role is Role.STEP else snapshot.graph.position_of.get(identity)
    if position is None:
        return []
    return [
        Target(cursor.span, step_span(snapshot, position), snapshot.place_span(_identity_place(snapshot, position)))
    ]


def references(snapshot: Snapshot, offset: int, include_declaration: bool = True) -> list[Span]:
    """Every place that names what the cursor is on, in the order of the text."""
    uses = _uses(snapshot, cursor_at(snapshot, offset))
    return [snapshot.place_span(use.place) for use in uses if include_declaration or not use.declares]


def highlights(snapshot: Snapshot, offset: int) -> list[Highlight]:
    uses = _uses(snapshot, cursor_at(snapshot, offset))
    return [Highlight(snapshot.place_span(use.place), use.access) for use in uses]


def prepare_rename(snapshot: Snapshot, offset: int) -> Renamable | None:
    cursor = cursor_at(snapshot, offset)
    if cursor is None or not _uses(snapshot, cursor):
        return None
    if _why_not(snapshot, cursor):
        return None
    name = cursor.resource if cursor.resource is not None else str(_identity(snapshot, cursor))
    span = cursor.span
    if cursor.role is Role.STEP and cursor.step is not None:
        span = snapshot.place_span(_identity_place(snapshot, cursor.step))
    elif cursor.role is Role.PRODUCER:
        span = snapshot.place_span(Place(cursor.step, cursor.path))
    return Renamable(_bare(snapshot, span), name)


def rename(snapshot: Snapshot, offset: int, new_name: str) -> list[Edit]:
    """The edits that rename what the cursor is on; raises RenameError if that cannot be done.

    A resource may be given the name of another one: that is how two spellings of one thing are made one. A step may
    not, for then nobody could tell any more which of the two is meant.
    """
    cursor = cursor_at(snapshot, offset)
    uses = _uses(snapshot, cursor)
    if cursor is None or not uses:
        raise RenameError("There is nothing to rename here: put the cursor on a step's identity or on a resource id.")
    if reason := _why_not(snapshot, cursor):
        raise RenameError(reason)
    if cursor.resource is not None:
        if not new_name:
            raise RenameError("A resource needs a name: the new one is empty.")
        written = quoted(new_name)
    else:
        written = _new_identity(snapshot, _identity(snapshot, cursor), new_name.strip())
        if any(_is_inside_string(use.place) for use in uses) and not _can_be_referred_to(new_name.strip()):
            raise RenameError(f"A reference in an argument cannot name a step “{new_name}”: choose letters and digits.")
    edits = []
    for use in uses:
        span = snapshot.place_span(use.place)
        new_text = written[1:-1] if _is_inside_string(use.place) else written
        if snapshot.text[span.start : span.end] != new_text:
            edits.append(Edit(*span, new_text))
    return edits


def _why_not(snapshot: Snapshot, cursor: Cursor) -> str:
    """Why what the cursor is on has no name that could be changed; empty if it has."""
    if cursor.resource is not None:
        if any(isinstance(touch.path[-1], Within) for touch in snapshot.graph.touches.of(cursor.resource).places):
            return f"“{cursor.resource}” is what a step returns: rename the step."
        return ""
    identity = _identity(snapshot, cursor)
    position = snapshot.graph.position_of.get(identity) if identity is not None else None
    if position is not None and not _is_written(snapshot, position):
        return "The steps of this plan are known by their position in the list: there is no name to change."
    return ""


def _is_written(snapshot: Snapshot, position: int) -> bool:
    """Whether the step says its identity, so that this can be changed."""
    identities = snapshot.plan.dialect.identities
    return identities.are_keys or (identities.are_written and bool(snapshot.plan.steps[position].identity_path))


def _is_inside_string(place: Place) -> bool:
    return bool(place.path) and isinstance(place.path[-1], Within)


def _can_be_referred_to(identity: str) -> bool:
    return [found for found, _, _ in references_in(f"{{{{{identity}.result}}}}")] == [identity]


def quoted(text: str) -> str:
    """A string as JSON; characters are written as they are, but for half a surrogate pair, which no file can hold."""
    is_whole = not any("\ud800" <= char <= "\udfff" for char in text)
    return json.dumps(text, ensure_ascii=not is_whole)


def _new_identity(snapshot: Snapshot, old: Identity | None, new: str) -> str:
    if isinstance(old, str):
        identity: Identity = new
        if not new:
            raise RenameError("A step needs an identity: the new one is empty.")
    else:
        if not re.fullmatch(r"-?(0|[1-9][0-9]{0,17})", new):
            raise RenameError(f"The identity of a step is an integer, and “{new}” is none.")
        identity = int(new)
    taken = snapshot.graph.position_of
    if identity != old and identity in taken and old in taken:  # else nothing but dangling references is renamed
        raise RenameError(f"There is a step {identity} already: choose an identity that no step has.")
    return json.dumps(identity, ensure_ascii=False)


def _uses(snapshot: Snapshot, cursor: Cursor | None) -> list[_Use]:
    """Every place that names the same thing, in the order of the text."""
    if cursor is None:
        return []
    if cursor.resource is not None:
        return _sorted(snapshot, _resource_uses(snapshot, cursor.resource))
    identity = _identity(snapshot, cursor)
    if identity is None:
        return []
    if cursor.role is Role.STEP and cursor.step is not None and snapshot.graph.position_of[identity] != cursor.step:
        return [_Use(_identity_place(snapshot, cursor.step), Access.WRITE, True)]  # all references mean the first one
    return _sorted(snapshot, _step_uses(snapshot, identity))


def _sorted(snapshot: Snapshot, uses: list[_Use]) -> list[_Use]:
    return sorted(uses, key=lambda use: snapshot.place_span(use.place))


def _identity(snapshot: Snapshot, cursor: Cursor) -> Identity | None:
    """The step that the token names."""
    if cursor.role is Role.STEP and cursor.step is not None:
        return snapshot.plan.steps[cursor.step].outline.identity
    if isinstance(cursor.element, Pred):
        return cursor.element.identity
    if cursor.role is Role.PRODUCER and isinstance(cursor.element, Read):
        return cursor.element.producer
    return None


def _identity_place(snapshot: Snapshot, position: int) -> Place:
    return Place(position, snapshot.plan.steps[position].identity_path)


def _step_uses(snapshot: Snapshot, identity: Identity) -> list[_Use]:
    mentions = snapshot.graph.mentions.of(identity)
    uses = [_Use(Place(mention.step, mention.path), Access.READ, False) for mention in mentions]
    position = snapshot.graph.position_of.get(identity)
    if position is not None and _is_written(snapshot, position):
        uses.append(_Use(_identity_place(snapshot, position), Access.WRITE, True))
    return uses


def _resource_uses(snapshot: Snapshot, resource: str) -> list[_Use]:
    touches = snapshot.graph.touches.of(resource)
    access = {Use.READ: Access.READ, Use.WRITE: Access.WRITE, Use.GRANT: Access.TEXT}
    return [
        _Use(Place(t.step, t.path), access[t.use], t.use is Use.WRITE if touches.writers else t is touches.places[0])
        for t in touches.places
    ]


def _bare(snapshot: Snapshot, span: Span) -> Span:
    """A token without the quotes around it."""
    text = snapshot.text[span.start : span.end]
    if len(text) >= 2 and text[0] == text[-1] == '"':
        return Span(span.start + 1, span.end - 1)
    return span
