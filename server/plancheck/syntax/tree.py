"""The syntax tree: what a JSON text consists of and where.

The upper two levels (the document and its lists) are kept apart from what lies below them, because a plan is a list
of steps and an edit usually changes one. Each element of such a list is a `Chunk`: its own text, its value, and, made
only when somebody asks, the nodes with spans relative to its start. A chunk never changes and never knows where it
stands, so an edit elsewhere leaves it as it is, with all that was derived from it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from typing import TYPE_CHECKING, Any, TypeAlias

from plancheck.syntax.scanning import find, scan
from plancheck.syntax.strings import raw_offset
from plancheck.syntax.values import INSIDE as INSIDE
from plancheck.syntax.values import depth_of, to_plain
from plancheck.text import Span
from plancheck.tuples import NamedTuple

if TYPE_CHECKING:
    from plancheck.syntax.inner import InnerText


class Within(NamedTuple):
    """A part of a string, in characters of its value. Where that is in the text, escapes and all, is found out late."""

    start: int
    end: int


Path: TypeAlias = tuple[str | int | Within, ...]
"""From a value to one inside it: keys, positions in lists, `INSIDE` and, at the end, perhaps a part of a string."""
Pairs: TypeAlias = tuple[tuple[str, Any], ...]
"""An object's value: its members in order, repeated keys kept. A list's value is a `list`, so the two differ."""


class _Missing(Enum):
    MISSING = "missing"


MISSING = _Missing.MISSING
"""The value of a member whose value was not written yet (`"agent": ,`)."""


class Part(Enum):
    """Which token of a place is meant."""

    VALUE = "value"  # a scalar; for an object or list its opening bracket
    KEY = "key"  # the key of a member, or the value where there is none
    WHOLE = "whole"  # from the first to the last character


class Problem(NamedTuple):
    """Something wrong with the text itself."""

    start: int
    end: int
    message: str


class Member(NamedTuple):
    key: str
    key_start: int
    key_end: int
    node: Node


_FEW = 16
_SHORT = 2_000
"""Characters."""


class Node:
    """One JSON value and where it stands, in offsets relative to its chunk."""

    __slots__ = ("_by_key", "children", "end", "start", "value")

    def __init__(self, start: int, end: int, value: Any, children: list[Member] | list[Node] | None = None) -> None:
        self.start = start
        self.end = end
        self.value = value
        self.children = children
        self._by_key: dict[str, Member] | None = None

    def member(self, key: str) -> Member | None:
        """The member of that name; of repeated ones the last."""
        members = self.members()
        if len(members) <= _FEW:
            return next((member for member in reversed(members) if member.key == key), None)
        if self._by_key is None:
            self._by_key = {member.key: member for member in members}
        return self._by_key.get(key)

    def members(self) -> list[Member]:
        return self.children if isinstance(self.value, tuple) else []  # type: ignore[return-value]

    def items(self) -> list[Node]:
        return self.children if isinstance(self.value, list) else []  # type: ignore[return-value]

    def token(self) -> Span:
        """The one token that stands for this value: a scalar itself, or the opening bracket."""
        return Span(self.start, self.end if self.children is None else min(self.start + 1, self.end))


class Located(NamedTuple):
    """A node found by its path, with the key it stands under."""

    node: Node
    key: Span | None


def locate(node: Node, path: Path) -> Located:
    """The node at `path`, or the nearest one above it that exists. Of repeated keys the last counts, as in `json`."""
    key: Span | None = None
    for name in path:
        if isinstance(name, str):
            member = node.member(name)
            if member is None:
                break
            node, key = member.node, Span(member.key_start, member.key_end)
        elif isinstance(name, Within):
            break
        else:
            items = node.items()
            if not -len(items) <= name < len(items):
                break
            node, key = items[name], None
    return Located(node, key)


class Chunk:
    """A value at the level where the document is cut into independent pieces; for a plan, a step."""

    __slots__ = ("_depth", "_finds", "_inner", "_node", "_parse", "problems", "text", "value")

    def __init__(
        self,
        text: str,
        value: Any,
        parse: Callable[[str], Node],
        node: Node | None = None,
        problems: tuple[Problem, ...] = (),
    ) -> None:
        self.text = text
        self.value = value
        self.problems = problems
        self._parse = parse
        self._node = node
        self._depth: int | None = None
        self._finds = 0
        self._inner: tuple[Path, InnerText | None] | None = None

    def inner_text(self, path: Path) -> InnerText | None:
        """The JSON text that the string at a path is, in offsets from the chunk's start; None if it is no string. The
        last one that was asked for is kept: whoever asks for a place in one mostly asks for more."""
        if self._inner is None or self._inner[0] != path:
            from plancheck.syntax.inner import inner_text_at  # few documents have JSON text inside

            self._inner = path, inner_text_at(self.text, span_in(self, path, Part.WHOLE))
        return self._inner[1]

    def is_read_to_find(self) -> bool:
        """Whether a place is found sooner by reading the text once more than by its nodes: it is short, or this is one
        of the first places that are looked for. Else there are nodes from now on."""
        self._finds += 1
        return len(self.text) <= _SHORT or self._finds <= _FEW

    @property
    def depth(self) -> int:
        """How deep containers are nested in this chunk: 0 for a scalar."""
        if self._depth is None:
            self._depth = depth_of(self.value)
        return self._depth

    @property
    def is_proper(self) -> bool:
        """Whether it was read by the C scanner, so that its text is known to be proper JSON, and no nodes are there."""
        return self._node is None

    @property
    def node(self) -> Node:
        if self._node is None:
            self._node = self._parse(self.text)
        return self._node


class Spine:
    """A list at the level of chunks, with the absolute offset of each element."""

    __slots__ = ("_deepest", "broken", "chunks", "end", "start", "starts")

    def __init__(self, start: int) -> None:
        self.start = start
        self.end = start
        self._deepest: int | None = None
        self.starts: list[int] = []
        self.chunks: list[Chunk] = []
        self.broken: list[int] = []
        """Positions of chunks that have problems of their own."""

    @property
    def depth(self) -> int:
        """How deep containers are nested in this list, itself counted. To be asked once the list is complete."""
        if self._deepest is None:
            self._deepest = max((chunk.depth for chunk in self.chunks), default=0)
        return 1 + self._deepest

    def follow_depth(self, old: Spine, replaced: Iterable[Chunk], replacing: Iterable[Chunk]) -> None:
        """Work the depth out from that of the list before an edit, unless its deepest element may be gone."""
        if old._deepest is None:
            return
        added = max((chunk.depth for chunk in replacing), default=0)
        if added >= old._deepest or all(chunk.depth < old._deepest for chunk in replaced):
            self._deepest = max(added, old._deepest)

    def position_at(self, offset: int) -> int | None:
        """The position of the element that covers `offset`."""
        position = bisect_right(self.starts, offset) - 1
        if position < 0 or offset > self.starts[position] + len(self.chunks[position].text):
            return None
        return position


class Top(NamedTuple):
    """A member of the document's object, in absolute offsets."""

    key: str
    key_start: int
    key_end: int
    start: int
    value: Chunk | Spine

    def shifted(self, by: int) -> Top:
        value = self.value
        if isinstance(value, Spine):
            moved = Spine(value.start + by)
            moved.end = value.end + by
            moved.starts = [start + by for start in value.starts]
            moved.chunks, moved.broken, moved._deepest = value.chunks, value.broken, value._deepest
            value = moved
        return Top(self.key, self.key_start + by, self.key_end + by, self.start + by, value)

    @property
    def end(self) -> int:
        return self.value.end if isinstance(self.value, Spine) else self.start + len(self.value.text)


