"""What stands where in a policy file, for whoever looks at the file itself: its keys and values in the order of the
text, as much of it as can be read."""

from __future__ import annotations

from collections.abc import Iterator

from plancheck.policy.described import EntryPath, PlacedEntry
from plancheck.policy.yaml import Mapping, Scalar, Sequence, Value, read_yaml
from plancheck.text import Span


def policy_entries(text: str) -> tuple[PlacedEntry, ...]:
    value, _ = read_yaml(text)
    return tuple(_entries(value, (), Span(0, len(text)))) if value is not None else ()


def _entries(value: Value, path: EntryPath, around: Span) -> Iterator[PlacedEntry]:
    """The entries below a value. What an alias or a merge brings in stands elsewhere, and is left out."""
    if isinstance(value, Mapping):
        for member in value.members:
            if _is_inside(member.key_span, around):
                yield from _entry((*path, member.key), member.key_span, member.value, around)
    elif isinstance(value, Sequence):
        for number, item in enumerate(value.items):
            yield from _entry((*path, number), None, item, around)


def _entry(path: EntryPath, key: Span | None, value: Value, around: Span) -> Iterator[PlacedEntry]:
    is_here = _is_inside(value.span, around)
    if key is None and not is_here:
        return
    span = value.span if is_here else Span(around.end, around.end) if key is None else Span(key.end, key.end)
    yield PlacedEntry(path, key, span, value.value if isinstance(value, Scalar) and is_here else None)
    if is_here and not isinstance(value, Scalar):
        yield from _entries(value, path, value.span)


def _is_inside(inner: Span, outer: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end
