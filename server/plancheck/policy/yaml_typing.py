"""What is being typed at an offset of a YAML text, told by the indentation and the brackets around it."""

from __future__ import annotations

import re

from plancheck.policy.typing_place import LONGEST, PlaceFinder, TooDeepError, TypingPlace, TypingWants, bare
from plancheck.text import Span

_KEY = re.compile(r"""("(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[^\s#\[\]{},&*!|>%@`"':-][^:\n]*|-[^\s:][^:\n]*):(?=[ \t\r]|$)""")
_BLANKS = re.compile(r"[ \t]*")
_PROPERTIES = re.compile(r"(?:[&!][^\s,\[\]{}]*[ \t]+)*")
_COMMENT = re.compile(r"(?:^|[ \t])#")
_MANY_LINES = re.compile(r"[|>][-+0-9]*[ \t]*(?:#.*)?")


class _YamlFinder(PlaceFinder):
    tokens = re.compile(
        r""""(?:[^"\\\n]|\\.)*"?|'[^'\n]*'?|\#[^\n]*|[\[\]{},]|:(?=[\s,\[\]{}]|$)|"""
        r"""(?:[^\s,\[\]{}:"'\#]|:(?![\s,\[\]{}]|$))(?:[^\s,\[\]{}:]|:(?![\s,\[\]{}]|$))*""",
        re.MULTILINE,
    )
    between = ":"

    def __init__(self, text: str, offset: int) -> None:
        super().__init__(text, offset)
        self._text_indent: int | None = None
        """The indentation above which lines belong to a text of several lines."""
        self._line_indent = 0

    def read(self) -> TypingPlace | None:
        start = 0
        for line in self.text.split("\n"):
            self._read_line(start, start + len(line.rstrip("\r")))
            start += len(line) + 1
        return self.place()

    def _read_line(self, start: int, end: int) -> None:
        match = _BLANKS.match(self.text, start, end)
        position = match.end() if match is not None else start
        indent, is_blank = position - start, position == end or self.text[position] == "#"
        has_cursor = self.is_at(start, end)
        if self._text_indent is not None:
            if is_blank or indent > self._text_indent:
                self.is_nowhere |= has_cursor and (not is_blank or self.offset - start > self._text_indent)
                return
            self._text_indent = None
        if self.brackets and not is_blank and indent <= self._line_indent and _KEY.match(self.text, position, end):
            del self.stack[-self.brackets :]  # they are not closed, and something else begins here
            self.brackets = 0
        if self.brackets:
            self.read_brackets(position if self.offset >= position else start, end)
        elif not is_blank:
            self._line_indent = indent
            self._read_block(start, position, end)
        elif has_cursor and (position == end or self.offset <= position):
            self._settle(self.offset - start, is_item=False)
            self._take_in_block(self.offset - start)
        else:
            self.is_nowhere |= has_cursor

    # ---- lines by their indentation

    def _settle(self, indent: int, *, is_item: bool) -> None:
        """End what a line that begins at a column is not inside of any more."""
        while self.stack:
            top = self.stack[-1]
            if top.indent < indent or (top.indent == indent and (is_item or not top.is_list)):
                return
            self.stack.pop()

    def _take_in_block(self, indent: int, span: Span | None = None) -> None:
        top = self.stack[-1] if self.stack else None
        if top is not None and not top.is_list and top.indent == indent:
            self.take(self.path(of_table=True), TypingWants.KEY, span)
        else:
            self.take(self.path(), TypingWants.EITHER, span)

    def _read_block(self, start: int, position: int, end: int) -> None:
        self._settle(position - start, is_item=self._is_dash(position, end))
        while self._is_dash(position, end):
            indent = position - start
            self._settle(indent, is_item=True)
            top = self.stack[-1] if self.stack else None
            if top is not None and top.is_list and top.indent == indent:
                top.number += 1
            else:
                self.push(is_list=True, indent=indent)
            behind = _BLANKS.match(self.text, position + 1, end)
            assert behind is not None
            if position < self.offset <= behind.end() and (self.offset < behind.end() or behind.end() == end):
                self.take(self.path(), TypingWants.EITHER)
            position = behind.end()
        match = _KEY.match(self.text, position, end)
        if match is None:
            self._read_value(start, position, end, is_first=True)
            return
        self._read_key(position - start, Span(*match.span(1)))
        behind = _BLANKS.match(self.text, match.end(), end)
        assert behind is not None
        self._read_value(start, behind.end(), end, is_first=False)
        if match.end() <= self.offset <= behind.end():
            self.take(self.path(), TypingWants.VALUE)

    def _is_dash(self, position: int, end: int) -> bool:
        return self.text.startswith("-", position) and (position + 1 >= end or self.text[position + 1] in " \t")

    def _read_key(self, indent: int, span: Span) -> None:
        top = self.stack[-1] if self.stack else None
        if top is None or top.is_list or top.indent != indent:
            top = self.push(is_list=False, indent=indent)
        name = bare(self.text[span.start : span.end].rstrip())
        if self.is_at(*span):
            self.take(self.path(of_table=True), TypingWants.KEY, span)
        else:
            self.note(self.path(of_table=True), name)
        top.key = name

    def _read_value(self, start: int, position: int, end: int, *, is_first: bool) -> None:
        """What is on a line behind a key or a dash, or by itself."""
        match = _PROPERTIES.match(self.text, position, end)
        position = match.end() if match is not None else position
        if position >= end:
            return
        if self.text[position] in "[{":
            stop = self.read_brackets(position, end)
            self.is_nowhere |= not self.brackets and stop < self.offset <= end
            return
        if _MANY_LINES.fullmatch(self.text, position, end):
            self._text_indent = self.stack[-1].indent if self.stack else -1
            self.is_nowhere |= position < self.offset <= end
            return
        comment = _COMMENT.search(self.text, position, end)
        stop = comment.start() if comment is not None else end
        self.is_nowhere |= stop < self.offset <= end
        word = Span(position, position + len(self.text[position:stop].rstrip()))
        if self.is_at(*word):
            if is_first:
                self._take_in_block(position - start, word)
            else:
                self.take(self.path(), TypingWants.VALUE, word)
        elif is_first and self.stack and self.stack[-1].is_list:
            self.note(self.path()[:-1], bare(self.text[word.start : word.end]))


def typing_in_yaml(text: str, offset: int) -> TypingPlace | None:
    """The place where something is being typed; None where nothing can be offered."""
    if len(text) > LONGEST:
        return None
    try:
        return _YamlFinder(text, offset).read()
    except TooDeepError:
        return None
