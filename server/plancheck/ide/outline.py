"""The shape of the text: what folds, what to select next, what is a link."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plancheck.analysis.snapshot import Snapshot
from plancheck.ide.cursor import way_down
from plancheck.syntax.tree import Chunk, Node, Spine
from plancheck.text import Span
from plancheck.tuples import NamedTuple

_BRACKET = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\]]')
_LINK_KEYS = ("$schema", "policy")


class DocumentLink(NamedTuple):
    span: Span
    """The text between the quotes."""
    target: str
    """A URL, or a path relative to the document."""


def folds(snapshot: Snapshot) -> list[Span]:
    """Every object and list that takes more than one line, brackets included, in the order of the text."""
    tree = snapshot.tree
    found = []
    if isinstance(tree.root, (list, Spine)):
        found.append(Span(tree.start, tree.end))
    if isinstance(tree.root, list):
        found += (Span(top.start, top.end) for top in tree.root if isinstance(top.value, Spine))
    text = snapshot.text
    found = [span for span in found if text.find("\n", *span) >= 0 or text.find("\r", *span) >= 0]
    for start, chunk in tree.chunks():
        if "\n" in chunk.text or "\r" in chunk.text:
            found += (span.shifted(start) for span in _folds_inside(chunk))
    return sorted(found, key=lambda span: (span.start, -span.end))


def _folds_inside(chunk: Chunk) -> Iterator[Span]:
    """The containers of a chunk that take more than one line; brackets tell, for they are in order."""
    text = chunk.text
    spans = _of_nodes(chunk.node) if chunk.problems else _of_brackets(text)
    return (span for span in spans if text.find("\n", *span) >= 0 or text.find("\r", *span) >= 0)


def _of_brackets(text: str) -> Iterator[Span]:
    stack: list[int] = []
    for match in _BRACKET.finditer(text):
        symbol = match.group()
        if symbol in "{[":
            stack.append(match.start())
        elif symbol in "}]":
            yield Span(stack.pop(), match.end())


def _of_nodes(node: Node) -> Iterator[Span]:
    todo = [node]
    while todo:
        current = todo.pop()
        if current.children:
            yield Span(current.start, current.end)
            todo += (member.node for member in current.members())
            todo += current.items()


def selections(snapshot: Snapshot, offset: int) -> list[Span]:
    """What to select around an offset, the smallest first, each inside the next: the text of a string or key, the
    token, the member, the object or list with and without its brackets, up to the document."""
    text = snapshot.text
    offset = min(max(offset, 0), len(text))
    found = [Span(0, len(text))]
    for spot in way_down(snapshot, offset):
        if spot.key is not None:
            found.append(Span(spot.key.start, max(spot.span.end, spot.key.end)))
            if offset <= spot.key.end:
                found += _token(text, spot.key)
                continue
        found += _token(text, spot.span)
    found.append(Span(offset, offset))
    chain: list[Span] = []
    for span in reversed(found):
        is_around = span.start <= offset <= span.end
        if is_around and (not chain or (span != chain[-1] and _holds(span, chain[-1]))):
            chain.append(span)
    return chain


def _token(text: str, span: Span) -> list[Span]:
    """A value and what is between its quotes or brackets."""
    if span.end - span.start >= 2 and text[span.start] in '"{[' and text[span.end - 1] in '"}]':
        return [span, Span(span.start + 1, span.end - 1)]
    if span.end - span.start >= 4 and text.startswith('\\"', span.start) and text.endswith('\\"', span.start, span.end):
        return [span, Span(span.start + 2, span.end - 2)]
    return [span]


def _holds(outer: Span, inner: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def links(snapshot: Snapshot) -> list[DocumentLink]:
    """The members of the document that name another file: `$schema`, and `policy` (one, or a list of them)."""
    tree = snapshot.tree
    if not isinstance(tree.root, list):
        return []
    found: list[DocumentLink] = []
    for top in tree.root:
        if top.key in _LINK_KEYS:
            if isinstance(top.value, Spine):
                values: list[tuple[int, Chunk]] = list(zip(top.value.starts, top.value.chunks, strict=True))
            else:
                values = [(top.start, top.value)]
            found += (
                DocumentLink(Span(start + 1, start + len(chunk.text) - 1), chunk.value)
                for start, chunk in values
                if _names_a_file(chunk)
            )
    return found


def _names_a_file(chunk: Chunk) -> bool:
    """Whether the value is a finished string that could be an address: not empty, no blanks at its ends, one line."""
    value = chunk.value
    if not isinstance(value, str) or len(chunk.text) < 3 or not chunk.text.endswith('"'):
        return False
    return value == value.strip() and value.isprintable()
