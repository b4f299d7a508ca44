"""A policy or a configuration as a tree of names."""

from __future__ import annotations

from plancheck.ide.described.file import DescribedFile
from plancheck.ide.symbols import Symbol, SymbolKind
from plancheck.ide.words import count
from plancheck.markdown import plain
from plancheck.policy.described import EntryPath, Named, PlacedEntry
from plancheck.text import Span

MOST_LISTED_KEYS = 2_000
"""Of a file with more keys the first are listed."""

_KINDS = {Named.TOOL: SymbolKind.TOOL_CALL, Named.ARGUMENT: SymbolKind.LIMIT, Named.RULE: SymbolKind.RULE}


def symbols_in(file: DescribedFile) -> list[Symbol]:
    """The keys of the file, those of its tables below them."""
    below: dict[EntryPath, list[PlacedEntry]] = {}
    left = MOST_LISTED_KEYS
    for entry in file.entries:
        form = file.table.form(entry.path)
        if left > 0 and (entry.key is not None or (form is not None and form.is_table)):
            below.setdefault(entry.path[:-1], []).append(entry)
            left -= 1
    elements: dict[EntryPath, int] = {}
    for entry in file.entries:
        if entry.key is None:
            elements[entry.path[:-1]] = elements.get(entry.path[:-1], 0) + 1

    def symbol(entry: PlacedEntry) -> Symbol:
        children = tuple(symbol(child) for child in below.get(entry.path, ()))
        own = entry.key if entry.key is not None else entry.value
        start, end = min(own.start, entry.value.start), max(own.end, entry.value.end)
        whole = Span(
            min([start, *(child.span.start for child in children)]), max([end, *(c.span.end for c in children)])
        )
        selection = own if entry.key is not None else Span(own.start, min(own.start + 1, own.end))
        return Symbol(_name(entry), _detail(file, entry, elements), _kind(file, entry), whole, selection, children)

    return [symbol(entry) for entry in below.get((), ())]


def _name(entry: PlacedEntry) -> str:
    last = entry.path[-1]
    return f"{last + 1}" if isinstance(last, int) else plain(last)


def _detail(file: DescribedFile, entry: PlacedEntry, elements: dict[EntryPath, int]) -> str:
    if entry.scalar is not None:
        return plain(str(entry.scalar))
    form, number = file.table.form(entry.path), elements.get(entry.path)
    if number is None or form is None:
        return ""
    if form.sample and number == 2:  # the two ends of a bound say more than that there are two
        return plain(file.text[entry.value.start : entry.value.end])
    return count(number, "entry") if number == 1 else f"{number:,} entries"


def _kind(file: DescribedFile, entry: PlacedEntry) -> SymbolKind:
    around, form = file.table.form(entry.path[:-1]), file.table.form(entry.path)
    if around is not None and around.key_names is not None and file.table.key(entry.path) is None:
        return _KINDS[around.key_names]
    return SymbolKind.SECTION if form is not None and form.is_table and not form.words else SymbolKind.SETTING
