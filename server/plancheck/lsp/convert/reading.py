"""What an editor only shows: hovers, hints, lenses, folds, selections, links."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from plancheck.ide.commands import SHOW_STEPS, SHOW_USES
from plancheck.lsp.convert.link_targets import link_target
from plancheck.lsp.convert.mapper import Mapper, Plain
from plancheck.text import LineIndex, Span

if TYPE_CHECKING:
    from plancheck.ide.commands import Command
    from plancheck.ide.hints import Hint
    from plancheck.ide.hover import Hover
    from plancheck.ide.lens import Lens
    from plancheck.ide.outline import DocumentLink
    from plancheck.ide.signature import Signature


def hover(found: Hover, mapper: Mapper) -> types.Hover:
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, found.markdown), mapper.range(found.span))


def signature_help(found: Signature, *, offsets: bool) -> Plain:
    """A parameter is known by its text, or by its place in the label, in UTF-16 whatever positions are counted in."""
    lines = LineIndex(found.label)

    def place(start: int, end: int) -> str | list[int]:
        return [lines.position(start).character, lines.position(end).character] if offsets else found.label[start:end]

    active: Plain = {} if found.active is None else {"activeParameter": found.active}
    parameters = [{"label": place(start, end), **_documented(page)} for start, end, page in found.parameters]
    signature = {"label": found.label, **_documented(found.page), "parameters": parameters, **active}
    return {"signatures": [signature], "activeSignature": 0, **active}


def _documented(page: str) -> Plain:
    return {"documentation": {"kind": "markdown", "value": page}} if page else {}


def inlay_hint(hint: Hint, mapper: Mapper) -> Plain:
    found: Plain = {"position": mapper.plain_position(hint.offset), "label": hint.label, "paddingLeft": True}
    return {**found, "tooltip": hint.tooltip} if hint.tooltip else found


def command(given: Command, uri: str, mapper: Mapper) -> types.Command:
    """A command with the document in front of its arguments; offsets in it become positions."""
    return types.Command(title=given.title, command=given.name, arguments=_arguments(given, uri, mapper))


def _arguments(given: Command, uri: str, mapper: Mapper) -> list[Any]:
    if given.name not in (SHOW_STEPS, SHOW_USES):
        return [uri, *given.arguments]
    [offset] = given.arguments
    assert isinstance(offset, int)
    return [uri, mapper.plain_position(offset)]


def code_lens(lens: Lens, uri: str, mapper: Mapper) -> Plain:
    given = lens.command
    shown = {"title": given.title, "command": given.name, "arguments": _arguments(given, uri, mapper)}
    return {"range": mapper.plain_range(lens.span), "command": shown}


def folding_ranges(folds: Iterable[Span], mapper: Mapper) -> list[types.FoldingRange]:
    """Folds from the line of the opening bracket to the one before the closing bracket, which stays in sight."""
    lines = (
        (mapper.lines.line_of(fold.start), mapper.lines.line_of(max(fold.start, fold.end - 1)) - 1) for fold in folds
    )
    return [types.FoldingRange(start_line=first, end_line=last) for first, last in lines if last > first]


MOST_SELECTIONS = 200
"""How often a selection can be widened one level at a time. Each is an object inside the one before: neither this side
nor the editor's can write or read JSON that is nested without end."""


def selection_range(spans: Sequence[Span], offset: int, mapper: Mapper) -> Plain:
    """Spans, the smallest first, each as the parent of the one before; of very many the nearest, and the last."""
    if len(spans) > MOST_SELECTIONS:
        spans = [*spans[: MOST_SELECTIONS - 1], spans[-1]]
    found: Plain = {}
    for span in reversed(spans or [Span(offset, offset)]):
        found = {"range": mapper.plain_range(span), **({"parent": found} if found else {})}
    return found


def document_links(links: Iterable[DocumentLink], uri: str, mapper: Mapper) -> list[types.DocumentLink]:
    """The links of a document, without those that a click must not lead to."""
    targets = ((link.span, link_target(uri, link.target)) for link in links)
    return [types.DocumentLink(mapper.range(span), target=target) for span, target in targets if target is not None]
