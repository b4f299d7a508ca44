"""Requests that lead somewhere: definition, references, highlights, and the control flow as a call hierarchy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from plancheck.lsp.convert import navigation, symbols
from plancheck.lsp.convert.mapper import mapper_of_text
from plancheck.lsp.requests.subject import RequestedPlan, subject_of

if TYPE_CHECKING:
    from plancheck.lsp.server import Server


async def definition(
    ls: Server, params: types.DefinitionParams
) -> list[types.LocationLink] | list[types.Location] | None:
    from plancheck.ide.navigate import definition
    from plancheck.ide.rego import rules_at

    subject = await subject_of(ls, params.text_document.uri)
    if subject is None:
        return None
    offset = subject.mapper.offset(params.position)
    found, rules = definition(subject.snapshot, offset), list(rules_at(subject.snapshot, offset))
    if ls.client.definition_links:
        links = [navigation.location_link(destination, subject.uri, subject.mapper) for destination in found]
        return [
            *links,
            *(navigation.rule_link(rule, ls.session.uri_of(rule.site.path), subject.mapper) for rule in rules),
        ]
    locations = [subject.mapper.location(subject.uri, destination.selection) for destination in found]
    encoding = subject.mapper.encoding
    return [
        *locations,
        *(
            mapper_of_text(rule.text, encoding).location(ls.session.uri_of(rule.site.path), rule.site.span)
            for rule in rules
        ),
    ]


async def references(ls: Server, params: types.ReferenceParams) -> list[types.Location] | None:
    from plancheck.ide.navigate import references

    subject = await subject_of(ls, params.text_document.uri)
    if subject is None:
        return None
    spans = references(subject.snapshot, subject.mapper.offset(params.position), params.context.include_declaration)
    return [subject.mapper.location(subject.uri, span) for span in spans]


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
