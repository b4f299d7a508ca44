"""Between offsets, in which everything below counts, and the lines and characters of an editor."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypeAlias

from lsprotocol import types

from plancheck.text import Edit, Encoding, LineIndex, Span
from plancheck.tuples import NamedTuple

if TYPE_CHECKING:
    from plancheck.analysis.snapshot import Snapshot

Plain: TypeAlias = dict[str, Any]
"""An object of the protocol as it is sent. Answers with one for every step are made of these: at 10,000 steps the way
over lsprotocol's objects takes half a second."""


class Encoded(str):
    """An object of the protocol as JSON text. What did not change since it was last sent need not be encoded again."""

    __slots__ = ()


class Mapper(NamedTuple):
    """Offsets to positions and back, in one text."""

    lines: LineIndex
    encoding: Encoding

    def position(self, offset: int) -> types.Position:
        found = self.lines.position(offset, self.encoding)
        return types.Position(found.line, found.character)

    def range(self, span: Span) -> types.Range:
        return types.Range(self.position(span.start), self.position(span.end))

    def offset(self, position: types.Position) -> int:
        return self.lines.offset(position.line, position.character, self.encoding)

    def span(self, range_: types.Range) -> Span:
        start, end = self.offset(range_.start), self.offset(range_.end)
        return Span(min(start, end), max(start, end))

    def plain_position(self, offset: int) -> Plain:
        return self.lines.position(offset, self.encoding).to_dict()

    def plain_range(self, span: Span) -> Plain:
        start, end = self.lines.ends(span, self.encoding)
        return {"start": start.to_dict(), "end": end.to_dict()}

    def location(self, uri: str, span: Span) -> types.Location:
        return types.Location(uri, self.range(span))

    def text_edits(self, edits: Iterable[Edit]) -> list[types.TextEdit]:
        return [types.TextEdit(self.range(Span(edit.start, edit.end)), edit.new_text) for edit in edits]


def mapper_of(snapshot: Snapshot, encoding: Encoding) -> Mapper:
    return Mapper(snapshot.lines, encoding)


def mapper_of_text(text: str, encoding: Encoding) -> Mapper:
    return Mapper(LineIndex(text), encoding)
