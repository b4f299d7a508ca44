"""What is being typed at an offset of a YAML or TOML text, told by the text around it: it need not be whole.

This is what both have in common, lists and tables in brackets. `yaml_typing` and `workspace.toml_typing` know the rest.
"""

from __future__ import annotations

import re
from enum import Enum

from plancheck.policy.described import EntryPath
from plancheck.text import Span
from plancheck.tuples import NamedTuple

LONGEST = 500_000
"""Characters of a text that is looked at."""
DEEPEST = 100
_WORD_GOES_ON = re.compile(r"[\w./*@-]*")


class TypingWants(Enum):
    """What may be typed at a place."""

    KEY = "a key"
    VALUE = "a value"
    EITHER = "the first key of a table, the first element of a list, or a value"
    HEADER = "the header of a table"
    HEADER_OF_ELEMENT = "the header of a table in a list"


class TypingPlace(NamedTuple):
    """A place where something is being typed."""

    path: EntryPath
    """Of the table that gets a key, or of the value."""
    wants: TypingWants
    span: Span
    """The word under the cursor, with its quotes; it lies on one line."""
    typed: str
    """What there is of it before the cursor, without the quote."""
    quote: str
    in_brackets: bool
    has_value: bool
    """Whether a colon or an equals sign follows already."""
    keys: frozenset[str]
    """Those that the table at the path has."""
    elements: frozenset[str]
    """Those of the list that the value is in."""


class _Container:
    """A list or a table around what is read."""

    __slots__ = ("indent", "is_list", "key", "number")

    def __init__(self, *, is_list: bool, indent: int) -> None:
        self.is_list = is_list
        self.indent = indent
        self.key: str | None = None
        """Of a table, the one whose value is read; None between two."""
        self.number = 0


class TooDeepError(ValueError):
    """There are more brackets in one another than anybody writes."""


class PlaceFinder:
    """Reads a text up to its end, and notes the place of the cursor and which names are where."""

    tokens: re.Pattern[str]
    """What is in brackets: quoted text, comments, signs and words; blanks lie between."""
    between: str
    """What stands between a key and its value."""

    def __init__(self, text: str, offset: int) -> None:
        self.text = text
        self.offset = offset
        self.stack: list[_Container] = []
        self.brackets = 0
        """How many of the last containers are in brackets."""
        self.base: EntryPath = ()
        self._names: dict[EntryPath, set[str]] = {}
        self._found: tuple[EntryPath, TypingWants, Span, bool] | None = None
        self.is_nowhere = False
        """Whether the cursor is where nothing is offered: in a comment, or in a text of several lines."""

    def place(self) -> TypingPlace | None:
        if self._found is None or self.is_nowhere:
            return None
        path, wants, span, in_brackets = self._found
        first = self.text[span.start : span.start + 1]
        quote = first if first in ("'", '"') and span.start < self.offset else ""
        typed = self.text[span.start + len(quote) : self.offset]
        has_value = re.compile(rf"[ \t]*{self.between}").match(self.text, span.end) is not None
        keys, elements = self._names.get(path, ()), self._names.get(path[:-1], ())
        return TypingPlace(
            path, wants, span, typed, quote, in_brackets, has_value, frozenset(keys), frozenset(elements)
        )

    # ---- what was read so far

    def path(self, *, of_table: bool = False) -> EntryPath:
        """The way to the value that is read; or to the table around it."""
        last = len(self.stack) - 1
        found: list[str | int] = []
        for depth, container in enumerate(self.stack):
            if container.is_list:
                found.append(container.number)
            elif container.key is not None and not (of_table and depth == last):
                found.append(container.key)
        return (*self.base, *found)

    def push(self, *, is_list: bool, indent: int) -> _Container:
        if len(self.stack) >= DEEPEST:
            raise TooDeepError
        self.stack.append(_Container(is_list=is_list, indent=indent))
        return self.stack[-1]

    def note(self, path: EntryPath, name: str) -> None:
        """There is a key in the table, or an element in the list, at a path."""
        self._names.setdefault(path, set()).add(name)

    def take(self, path: EntryPath, wants: TypingWants, span: Span | None = None) -> None:
        """The cursor is in a word, or between words."""
        if self._found is None:
            word = self._cut(span) if span is not None else Span(self.offset, self.offset)
            self._found = path, wants, word, self.brackets > 0

    def _cut(self, span: Span) -> Span:
        """A word with a quote that is not closed runs to the end of the line: it is cut where the next thing begins."""
        word = self.text[span.start : span.end]
        if word[:1] in ("'", '"') and (len(word) < 2 or word[-1] != word[0]):
            match = _WORD_GOES_ON.match(self.text, self.offset)
            return Span(span.start, match.end() if match is not None else self.offset)
        return span

    def is_at(self, start: int, end: int) -> bool:
        return start <= self.offset <= end

    # ---- brackets

    def read_brackets(self, position: int, end: int) -> int:
        """Read what is in brackets, to the last closing one or the end of the line; where that is."""
        has_cursor, before = self.is_at(position, end), position
        for token in self.tokens.finditer(self.text, position, end):
            start, stop = token.span()
            sign = self.text[start]
            is_word = sign not in "[]{},#" and sign != self.between
            is_before = before <= self.offset < start or (self.offset == start and not is_word)
            if has_cursor and self.brackets and is_before:
                self._take_in_brackets(None)
            before = stop
            if sign == "#":
                self.is_nowhere |= start < self.offset <= stop
                return end
            if is_word:
                self._word(Span(start, stop))
            elif sign in "[{":
                self.push(is_list=sign == "[", indent=0)
                self.brackets += 1
            elif sign in "]}":
                self._close()
                if not self.brackets:
                    return stop
            elif sign == ",":
                self._next()
            else:
                self._after_key()
        if has_cursor and self.brackets:
            self._take_in_brackets(None)
        return end

    def _close(self) -> None:
        self.stack.pop()
        self.brackets -= 1

    def _next(self) -> None:
        top = self.stack[-1]
        top.number += 1
        top.key = None

    def _after_key(self) -> None:
        """A key without a name, as in `{: 1}`, has an empty one."""
        top = self.stack[-1]
        if not top.is_list and top.key is None:
            top.key = ""

    def _word(self, span: Span) -> None:
        top, name = self.stack[-1], bare(self.text[span.start : span.end])
        is_here = self.is_at(*span)
        if is_here:
            self._take_in_brackets(span)
        if top.is_list and not is_here:
            self.note(self.path()[:-1], name)
        elif not top.is_list and top.key is None and self._is_followed(span.end):
            if not is_here:
                self.note(self.path(of_table=True), name)
            top.key = name

    def _is_followed(self, position: int) -> bool:
        while self.text[position : position + 1] in (" ", "\t"):
            position += 1
        return self.text.startswith(self.between, position)

    def _take_in_brackets(self, span: Span | None) -> None:
        top = self.stack[-1]
        if top.is_list or top.key is not None:
            self.take(self.path(), TypingWants.VALUE, span)
        else:
            self.take(self.path(of_table=True), TypingWants.KEY, span)


def bare(word: str) -> str:
    """A word without the quotes around it."""
    return word[1:-1] if len(word) > 1 and word[0] in "'\"" and word[-1] == word[0] else word.lstrip("'\"")
