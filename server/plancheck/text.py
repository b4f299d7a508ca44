"""Offsets, spans, edits, and the one place where offsets become lines and columns.

Everything inside plancheck counts in *offsets*: code points from the start of the text, as Python strings do.
Two other coordinate systems exist, and both are known here only:

- line and character as editors count them: zero-based, the character in UTF-8, UTF-16 or UTF-32 code units;
- line and column as people count them in a terminal: both plus one (`cli` adds the one).

A line ends at `\\n`, `\\r\\n` or `\\r` and nowhere else; `str.splitlines` knows more line ends than LSP does.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from enum import Enum
from itertools import accumulate, repeat
from operator import add

from plancheck.frozen import Frozen
from plancheck.tuples import NamedTuple


class Span(NamedTuple):
    """A half-open range of offsets."""

    start: int
    end: int

    def shifted(self, by: int) -> Span:
        return Span(self.start + by, self.end + by)


class Edit(NamedTuple):
    """Replace `text[start:end]` by `new_text`."""

    start: int
    end: int
    new_text: str


class Position(Frozen):
    """Where an editor would put the cursor: a line and a character, both from zero."""

    line: int
    """Counted from 0."""
    character: int
    """In UTF-16 code units, from 0, where nothing else is said."""

    def to_dict(self) -> dict[str, int]:
        """As `plancheck check --format json` prints it."""
        return {"line": self.line, "character": self.character}


class Encoding(str, Enum):
    """The unit in which an editor counts characters."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    UTF32 = "utf-32"


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """The text after all edits, whose ranges refer to the text before any of them and do not overlap."""
    pieces: list[str] = []
    done = 0
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        if edit.start < done:
            raise ValueError(f"edits overlap at offset {edit.start}")
        pieces += (text[done : edit.start], edit.new_text)
        done = edit.end
    pieces.append(text[done:])
    return "".join(pieces)


def merged_edit(first: Edit, then: Edit, text: str) -> Edit:
    """Two edits, one after the other, as one edit of the text before both; `text` is the text after both."""
    grown = len(first.new_text) - (first.end - first.start)
    start = min(first.start, then.start)
    end = max(first.end, then.end - grown)
    grown += len(then.new_text) - (then.end - then.start)
    return Edit(start, end, text[start : end + grown])


_LINE_END = re.compile(r"\r\n|\n|\r")
_BLOCK_LINES = 128


def _line_starts(text: str) -> list[int]:
    """The offset of every line's first character, the first line's included."""
    if "\r" not in text:
        starts = list(accumulate(map(add, map(len, text.split("\n")), repeat(1)), initial=0))
        starts.pop()
        return starts
    return [0, *(match.end() for match in _LINE_END.finditer(text))]


