"""A policy or a configuration as an editor looks at it: its keys and values with their places, and what they mean."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plancheck.policy.described import DescribedKey, EntryPath, KeyTable, Named, PlacedEntry, ValueForm
from plancheck.text import Span
from plancheck.tuples import NamedTuple

_PROPERTIES = re.compile(r"(?:[&!]\S*[ \t]+)*")
"""An anchor or a tag before a value of YAML."""


class NamedThing(NamedTuple):
    """A name in such a file: of a tool, of an argument, or of a rule."""

    kind: Named
    name: str
    span: Span
    """Without quotes, where `is_plain`."""
    is_plain: bool
    """Whether the text at the span is the name, letter by letter."""
    entry: PlacedEntry
    is_key: bool


class TokenAt(NamedTuple):
    """The key or value under the cursor."""

    entry: PlacedEntry
    span: Span
    is_key: bool
    key: DescribedKey | None
    """What is known about the key that it belongs to."""
    form: ValueForm | None
    """Of the entry's value."""


class DescribedFile(NamedTuple):
    text: str
    table: KeyTable
    entries: tuple[PlacedEntry, ...]
    """In the order of the text."""

    def token_at(self, offset: int) -> TokenAt | None:
        """The innermost key or scalar at an offset."""
        for entry in reversed(self.entries):
            for span, is_key in ((entry.key, True), (entry.value if entry.scalar is not None else None, False)):
                if span is not None and span.start <= offset <= span.end:
                    return TokenAt(entry, span, is_key, self._key(entry), self.table.form(entry.path))
        return None

    def _key(self, entry: PlacedEntry) -> DescribedKey | None:
        """The description of the nearest key around."""
        return self.table.key(key_path(entry.path))

    def names(self) -> Iterator[NamedThing]:
        """Everything that the file names, in the order of the text."""
        for entry in self.entries:
            around = self.table.form(entry.path[:-1]) if entry.key is not None else None
            last = entry.path[-1]
            is_own = around is not None and all(key.name != last for key in around.keys)
            if around is not None and around.key_names is not None and is_own and entry.key is not None:
                yield self._named(around.key_names, str(last), entry.key, entry, is_key=True)
            form = self.table.form(entry.path) if isinstance(entry.scalar, str) else None
            if form is not None and form.named is not None and isinstance(entry.scalar, str):
                yield self._named(form.named, entry.scalar, entry.value, entry, is_key=False)

    def name_at(self, offset: int) -> NamedThing | None:
        return next((found for found in self.names() if found.span.start <= offset <= found.span.end), None)

    def owner_of(self, entry: PlacedEntry) -> NamedThing | None:
        """The name that is the key of a value, or of the list that it is in."""
        path = key_path(entry.path)
        return next((found for found in self.names() if found.is_key and found.entry.path == path), None)

    def _named(self, kind: Named, name: str, token: Span, entry: PlacedEntry, *, is_key: bool) -> NamedThing:
        span = inner(self.text, token)
        is_plain = self.text[span.start : span.end] == name
        return NamedThing(kind, name, span if is_plain else token, is_plain, entry, is_key)


def key_path(path: EntryPath) -> EntryPath:
    """The way to a value's key, or to that of the list that it is in."""
    while path and isinstance(path[-1], int):
        path = path[:-1]
    return path


def inner(text: str, token: Span) -> Span:
    """A token without the quotes around it, and without what stands before it."""
    match = _PROPERTIES.match(text, token.start, token.end)
    start, end = match.end() if match is not None else token.start, token.end
    if end - start >= 2 and text[start] in "'\"" and text[end - 1] == text[start]:
        return Span(start + 1, end - 1)
    return Span(start, end)
