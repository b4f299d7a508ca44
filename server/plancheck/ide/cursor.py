"""What stands at an offset: found by bisecting into the list of steps and walking down one step's own nodes."""

from __future__ import annotations

from collections import Counter
from enum import Enum

from plancheck.analysis.snapshot import Snapshot
from plancheck.analysis.surgery import container
from plancheck.plan.model import Alias, Grant, Ignore, Place, Pred, Read, Step, Write
from plancheck.syntax.inner import inner_text
from plancheck.syntax.tree import INSIDE, Chunk, Node, Part, Path, Spine, Top, Tree
from plancheck.text import Span
from plancheck.tuples import NamedTuple

_FEW = 8
"""So many steps of a list or an object are found sooner one by one than by looking at all of it."""


class Role(Enum):
    """What the token at the cursor means to the plan."""

    STEP = "step"  # the step's identity, or its opening bracket
    PRED = "pred"
    PRODUCER = "producer"
    READ = "read"
    WRITE = "write"
    GRANT = "grant"
    RULE = "rule"  # an entry of a suppression
    PLAN = "plan"  # the key of the list of steps, or its opening bracket
    KEY = "key"
    OTHER = "other"


Element = Read | Write | Grant | Pred | Ignore | Alias


class Cursor(NamedTuple):
    """One token. `step` is the position of the step it belongs to; `path` leads to it from there, or from the root."""

    step: int | None
    path: Path
    part: Part
    span: Span
    role: Role
    element: Element | None = None
    """The part of the plan that the token names; the read itself for a producer."""

    @property
    def resource(self) -> str | None:
        """The resource whose id stands here."""
        if self.role in (Role.READ, Role.WRITE, Role.GRANT) and isinstance(self.element, (Read, Write, Grant)):
            return self.element.resource
        return None


class Spot(NamedTuple):
    """A node on the way down to an offset, in absolute offsets."""

    above: Spot | None
    name: str | int | None
    """Its key or position in the one above; None for the document's root."""
    span: Span
    token: Span
    key: Span | None

    @property
    def path(self) -> Path:
        """The path from the root, put together when asked for: at 40,000 levels all of them take gigabytes."""
        names: list[str | int] = []
        spot: Spot | None = self
        while spot is not None and spot.name is not None:
            names.append(spot.name)
            spot = spot.above
        return tuple(reversed(names))


def cursor_at(snapshot: Snapshot, offset: int) -> Cursor | None:
    """The token that the offset is on or right behind; between tokens, nothing."""
    spots = way_down(snapshot, offset)
    if not spots:
        return None
    spot = spots[-1]
    if spot.key is not None and spot.key.start <= offset <= spot.key.end:
        return _cursor(snapshot, spot.path, Part.KEY, spot.key)
    if not spot.token.start <= offset <= spot.token.end:
        return None
    cursor = _cursor(snapshot, spot.path, Part.VALUE, spot.token)
    return _reference_at(snapshot, cursor, offset) if cursor.role is Role.OTHER else cursor


def _reference_at(snapshot: Snapshot, cursor: Cursor, offset: int) -> Cursor:
    """The reference to another step that stands inside a string at the offset, or else the string."""
    if cursor.step is None:
        return cursor
    for read in snapshot.plan.steps[cursor.step].outline.reads:
        if read.is_reference and read.path[:-1] == cursor.path:
            span = snapshot.place_span(Place(cursor.step, read.path))
            if span.start <= offset <= span.end:
                return Cursor(cursor.step, read.producer_path, Part.VALUE, span, Role.PRODUCER, read)
    return cursor


def way_down(snapshot: Snapshot, offset: int) -> list[Spot]:
    """Everything that covers the offset, from the document down to the smallest; in a string that holds JSON text,
    down to the smallest in there."""
    spots = _spots(snapshot.tree, offset)
    return [*spots, *_spots_in_text(snapshot, spots[-1], offset)] if spots else []


