"""Ways from one place to another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from plancheck.lsp.convert.mapper import Mapper, mapper_of_text
from plancheck.text import Span

if TYPE_CHECKING:
    from plancheck.catalogue.model import Catalogue, ToolSite
    from plancheck.ide.catalogue import DescribedThing
    from plancheck.ide.limits import LimitSite
    from plancheck.ide.navigate import Highlight, Target
    from plancheck.ide.rego import RuleAtCursor

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


def location(link: types.LocationLink) -> types.Location:
    """The same for an editor that knows no links."""
    return types.Location(link.target_uri, link.target_selection_range)


def rule_link(found: RuleAtCursor, uri: str, mapper: Mapper) -> types.LocationLink:
    """The way to the rule of a policy file that a finding comes from."""
    there = mapper_of_text(found.text, mapper.encoding)
    return types.LocationLink(
        target_uri=uri,
        target_range=there.range(found.site.whole_span),
        target_selection_range=there.range(found.site.span),
        origin_selection_range=mapper.range(found.origin),
    )


def limit_link(site: LimitSite, origin: Span, mapper: Mapper) -> types.LocationLink:
    """The way from an argument to where a policy limits it."""
    there = mapper_of_text(site.text, mapper.encoding).range(site.span)
    return types.LocationLink(site.uri, there, there, mapper.range(origin))


def tool_link(found: DescribedThing, uri: str, mapper: Mapper) -> types.LocationLink:
    """The way to where a catalogue describes a tool or an argument."""
    return link_to_tool(found.origin, found.catalogue, found.site, uri, mapper)


def link_to_tool(origin: Span, catalogue: Catalogue, site: ToolSite, uri: str, mapper: Mapper) -> types.LocationLink:
    there = Mapper(catalogue.file(site.path).lines, mapper.encoding).range(site.span)
    return types.LocationLink(uri, there, there, mapper.range(origin))


def highlight(found: Highlight, mapper: Mapper) -> types.DocumentHighlight:
    return types.DocumentHighlight(mapper.range(found.span), _HIGHLIGHTS[found.access.value])
