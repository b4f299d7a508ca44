"""Ways from one place to another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from plancheck.lsp.convert.mapper import Mapper

if TYPE_CHECKING:
    from plancheck.ide.navigate import Highlight, Target

_HIGHLIGHTS = {
    "text": types.DocumentHighlightKind.Text,
    "read": types.DocumentHighlightKind.Read,
    "write": types.DocumentHighlightKind.Write,
}


def location_link(target: Target, uri: str, mapper: Mapper) -> types.LocationLink:
    return types.LocationLink(
        target_uri=uri,
        target_range=mapper.range(target.span),
        target_selection_range=mapper.range(target.selection),
        origin_selection_range=mapper.range(target.origin),
    )


def highlight(found: Highlight, mapper: Mapper) -> types.DocumentHighlight:
    return types.DocumentHighlight(mapper.range(found.span), _HIGHLIGHTS[found.access.value])
