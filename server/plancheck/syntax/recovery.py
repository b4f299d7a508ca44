"""Guesses about broken JSON: which bracket is missing, which is one too many. Pure functions of the text and the stack.

Three things give a missing bracket away: a line that begins in the column of an outer container's children, a key
where none can stand, and an object that begins with the same two keys as the list's first element.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from plancheck.lazy_regex import regex
from plancheck.syntax.tokens import COLON_AHEAD, Expect
from plancheck.syntax.tree import Spine

SEPARATOR = regex(r"[ \t\n\r]*,[ \t\n\r]*")
_SPACE = regex(r"[ \t\n\r]*")
_INDENT = regex(r"[ \t]*")
_FOLLOWS = {
    "{": regex(r'[ \t\n\r]*(?:,[ \t\n\r]*"[^"\n\r]*"[ \t\n\r]*:|\}|\Z)'),
    "[": regex(r'[ \t\n\r]*(?:,[ \t\n\r]*(?:[{\[0-9tfn-]|"[^"\n\r]*"(?![ \t\n\r]*:))|\]|\Z)'),
}
"""What may come after a complete value inside an object or a list."""
_FIRST_KEYS = regex(r'\{\s*"([^"\\\n\r]*)"\s*:\s*(?:"[^"\\\n\r]*"|[^\s,:{}\[\]"]+)\s*,\s*"([^"\\\n\r]*)"\s*:')
_DEEPEST_LOOK = 200
"""So many open containers are looked at: more would let a hostile text take quadratic time."""


class Frame:
    """A container that is still open."""

    __slots__ = ("after_comma", "children", "expect", "indent", "key", "keys", "kind", "line_indent", "start", "top")

    def __init__(self, kind: str, start: int, top: bool) -> None:
        self.kind = kind
        self.start = start
        self.top = top
        """Whether its children are chunks, not nodes."""
        self.expect = Expect.KEY if kind == "{" else Expect.VALUE
        self.after_comma: int | None = None
        self.key: tuple[str, int, int] | None = None
        self.indent = -1
        """The column in which its children stand, if the first one began a line."""
        self.line_indent: int | None = None
        """How far the line is indented on which it was opened, once that was needed."""
        self.keys: tuple[str, str] | None = None
        """The first two keys of its first child, by which a sibling is known where no line break helps."""
        self.children: Any = Spine(start) if top and kind == "[" else []


def _outwards(stack: list[Frame], skip: int = 0) -> Iterator[int]:
    """The depths of the open containers, the innermost first."""
    return iter(range(len(stack) - 1 - skip, max(-1, len(stack) - 1 - _DEEPEST_LOOK), -1))


def column_of(text: str, start: int) -> int:
    """The column of a token that begins its line, else -1."""
    before = start
    while before > 0 and text[before - 1] in " \t":
        before -= 1
    return start - before if before > 0 and text[before - 1] in "\n\r" else -1


def note_child(frame: Frame, text: str, start: int) -> None:
    """Remember how a container's first child looks, to know its siblings by it."""
    if isinstance(frame.children, Spine):
        if frame.children.chunks or frame.indent >= 0 or frame.keys is not None:
            return
        if keys := _FIRST_KEYS.match(text, start):
            frame.keys = (keys[1], keys[2])
    elif frame.children:
        return
    frame.indent = column_of(text, start)


def closed_by(stack: list[Frame], text: str, kind: str, start: int, end: int) -> int | None:
    """The depth of the container that a closing bracket at `text[start:end]` ends; None if it is one too many."""
    depth = next((depth for depth in _outwards(stack) if stack[depth].kind == kind), None)
    if depth is None or depth == len(stack) - 1:
        return depth
    return None if _is_stray(stack, text, depth, start, end) else depth


def _is_stray(stack: list[Frame], text: str, depth: int, start: int, end: int) -> bool:
    """Whether a bracket that does not fit the innermost container is one too many, or the inner ones lack theirs."""
    if depth == 0:
        return _SPACE.match(text, end).end() < len(text)  # type: ignore[union-attr]
    outer = stack[depth - 1]
    if not _FOLLOWS[outer.kind].match(text, end):
        return True
    if outer.keys and (comma := SEPARATOR.match(text, end)) and not _has_keys(outer, text, comma.end()):
        return True
    if not stack[depth].top or _FOLLOWS[stack[-1].kind].match(text, end) is None:
        return False
    column = column_of(text, start)
    return column < 0 or column != _line_indent(stack[depth], text)


def _line_indent(frame: Frame, text: str) -> int:
    """How far the line is indented on which a container was opened."""
    if frame.line_indent is None:
        line = max(text.rfind("\n", 0, frame.start), text.rfind("\r", 0, frame.start)) + 1
        frame.line_indent = _INDENT.match(text, line).end() - line  # type: ignore[union-attr]
    return frame.line_indent


def outdented_to(stack: list[Frame], text: str, kind: str, start: int, end: int) -> int | None:
    """The depth of the container whose children stand in the column where this token begins a line, if it is an outer
    one: what is inside it should have been closed.
    """
    if kind == "punctuation" and text[start] in "}],:":
        return None
    column = column_of(text, start)
    if column < 0:
        return None
    is_key = kind != "punctuation" and COLON_AHEAD.match(text, end) is not None
    for depth in _outwards(stack):
        frame = stack[depth]
        if frame.indent == column and (frame.kind == "{") == is_key:
            return depth if depth < len(stack) - 1 else None
        if 0 <= frame.indent <= column:
            return None
    return None


def list_of_sibling(stack: list[Frame], text: str, start: int) -> int | None:
    """The depth of the list that an opening bracket, where none can stand, is the next element of."""
    for depth in _outwards(stack, skip=1):
        frame = stack[depth]
        if frame.kind == "[" and (not frame.top or frame.keys is None or _has_keys(frame, text, start)):
            return depth
    return None


def _has_keys(frame: Frame, text: str, start: int) -> bool:
    found = _FIRST_KEYS.match(text, start)
    return found is not None and (found[1], found[2]) == frame.keys


def lacks_opening(frame: Frame, text: str, start: int, end: int) -> bool:
    """Whether a key that stands in a list belongs to an element whose opening bracket is missing."""
    if frame.top:
        return frame.keys is None or frame.keys[0] == text[start + 1 : end - 1]
    return not frame.children and text[frame.start + 1 : start].strip(" \t\n\r") == ""
