"""Requests that lead somewhere: definition, references, highlights, and the control flow as a call hierarchy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from plancheck.lsp import convert
from plancheck.lsp.requests.target import Target, target

if TYPE_CHECKING:
    from plancheck.lsp.server import Server


async def definition(
    ls: Server, params: types.DefinitionParams
) -> list[types.LocationLink] | list[types.Location] | None:
    from plancheck.ide.navigate import definition

    at = await target(ls, params.text_document.uri)
    if at is None:
        return None
    found = definition(at.snapshot, at.to.offset(params.position))
    if ls.client.definition_links:
        return [convert.location_link(to, at.uri, at.to) for to in found]
    return [at.to.location(at.uri, to.selection) for to in found]


async def references(ls: Server, params: types.ReferenceParams) -> list[types.Location] | None:
    from plancheck.ide.navigate import references

    at = await target(ls, params.text_document.uri)
    if at is None:
        return None
    spans = references(at.snapshot, at.to.offset(params.position), params.context.include_declaration)
    return [at.to.location(at.uri, span) for span in spans]


async def document_highlight(ls: Server, params: types.DocumentHighlightParams) -> list[types.DocumentHighlight] | None:
    from plancheck.ide.navigate import highlights

    at = await target(ls, params.text_document.uri)
    if at is None:
        return None
    return [convert.highlight(found, at.to) for found in highlights(at.snapshot, at.to.offset(params.position))]


async def prepare_call_hierarchy(
    ls: Server, params: types.CallHierarchyPrepareParams
) -> list[types.CallHierarchyItem] | None:
    from plancheck.ide.hierarchy import prepare

    at = await target(ls, params.text_document.uri)
    item = prepare(at.snapshot, at.to.offset(params.position)) if at is not None else None
    return [convert.hierarchy_item(item, at.uri, at.to)] if at is not None and item is not None else None


async def incoming_calls(
    ls: Server, params: types.CallHierarchyIncomingCallsParams
) -> list[types.CallHierarchyIncomingCall] | None:
    from plancheck.ide.hierarchy import incoming

    at = await target(ls, params.item.uri)
    position = _position_of(params.item, at)
    if at is None or position is None:
        return None
    return [convert.incoming_call(call, at.uri, at.to) for call in incoming(at.snapshot, position)]


async def outgoing_calls(
    ls: Server, params: types.CallHierarchyOutgoingCallsParams
) -> list[types.CallHierarchyOutgoingCall] | None:
    from plancheck.ide.hierarchy import outgoing

    at = await target(ls, params.item.uri)
    position = _position_of(params.item, at)
    if at is None or position is None:
        return None
    return [convert.outgoing_call(call, at.uri, at.to) for call in outgoing(at.snapshot, position)]


def _position_of(item: types.CallHierarchyItem, at: Target | None) -> int | None:
    """Where the step stands now: it may have moved, or be gone, since the editor got the item."""
    data = item.data
    if at is None or not isinstance(data, dict):
        return None
    position, identity = data.get("position"), data.get("identity")
    steps = at.snapshot.plan.steps
    if isinstance(position, int) and 0 <= position < len(steps) and steps[position].outline.identity == identity:
        return position
    return next((i for i, step in enumerate(steps) if step.outline.identity == identity), None)
