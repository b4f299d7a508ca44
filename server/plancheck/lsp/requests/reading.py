"""Requests that only show something: hover, hints, lenses, symbols, folding, selections, links."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from plancheck.lsp import convert
from plancheck.lsp.requests.target import target
from plancheck.lsp.session import path_of, uri_of

if TYPE_CHECKING:
    from plancheck.lsp.server import Server

MOST_SYMBOLS = 1_000
"""A search that finds more than this wants another letter."""


async def hover(ls: Server, params: types.HoverParams) -> types.Hover | None:
    from plancheck.ide.hover import hover

    at = await target(ls, params.text_document.uri)
    found = hover(at.snapshot, at.to.offset(params.position)) if at is not None else None
    return convert.hover(found, at.to) if at is not None and found is not None else None


async def inlay_hint(ls: Server, params: types.InlayHintParams) -> list[convert.Plain]:
    from plancheck.ide.hints import hints

    uri = params.text_document.uri
    at = await target(ls, uri)
    if at is None or not ls.session.client_for(uri).inlay_hints:
        return []
    return [convert.inlay_hint(hint, at.to) for hint in hints(at.snapshot, at.to.span(params.range))]


async def code_lens(ls: Server, params: types.CodeLensParams) -> list[convert.Plain]:
    from plancheck.ide.lens import lenses

    uri = params.text_document.uri
    at = await target(ls, uri)
    if at is None or not ls.session.client_for(uri).code_lens:
        return []
    return [convert.code_lens(lens, at.uri, at.to) for lens in lenses(at.snapshot)]


async def document_symbol(
    ls: Server, params: types.DocumentSymbolParams
) -> list[convert.Plain] | list[types.SymbolInformation]:
    from plancheck.ide.symbols import document_symbols

    at = await target(ls, params.text_document.uri)
    if at is None:
        return []
    symbols = document_symbols(at.snapshot)
    if ls.client.nested_symbols:
        return [convert.document_symbol(symbol, at.to) for symbol in symbols]
    return [flat for symbol in symbols for flat in convert.flat_symbols(symbol, at.uri, at.to)]


async def workspace_symbol(ls: Server, params: types.WorkspaceSymbolParams) -> list[types.WorkspaceSymbol]:
    from plancheck.ide.symbols import workspace_symbols

    uris = {document.uri: None for document in ls.session.documents.values() if document.is_plan}
    open_paths = {path_of(uri) for uri in uris}
    uris.update({uri_of(path): None for path in await ls.scanner.plans() if path not in open_paths})
    found: list[types.WorkspaceSymbol] = []
    for uri in uris:
        at = await target(ls, uri)
        if at is not None:
            found += (
                convert.workspace_symbol(symbol, uri, at.to) for symbol in workspace_symbols(at.snapshot, params.query)
            )
        if len(found) >= MOST_SYMBOLS:
            break
    return found[:MOST_SYMBOLS]


async def folding_range(ls: Server, params: types.FoldingRangeParams) -> list[types.FoldingRange]:
    from plancheck.ide.outline import folds

    at = await target(ls, params.text_document.uri)
    return convert.folding_ranges(folds(at.snapshot), at.to) if at is not None else []


async def selection_range(ls: Server, params: types.SelectionRangeParams) -> list[types.SelectionRange] | None:
    from plancheck.ide.outline import selections

    at = await target(ls, params.text_document.uri)
    if at is None:
        return None
    offsets = [at.to.offset(position) for position in params.positions]
    return [convert.selection_range(selections(at.snapshot, offset), offset, at.to) for offset in offsets]


async def document_link(ls: Server, params: types.DocumentLinkParams) -> list[types.DocumentLink]:
    from plancheck.ide.outline import links

    at = await target(ls, params.text_document.uri)
    return [convert.document_link(link, at.uri, at.to) for link in links(at.snapshot)] if at is not None else []
