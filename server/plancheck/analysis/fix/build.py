"""The changes that several rules propose: the words of a fix, below its sentence."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from plancheck.analysis.finding import Finding
from plancheck.analysis.fix.change import (
    AppendElement,
    Change,
    FixView,
    InsertStep,
    Proposal,
    RemoveElements,
    RemoveMember,
    RenameKey,
    SetMember,
    SetValue,
)
from plancheck.plan.dialects.dialect import NewReader, free_names
from plancheck.plan.dialects.vocabulary import STEP
from plancheck.plan.model import Identity, Place, Read
from plancheck.syntax.tree import Path


def step_name(view: FixView, position: int) -> str:
    """How titles call a step."""
    return f"step {view.plan.steps[position].name}"


def is_named(view: FixView, position: int) -> bool:
    """Whether the step can be referred to: it has an identity, and no other step has the same."""
    identity = view.graph.steps[position].identity
    return identity is not None and view.graph.position_of[identity] == position


def free_identity(view: FixView) -> Identity:
    """An identity that no step has and none refers to."""
    graph = view.graph
    if not view.plan.dialect.identities.are_numbers:
        return next(islice(free_names((*graph.position_of, *graph.mentions.steps)), view.spare, None))
    return graph.highest_number + 1 + view.spare


# ---- lists of a step -------------------------------------------------------------------------------------------------


def add_entry(view: FixView, position: int, key: str, value: Any) -> Iterator[Change]:
    """Add an entry to `reads`, `writes` or `scope`, making the list if it is not there yet.

    Nothing in a dialect whose steps have no such list.
    """
    if key not in view.plan.dialect.vocabulary.shapes[STEP]:
        return
    entries = view.value(Place(position, (key,)))
    if isinstance(entries, list):
        yield AppendElement(Place(position, (key,)), value)
    else:
        yield SetMember(Place(position), key, [value])


def add_read(view: FixView, position: int, resource: str, **members: Any) -> Iterator[Change]:
    """Declare a read: the bare name, or an object if there is more to say."""
    yield from add_entry(view, position, "reads", {"id": resource, **members} if members else resource)


def entry_of(path: Path) -> Path:
    """The entry of a list that a path inside the step leads into: of `reads.2.id`, `reads.2`."""
    return path[:2]


def remove_entry(position: int, path: Path) -> Iterator[Change]:
    """Remove the entry of a list that the path leads into; with the last one, the list stays, empty."""
    if len(path) > 1 and isinstance(path[1], int):
        yield RemoveElements(Place(position, path[:1]), (path[1],))


def remove_with_list(view: FixView, place: Place) -> Iterator[Change]:
    """Remove the entry of a list that the place leads into, and with the last one the list."""
    key, number = entry_of(place.path)
    holder = place._replace(path=(key,))
    entries = view.value(holder)
    if isinstance(entries, list) and isinstance(number, int):
        yield RemoveElements(holder, (number,)) if len(entries) > 1 else RemoveMember(holder)


def set_on_read(view: FixView, position: int, path: Path, **members: Any) -> Iterator[Change]:
    """Set members of an entry of `reads`; a bare name becomes an object. A member of None is removed.

    Nothing for what is read by a reference in an argument, which has no members.
    """
    yield from _set_on_entry(view, position, path, "reads", members)


def set_on_write(view: FixView, position: int, path: Path, **members: Any) -> Iterator[Change]:
    """The same for an entry of `writes`."""
    yield from _set_on_entry(view, position, path, "writes", members)


def _set_on_entry(view: FixView, position: int, path: Path, key: str, members: dict[str, Any]) -> Iterator[Change]:
    if path[:1] != (key,):
        return
    place = Place(position, entry_of(path))
    entry = view.value(place)
    if isinstance(entry, str):
        yield SetValue(place, {"id": entry, **{key: value for key, value in members.items() if value is not None}})
    elif isinstance(entry, dict):
        yield from _set_members(place, entry, members)


def _set_members(place: Place, entry: dict[str, Any], members: dict[str, Any]) -> Iterator[Change]:
    """A member that goes and one that comes are one change: it takes over the other's place."""
    going = [key for key, value in members.items() if value is None and key in entry]
    for key, value in members.items():
        if value is not None and key not in entry and going:
            old = place._replace(path=(*place.path, going.pop()))
            yield from (RenameKey(old, key), SetValue(old, value))
        elif value is not None:
            yield SetMember(place, key, value)
    yield from (RemoveMember(place._replace(path=(*place.path, key))) for key in going)


