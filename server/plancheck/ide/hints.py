"""Small notes in the text: how many steps follow a step, and which one is the keystone."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from plancheck.analysis.snapshot import Snapshot
from plancheck.ide.cursor import step_starts
from plancheck.ide.words import count, followers
from plancheck.plan.model import Place
from plancheck.text import Span
from plancheck.tuples import NamedTuple

SEPARATOR = "· "
"""Many identities are numbers: without it, `1` with one follower would read as 11 followers."""


class Hint(NamedTuple):
    offset: int
    label: str
    tooltip: str


def hints(snapshot: Snapshot, span: Span) -> list[Hint]:
    """The hints inside a span, at the cost of the steps that are in it."""
    graph, starts = snapshot.graph, step_starts(snapshot)
    first = max(bisect_right(starts, span.start) - 1, 0)
    found = []
    for position in range(first, bisect_left(starts, span.end)):
        step = snapshot.plan.steps[position]
        number = graph.follower_counts[position]
        if step.outline.identity is None or not number:
            continue
        offset = snapshot.place_span(Place(position, step.identity_path)).end
        if span.start <= offset <= span.end:
            is_keystone = graph.keystone == position
            label = f"{SEPARATOR}{count(number, 'follower')}{', keystone' if is_keystone else ''}"
            tooltip = followers(number, len(graph)) + (": it is the keystone." if is_keystone else ".")
            found.append(Hint(offset, label, tooltip))
    return found
