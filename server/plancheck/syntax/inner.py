"""JSON text inside a string of a document: what it holds, and where that stands in the document, escapes counted."""

from __future__ import annotations

import json
from typing import Any

from plancheck.lazy_regex import regex
from plancheck.syntax.json import read
from plancheck.syntax.scanning import NotStrictError, scan
from plancheck.syntax.strings import StringOffsets
from plancheck.syntax.tokens import decode_string, has_lone_surrogate
from plancheck.syntax.tree import INSIDE, Chunk, Path, Problem, Top, Tree
from plancheck.syntax.values import depth_of
from plancheck.text import Edit, Span
from plancheck.tuples import NamedTuple


class InnerText:
    """The JSON text that a string holds, as a tree of its own, and the way between its offsets and those around it."""

    __slots__ = ("_offsets", "_start", "tree")

    def __init__(self, tree: Tree, offsets: StringOffsets, start: int) -> None:
        self.tree = tree
        self._offsets = offsets
        self._start = start
        """Where the string starts in the text around it."""

    def shifted(self, by: int) -> InnerText:
        return InnerText(self.tree, self._offsets, self._start + by)

    def outer_span(self, span: Span) -> Span:
        start, end = (self._offsets.raw(offset) + self._start for offset in span)
        return Span(start, end)

    def inner_offset(self, offset: int) -> int:
        return min(self._offsets.value(offset - self._start), len(self.tree.text))

    def outer_edit(self, edit: Edit) -> Edit:
        """An edit of the inner text as one of the text around it: what it writes is escaped."""
        return Edit(*self.outer_span(Span(edit.start, edit.end)), escaped(edit.new_text))


def escaped(text: str) -> str:
    """A text as it is written inside a string. Half a surrogate pair, which no file can hold, is an escape there."""
    return json.dumps(text, ensure_ascii=any("\ud800" <= char <= "\udfff" for char in text))[1:-1]


def inner_text_at(text: str, span: Span) -> InnerText | None:
    """The JSON text that the string at a span holds; None if there is no string."""
    if text[span.start : span.start + 1] not in ('"', "'"):
        return None
    value, _ = decode_string(text, span.start, span.end)
    return InnerText(read(value), StringOffsets(text[span.start : span.end]), span.start)


def inner_text(tree: Tree, path: Path) -> tuple[InnerText, Path] | None:
    """The JSON text that a path leads into, and the rest of the path in it; None if it leads into none."""
    if INSIDE not in path:
        return None
    depth = path.index(INSIDE)
    found = tree.resolve(path[:depth])
    if isinstance(found, Top) and isinstance(found.value, Chunk):
        found = found.start, found.value, ()
    if not isinstance(found, tuple) or isinstance(found, Top):
        return None
    start, chunk, within = found
    inner = chunk.inner_text(within)
    return None if inner is None else (inner.shifted(start), path[depth + 1 :])


# ---- values ----------------------------------------------------------------------------------------------------------

DEEPEST = 100
"""JSON text that is nested deeper is not read."""
MOST_PROBLEMS = 20
"""So many faults of one text are kept: of a text that is no JSON there may be one for each character."""


class TextValue(NamedTuple):
    """What a JSON text holds, as the syntax tree has it, and what is wrong with it, in characters of the text."""

    value: Any
    problems: tuple[Problem, ...] = ()
    is_too_deep: bool = False
    """Whether it was not read because it is nested too deeply: the value is the text itself then."""


def read_text(text: str) -> TextValue:
    """The value of a JSON text: by the C scanner, or else tolerantly."""
    stripped = text.strip(" \t\r\n")
    try:
        value, end = scan(stripped, 0)
        if end == len(stripped) and not has_lone_surrogate(stripped):
            return TextValue(text, (), True) if depth_of(value) > DEEPEST else TextValue(value)
    except (ValueError, StopIteration, RecursionError, NotStrictError):
        pass  # read below, where each fault is found
    if _is_deep(stripped):  # what is not JSON takes far longer to read, bracket by bracket
        return TextValue(text, (), True)
    tree = read(text)
    if tree.depth > DEEPEST:
        return TextValue(text, (), True)
    return TextValue(_value_of(tree), tuple(tree.problems[:MOST_PROBLEMS]))


_BRACKET = regex(r'"[^"\\]*(?:\\[\s\S][^"\\]*)*"?|([\[{])|([\]}])')


def _is_deep(text: str) -> bool:
    """Whether brackets are open inside one another more often than is read."""
    depth = 0
    for match in _BRACKET.finditer(text):
        depth += (match.lastindex == 1) - (match.lastindex == 2 and depth > 0)
        if depth > DEEPEST:
            return True
    return False


def _value_of(tree: Tree) -> Any:
    """The document of a tree as a value of the tree's kind: objects are pairs."""
    root = tree.root
    if root is None:
        return None
    if isinstance(root, list):
        return tuple((top.key, _part(top.value)) for top in root)
    return _part(root)


def _part(value: Any) -> Any:
    return value.value if isinstance(value, Chunk) else [chunk.value for chunk in value.chunks]
