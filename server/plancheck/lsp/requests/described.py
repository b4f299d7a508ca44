"""Requests about policies and configurations, and about the tools that plans and policies have in common."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from plancheck.lsp.convert import completions, editing, navigation, reading, symbols
from plancheck.lsp.convert.mapper import Mapper, Plain
from plancheck.lsp.identity import key_of_path
from plancheck.lsp.requests.subject import subject_of
from plancheck.text import Edit, Span

if TYPE_CHECKING:
    from plancheck.analysis.snapshot import Snapshot
    from plancheck.catalogue.model import Catalogue, CatalogueFile
    from plancheck.lsp.server import Server


async def hover(ls: Server, params: types.HoverParams) -> types.Hover | None:
    from plancheck.ide.described.hover import hover_in

    found = await ls.described_files.of(params.text_document.uri)
    if found is None:
        return None
    tools = await ls.described_files.known_tools(found.document.uri)
    page = hover_in(found.file, found.mapper.offset(params.position), tools)
    return reading.hover(page, found.mapper) if page is not None else None


async def completion(ls: Server, params: types.CompletionParams) -> types.CompletionList | None:
    from plancheck.ide.described.complete import FileLanguage, complete_in
    from plancheck.ide.offers import MOST_ITEMS

    found = await ls.described_files.of(params.text_document.uri)
    if found is None:
        return None
    tools = await ls.described_files.known_tools(found.document.uri)
    place = await ls.described_files.typing_at(found, found.mapper.offset(params.position))
    if place is None:
        return None
    language = FileLanguage.YAML if found.is_policy else FileLanguage.TOML
    items = complete_in(found.file.table, place, language, tools)
    return completions.completion_list(items, MOST_ITEMS, found.mapper, snippets=ls.client.snippets)


async def document_symbol(ls: Server, uri: str) -> list[Plain] | list[types.SymbolInformation]:
    from plancheck.ide.described.symbols import symbols_in

    found = await ls.described_files.of(uri)
    if found is None:
        return []
    tree = symbols_in(found.file)
    if ls.client.nested_symbols:
        return [symbols.document_symbol(symbol, found.mapper) for symbol in tree]
    return [flat for symbol in tree for flat in symbols.flat_symbols(symbol, uri, found.mapper)]


async def code_action(ls: Server, params: types.CodeActionParams) -> list[types.CodeAction | types.Command] | None:
    """Quick fixes of misspellings."""
    from plancheck.ide.described.fixes import spelling_fixes

    found = await ls.described_files.of(params.text_document.uri)
    if found is None:
        return None
    if not ls.client.action_literals:
        return []
    uri, mapper, versioned = params.text_document.uri, found.mapper, ls.client.versioned_edits
    return [
        editing.spelling_fix(
            fix,
            editing.workspace_edit(uri, found.version, [fix.edit], mapper, versioned=versioned),
            mapper,
            params.context.diagnostics,
        )
        for fix in spelling_fixes(found.file.text, found.misspellings, mapper.span(params.range))
    ]


# ---- from one file to another ----------------------------------------------------------------------------------------


async def definition(
    ls: Server, params: types.DefinitionParams
) -> list[types.LocationLink] | list[types.Location] | None:
    """From a tool in a policy to its catalogue. One that no catalogue has leads to itself: an editor that is there
    already shows its references."""
    from plancheck.ide.described.tools import mention_at

    found = await ls.described_files.of(params.text_document.uri)
    if found is None:
        return None
    tools = await ls.described_files.known_tools(found.document.uri)
    mention = mention_at(found.file, found.mapper.offset(params.position), tools)
    if mention is None:
        return None
    described = tools.described(mention.tool)
    if described is None:
        return [found.mapper.location(found.document.uri, mention.span)]
    tool, catalogue = described
    link = navigation.link_to_tool(
        mention.span, catalogue, catalogue.site(tool, ""), ls.session.uri_of(tool.file), found.mapper
    )
    return [link] if ls.client.definition_links else [navigation.location(link)]


async def references(ls: Server, params: types.ReferenceParams) -> list[types.Location] | None:
    """Where the tool is named in plans, policies and catalogues; or which arguments the bound is about."""
    from plancheck.ide.described.tools import arguments_bounded_by, mention_at
    from plancheck.policy.described import Named

    uri, described = params.text_document.uri, ls.described_files
    found = await described.of(uri)
    if found is None:
        return None
    offset = found.mapper.offset(params.position)
    tools = await described.known_tools(found.document.uri)
    mention = mention_at(found.file, offset, tools)
    if mention is not None:
        return await uses_of_tool(ls, uri, mention.tool, with_declaration=params.context.include_declaration)
    thing = found.file.name_at(offset)
    if thing is None or thing.kind is not Named.ARGUMENT:
        return []
    return [place async for place in _in_plans(ls, uri, None, lambda plan: arguments_bounded_by(plan, thing.name))]


async def uses_of_tool(ls: Server, uri: str, tool: str, *, with_declaration: bool) -> list[types.Location]:
    """Where plans and policies name a tool, and where a catalogue describes it."""
    from plancheck.ide.described.tools import calls_of, mentions_of

    places = [place async for place in _in_plans(ls, uri, tool, lambda plan: [s for _, s in calls_of(plan, tool)])]
    async for policy in ls.described_files.policies(uri):
        places += (policy.mapper.location(policy.uri, found.span) for found in mentions_of(policy.file, tool))
    if with_declaration:
        for each in ls.described_files.scope(uri):
            for catalogue in each.catalogues.in_force:
                known = None if catalogue.is_slow else catalogue.find(tool)
                if known is not None:
                    mapper = Mapper(catalogue.file(known.file).lines, ls.session.encoding)
                    places.append(mapper.location(ls.session.uri_of(known.file), catalogue.site(known, "").span))
    return places


async def _in_plans(
    ls: Server, uri: str, tool: str | None, look: Callable[[Snapshot], list[Span]]
) -> AsyncIterator[types.Location]:
    """What is found in the plans of a file's folder that use a tool; in all of them, if none is given."""
    async for plan in ls.described_files.plans(uri):
        subject = await subject_of(ls, plan.uri) if tool is None or tool in plan.tools else None
        for span in look(subject.snapshot) if subject is not None else ():
            assert subject is not None
            yield subject.mapper.location(plan.uri, span)


