"""From a name to where it is defined and used, and renaming it everywhere at once.

Two kinds of things have names: steps (named by their identity, used by those that wait for them or take something from
them) and resources. A resource has no declaration; the steps that write it, or else the first that names it, stand in
for one.
"""

from __future__ import annotations

import json
import re
from enum import Enum

from plancheck.analysis.snapshot import Snapshot
from plancheck.ide.catalogue import named_tool
from plancheck.ide.cursor import Cursor, Role, cursor_at, step_span
from plancheck.plan.dialects.references import references_in
from plancheck.plan.graph.touches import Use
from plancheck.plan.model import Alias, Identity, Place, Pred, Read
from plancheck.syntax.inner import escaped
from plancheck.syntax.tree import INSIDE, Within
from plancheck.text import Edit, Span
from plancheck.tuples import NamedTuple


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
    cursor = cursor_at(snapshot, offset)
    if cursor is not None and _is_only_tool(snapshot, cursor):
        return _calls_like(snapshot, cursor)
    uses = _uses(snapshot, cursor)
    return [snapshot.place_span(use.place) for use in uses if include_declaration or not use.declares]


def highlights(snapshot: Snapshot, offset: int) -> list[Highlight]:
    cursor = cursor_at(snapshot, offset)
    if cursor is not None and _is_only_tool(snapshot, cursor):
        return [Highlight(span, Access.TEXT) for span in _calls_like(snapshot, cursor)]
    uses = _uses(snapshot, cursor)
    return [Highlight(snapshot.place_span(use.place), use.access) for use in uses]


def _is_only_tool(snapshot: Snapshot, cursor: Cursor) -> bool:
    """Whether a token is the name of a tool, and not what a step without a name of its own is shown by."""
    return cursor.role is not Role.STEP and named_tool(snapshot, cursor) is not None


def _calls_like(snapshot: Snapshot, cursor: Cursor) -> list[Span]:
    """Where the steps of the plan call the tool whose name the cursor is on."""
    calls = [step.call for step in snapshot.plan.steps]
    own = calls[cursor.step] if cursor.step is not None else None
    return [
        snapshot.place_span(Place(position, call.tool_path))
        for position, call in enumerate(calls)
        if call is not None and own is not None and call.tool == own.tool
    ]


def prepare_rename(snapshot: Snapshot, offset: int) -> Renamable | None:
    cursor = cursor_at(snapshot, offset)
    if cursor is None or not _uses(snapshot, cursor, only_by_name=True):
        return None
    if _why_not(snapshot, cursor):
        return None
    name = cursor.resource if cursor.resource is not None else str(_identity(snapshot, cursor))
    span = cursor.span
    if cursor.role is Role.STEP and cursor.step is not None and not isinstance(cursor.element, Alias):
        span = snapshot.place_span(_identity_place(snapshot, cursor.step))
    elif cursor.role is Role.PRODUCER:
        span = snapshot.place_span(Place(cursor.step, cursor.path))
    return Renamable(bare_token(snapshot, span), name)


def rename(snapshot: Snapshot, offset: int, new_name: str) -> list[Edit]:
    """The edits that rename what the cursor is on; raises RenameError if that cannot be done.

    A resource may be given the name of another one: that is how two spellings of one thing are made one. A step may
    not, for then nobody could tell any more which of the two is meant.
    """
    cursor = cursor_at(snapshot, offset)
    uses = _uses(snapshot, cursor, only_by_name=True)
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
        if INSIDE in use.place.path:
            new_text = escaped(new_text)
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
    if position is not None and identity is not None and _declared(snapshot, position, identity) is None:
        return "The steps of this plan are known by their position in the list: there is no name to change."
    return ""


def _declared(snapshot: Snapshot, position: int, name: Identity) -> Place | None:
    """Where the step says the name, so that it can be changed."""
    identities, step = snapshot.plan.dialect.identities, snapshot.plan.steps[position]
    alias = step.outline.alias
    if alias is not None and alias.name == name:
        return Place(position, alias.path)
    if identities.are_keys or (identities.are_written and step.identity_path):
        return _identity_place(snapshot, position)
    return None


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
            raise RenameError(f"The identity of a step must be an integer, not “{new}”.")
        identity = int(new)
    taken = snapshot.graph.position_of
    if identity != old and identity in taken and old in taken:  # else nothing but dangling references is renamed
        raise RenameError(f"There is a step {identity} already: choose an identity that no step has.")
    return json.dumps(identity, ensure_ascii=False)


def _uses(snapshot: Snapshot, cursor: Cursor | None, only_by_name: bool = False) -> list[_Use]:
    """Every place that names the same thing, in the order of the text. A step may have several names: `only_by_name` is
    for the one at the cursor."""
    if cursor is None:
        return []
    if cursor.resource is not None:
        return _sorted(snapshot, _resource_uses(snapshot, cursor.resource))
    identity = _identity(snapshot, cursor)
    if identity is None:
        return []
    if cursor.role is Role.STEP and cursor.step is not None and snapshot.graph.position_of[identity] != cursor.step:
        return [_Use(Place(cursor.step, cursor.path), Access.WRITE, True)]  # all references mean the first one
    return _sorted(snapshot, _step_uses(snapshot, identity, only_by_name))


def _sorted(snapshot: Snapshot, uses: list[_Use]) -> list[_Use]:
    return sorted(uses, key=lambda use: snapshot.place_span(use.place))


def _identity(snapshot: Snapshot, cursor: Cursor) -> Identity | None:
    """The step that the token names."""
    if isinstance(cursor.element, Alias):
        return cursor.element.name
    if cursor.role is Role.STEP and cursor.step is not None:
        return snapshot.plan.steps[cursor.step].outline.identity
    if isinstance(cursor.element, Pred):
        return cursor.element.identity
    if cursor.role is Role.PRODUCER and isinstance(cursor.element, Read):
        return cursor.element.producer
    return None


def _identity_place(snapshot: Snapshot, position: int) -> Place:
    return Place(position, snapshot.plan.steps[position].identity_path)


def _step_uses(snapshot: Snapshot, name: Identity, only_by_name: bool) -> list[_Use]:
    graph = snapshot.graph
    position = graph.position_of.get(name)
    names = [name] if position is None or only_by_name else graph.names_of(position)
    mentions = (mention for each in names for mention in graph.mentions.of(each))
    uses = [_Use(Place(mention.step, mention.path), Access.READ, False) for mention in mentions]
    place = None if position is None else _declared(snapshot, position, name)
    if place is not None:
        uses.append(_Use(place, Access.WRITE, True))
    return uses


def _resource_uses(snapshot: Snapshot, resource: str) -> list[_Use]:
    touches = snapshot.graph.touches.of(resource)
    access = {Use.READ: Access.READ, Use.WRITE: Access.WRITE, Use.GRANT: Access.TEXT}
    return [
        _Use(Place(t.step, t.path), access[t.use], t.use is Use.WRITE if touches.writers else t is touches.places[0])
        for t in touches.places
    ]


def bare_token(snapshot: Snapshot, span: Span) -> Span:
    """A token without the quotes around it."""
    text = snapshot.text[span.start : span.end]
    for quote in ('"', '\\"'):
        if len(text) >= 2 * len(quote) and text.startswith(quote) and text.endswith(quote):
            return Span(span.start + len(quote), span.end - len(quote))
    return span
