"""Steps and resources as symbols: of a document, of the workspace, and as a call hierarchy."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lsprotocol import types

from plancheck.lsp.convert.mapper import Mapper, Plain

if TYPE_CHECKING:
    from plancheck.ide.hierarchy import HierarchyCall, HierarchyItem
    from plancheck.ide.symbols import FlatSymbol, Symbol

_SYMBOLS = {
    "plan": types.SymbolKind.Module,
    "decision": types.SymbolKind.Event,
    "tool_call": types.SymbolKind.Function,
    "step": types.SymbolKind.Object,
    "read": types.SymbolKind.Field,
    "write": types.SymbolKind.Property,
    "resource": types.SymbolKind.Key,
    "section": types.SymbolKind.Namespace,
    "setting": types.SymbolKind.Property,
    "limit": types.SymbolKind.Number,
    "rule": types.SymbolKind.Constant,
}


def document_symbol(symbol: Symbol, mapper: Mapper) -> Plain:
    found: Plain = {
        "name": symbol.name or " ",
        "kind": _SYMBOLS[symbol.kind.value].value,
        "range": mapper.plain_range(symbol.span),
        "selectionRange": mapper.plain_range(symbol.selection),
    }
    if symbol.detail:
        found["detail"] = symbol.detail
    if symbol.children:
        found["children"] = [document_symbol(child, mapper) for child in symbol.children]
    return found


def flat_symbols(
    symbol: Symbol, uri: str, mapper: Mapper, container: str | None = None
) -> Iterator[types.SymbolInformation]:
    """A symbol and all below it, for an editor that knows no trees."""
    location = mapper.location(uri, symbol.span)
    yield types.SymbolInformation(location, symbol.name or " ", _SYMBOLS[symbol.kind.value], container_name=container)
    for child in symbol.children:
        yield from flat_symbols(child, uri, mapper, symbol.name)


def workspace_symbol(symbol: FlatSymbol, uri: str, mapper: Mapper) -> types.WorkspaceSymbol:
    location = mapper.location(uri, symbol.span)
    return types.WorkspaceSymbol(
        location, symbol.name or " ", _SYMBOLS[symbol.kind.value], container_name=symbol.container
    )


def hierarchy_item(item: HierarchyItem, uri: str, mapper: Mapper) -> types.CallHierarchyItem:
    return types.CallHierarchyItem(
        name=item.name,
        kind=_SYMBOLS[item.kind.value],
        uri=uri,
        range=mapper.range(item.span),
        selection_range=mapper.range(item.selection),
        detail=item.detail or None,
        data={"position": item.position, "identity": item.identity},
    )


def incoming_call(call: HierarchyCall, uri: str, mapper: Mapper) -> types.CallHierarchyIncomingCall:
    return types.CallHierarchyIncomingCall(
        hierarchy_item(call.item, uri, mapper), [mapper.range(span) for span in call.spans]
    )


def outgoing_call(call: HierarchyCall, uri: str, mapper: Mapper) -> types.CallHierarchyOutgoingCall:
    return types.CallHierarchyOutgoingCall(
        hierarchy_item(call.item, uri, mapper), [mapper.range(span) for span in call.spans]
    )
