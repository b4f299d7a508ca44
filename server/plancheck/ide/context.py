"""Where in the JSON an offset is, judged by the text before it alone: what completion needs to know.

What follows the cursor may be anything while somebody types, and the tolerant reader repairs it one way or another.
So this looks at tokens only, from the start of the step that the cursor is in (or, outside the steps, of the
document's member) to the cursor.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from enum import Enum

from plancheck.analysis.snapshot import Snapshot
from plancheck.ide.cursor import holds_json
from plancheck.syntax.inner import InnerText, inner_text_at
from plancheck.syntax.tokens import TOKEN, Expect, decode_string, string_end
from plancheck.syntax.tree import INSIDE, Path, Spine, Top, Tree
from plancheck.text import Span
from plancheck.tuples import NamedTuple

_BLANK = re.compile(r"[ \t\r\n]*")


class Wants(Enum):
    KEY = "key"
    VALUE = "value"
    NOTHING = "nothing"


class Context(NamedTuple):
    path: Path
    """Of the object that wants a key, or of the value that is wanted, from the document's root."""
    wants: Wants
    span: Span
    """The token that is being typed; empty if it was not begun. In offsets of `tree`, as all else."""
    keys: frozenset[str]
    """The keys that the object has before the cursor."""
    start: int | None
    """Where the container around starts."""
    tree: Tree
    offset: int
    inner: InnerText | None = None
    """The JSON text in a string that the cursor is in, whose tree `tree` is then."""

    @property
    def own_path(self) -> Path:
        """The path in `tree`."""
        return self.path if self.inner is None else self.path[self.path.index(INSIDE) + 1 :]

    @property
    def typed(self) -> str:
        """What there is of the token before the cursor, without the quote."""
        return self.tree.text[self.span.start : self.offset].lstrip('"')


class _Open:
    """A container that is open at the cursor."""

    __slots__ = ("expect", "index", "key", "keys", "kind", "start")

    def __init__(self, kind: str, start: int) -> None:
        self.kind = kind
        self.start = start
        self.expect = Expect.KEY if kind == "{" else Expect.VALUE
        self.key = ""
        self.keys: set[str] = set()
        self.index = 0


class _Lexer:
    def __init__(self, text: str, stack: list[_Open], position: int) -> None:
        self.text = text
        self.stack = stack
        self.position = position
        self.is_done = False
        """Whether the document's value is complete."""

    def run(self, offset: int) -> Span | None:
        """Read up to the offset; the token that the offset is in, if it is in one."""
        while self.position < offset:
            match = TOKEN.match(self.text, self.position)
            if match is None or match.start(match.lastgroup or 0) >= offset:
                return None
            kind = match.lastgroup or ""
            start, end = match.span(kind)
            if kind in ("string", "quoted"):
                end = string_end(self.text, start, end)
            if kind in ("string", "quoted", "single") and end >= offset and not self._is_closed(start, end, offset):
                return Span(start, end if self._ends_with_quote(start, end) else offset)
            if kind in ("word", "number", "literal") and end >= offset:
                return Span(start, end)
            self.position = end
            if kind == "punctuation":
                self._punctuation(self.text[start], start)
            elif kind in ("string", "quoted", "single"):
                self._scalar(decode_string(self.text, start, end)[0])
            elif kind in ("word", "number", "literal"):
                self._scalar(self.text[start:end])
            elif end >= offset:
                self.is_done = True  # inside a comment nothing is wanted
        return None

    def _ends_with_quote(self, start: int, end: int) -> bool:
        return end - start >= 2 and self.text[end - 1] == self.text[start]

    def _is_closed(self, start: int, end: int, offset: int) -> bool:
        return end == offset and self._ends_with_quote(start, end)

    def _scalar(self, value: str) -> None:
        frame = self.stack[-1] if self.stack else None
        if frame is None:
            self.is_done = True
        elif frame.kind == "{" and frame.expect in (Expect.KEY, Expect.NEXT):
            frame.key, frame.expect = value, Expect.COLON
            frame.keys.add(value)
        else:
            frame.expect = Expect.NEXT

    def _punctuation(self, symbol: str, start: int) -> None:
        frame = self.stack[-1] if self.stack else None
        if symbol in "{[":
            if frame is None and self.is_done:
                return
            self.stack.append(_Open(symbol, start))
        elif frame is None:
            return
        elif symbol == ":":
            frame.expect = Expect.VALUE
        elif symbol == ",":
            frame.expect = Expect.KEY if frame.kind == "{" else Expect.VALUE
            frame.index += frame.kind == "["
        else:
            self._close("{" if symbol == "}" else "[")

    def _close(self, kind: str) -> None:
        """Close the innermost container of a kind, and with it what was left open inside."""
        if not any(frame.kind == kind for frame in self.stack):
            return
        while self.stack.pop().kind != kind:
            pass
        if self.stack:
            self.stack[-1].expect = Expect.NEXT
        else:
            self.is_done = True