def holds_json(snapshot: Snapshot, path: Path) -> bool:
    """Whether the string at a path is JSON text that is read."""
    found = snapshot.plan.find_step(path)
    call = snapshot.plan.steps[found[0]].call if found is not None else None
    return found is not None and call is not None and call.arguments_path == (*found[1], INSIDE)


def _spots_in_text(snapshot: Snapshot, spot: Spot, offset: int) -> list[Spot]:
    """The spots inside the JSON text that a string is, in offsets of the document."""
    path = spot.path
    if not spot.token.start < offset < spot.token.end or not holds_json(snapshot, path):
        return []
    found = inner_text(snapshot.tree, (*path, INSIDE))
    if found is None or snapshot.tree.span(path) != spot.token:  # a later key of the same name replaces this one
        return []
    inner, _ = found
    spots: list[Spot] = []
    for inside in _spots(inner.tree, inner.inner_offset(offset)):
        key = None if inside.key is None else inner.outer_span(inside.key)
        name = INSIDE if inside.name is None else inside.name
        spot = Spot(spot, name, inner.outer_span(inside.span), inner.outer_span(inside.token), key)
        spots.append(spot)
    return spots


def _spots(tree: Tree, offset: int) -> list[Spot]:
    if not tree.start <= offset <= tree.end or tree.root is None:
        return []
    bracket = tree.span((), Part.VALUE)
    spots = [Spot(None, None, Span(tree.start, tree.end), bracket, None)]
    value: Chunk | Spine
    if isinstance(tree.root, list):
        top = _top_at(tree.root, offset)
        if top is None:
            return spots
        start, value = top.start, top.value
        token = Span(top.start, top.start + 1) if isinstance(top.value, Spine) else _token(top.value.node, top.start)
        spots.append(Spot(spots[-1], top.key, Span(top.start, top.end), token, Span(top.key_start, top.key_end)))
        if offset < start:
            return spots
    else:
        start, value = tree.start, tree.root
    if isinstance(value, Spine):
        position = value.position_at(offset)
        if position is None:
            return spots
        start, value = value.starts[position], value.chunks[position]
        spots.append(Spot(spots[-1], position, Span(start, start + len(value.text)), _token(value.node, start), None))
    return [*spots, *_inside(value.node, start, spots[-1], offset)]


def _top_at(tops: list[Top], offset: int) -> Top | None:
    found = next((top for top in reversed(tops) if top.key_start <= offset), None)
    return found if found is not None and offset <= max(found.end, found.key_end) else None


def _inside(node: Node, base: int, spot: Spot, offset: int) -> list[Spot]:
    """The spots below one, whose node starts at `base`."""
    spots = []
    inside = offset - base
    while True:
        member = next((m for m in reversed(node.members()) if m.key_start <= inside), None)
        if member is not None and inside <= max(member.node.end, member.key_end):
            node = member.node
            key = Span(member.key_start + base, member.key_end + base)
            spot = Spot(spot, member.key, Span(node.start + base, node.end + base), _token(node, base), key)
            spots.append(spot)
            if inside < node.start:
                return spots
            continue
        items = node.items()
        position = next((i for i in range(len(items) - 1, -1, -1) if items[i].start <= inside), None)
        if position is None or inside > items[position].end:
            return spots
        node = items[position]
        spot = Spot(spot, position, Span(node.start + base, node.end + base), _token(node, base), None)
        spots.append(spot)


def _token(node: Node, base: int) -> Span:
    return node.token().shifted(base)


def steps_spine(snapshot: Snapshot) -> Spine | None:
    """The list of steps in the tree; None if the plan was not made from one."""
    if not snapshot.plan.is_list:
        return None
    found = snapshot.tree.resolve(snapshot.plan.path)
    spine = found.value if isinstance(found, Top) else found
    return spine if isinstance(spine, Spine) else None