class Gap(NamedTuple):
    """A problem between the chunks: the parser met it at offset `met`, which may lie far behind the token it blames."""

    met: int
    problem: Problem


class Tree:
    """A whole document: an object's members, or a list, or a lone value."""

    __slots__ = ("_depth", "end", "gaps", "reusable", "root", "start", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.start = 0
        self.end = len(text)
        self.root: list[Top] | Spine | Chunk | None = None
        self.gaps: list[Gap] = []
        self.reusable = True
        """Whether parts of this tree may be taken over after an edit."""
        self._depth: int | None = None

    @property
    def depth(self) -> int:
        """How deep containers are nested in the document: 0 for a lone scalar, 1 for `{}`, 2 for `{"steps": []}`."""
        if self._depth is None:
            if isinstance(self.root, list):
                self._depth = 1 + max((top.value.depth for top in self.root), default=0)
            else:
                self._depth = 0 if self.root is None else self.root.depth
        return self._depth

    def top(self, key: str) -> Top | None:
        """The document's member `key`; of repeated ones the last."""
        if not isinstance(self.root, list):
            return None
        return next((top for top in reversed(self.root) if top.key == key), None)

    def chunks(self) -> Iterator[tuple[int, Chunk]]:
        """Every chunk with its absolute start, in the order of the text."""
        if isinstance(self.root, Chunk):
            yield self.start, self.root
        elif isinstance(self.root, Spine):
            yield from zip(self.root.starts, self.root.chunks, strict=True)
        else:
            for top in self.root or ():
                if isinstance(top.value, Spine):
                    yield from zip(top.value.starts, top.value.chunks, strict=True)
                else:
                    yield top.start, top.value

    @property
    def problems(self) -> list[Problem]:
        """Everything wrong with the text, in its order, in absolute offsets."""
        found = [gap.problem for gap in self.gaps]
        for start, chunk in self._broken():
            found += (Problem(p.start + start, p.end + start, p.message) for p in chunk.problems)
        return sorted(found)

    def _broken(self) -> Iterator[tuple[int, Chunk]]:
        values: list[tuple[int, Chunk | Spine | None]]
        if isinstance(self.root, list):
            values = [(top.start, top.value) for top in self.root]
        else:
            values = [(self.start, self.root)]
        for start, value in values:
            if isinstance(value, Spine):
                yield from ((value.starts[i], value.chunks[i]) for i in value.broken)
            elif isinstance(value, Chunk) and value.problems:
                yield start, value

    def resolve(self, path: Path) -> tuple[int, Chunk, Path] | Top | Spine | None:
        """What `path` leads to: a member, a list, or a place in a chunk (its start, itself, the rest of the path)."""
        value: Chunk | Spine | None
        if isinstance(self.root, list):
            top = self.top(path[0]) if path and isinstance(path[0], str) else None
            if top is None:
                return None
            value, start, rest = top.value, top.start, path[1:]
            if not rest:
                return top
        else:
            value, start, rest = self.root, self.start, path
        if isinstance(value, Spine):
            if not rest:
                return value
            position = rest[0]
            if not isinstance(position, int) or not 0 <= position < len(value.chunks):
                return value
            return value.starts[position], value.chunks[position], rest[1:]
        return None if value is None else (start, value, rest)

    def span(self, path: Path, part: Part = Part.VALUE) -> Span:
        """Where the value at `path` stands; for a path that leads nowhere, where the nearest value above it does."""
        found = self.resolve(path)
        if found is None:
            return Span(self.start, self.end if part is Part.WHOLE else min(self.start + 1, self.end))
        if isinstance(found, Top):
            if part is Part.KEY:
                return Span(found.key_start, found.key_end)
            is_list = isinstance(found.value, Spine)
            if part is Part.WHOLE or not (is_list or found.value.node.children is not None):  # type: ignore[union-attr]
                return Span(found.start, found.end)
            return Span(found.start, found.start + 1)
        if isinstance(found, Spine):
            return Span(found.start, found.end if part is Part.WHOLE else found.start + 1)
        start, chunk, rest = found
        return span_in(chunk, rest, part).shifted(start)

    def value(self) -> Any:
        """The document as `json.loads` gives it: dicts, the last of repeated keys counting."""
        if isinstance(self.root, Chunk):
            return to_plain(self.root.value)
        if isinstance(self.root, Spine):
            return [to_plain(chunk.value) for chunk in self.root.chunks]
        if self.root is None:
            return MISSING
        return {
            top.key: [to_plain(chunk.value) for chunk in top.value.chunks]
            if isinstance(top.value, Spine)
            else to_plain(top.value.value)
            for top in self.root
        }


def span_in(chunk: Chunk, path: Path, part: Part = Part.VALUE) -> Span:
    """The same as `Tree.span`, inside a chunk and relative to it."""
    if INSIDE in path:
        return _span_in_text(chunk, path, part)
    if chunk.is_proper and chunk.is_read_to_find():
        return _span_in_proper(chunk, path, part)
    node, key = locate(chunk.node, path)
    if path and isinstance(path[-1], Within) and isinstance(node.value, str):
        token = chunk.text[node.start : node.end]
        start, end = (raw_offset(token, offset) for offset in path[-1])
        return Span(start, end).shifted(node.start)
    if part is Part.KEY and key is not None:
        return key
    return Span(node.start, node.end) if part is Part.WHOLE else node.token()


def _span_in_text(chunk: Chunk, path: Path, part: Part) -> Span:
    """The same for a path that leads into a string that holds JSON text."""
    depth = path.index(INSIDE)
    inner = chunk.inner_text(path[:depth])
    if inner is None or inner.tree.root is None:
        return span_in(chunk, path[:depth], part)
    return inner.outer_span(inner.tree.span(path[depth + 1 :], part))


def _span_in_proper(chunk: Chunk, path: Path, part: Part) -> Span:
    text = chunk.text
    start, key = find(text, path, chunk.value)
    if path and isinstance(path[-1], Within) and text[start] == '"':
        token = text[start : scan(text, start)[1]]
        first, last = (raw_offset(token, offset) for offset in path[-1])
        return Span(first, last).shifted(start)
    if part is Part.KEY and key is not None:
        return Span(*key)
    if part is not Part.WHOLE and text[start] in "{[":
        return Span(start, start + 1)
    return Span(start, scan(text, start)[1])
