"""Lines above a plan and its steps that say what it comes to and open what there is to open."""

from __future__ import annotations

from itertools import groupby

from plancheck.analysis.snapshot import Snapshot
from plancheck.ide.commands import OPEN_GRAPH, SHOW_FINDINGS, SHOW_REPORT, SHOW_STEPS, Command
from plancheck.ide.cursor import step_starts
from plancheck.ide.words import count, findings_counted, step_title
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
    return [*(Lens(span, command) for command in _of_plan(snapshot)), *_of_steps(snapshot)]


def _of_plan(snapshot: Snapshot) -> list[Command]:
    keystone = snapshot.graph.keystone
    commands = [Command(findings_counted(snapshot), SHOW_FINDINGS)]
    if keystone is not None:
        identity = snapshot.plan.steps[keystone].outline.identity
        title = f"keystone: {step_title(snapshot.plan, keystone)}"
        commands.append(Command(title, OPEN_GRAPH, () if identity is None else (identity,)))
    return [*commands, Command("Open graph", OPEN_GRAPH), Command("Show report", SHOW_REPORT)]


def _of_steps(snapshot: Snapshot) -> list[Lens]:
    """One for each line in which steps start: it is about the first of them, and names it if there are others."""
    graph, starts, lines = snapshot.graph, step_starts(snapshot), snapshot.lines
    found = []
    for _, same_line in groupby(range(len(starts)), lambda position: lines.line_of(starts[position])):
        position, *others = same_line
        start = starts[position]
        title = count(graph.follower_counts[position], "follower") + (" · keystone" * (graph.keystone == position))
        if others:
            title = f"{step_title(snapshot.plan, position)}: {title}"
        found.append(Lens(Span(start, min(start + 1, len(snapshot.text))), Command(title, SHOW_STEPS, (start,))))
    return found
