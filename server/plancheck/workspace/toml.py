"""Where the keys and values of a TOML text stand.

`tomllib` reads a TOML text well and tells nothing about places. This scanner does the other half: it walks over a text
that `tomllib` has accepted and notes the span of every key and every value under the path that leads there. What is
nested too deeply for that (see `toml_excess`) is a ValueError, like any text that is not TOML.
"""

from __future__ import annotations

import re
from typing import TypeAlias

from plancheck.text import Span
from plancheck.tuples import NamedTuple
from plancheck.workspace.toml_excess import DEEPEST, LONGEST

TomlPath: TypeAlias = tuple[str | int, ...]

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_SPACE = re.compile(r"[ \t]*")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_STRING = re.compile(
    r'"""(?:[^\\]|\\[\s\S])*?"{3,5}'
    r"|'''[\s\S]*?'{3,5}"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'"
)
_SCALAR = re.compile(r"[^,\]}#\r\n]*[^,\]}#\s]")
_ESCAPE = re.compile(r'\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|x([0-9A-Fa-f]{2})|([btnfre"\\]))')
_SHORT = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r", "e": "\x1b", '"': '"', "\\": "\\"}


class TomlEntry(NamedTuple):
    """A key and its value. An element of a list has no key; of a table with a header the header is the value."""

    key: Span | None
    value: Span


def locate(text: str) -> dict[TomlPath, TomlEntry]:
    """The place of every key, table and list element of a TOML text."""
    if len(text) > LONGEST:
        raise ValueError("a text that is too long")
    scanner = _Scanner(text)
    scanner.document()
    return scanner.found


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.found: dict[TomlPath, TomlEntry] = {}
        self.counts: dict[TomlPath, int] = {}
        """How many elements each array of tables has so far."""
        self.depth = 0

    def document(self) -> None:
        table: TomlPath = ()
        self._skip(_BLANK)
        while self.position < len(self.text):
            start = self.position
            if self.text.startswith("[[", start):
                self.position += 2
                table = self._header(start, 2)
            elif self.text.startswith("[", start):
                self.position += 1
                table = self._header(start, 1)
            else:
                self._member(table)
            self._skip(_BLANK)

    def _header(self, start: int, brackets: int) -> TomlPath:
        keys = self._keys()
        self.position += brackets
        span = Span(start, self.position)
        path: TomlPath = ()
        for number, (name, key) in enumerate(keys):
            path = (*path, name)
            is_last = number == len(keys) - 1
            if is_last and brackets == 2:
                count = self.counts.get(path, 0)
                self.counts[path] = count + 1
                self.found.setdefault(path, TomlEntry(key, span))
                path = (*path, count)
                self.found[path] = TomlEntry(None, span)
            elif path in self.counts:
                path = (*path, self.counts[path] - 1)
            elif is_last:
                self.found[path] = TomlEntry(key, span)
            else:
                self.found.setdefault(path, TomlEntry(key, span))
        return path

    def _member(self, table: TomlPath) -> None:
        keys = self._keys()
        self.position += 1  # the equals sign
        self._skip(_SPACE)
        path = table
        waiting: list[tuple[TomlPath, Span]] = []
        for name, key in keys:
            path = (*path, name)
            waiting.append((path, key))
        last, key = waiting.pop()
        value = self._value(last)
        self.found[last] = TomlEntry(key, value)
        for above, key in waiting:  # a dotted key makes tables on its way
            self.found.setdefault(above, TomlEntry(key, Span(keys[0][1].start, value.end)))

    def _keys(self) -> list[tuple[str, Span]]:
        """A dotted key, up to what follows it."""
        found = []
        while True:
            self._skip(_SPACE)
            start = self.position
            if self.text[start : start + 1] in ("'", '"'):
                self._skip(_STRING)
                name = _unquoted(self.text[start : self.position])
            else:
                self._skip(_BARE_KEY)
                name = self.text[start : self.position]
            found.append((name, Span(start, self.position)))
            if len(found) > DEEPEST:
                raise ValueError("a key of too many parts")
            self._skip(_SPACE)
            if not self.text.startswith(".", self.position):
                return found
            self.position += 1

    def _value(self, path: TomlPath) -> Span:
        start = self.position
        first = self.text[start : start + 1]
        if first in ("[", "{"):
            self.depth += 1
            if self.depth > DEEPEST:
                raise ValueError("values in too many values")
            (self._list if first == "[" else self._inline_table)(path)
            self.depth -= 1
        else:
            self._skip(_STRING if first in ("'", '"') else _SCALAR)
        return Span(start, self.position)

    def _list(self, path: TomlPath) -> None:
        self.position += 1
        number = 0
        self._skip(_BLANK)
        while self._peek() != "]":
            element = (*path, number)
            self.found[element] = TomlEntry(None, self._value(element))
            number += 1
            self._next()
        self.position += 1

    def _inline_table(self, path: TomlPath) -> None:
        self.position += 1
        self._skip(_BLANK)
        while self._peek() != "}":
            self._member(path)
            self._next()
        self.position += 1

    def _next(self) -> None:
        """Over a comma and the space around it."""
        self._skip(_BLANK)
        if self._peek() == ",":
            self.position += 1
            self._skip(_BLANK)

    def _peek(self) -> str:
        if self.position >= len(self.text):
            raise ValueError("the text ends inside a value")
        return self.text[self.position]

    def _skip(self, pattern: re.Pattern[str]) -> None:
        match = pattern.match(self.text, self.position)
        if match is None:  # an accepted text has what the grammar wants; this is a grammar we do not know
            raise ValueError(f"unexpected TOML at offset {self.position}")
        self.position = match.end()


def _unquoted(key: str) -> str:
    if key.startswith("'"):
        return key[1:-1]
    return _ESCAPE.sub(
        lambda m: _SHORT[m[4]] if m[4] else chr(int(m[1] or m[2] or m[3], 16)),
        key[1:-1],
    )