class LineIndex:
    """The line table of one text, immutable; `edited` makes the next one at the cost of what changed.

    Lines are kept in blocks of some hundred, each with starts relative to the block, so that an edit rebuilds the
    blocks it touches and shifts the others by one number each.
    """

    __slots__ = ("_blocks", "_lines", "_offsets", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        starts = _line_starts(text)
        self._blocks: list[list[int]] = []
        self._offsets: list[int] = []
        self._lines: list[int] = []
        self._append(starts, 0)

    def _append(self, starts: Sequence[int], base: int) -> None:
        """Add lines whose starts are relative to `base`, in blocks."""
        for first in range(0, len(starts), _BLOCK_LINES):
            block = starts[first : first + _BLOCK_LINES]
            self._lines.append(self._lines[-1] + len(self._blocks[-1]) if self._blocks else 0)
            self._offsets.append(base + block[0])
            self._blocks.append([start - block[0] for start in block])

    def edited(self, edit: Edit, text: str) -> LineIndex:
        """The index of `text`, which is this index's text after `edit`."""
        if self._is_in_line(edit):
            return self._shifted(edit, text)
        first = max(bisect_right(self._offsets, max(edit.start - 1, 0)) - 1, 0)
        last = bisect_right(self._offsets, edit.end) - 1
        delta = len(edit.new_text) - (edit.end - edit.start)
        index = LineIndex.__new__(LineIndex)
        index.text = text
        index._blocks = self._blocks[:first]
        index._offsets = self._offsets[:first]
        index._lines = self._lines[:first]
        base = self._offsets[first]
        if last + 1 < len(self._offsets):
            starts = _line_starts(text[base : self._offsets[last + 1] + delta])
            starts.pop()  # the line after the region is the first of the next block
        else:
            starts = _line_starts(text[base:])
        index._append(starts, base)
        if last + 1 < len(self._offsets):
            lines = index._lines[-1] + len(index._blocks[-1]) - self._lines[last + 1]
            index._blocks += self._blocks[last + 1 :]
            index._offsets += [offset + delta for offset in self._offsets[last + 1 :]]
            index._lines += [line + lines for line in self._lines[last + 1 :]]
        return index

    def _is_in_line(self, edit: Edit) -> bool:
        """Whether an edit neither touches a line end nor brings one along, nor stands where it could make one whole."""
        start, end, new_text = edit
        around = self.text[max(start - 1, 0) : end + 1] + new_text
        return "\n" not in around and "\r" not in around

    def _shifted(self, edit: Edit, text: str) -> LineIndex:
        """The index after an edit inside a line: all lines behind it begin later."""
        delta = len(edit.new_text) - (edit.end - edit.start)
        block = max(bisect_right(self._offsets, edit.start) - 1, 0)
        starts = self._blocks[block]
        line = bisect_right(starts, edit.start - self._offsets[block])
        index = LineIndex.__new__(LineIndex)
        index.text = text
        index._lines = self._lines
        index._blocks = self._blocks.copy()
        index._blocks[block] = starts[:line] + [start + delta for start in starts[line:]]
        index._offsets = self._offsets[: block + 1] + [offset + delta for offset in self._offsets[block + 1 :]]
        return index

    @property
    def line_count(self) -> int:
        return self._lines[-1] + len(self._blocks[-1])

    def line_start(self, line: int) -> int:
        """The offset at which `line` starts; the text's end for a line past the last."""
        if line >= self.line_count:
            return len(self.text)
        block = bisect_right(self._lines, line) - 1
        return self._offsets[block] + self._blocks[block][line - self._lines[block]]

    def line_of(self, offset: int) -> int:
        block = max(bisect_right(self._offsets, offset) - 1, 0)
        return self._lines[block] + bisect_right(self._blocks[block], offset - self._offsets[block]) - 1

    def line_span(self, line: int) -> Span:
        """The line's own characters, its line end excluded."""
        start, end = self.line_start(line), self.line_start(line + 1)
        if line + 1 < self.line_count:
            end -= 2 if self.text.startswith("\r\n", end - 2) else 1
        return Span(start, max(start, end))

    def position(self, offset: int, encoding: Encoding = Encoding.UTF16) -> Position:
        offset = min(max(offset, 0), len(self.text))
        number = max(bisect_right(self._offsets, offset) - 1, 0)
        block, base = self._blocks[number], self._offsets[number]
        line = bisect_right(block, offset - base) - 1
        return Position(self._lines[number] + line, _width(self.text[base + block[line] : offset], encoding))

    def ends(self, span: Span, encoding: Encoding = Encoding.UTF16) -> tuple[Position, Position]:
        """Where a piece of the text begins and ends: mostly on one line, which is looked for once."""
        start = self.position(span.start, encoding)
        piece = self.text[span.start : span.end]
        if span.start < 0 or len(piece) != span.end - span.start or "\n" in piece or "\r" in piece:
            return start, self.position(span.end, encoding)
        return start, Position(start.line, start.character + _width(piece, encoding))

    def offset(self, line: int, character: int, encoding: Encoding = Encoding.UTF16) -> int:
        """The offset of a position; one past a line's or the text's end, or before its start, is moved inside."""
        if line < 0:
            return 0
        span = self.line_span(line)
        return span.start + _length(self.text[span.start : span.end], max(character, 0), encoding)


def _width(text: str, encoding: Encoding) -> int:
    """How many code units `text` takes."""
    if encoding is Encoding.UTF32 or text.isascii():
        return len(text)
    if encoding is Encoding.UTF16:
        return len(text.encode("utf-16-le", "surrogatepass")) // 2
    return len(text.encode("utf-8", "surrogatepass"))


def _length(text: str, units: int, encoding: Encoding) -> int:
    """How many characters of `text` lie within its first `units` code units; a position inside one is before it."""
    if encoding is Encoding.UTF32 or text.isascii():
        return min(units, len(text))
    if encoding is Encoding.UTF16:
        raw = text.encode("utf-16-le", "surrogatepass")
        cut = min(2 * units, len(raw))
        halves_a_pair = 0 < cut < len(raw) and raw[cut - 1] & 0xFC == 0xD8 and raw[cut + 1] & 0xFC == 0xDC
        return len(raw[: cut - 2 if halves_a_pair else cut].decode("utf-16-le", "surrogatepass"))
    raw = text.encode("utf-8", "surrogatepass")
    cut = min(units, len(raw))
    while 0 < cut < len(raw) and raw[cut] & 0xC0 == 0x80:
        cut -= 1
    return len(raw[:cut].decode("utf-8", "surrogatepass"))
