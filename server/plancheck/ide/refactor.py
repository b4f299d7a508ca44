"""Changes to a whole plan that keep its meaning: renumber, sort, spell the linear default out.

Whether one is on offer is found out once per graph; its edits are made when somebody asks for them. None is on offer
for a text with faults: what the reader made of it may not be what the author meant.
"""

from __future__ import annotations

from enum import Enum
from heapq import heapify, heappop, heappush

from plancheck.analysis.snapshot import Snapshot
from plancheck.analysis.surgery import insert_member, replace_value
from plancheck.ide.cursor import steps_spine
from plancheck.plan.dialects.vocabulary import STEP
from plancheck.plan.graph.facts import PlanGraph
from plancheck.plan.model import Place
from plancheck.text import Edit, apply_edits


class Refactoring(Enum):
    RENUMBER = "renumber"
    SORT = "sort"
    EXPLICIT = "explicit"

    @property
    def title(self) -> str:
        return _TITLES[self]


_TITLES = {
    Refactoring.RENUMBER: "Renumber the steps from 0",
    Refactoring.SORT: "Sort the steps so that each comes after those it needs",
    Refactoring.EXPLICIT: "Spell out which step each step follows",
}


def on_offer(snapshot: Snapshot) -> list[Refactoring]:
    """The refactorings that would change the plan and keep its meaning."""
    if not _is_sound(snapshot):
        return []
    graph = snapshot.graph
    found: list[Refactoring] = []
    if _can_renumber(graph):
        found.append(Refactoring.RENUMBER)
    has_names = snapshot.plan.dialect.preds_key is not None
    order = sorted_order(graph) if has_names and snapshot.plan.is_list and _has_later_need(graph) else None
    if order is not None and _new_defaults(graph, order) is not None:
        found.append(Refactoring.SORT)
    if _defaults_to_spell_out(snapshot):
        found.append(Refactoring.EXPLICIT)
    return found


def edits_of(snapshot: Snapshot, refactoring: Refactoring) -> list[Edit]:
    if refactoring not in on_offer(snapshot):
        return []
    if refactoring is Refactoring.RENUMBER:
        return _renumber(snapshot)
    if refactoring is Refactoring.SORT:
        return _sort(snapshot)
    return [edit for position in _defaults_to_spell_out(snapshot) for edit in explicit_default(snapshot, position)]


def _is_sound(snapshot: Snapshot) -> bool:
    """Whether there are steps and nothing is wrong with their text."""
    spine = steps_spine(snapshot)
    if spine is not None:
        return not (spine.broken or snapshot.tree.gaps)
    return snapshot.plan.sites is not None and not snapshot.has_syntax_errors


# ---- renumbering -----------------------------------------------------------------------------------------------------


def _can_renumber(graph: PlanGraph) -> bool:
    """Whether every step has a number of its own and every reference a step, and the numbers are not right yet.

    A reference to a step that does not exist would come to mean one that does.
    """
    numbers = [step.identity for step in graph.steps]
    if numbers == list(range(len(numbers))) or not all(isinstance(number, int) for number in numbers):
        return False
    return len(set(numbers)) == len(numbers) and graph.mentions.steps.keys() <= graph.position_of.keys()


def _renumber(snapshot: Snapshot) -> list[Edit]:
    graph = snapshot.graph
    edits: list[Edit] = []
    for identity, position in graph.position_of.items():
        if identity != position:
            places = [Place(position, snapshot.plan.steps[position].identity_path)]
            places += (Place(mention.step, mention.path) for mention in graph.mentions.of(identity))
            edits += (Edit(*snapshot.place_span(place), str(position)) for place in places)
    return sorted(edits)


# ---- sorting ---------------------------------------------------------------------------------------------------------


