"""The steps that follow a step, directly or not, and where each is named."""

from __future__ import annotations

from plancheck.analysis.snapshot import Snapshot
from plancheck.ide.cursor import step_at
from plancheck.plan.model import Place
from plancheck.text import Span
from plancheck.tuples import NamedTuple

MOST_FOLLOWERS = 500
"""Longer lists are not read, and each place in one has to be looked up in the text."""


class FollowerList(NamedTuple):
    total: int
    names: list[Span]
    """What names each of the followers, in the order of the plan; of very many, the first."""


def followers_at(snapshot: Snapshot, offset: int) -> FollowerList | None:
    """Those of the step whose text holds the offset."""
    position = step_at(snapshot, offset)
    if position is None:
        return None
    following = _following(snapshot, position)
    steps = snapshot.plan.steps
    names = [snapshot.place_span(Place(step, steps[step].identity_path)) for step in following[:MOST_FOLLOWERS]]
    return FollowerList(len(following), names)


def _following(snapshot: Snapshot, position: int) -> list[int]:
    """The positions of the steps that can be reached along the control flow; in a circle, the step is not its own."""
    successors = snapshot.graph.successors
    found = {position}
    todo = [position]
    while todo:
        new = [step for step in successors[todo.pop()] if step not in found]
        found.update(new)
        todo += new
    return sorted(found - {position})
