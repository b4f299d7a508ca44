"""What may be typed next."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from lsprotocol import types

from plancheck.lsp.convert.mapper import Mapper

if TYPE_CHECKING:
    from plancheck.ide.offers import Completion

_COMPLETIONS = {
    "key": types.CompletionItemKind.Property,
    "kind": types.CompletionItemKind.EnumMember,
    "step": types.CompletionItemKind.Reference,
    "resource": types.CompletionItemKind.Variable,
    "rule": types.CompletionItemKind.Constant,
    "tool": types.CompletionItemKind.Function,
    "value": types.CompletionItemKind.Value,
    "snippet": types.CompletionItemKind.Snippet,
}
_PLACEHOLDER = re.compile(r"\\([\\$}])|\$(?:\d+|\{\d+(?::([^{}]*))?\})")


def completion_list(found: Sequence[Completion], most: int, mapper: Mapper, *, snippets: bool) -> types.CompletionList:
    items = [
        _completion(completion, mapper, snippets=snippets)
        for completion in found
        if snippets or completion.kind.value != "snippet"
    ]
    return types.CompletionList(is_incomplete=len(found) >= most, items=items)


def _completion(completion: Completion, mapper: Mapper, *, snippets: bool) -> types.CompletionItem:
    is_snippet = completion.is_snippet and snippets
    text = plain(completion.insert_text) if completion.is_snippet and not snippets else completion.insert_text
    return types.CompletionItem(
        label=completion.label,
        kind=_COMPLETIONS[completion.kind.value],
        text_edit=types.TextEdit(mapper.range(completion.span), text),
        insert_text_format=types.InsertTextFormat.Snippet if is_snippet else types.InsertTextFormat.PlainText,
        filter_text=completion.filter_text,
        sort_text=completion.sort_key,
        detail=completion.detail or None,
        documentation=types.MarkupContent(types.MarkupKind.Markdown, completion.documentation)
        if completion.documentation
        else None,
    )


def plain(snippet: str) -> str:
    """A snippet's text without its places to fill in, for an editor that knows no snippets."""
    return _PLACEHOLDER.sub(lambda match: match[1] or match[2] or "", snippet)