def sorted_order(graph: PlanGraph) -> list[int] | None:
    """The positions in an order in which everything comes after what it needs, as near to the list's as possible.

    None if there is none: a circle, or two steps with one identity, so that nobody knows which is needed.
    """
    if len(graph.position_of) != sum(step.identity is not None for step in graph.steps):
        return None
    needs = [_needs(graph, position) for position in range(len(graph))]
    waiting = [len(needed) for needed in needs]
    needed_by: list[list[int]] = [[] for _ in needs]
    for position, needed in enumerate(needs):
        for other in needed:
            needed_by[other].append(position)
    ready = [position for position, number in enumerate(waiting) if not number]
    heapify(ready)
    order = []
    while ready:
        position = heappop(ready)
        order.append(position)
        for follower in needed_by[position]:
            waiting[follower] -= 1
            if not waiting[follower]:
                heappush(ready, follower)
    return order if len(order) == len(needs) else None


def _has_later_need(graph: PlanGraph) -> bool:
    """Whether some step needs one that does not come before it."""
    return any(users[0] <= graph.position_of.get(identity, -1) for identity, users in graph.mentions.steps.items())


def _needs(graph: PlanGraph, position: int) -> set[int]:
    """Every step that has to come before this one, wherever in the list it stands now."""
    step = graph.steps[position]
    if step.preds is None:
        found = {position - 1} if position else set()
    else:
        found = {graph.position_of[p.identity] for p in step.preds if p.identity in graph.position_of}
    return found | {
        graph.position_of[read.producer]
        for read in step.reads
        if read.producer is not None and read.producer in graph.position_of
    }


def _new_defaults(graph: PlanGraph, order: list[int]) -> list[int] | None:
    """The steps whose linear default would come to mean another step; None if one of them cannot be spelt out."""
    found = []
    for place, position in enumerate(order):
        before = order[place - 1] if place else -1
        if graph.steps[position].preds is None and before != position - 1:
            if not _can_spell_out(graph, position):
                return None
            found.append(position)
    return found


def _sort(snapshot: Snapshot) -> list[Edit]:
    graph, spine = snapshot.graph, steps_spine(snapshot)
    order = sorted_order(graph)
    if order is None or spine is None:
        return []
    spelt_out = set(_new_defaults(graph, order) or ())
    edits = []
    for place, position in enumerate(order):
        text = spine.chunks[position].text
        if position in spelt_out:
            start = spine.starts[position]
            inside = (Edit(e.start - start, e.end - start, e.new_text) for e in explicit_default(snapshot, position))
            text = apply_edits(text, inside)
        if place != position or position in spelt_out:
            start = spine.starts[place]
            edits.append(Edit(start, start + len(spine.chunks[place].text), text))
    return edits


# ---- the linear default ----------------------------------------------------------------------------------------------


def _can_spell_out(graph: PlanGraph, position: int) -> bool:
    """Whether the step follows the one before it for want of anything else, and that one can be named."""
    step = graph.steps[position]
    if step.preds is not None or not step.preds_known or step.identity is None:
        return False
    before = graph.steps[position - 1].identity if position else None
    return not position or (before is not None and graph.position_of[before] == position - 1)


def _defaults_to_spell_out(snapshot: Snapshot) -> list[int]:
    if snapshot.plan.dialect.preds_key is None:
        return []
    return [position for position in range(len(snapshot.graph)) if _can_spell_out(snapshot.graph, position)]


def can_spell_out(snapshot: Snapshot, position: int) -> bool:
    """Whether `explicit_default` has something to do."""
    has_key = snapshot.plan.dialect.preds_key is not None
    return has_key and _is_sound(snapshot) and _can_spell_out(snapshot.graph, position)


def explicit_default(snapshot: Snapshot, position: int) -> list[Edit]:
    """Name the step that this one follows by default."""
    key, keys = snapshot.plan.dialect.preds_key, list(snapshot.plan.dialect.vocabulary.shapes[STEP])
    if key is None:
        return []
    steps, path = snapshot.graph.steps, snapshot.plan.step_path(position)
    value = [] if not position else [steps[position - 1].identity]
    edits = replace_value(snapshot.tree, (*path, key), value)  # there may be a `null`
    return edits or insert_member(snapshot.tree, path, key, value, after=keys[: keys.index(key)])
