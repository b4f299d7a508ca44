"""The plan as a tree of names, and as a list of names to search."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from itertools import islice

from plancheck.analysis.snapshot import Snapshot
from plancheck.ide.cursor import step_spans
from plancheck.ide.words import count, step_title
from plancheck.markdown import plain
from plancheck.plan.model import Kind, Place, Step
from plancheck.syntax.tree import Part
from plancheck.text import Span
from plancheck.tuples import NamedTuple


class SymbolKind(Enum):
    PLAN = "plan"
    DECISION = "decision"
    TOOL_CALL = "tool_call"
    STEP = "step"
    READ = "read"
    WRITE = "write"
    RESOURCE = "resource"
    SECTION = "section"
    SETTING = "setting"
    LIMIT = "limit"
    RULE = "rule"


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


MOST_DETAILED = 1_000
"""Of plans with more steps only the steps are listed: nobody unfolds that many, and every name has to be located."""
MOST_FOUND = 200


class _Part(NamedTuple):
    """A symbol inside a step."""

    name: str
    detail: str
    kind: SymbolKind
    span: Span


def document_symbols(snapshot: Snapshot) -> list[Symbol]:
    """The plan, its steps below it, and below each what it reads and writes."""
    plan = snapshot.plan
    if plan.sites is None:
        return []
    is_detailed = len(plan.steps) <= MOST_DETAILED
    steps = []
    for position, span in enumerate(step_spans(snapshot)):
        selection, children = _parts(snapshot, position) if is_detailed else (Span(span.start, span.start + 1), ())
        whole = Span(min(span.start, selection.start), span.end)
        steps.append(
            Symbol(
                step_title(plan, position),
                detail_of(snapshot, position),
                kind_of(plan.steps[position]),
                whole,
                _within(whole, selection),
                tuple(_symbol(part, whole) for part in children),
            )
        )
    key = snapshot.place_span(Place(None, plan.path, Part.KEY))
    holder = snapshot.place_span(Place(None, plan.path, Part.WHOLE))
    span = Span(min(holder.start, key.start), holder.end)
    return [Symbol("plan", count(len(steps), "step"), SymbolKind.PLAN, span, key, tuple(steps))]


def _parts(snapshot: Snapshot, position: int) -> tuple[Span, tuple[_Part, ...]]:
    """The token of the step's identity, and what the step touches."""
    step = snapshot.plan.steps[position]
    selection = snapshot.place_span(Place(position, step.identity_path))
    reads = [(read.path, read.resource, "reads", SymbolKind.READ) for read in step.outline.reads]
    writes = [(write.path, write.resource, "writes", SymbolKind.WRITE) for write in step.outline.writes]
    parts = [
        _Part(plain(resource), detail, kind, snapshot.place_span(Place(position, path)))
        for path, resource, detail, kind in (*reads, *writes)
    ]
    return selection, tuple(parts)


def _symbol(part: _Part, whole: Span) -> Symbol:
    span = _within(whole, part.span)
    return Symbol(part.name, part.detail, part.kind, span, span)


def _within(outer: Span, inner: Span) -> Span:
    """A span cut to another: in broken text a token may run on past what the reader took for the step's end."""
    return Span(min(max(inner.start, outer.start), outer.end), min(inner.end, outer.end))


def detail_of(snapshot: Snapshot, position: int) -> str:
    """What is said of a step behind its name."""
    kind = snapshot.plan.steps[position].outline.kind
    number = snapshot.graph.follower_counts[position]
    return ", ".join([*([kind.value] if kind is not None else []), count(number, "follower")])


def workspace_symbols(snapshot: Snapshot, query: str) -> list[FlatSymbol]:
    """The steps and the resources (where first named) whose name has the letters of the query in order; not all of
    very many."""
    plan = snapshot.plan
    found = []
    for position in _first(query, (step_title(plan, position) for position in range(len(plan.steps)))):
        step = plan.steps[position]
        container = step.outline.kind.value if step.outline.kind is not None else ""
        span = snapshot.place_span(Place(position, step.identity_path))
        found.append(FlatSymbol(step_title(plan, position), kind_of(step), container, span))
    names = list(snapshot.graph.touches.steps)
    for number in _first(query, names):
        first = snapshot.graph.touches.of(names[number]).places[0]
        span = snapshot.place_span(Place(first.step, first.path))
        found.append(FlatSymbol(plain(names[number]), SymbolKind.RESOURCE, step_title(plan, first.step), span))
    return found


def _first(query: str, names: Iterable[str]) -> Iterator[int]:
    """The numbers of the first names that match."""
    return islice((number for number, name in enumerate(names) if matches(query, name)), MOST_FOUND)


def matches(query: str, name: str) -> bool:
    """Whether the letters of the query appear in the name in their order, case and blanks aside."""
    letters = iter(name.casefold())
    return all(letter in letters for letter in query.casefold() if not letter.isspace())
