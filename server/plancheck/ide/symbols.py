"""The plan as a tree of names, and as a list of names to search."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from plancheck.analysis.snapshot import Snapshot
from plancheck.ide.words import count, plain, step_title
from plancheck.plan.model import Kind, Place, Step
from plancheck.syntax.tree import Part
from plancheck.text import Span


class SymbolKind(Enum):
    PLAN = "plan"
    DECISION = "decision"
    TOOL_CALL = "tool_call"
    STEP = "step"
    READ = "read"
    WRITE = "write"
    RESOURCE = "resource"


class Symbol(NamedTuple):
    name: str
    detail: str
    kind: SymbolKind
    span: Span
    selection: Span
    """The token to put the cursor on; it lies inside `span`."""
    children: tuple[Symbol, ...] = ()


class FlatSymbol(NamedTuple):
    name: str
    kind: SymbolKind
    container: str
    span: Span


_KINDS = {Kind.DECISION: SymbolKind.DECISION, Kind.TOOL_CALL: SymbolKind.TOOL_CALL, None: SymbolKind.STEP}


def kind_of(step: Step) -> SymbolKind:
    return _KINDS[step.outline.kind]


def document_symbols(snapshot: Snapshot) -> list[Symbol]:
    """The plan, its steps below it, and below each what it reads and writes."""
    plan = snapshot.plan
    if not plan.path and not plan.steps:
        return []
    whole = snapshot.place_span(Place(None, plan.path, Part.WHOLE))
    key = snapshot.place_span(Place(None, plan.path, Part.KEY))
    if snapshot.tree.top(str(plan.path[0])) is None if plan.path else False:
        return []
    steps = tuple(_step(snapshot, position) for position in range(len(plan.steps)))
    span = Span(min(whole.start, key.start), whole.end)
    return [Symbol("plan", count(len(steps), "step"), SymbolKind.PLAN, span, key, steps)]


def _step(snapshot: Snapshot, position: int) -> Symbol:
    step = snapshot.plan.steps[position]
    children = [(read.path, read.resource, "reads", SymbolKind.READ) for read in step.outline.reads] + [
        (write.path, write.resource, "writes", SymbolKind.WRITE) for write in step.outline.writes
    ]
    symbols = []
    for path, resource, detail, kind in children:
        span = snapshot.place_span(Place(position, path))
        symbols.append(Symbol(plain(resource), detail, kind, span, span))
    return Symbol(
        step_title(snapshot.plan, position),
        detail_of(snapshot, position),
        kind_of(step),
        snapshot.place_span(Place(position, (), Part.WHOLE)),
        snapshot.place_span(Place(position, step.identity_path)),
        tuple(symbols),
    )


def detail_of(snapshot: Snapshot, position: int) -> str:
    """What is said of a step behind its name."""
    kind = snapshot.plan.steps[position].outline.kind
    number = snapshot.graph.follower_counts[position]
    return ", ".join([*([kind.value] if kind is not None else []), count(number, "follower")])


def workspace_symbols(snapshot: Snapshot, query: str) -> list[FlatSymbol]:
    """Every step and every resource (where it is first named) whose name has the letters of the query in order."""
    found = []
    for position, step in enumerate(snapshot.plan.steps):
        name = step_title(snapshot.plan, position)
        if matches(query, name):
            container = step.outline.kind.value if step.outline.kind is not None else ""
            place = Place(position, step.identity_path)
            found.append(FlatSymbol(name, kind_of(step), container, snapshot.place_span(place)))
    for resource, touches in snapshot.graph.touches.items():
        if matches(query, resource):
            first = touches.places[0]
            span = snapshot.place_span(Place(first.step, first.path))
            container = step_title(snapshot.plan, first.step)
            found.append(FlatSymbol(plain(resource), SymbolKind.RESOURCE, container, span))
    return found


def matches(query: str, name: str) -> bool:
    """Whether the letters of the query appear in the name in their order, case and blanks aside."""
    letters = iter(name.casefold())
    return all(letter in letters for letter in query.casefold() if not letter.isspace())
