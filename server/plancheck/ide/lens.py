"""Lines above a plan and its steps that say what it comes to and open what there is to open."""

from __future__ import annotations

from plancheck.analysis.snapshot import Snapshot
from plancheck.ide.commands import OPEN_GRAPH, SHOW_FINDINGS, SHOW_REPORT, SHOW_STEPS, Command
from plancheck.ide.cursor import step_starts
from plancheck.ide.words import count, step_title
from plancheck.plan.model import Place
from plancheck.syntax.tree import Part
from plancheck.text import Span
from plancheck.tuples import NamedTuple


class Lens(NamedTuple):
    span: Span
    command: Command


def lenses(snapshot: Snapshot) -> list[Lens]:
    if snapshot.plan.sites is None:
        return []
    span = snapshot.place_span(Place(None, snapshot.plan.path, Part.KEY))
    found = [Lens(span, command) for command in _of_plan(snapshot)]
    graph = snapshot.graph
    starts = step_starts(snapshot)
    for position, start in enumerate(starts):
        number = graph.follower_counts[position]
        title = count(number, "follower") + (" · keystone" if graph.keystone == position else "")
        direct = tuple(starts[follower] for follower in graph.successors[position])
        found.append(Lens(Span(start, min(start + 1, len(snapshot.text))), Command(title, SHOW_STEPS, (start, direct))))
    return found


def _of_plan(snapshot: Snapshot) -> list[Command]:
    keystone = snapshot.graph.keystone
    commands = [Command(count(len(snapshot.findings), "finding"), SHOW_FINDINGS)]
    if keystone is not None:
        identity = snapshot.plan.steps[keystone].outline.identity
        title = f"keystone: {step_title(snapshot.plan, keystone)}"
        commands.append(Command(title, OPEN_GRAPH, () if identity is None else (identity,)))
    return [*commands, Command("Open graph", OPEN_GRAPH), Command("Show report", SHOW_REPORT)]
