"""Requests that only show something: hover, hints, lenses, symbols, folding, selections, links."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from plancheck.lsp.convert import reading, symbols
from plancheck.lsp.convert.mapper import Plain, mapper_of_text
from plancheck.lsp.policy_files import path_in
from plancheck.lsp.requests import described
from plancheck.lsp.requests.subject import subject_of

if TYPE_CHECKING:
    from plancheck.lsp.documents import Document
    from plancheck.lsp.server import Server

MOST_SYMBOLS = 1_000
"""A search that finds more than this wants another letter."""


async def hover(ls: Server, params: types.HoverParams) -> types.Hover | None:
    from plancheck.ide.hover import hover

    subject = await subject_of(ls, params.text_document.uri)
    if subject is None:
        return await described.hover(ls, params)
    sites = ls.policy_files.sites_for(params.text_document.uri)
    found = hover(subject.snapshot, subject.mapper.offset(params.position), sites)
    return reading.hover(found, subject.mapper) if found is not None else None


async def signature_help(ls: Server, params: types.SignatureHelpParams) -> Plain | None:
    from plancheck.ide.signature import signature_at

    subject = await subject_of(ls, params.text_document.uri)
    found = signature_at(subject.snapshot, subject.mapper.offset(params.position)) if subject is not None else None
    return None if found is None else reading.signature_help(found, offsets=ls.client.label_offsets)


async def inlay_hint(ls: Server, params: types.InlayHintParams) -> list[Plain]:
    from plancheck.ide.hints import hints

    uri = params.text_document.uri
    subject = await subject_of(ls, uri)
    if subject is None or not ls.session.client_for(uri).inlay_hints:
        return []
    return [
        reading.inlay_hint(hint, subject.mapper) for hint in hints(subject.snapshot, subject.mapper.span(params.range))
    ]


async def code_lens(ls: Server, params: types.CodeLensParams) -> list[Plain]:
    from plancheck.ide.lens import lenses

    uri = params.text_document.uri
    document = ls.session.documents.get(uri)
    if document is not None and uri.endswith(".rego") and ls.session.is_policy(uri):
        return await _lenses_of_rules(ls, document) if ls.session.client_for(uri).code_lens else []
    if document is not None and ls.session.is_catalogue(uri):
        return await _lenses_of_tools(ls, document) if ls.session.client_for(uri).code_lens else []
    subject = await subject_of(ls, uri)
    if subject is None or not ls.session.client_for(uri).code_lens:
        return []
    return [reading.code_lens(lens, subject.uri, subject.mapper) for lens in lenses(subject.snapshot)]


async def _lenses_of_rules(ls: Server, document: Document) -> list[Plain]:
    """How many plans each rule of a Rego policy is against; nothing until they were first counted."""
    from plancheck.ide.rego import rule_lenses

    files = ls.policy_files.rego_of(document)
    path = path_in(files, document)
    made_from, plans = await ls.plan_files.judged_by(files)
    counts = ls.rego_policies.counts(files, made_from, plans)
    if counts is None:
        return []
    mapper = mapper_of_text(document.text, ls.session.encoding)
    lenses = rule_lenses(document.text, path, counts.against, counts.total, counts.unknown)
    return [reading.code_lens(lens, document.uri, mapper) for lens in lenses]


async def _lenses_of_tools(ls: Server, document: Document) -> list[Plain]:
    """How many plans use each tool of a catalogue."""
    from plancheck.ide.catalogue import tool_lenses

    counts = await ls.catalogue_files.counts()
    await ls.catalogue_files.prepare(document)
    file = ls.catalogue_files.file_of(document)
    mapper = mapper_of_text(document.text, ls.session.encoding)
    return [reading.code_lens(lens, document.uri, mapper) for lens in tool_lenses(file, counts)]


async def document_symbol(
    ls: Server, params: types.DocumentSymbolParams
) -> list[Plain] | list[types.SymbolInformation]:
    from plancheck.ide.symbols import document_symbols

    subject = await subject_of(ls, params.text_document.uri)
    if subject is None:
        return await described.document_symbol(ls, params.text_document.uri)
    found = document_symbols(subject.snapshot)
    if ls.client.nested_symbols:
        return [symbols.document_symbol(symbol, subject.mapper) for symbol in found]
    return [flat for symbol in found for flat in symbols.flat_symbols(symbol, subject.uri, subject.mapper)]


async def workspace_symbol(ls: Server, params: types.WorkspaceSymbolParams) -> list[types.WorkspaceSymbol]:
    from plancheck.ide.symbols import workspace_symbols

    plans = [document for document in ls.session.documents if document.is_plan]
    open_keys = {document.key for document in plans}
    uris = [document.uri for document in plans]
    uris += (ls.session.spellings.uri(file) for file in await ls.plan_files.all() if file.key not in open_keys)
    found: list[types.WorkspaceSymbol] = []
    for uri in uris:
        subject = await subject_of(ls, uri)
        if subject is not None:
            matching = workspace_symbols(subject.snapshot, params.query)
            found += (symbols.workspace_symbol(symbol, uri, subject.mapper) for symbol in matching)
        if len(found) >= MOST_SYMBOLS:
            break
    return found[:MOST_SYMBOLS]


async def folding_range(ls: Server, params: types.FoldingRangeParams) -> list[types.FoldingRange]:
    from plancheck.ide.outline import folds

    subject = await subject_of(ls, params.text_document.uri)
    return reading.folding_ranges(folds(subject.snapshot), subject.mapper) if subject is not None else []


async def selection_range(ls: Server, params: types.SelectionRangeParams) -> list[Plain] | None:
    from plancheck.ide.outline import selections

    subject = await subject_of(ls, params.text_document.uri)
    if subject is None:
        return None
    offsets = [subject.mapper.offset(position) for position in params.positions]
    return [reading.selection_range(selections(subject.snapshot, offset), offset, subject.mapper) for offset in offsets]


async def document_link(ls: Server, params: types.DocumentLinkParams) -> list[types.DocumentLink]:
    from plancheck.ide.outline import links

    subject = await subject_of(ls, params.text_document.uri)
    return [] if subject is None else reading.document_links(links(subject.snapshot), subject.uri, subject.mapper)