def context_at(snapshot: Snapshot, offset: int) -> Context:
    found = _context(snapshot.tree, offset)
    if found.wants is not Wants.VALUE or not holds_json(snapshot, found.path):
        return found
    inner = inner_text_at(snapshot.text, found.span)
    if inner is None or found.offset == found.span.start:
        return found
    inside = _context(inner.tree, inner.inner_offset(found.offset))
    return inside._replace(path=(*found.path, INSIDE, *inside.path), inner=inner)


def _context(tree: Tree, offset: int) -> Context:
    offset = min(max(offset, 0), len(tree.text))
    stack, position = _way_in(tree, offset)
    lexer = _Lexer(tree.text, stack, position)
    token = lexer.run(offset)
    span = token or Span(offset, offset)
    stack = lexer.stack
    if not stack:
        wants = Wants.NOTHING if lexer.is_done or token else Wants.VALUE
        return Context((), wants, span, frozenset(), None, tree, offset)
    frame = stack[-1]
    path = tuple(outer.key if outer.kind == "{" else outer.index for outer in stack[:-1])
    if lexer.is_done:
        return Context(path, Wants.NOTHING, span, frozenset(), frame.start, tree, offset)
    if frame.kind == "[":
        wants = Wants.VALUE if frame.expect is Expect.VALUE or token else Wants.NOTHING
        return Context((*path, frame.index), wants, span, frozenset(), frame.start, tree, offset)
    if frame.expect is Expect.VALUE or (frame.expect is Expect.COLON and token):
        return Context((*path, frame.key), Wants.VALUE, span, frozenset(frame.keys), frame.start, tree, offset)
    wants = Wants.KEY if frame.expect is Expect.KEY or (frame.expect is Expect.NEXT and token) else Wants.NOTHING
    return Context(path, wants, span, frozenset(frame.keys), frame.start, tree, offset)


def _way_in(tree: Tree, offset: int) -> tuple[list[_Open], int]:
    """What is open around the nearest place before the offset from which to read on, and that place."""
    if isinstance(tree.root, Spine) and tree.start < offset:
        return _into_list(tree.root, [], offset)
    if not isinstance(tree.root, list):
        return [], 1 if tree.text.startswith("\ufeff") else 0
    before = [top for top in tree.root if top.key_start < offset]
    if not before or tree.start >= offset:
        return [], tree.start
    root = _Open("{", tree.start)
    top = before[-1]
    root.keys = {top.key for top in before[:-1]}
    if isinstance(top.value, Spine) and top.start < offset:
        return _behind_or_into(tree, top, top.value, root, offset)
    return [root], top.key_start


def _behind_or_into(tree: Tree, top: Top, spine: Spine, root: _Open, offset: int) -> tuple[list[_Open], int]:
    root.key = top.key
    root.keys.add(top.key)
    last = spine.starts[-1] + len(spine.chunks[-1].text) if spine.starts else spine.start + 1
    if last < spine.end <= offset and tree.text[spine.end - 1] == "]":
        root.expect = Expect.NEXT
        return [root], spine.end
    return _into_list(spine, [root], offset)


def _into_list(spine: Spine, around: list[_Open], offset: int) -> tuple[list[_Open], int]:
    frame = _Open("[", spine.start)
    position = bisect_left(spine.starts, offset) - 1
    if position < 0:
        return [*around, frame], spine.start + 1
    frame.index = position
    return [*around, frame], spine.starts[position]


def next_character(text: str, offset: int) -> str:
    """The next character that is not blank; empty at the text's end."""
    blank = _BLANK.match(text, offset)
    end = blank.end() if blank else offset
    return text[end : end + 1]
