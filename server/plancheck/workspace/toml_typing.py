"""What is being typed at an offset of a TOML text, told by the table that it is in and the brackets around it."""

from __future__ import annotations

import re
from itertools import islice

from plancheck.policy.described import EntryPath
from plancheck.policy.typing_place import DEEPEST, LONGEST, PlaceFinder, TooDeepError, TypingPlace, TypingWants, bare
from plancheck.text import Span

_STARTS_SOMETHING = re.compile(r"""\[{1,2}[^\[\],"'=]+\]{1,2}[ \t]*(?:#.*)?$|[A-Za-z0-9_.-]+[ \t]*=""", re.MULTILINE)
_HEADER = re.compile(r"(\[{1,2})[ \t]*([^\]\n#]*)")
_PART = re.compile(r""""(?:[^"\\\n]|\\.)*"?|'[^'\n]*'?|[^\s."'=]+""")
_BLANKS = re.compile(r"[ \t]*")


class _TomlFinder(PlaceFinder):
    tokens = re.compile(r""""(?:[^"\\\n]|\\.)*"?|'[^'\n]*'?|\#[^\n]*|[\[\]{},=]|[^\s,\[\]{}=\#"']+""")
    between = "="

    def __init__(self, text: str, offset: int) -> None:
        super().__init__(text, offset)
        self._counts: dict[EntryPath, int] = {}
        """How many elements each array of tables has so far."""
        self._closing: str | None = None
        """What ends the text of several lines that is read."""

    def read(self) -> TypingPlace | None:
        start = 0
        for line in self.text.split("\n"):
            self._read_line(start, start + len(line.rstrip("\r")))
            start += len(line) + 1
        return self.place()

    def _read_line(self, start: int, end: int) -> None:
        has_cursor = self.is_at(start, end)
        if self._closing is not None:
            self.is_nowhere |= has_cursor
            if self.text.find(self._closing, start, end) >= 0:
                self._closing = None
            return
        match = _BLANKS.match(self.text, start, end)
        position = match.end() if match is not None else start
        if self.brackets and _STARTS_SOMETHING.match(self.text, position, end) and position == start:
            self.stack.clear()  # the brackets are not closed, and something else begins here
            self.brackets = 0
        if self.brackets:
            self.read_brackets(start, end)
        elif position == end:
            if has_cursor:
                self.take(self.base, TypingWants.KEY)
        elif self.text[position] == "#":
            self.is_nowhere |= has_cursor and self.offset > position
        elif self.text[position] == "[":
            self._read_header(position, end)
        else:
            self._read_member(position, end)

    def _read_header(self, position: int, end: int) -> None:
        match = _HEADER.match(self.text, position, end)
        assert match is not None
        path: EntryPath = ()
        wants = TypingWants.HEADER if len(match[1]) == 1 else TypingWants.HEADER_OF_ELEMENT
        parts = [Span(*part.span()) for part in self._parts(match.start(2), match.end(2))]
        for number, span in enumerate(parts):
            if self.is_at(*span):
                self.take(path, wants, span)
            elif len(parts) > number + 1 or len(match[1]) == 1:
                self.note(path, bare(self.text[span.start : span.end]))
            path = (*path, bare(self.text[span.start : span.end]))
            if path in self._counts and number < len(parts) - 1:
                path = (*path, self._counts[path] - 1)
        if match.end(1) <= self.offset <= match.end(2):
            self.take(path, wants)
        if len(match[1]) == 2 and path:
            self._counts[path] = self._counts.get(path, 0) + 1
            path = (*path, self._counts[path] - 1)
        self.is_nowhere |= match.end(2) < self.offset <= end
        self.stack.clear()
        self.base = path

    def _read_member(self, position: int, end: int) -> None:
        equals = self._equals(position, end)
        path = self.base
        for word in self._parts(position, equals if equals is not None else end):
            span = Span(*word.span())
            name = bare(word[0])
            if self.is_at(*span):
                self.take(path, TypingWants.KEY, span)
            else:
                self.note(path, name)
            path = (*path, name)
        if equals is None:
            return
        self.stack.clear()
        for part in path[len(self.base) :]:
            self.push(is_list=False, indent=0).key = str(part)
        self._read_value(equals + 1, end)

    def _parts(self, position: int, end: int) -> list[re.Match[str]]:
        """The parts of a key."""
        found = list(islice(_PART.finditer(self.text, position, end), DEEPEST + 1))
        if len(found) > DEEPEST:
            raise TooDeepError
        return found

    def _equals(self, position: int, end: int) -> int | None:
        """Where a key ends: at an equals sign that is not in quotes."""
        for part in _PART.finditer(self.text, position, end):
            behind = _BLANKS.match(self.text, part.end(), end)
            assert behind is not None
            if self.text.startswith("=", behind.end(), end):
                return behind.end()
            if not self.text.startswith(".", behind.end(), end):
                return None
        return None

    def _read_value(self, position: int, end: int) -> None:
        behind = _BLANKS.match(self.text, position, end)
        assert behind is not None
        start = behind.end()
        for quotes in ('"""', "'''"):
            if self.text.startswith(quotes, start, end):
                self.is_nowhere |= start < self.offset <= end
                self._closing = quotes if self.text.find(quotes, start + 3, end) < 0 else None
                return
        if self.text[start:end][:1] in ("[", "{"):
            stop = self.read_brackets(start, end)
            self.is_nowhere |= not self.brackets and stop < self.offset <= end
        else:
            word = self.tokens.match(self.text, start, end)
            span = Span(*word.span()) if word is not None and word[0][0] != "#" else Span(start, start)
            if self.is_at(*span):
                self.take(self.path(), TypingWants.VALUE, span if span.end > span.start else None)
            self.is_nowhere |= span.end < self.offset <= end
        if position <= self.offset <= start:
            self.take(self.path(), TypingWants.VALUE)


def typing_in_toml(text: str, offset: int) -> TypingPlace | None:
    """The place where something is being typed; None where nothing can be offered."""
    if len(text) > LONGEST:
        return None
    try:
        return _TomlFinder(text, offset).read()
    except TooDeepError:
        return None
