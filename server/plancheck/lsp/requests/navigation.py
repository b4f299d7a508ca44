"""Requests that lead somewhere: definition, references, highlights, and the control flow as a call hierarchy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from plancheck.lsp.convert import navigation, symbols
from plancheck.lsp.convert.mapper import Mapper
from plancheck.lsp.requests import described
from plancheck.lsp.requests.subject import RequestedPlan, subject_of

if TYPE_CHECKING:
    from plancheck.catalogue.model import CatalogueFile, Tool
    from plancheck.lsp.server import Server


async def definition(
    ls: Server, params: types.DefinitionParams
) -> list[types.LocationLink] | list[types.Location] | None:
    from plancheck.ide.catalogue import described_at
    from plancheck.ide.limits import limit_sites
    from plancheck.ide.navigate import definition
    from plancheck.ide.rego import rules_at

    subject = await subject_of(ls, params.text_document.uri)
    if subject is None:
        return await _own_place(ls, params) or await described.definition(ls, params)
    offset = subject.mapper.offset(params.position)
    found, rules = definition(subject.snapshot, offset), list(rules_at(subject.snapshot, offset))
    in_catalogue = described_at(subject.snapshot, offset)
    links = [navigation.location_link(target, subject.uri, subject.mapper) for target in found]
    links += (navigation.rule_link(rule, ls.session.uri_of(rule.site.path), subject.mapper) for rule in rules)
    if in_catalogue is not None:
        links.append(navigation.tool_link(in_catalogue, ls.session.uri_of(in_catalogue.site.path), subject.mapper))
    token, limits = limit_sites(subject.snapshot, offset, ls.policy_files.sites_for(params.text_document.uri))
    links += (navigation.limit_link(site, token, subject.mapper) for site in limits)
    if ls.client.definition_links:
        return links
    return [navigation.location(link) for link in links]


async def references(ls: Server, params: types.ReferenceParams) -> list[types.Location] | None:
    from plancheck.ide.catalogue import tool_at
    from plancheck.ide.described.rename import tool_in_plan
    from plancheck.ide.navigate import references

    uri, with_declaration = params.text_document.uri, params.context.include_declaration
    subject = await subject_of(ls, uri)
    if subject is None:
        named = await ls.catalogue_files.tool_at(params.text_document.uri, params.position)
        if named is None:
            return await described.references(ls, params)
        uses = await _uses(ls, *named, with_declaration=with_declaration)
        return _with(uses, await described.uses_of_tool(ls, uri, named[0].name, with_declaration=with_declaration))
    offset = subject.mapper.offset(params.position)
    spans = references(subject.snapshot, offset, with_declaration)
    found = [subject.mapper.location(uri, span) for span in spans]
    name = tool_in_plan(subject.snapshot, offset)
    if name is None:
        return found
    tool, catalogue = tool_at(subject.snapshot, offset), subject.snapshot.settings.catalogue
    if tool is not None and catalogue is not None:
        found = _with(await _uses(ls, tool, catalogue.file(tool.file), with_declaration=with_declaration), found)
    return _with(found, await described.uses_of_tool(ls, uri, name.placeholder, with_declaration=with_declaration))


def _with(found: list[types.Location], more: list[types.Location]) -> list[types.Location]:
    """All of them, each once."""
    return list({repr(location): location for location in (*found, *more)}.values())


async def _uses(ls: Server, tool: Tool, file: CatalogueFile, *, with_declaration: bool) -> list[types.Location]:
    """Where all plans call a tool, and where it is described."""
    found: list[types.Location] = []
    if with_declaration:
        mapper = Mapper(file.lines, ls.session.encoding)
        found.append(mapper.location(ls.session.uri_of(tool.file), file.tree.span(tool.name_path)))
    async for uri, mapper, spans in ls.catalogue_files.uses(tool):
        found += (mapper.location(uri, span) for span in spans)
    return found


async def _own_place(ls: Server, params: types.DefinitionParams) -> list[types.Location] | None:
    """The name of a tool in its catalogue leads to itself: an editor that is there already shows its references."""
    named = await ls.catalogue_files.tool_at(params.text_document.uri, params.position)
    if named is None:
        return None
    tool, file = named
    mapper = Mapper(file.lines, ls.session.encoding)
    return [mapper.location(params.text_document.uri, file.tree.span(tool.name_path))]


async def document_highlight(ls: Server, params: types.DocumentHighlightParams) -> list[types.DocumentHighlight] | None:
    from plancheck.ide.navigate import highlights

    subject = await subject_of(ls, params.text_document.uri)
    if subject is None:
        return None
    offset = subject.mapper.offset(params.position)
    return [navigation.highlight(found, subject.mapper) for found in highlights(subject.snapshot, offset)]


async def prepare_call_hierarchy(
    ls: Server, params: types.CallHierarchyPrepareParams
) -> list[types.CallHierarchyItem] | None:
    from plancheck.ide.hierarchy import prepare

    subject = await subject_of(ls, params.text_document.uri)
    item = prepare(subject.snapshot, subject.mapper.offset(params.position)) if subject is not None else None
    return (
        [symbols.hierarchy_item(item, subject.uri, subject.mapper)]
        if subject is not None and item is not None
        else None
    )


async def incoming_calls(
    ls: Server, params: types.CallHierarchyIncomingCallsParams
) -> list[types.CallHierarchyIncomingCall] | None:
    from plancheck.ide.hierarchy import incoming

    subject = await subject_of(ls, params.item.uri)
    position = _position_of(params.item, subject)
    if subject is None or position is None:
        return None
    return [symbols.incoming_call(call, subject.uri, subject.mapper) for call in incoming(subject.snapshot, position)]


async def outgoing_calls(
    ls: Server, params: types.CallHierarchyOutgoingCallsParams
) -> list[types.CallHierarchyOutgoingCall] | None:
    from plancheck.ide.hierarchy import outgoing

    subject = await subject_of(ls, params.item.uri)
    position = _position_of(params.item, subject)
    if subject is None or position is None:
        return None
    return [symbols.outgoing_call(call, subject.uri, subject.mapper) for call in outgoing(subject.snapshot, position)]


def _position_of(item: types.CallHierarchyItem, subject: RequestedPlan | None) -> int | None:
    """Where the step stands now: it may have moved, or be gone, since the editor got the item."""
    data = item.data
    if subject is None or not isinstance(data, dict):
        return None
    position, identity = data.get("position"), data.get("identity")
    steps = subject.snapshot.plan.steps
    if isinstance(position, int) and 0 <= position < len(steps) and steps[position].outline.identity == identity:
        return position
    return next((i for i, step in enumerate(steps) if step.outline.identity == identity), None)