# ---- renaming a tool -------------------------------------------------------------------------------------------------


async def prepare_rename(ls: Server, params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder | None:
    """The tool in a policy or a catalogue; nothing else in these files has a name that is used elsewhere."""
    from plancheck.ide.described.rename import tool_in_catalogue
    from plancheck.ide.described.tools import mention_at
    from plancheck.ide.navigate import Renamable

    uri = params.text_document.uri
    found = await ls.described_files.of(uri)
    if found is None:
        named = await ls.catalogue_files.tool_at(uri, params.position)
        if named is None:
            return None
        tool, file = named
        return editing.renamable(tool_in_catalogue(file, tool), Mapper(file.lines, ls.session.encoding))
    tools = await ls.described_files.known_tools(found.document.uri)
    mention = mention_at(found.file, found.mapper.offset(params.position), tools)
    return editing.renamable(Renamable(mention.span, mention.tool), found.mapper) if mention is not None else None


async def rename(ls: Server, params: types.RenameParams) -> types.WorkspaceEdit | None:
    from plancheck.ide.described.tools import mention_at

    uri = params.text_document.uri
    found = await ls.described_files.of(uri)
    if found is None:
        named = await ls.catalogue_files.tool_at(uri, params.position)
        return None if named is None else await rename_tool(ls, uri, named[0].name, params.new_name.strip())
    tools = await ls.described_files.known_tools(found.document.uri)
    mention = mention_at(found.file, found.mapper.offset(params.position), tools)
    if mention is None:
        raise refused("There is nothing to rename here: put the cursor on the name of a tool.")
    return await rename_tool(ls, uri, mention.tool, params.new_name.strip())


async def rename_tool(ls: Server, uri: str, tool: str, new: str) -> types.WorkspaceEdit | None:
    """The edits that rename a tool in the plans, policies and catalogues of a file's folder."""
    from plancheck.ide.described.rename import (
        check_new_name,
        renamed_in_catalogue,
        renamed_in_plan,
        renamed_in_policy,
    )
    from plancheck.ide.navigate import RenameError

    found: list[types.WorkspaceEdit] = []

    def add(where: str, version: int | None, edits: list[Edit], mapper: Mapper) -> None:
        if edits:
            found.append(editing.workspace_edit(where, version, edits, mapper, versioned=ls.client.versioned_edits))

    try:
        check_new_name(new)
        others: set[str] = set()
        async for plan in ls.described_files.plans(uri):
            others |= plan.tools - {tool}
            subject = await subject_of(ls, plan.uri) if tool in plan.tools else None
            if subject is not None:
                add(plan.uri, subject.version, renamed_in_plan(subject.snapshot, tool, new), subject.mapper)
        async for policy in ls.described_files.policies(uri):
            add(policy.uri, policy.version, renamed_in_policy(policy.file, tool, new, others), policy.mapper)
        async for where, version, file in _catalogues(ls, uri):
            mapper = Mapper(file.lines, ls.session.encoding)
            add(where, version, renamed_in_catalogue(file, tool, new), mapper)
    except RenameError as error:
        raise refused(str(error)) from error
    return editing.joined(found) if found else None


async def _catalogues(ls: Server, uri: str) -> AsyncIterator[tuple[str, int | None, CatalogueFile]]:
    """The files of the catalogues in force around a file, each once: its URI, its version if open, what it says."""
    session, seen = ls.session, set[str]()
    for catalogue in [catalogue for each in ls.described_files.scope(uri) for catalogue in each.catalogues.in_force]:
        for file in await ls.host.run(_files_of, catalogue):
            if file.path in seen:
                continue
            seen.add(file.path)
            document = session.documents.by_key(key_of_path(file.path))
            if document is not None and document.text != file.tree.text:
                raise refused(f"{os.path.basename(file.path)} is still being read: try again in a moment.")
            if document is None:
                yield session.uri_of(file.path), None, file
            else:
                yield document.uri, document.version, file


def _files_of(catalogue: Catalogue) -> list[CatalogueFile]:
    return list(catalogue.files)


def refused(message: str) -> JsonRpcException:
    return JsonRpcException(message, code=int(types.LSPErrorCodes.RequestFailed))
