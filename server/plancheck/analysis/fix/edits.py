"""From changes to edits of the text. `surgery` does the cutting; this module knows which cut a change asks for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from plancheck.analysis import surgery
from plancheck.analysis.fix.change import (
    AppendElement,
    Change,
    InsertStep,
    KeepLast,
    MoveStep,
    RemoveElements,
    RemoveMember,
    RemoveSteps,
    RenameKey,
    SetMember,
    SetValue,
    WrapInList,
)
from plancheck.plan.model import Plan
from plancheck.syntax.tree import Part, Path, Tree
from plancheck.text import Edit, apply_edits


def edits_of(tree: Tree, plan: Plan, changes: Sequence[Change]) -> list[Edit]:
    """The edits of all changes together; none if one of them leads nowhere or they get in each other's way."""
    moves = [change for change in changes if isinstance(change, MoveStep)]
    edits: list[Edit] = []
    for change in changes:
        if not isinstance(change, MoveStep):
            found = _edits(tree, plan, change)
            if not found:
                return []
            edits += found
    for move in moves:
        if not plan.is_list:
            return []
        start, end = tree.span(plan.step_path(move.position), Part.WHOLE)
        inside = [edit for edit in edits if start <= edit.start and edit.end <= end]
        edits = [edit for edit in edits if edit not in inside]
        edits += surgery.move_element(tree, plan.path, move.position, move.before, inside)
    return edits if _apart(edits) else []


def _edits(tree: Tree, plan: Plan, change: Change) -> list[Edit]:
    if isinstance(change, InsertStep):
        return surgery.insert_element(tree, plan.path, change.position, change.value) if plan.is_list else []
    if isinstance(change, RemoveSteps):
        return _remove_steps(tree, plan, change.positions)
    if isinstance(change, MoveStep):
        return surgery.move_element(tree, plan.path, change.position, change.before) if plan.is_list else []
    path = plan.full_path(change.place)
    if isinstance(change, SetValue):
        return surgery.replace_value(tree, path, change.value)
    if isinstance(change, SetMember):
        return _set_member(tree, plan, path, change)
    if isinstance(change, RemoveMember):
        return surgery.remove_member(tree, path)
    if isinstance(change, RenameKey):
        return surgery.rename_key(tree, path, change.key)
    if isinstance(change, KeepLast):
        return surgery.remove_earlier_members(tree, path)
    if isinstance(change, WrapInList):
        return surgery.wrap_in_list(tree, path)
    if isinstance(change, AppendElement):
        return surgery.append_element(tree, path, change.value)
    assert isinstance(change, RemoveElements)
    return surgery.remove_elements(tree, path, change.numbers)


def _remove_steps(tree: Tree, plan: Plan, positions: Iterable[int]) -> list[Edit]:
    """Remove steps from what they stand in: lists, or an object."""
    edits: list[Edit] = []
    from_lists: dict[Path, set[object]] = {}
    for path in map(plan.step_path, positions):
        if isinstance(path[-1], int):
            from_lists.setdefault(path[:-1], set()).add(path[-1])
        else:
            edits += surgery.remove_member(tree, path)
    for path, numbers in from_lists.items():
        edits += surgery.remove_elements(tree, path, numbers)
    return edits


def _set_member(tree: Tree, plan: Plan, path: Path, change: SetMember) -> list[Edit]:
    replaced = surgery.replace_value(tree, (*path, change.key), change.value)
    if replaced:
        return replaced
    order = list(plan.dialect.vocabulary.shape(True, change.place.path))
    if change.place.step is None:
        return surgery.insert_member(tree, path, change.key, change.value, before=[str(n) for n in plan.path[:1]])
    if change.key not in order:
        return surgery.insert_member(tree, path, change.key, change.value)
    number = order.index(change.key)
    return surgery.insert_member(tree, path, change.key, change.value, after=order[:number], before=order[number + 1 :])


def _apart(edits: Sequence[Edit]) -> bool:
    """Whether no edit changes what another one does; several may insert at the same place, in their order."""
    ordered = sorted(edits, key=lambda edit: (edit.start, edit.end))
    return all(one.end <= two.start for one, two in pairwise(ordered))


def joined(text: str, edits: Sequence[Edit]) -> Edit:
    """All edits as one: from the first character that changes to the last."""
    start, end = min(edit.start for edit in edits), max(edit.end for edit in edits)
    inside = [Edit(edit.start - start, edit.end - start, edit.new_text) for edit in edits]
    return Edit(start, end, apply_edits(text[start:end], inside))


def steps_touched(changes: Iterable[Change]) -> set[int | None]:
    """The positions of the steps that the changes are about; None stands for the plan around them."""
    found: set[int | None] = set()
    for change in changes:
        if isinstance(change, RemoveSteps):
            found.update(change.positions)
        elif isinstance(change, InsertStep):
            found.add(change.position)
        elif isinstance(change, MoveStep):
            found.update(range(min(change.position, change.before), max(change.position, change.before) + 1))
        else:
            found.add(change.place.step)
    return found


def new_order(changes: Iterable[Change], steps: int) -> list[int | None] | None:
    """For every position after the changes, where the step was before; None for a new one. None if all stay."""
    coming: dict[int, list[int | None]] = {}
    gone: set[int] = set()
    for change in changes:
        if isinstance(change, InsertStep):
            coming.setdefault(change.position, []).append(None)
        elif isinstance(change, RemoveSteps):
            gone.update(change.positions)
        elif isinstance(change, MoveStep):
            gone.add(change.position)
            coming.setdefault(change.before, []).append(change.position)
    if not coming and not gone:
        return None
    order: list[int | None] = []
    for position in range(steps + 1):
        order += coming.get(position, ())
        if position < steps and position not in gone:
            order.append(position)
    return order