def step_spans(snapshot: Snapshot) -> list[Span]:
    """Where every step stands, from its first to its last character."""
    spine = steps_spine(snapshot)
    if spine is not None:
        return [Span(start, start + len(c.text)) for start, c in zip(spine.starts, spine.chunks, strict=True)]
    known: dict[Path, dict[str | int, Span]] = {}
    paths = [snapshot.plan.step_path(position) for position in range(len(snapshot.plan.steps))]
    sizes = Counter(path[:-1] for path in paths)
    found = []
    for path in paths:
        if not path or sizes[path[:-1]] <= _FEW:
            found.append(snapshot.tree.span(path, Part.WHOLE))
            continue
        *above, name = path
        around = tuple(above)
        if around not in known:
            known[around] = _entries(snapshot, around)
        assert not isinstance(name, tuple), "a step inside a string"
        found.append(known[around][name])
    return found


def step_span(snapshot: Snapshot, position: int) -> Span:
    """Where a step stands, with the key that it is known by, if it is."""
    whole = snapshot.place_span(Place(position, (), Part.WHOLE))
    return Span(min(whole.start, snapshot.place_span(Place(position)).start), whole.end)


def step_starts(snapshot: Snapshot) -> list[int]:
    """Where every step starts, in the order of the text."""
    spine = steps_spine(snapshot)
    return spine.starts if spine is not None else [span.start for span in step_spans(snapshot)]


def _entries(snapshot: Snapshot, path: Path) -> dict[str | int, Span]:
    """The values in a list by their number, or in an object by their key; of repeated keys the last."""
    around = container(snapshot.tree, path)
    entries = around.entries if around is not None else []
    return {
        number if entry.key is None else entry.key: Span(entry.value, entry.end) for number, entry in enumerate(entries)
    }


def step_at(snapshot: Snapshot, offset: int) -> int | None:
    """The position of the step whose text holds the offset."""
    spine = steps_spine(snapshot)
    if spine is not None:
        return spine.position_at(offset)
    for spot in reversed(way_down(snapshot, offset)):
        if (found := snapshot.plan.find_step(spot.path)) is not None:
            return found[0]
    return None


def _cursor(snapshot: Snapshot, path: Path, part: Part, span: Span) -> Cursor:
    plan = snapshot.plan
    if snapshot.tree.span(path, part) != span:  # a later key of the same name replaces this one
        return Cursor(None, path, part, span, Role.KEY if part is Part.KEY else Role.OTHER)
    if (found := plan.find_step(path)) is not None:
        position, inside = found
        role, element = _in_step(plan.steps[position], inside, part)
        return Cursor(position, inside, part, span, role, element)
    if path and path == plan.path:
        return Cursor(None, path, part, span, Role.PLAN)
    if part is Part.KEY:
        return Cursor(None, path, part, span, Role.KEY)
    ignore = next((ignore for ignore in plan.ignores if ignore.path == path), None)
    return Cursor(None, path, part, span, Role.OTHER if ignore is None else Role.RULE, ignore)


def _in_step(step: Step, path: Path, part: Part) -> tuple[Role, Element | None]:
    """What a path inside a step means, by comparing it with the places of everything that the step consists of."""
    if path in ((), step.identity_path):
        return Role.STEP, None
    if part is Part.KEY:
        return Role.KEY, None
    outline = step.outline
    if outline.alias is not None and outline.alias.path == path:
        return Role.STEP, outline.alias
    for read in outline.reads:
        if read.path == path:
            return Role.READ, read
        if read.producer_path == path:
            return Role.PRODUCER, read
    named: tuple[tuple[Role, tuple[Write, ...] | tuple[Grant, ...] | tuple[Pred, ...] | tuple[Ignore, ...]], ...] = (
        (Role.WRITE, outline.writes),
        (Role.GRANT, outline.scope or ()),
        (Role.PRED, outline.preds or ()),
        (Role.RULE, step.ignores),
    )
    for role, elements in named:
        for element in elements:
            if element.path == path:
                return role, element
    return Role.OTHER, None