def spelt_alike(word: str, right: str) -> bool:
    """Whether two words differ in capitals, hyphens and underscores only, so that one is certainly meant to be the
    other."""
    return word.lower().replace("-", "_").strip("_ ") == right


def reads_of(view: FixView, position: int, resource: str) -> list[Read]:
    return [read for read in view.graph.steps[position].reads if read.resource == resource]


def source_of(view: FixView, position: int, resource: str) -> int | None:
    """The last step before this one in the control flow that writes the resource, or else the last that reads it."""
    order, touches = view.graph.order, view.graph.touches.of(resource)
    for steps in (touches.writers, touches.readers):
        before = [step for step in steps if order.ancestors[position] >> step & 1 and is_named(view, step)]
        if before:
            return before[-1]
    return None


def drop_producer(view: FixView, finding: Finding) -> Iterator[Proposal]:
    """Let the read that the finding is about take what is there, not what some step left."""
    if (position := finding.place.step) is not None and finding.resource is not None:
        title = f"Drop the producer of `{finding.resource}`"
        yield Proposal(title, tuple(set_on_read(view, position, finding.place.path, producer=None)))


# ---- control flow ----------------------------------------------------------------------------------------------------


def waits_for(view: FixView, position: int) -> list[Identity] | None:
    """What the step waits for, by name: as it says, or the step before it. None if that one cannot be named."""
    step = view.graph.steps[position]
    if step.preds is not None:
        return [pred.identity for pred in step.preds]
    if not position:
        return []
    before = view.graph.steps[position - 1].identity
    return [before] if before is not None and is_named(view, position - 1) else None


def set_preds(view: FixView, position: int, preds: list[Identity]) -> Iterator[Change]:
    """Let the step wait for exactly these."""
    key = view.plan.dialect.preds_key
    if key is not None:
        yield SetMember(Place(position), key, preds)


def add_preds(view: FixView, position: int, added: list[Identity]) -> Iterator[Change]:
    """Let the step wait for more; the step before it, if it waits for that one by default, is named then."""
    key = view.plan.dialect.preds_key
    if key is None:
        return
    if isinstance(view.value(Place(position, (key,))), list):
        yield from (AppendElement(Place(position, (key,)), pred) for pred in added)
    elif (preds := waits_for(view, position)) is not None:
        yield SetMember(Place(position), key, [*preds, *added])


def spell_out(view: FixView, position: int) -> Iterator[Change]:
    """Name the step that this one follows by default, so that it still does when another one comes in between."""
    if position < len(view.graph) and view.graph.steps[position].preds is None:
        preds = waits_for(view, position)
        if preds is not None:
            yield from set_preds(view, position, preds)


# ---- new steps -------------------------------------------------------------------------------------------------------


def insert_reader(view: FixView, action: int, agent: str | None, reads: list[Any]) -> tuple[Identity, list[Change]]:
    """A new step that reads something, put between a step and all that it waits for; its identity and the changes.

    A step that follows the one before it by default follows the new one then, which is what is meant. One that names
    its predecessors hands them over to the new step and waits for that one alone. Nobody else's default changes, for
    the new step stands right before this one.
    """
    dialect, identity = view.plan.dialect, free_identity(view)
    if dialect.new_reader is None:
        return identity, []
    preds = view.graph.steps[action].preds
    handed_over = None if preds is None or dialect.preds_key is None else [pred.identity for pred in preds]
    step = dialect.new_reader(NewReader(identity, agent or "reader", reads, handed_over))
    changes: list[Change] = [InsertStep(action, step)]
    if handed_over is not None:
        changes += set_preds(view, action, [identity])
    return identity, changes


def insert_call(view: FixView, position: int, tool: str) -> Iterator[Change]:
    """A new step that calls a tool, put between a step and all that it waits for; see `insert_reader`. Nothing where
    references count the steps, for they would mean others then."""
    dialect = view.plan.dialect
    if not view.plan.is_list or dialect.tool_key is None or dialect.arguments_key is None:
        return
    if dialect.identities.are_counted and view.graph.mentions.steps:
        return
    identity, preds = free_identity(view), view.graph.steps[position].preds
    step: dict[str, Any] = {dialect.identity_key: identity} if dialect.identity_key is not None else {}
    step |= {dialect.tool_key: tool, dialect.arguments_key: {}}
    if preds is not None and dialect.preds_key is not None:
        step[dialect.preds_key] = [pred.identity for pred in preds]
        yield from set_preds(view, position, [identity])
    yield InsertStep(position, step)
