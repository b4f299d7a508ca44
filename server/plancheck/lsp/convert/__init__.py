"""Between the protocol and the layers below: lsprotocol objects are built here and in `messages` alone.

Below, everything counts in offsets; an editor counts in lines and characters of the encoding that was agreed on. A
`Mapper` turns one into the other for one snapshot.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias
from urllib.parse import urljoin

from lsprotocol import types

from plancheck.ide.commands import SHOW_STEPS
from plancheck.lsp.documents import Change
from plancheck.text import Edit, Encoding, LineIndex, Position, Span

if TYPE_CHECKING:
    from plancheck.analysis.snapshot import Snapshot
    from plancheck.ide.actions import Action
    from plancheck.ide.commands import Command
    from plancheck.ide.complete import Completion
    from plancheck.ide.hierarchy import Call, Item
    from plancheck.ide.hints import Hint
    from plancheck.ide.hover import Hover
    from plancheck.ide.lens import Lens
    from plancheck.ide.navigate import Highlight, Renamable, Target
    from plancheck.ide.outline import Link
    from plancheck.ide.symbols import FlatSymbol, Symbol

Plain: TypeAlias = dict[str, Any]
"""An object of the protocol as it is sent. Answers with one for every step are made of these: at 10,000 steps the way
over lsprotocol's objects takes half a second."""

RULE_PAGES = "https://github.com/plancheck/plancheck/blob/main/docs/rules.md#"
"""Where a rule's page is found: this and the rule's name."""

SOURCE = "plancheck"
FIX_ALL = "source.fixAll.plancheck"

OPTIONS: dict[str, Any] = {
    types.TEXT_DOCUMENT_COMPLETION: types.CompletionOptions(trigger_characters=['"', ":", "["]),
    types.TEXT_DOCUMENT_CODE_ACTION: types.CodeActionOptions(
        code_action_kinds=[types.CodeActionKind.QuickFix, types.CodeActionKind.RefactorRewrite, FIX_ALL],
        resolve_provider=True,
    ),
    types.TEXT_DOCUMENT_DID_SAVE: types.SaveOptions(include_text=False),
}
"""What is said about a request, beyond that there is an answer to it."""

_SYMBOLS = {
    "plan": types.SymbolKind.Module,
    "decision": types.SymbolKind.Event,
    "tool_call": types.SymbolKind.Function,
    "step": types.SymbolKind.Object,
    "read": types.SymbolKind.Field,
    "write": types.SymbolKind.Property,
    "resource": types.SymbolKind.Key,
}
_COMPLETIONS = {
    "key": types.CompletionItemKind.Property,
    "kind": types.CompletionItemKind.EnumMember,
    "step": types.CompletionItemKind.Reference,
    "resource": types.CompletionItemKind.Variable,
    "rule": types.CompletionItemKind.Constant,
    "value": types.CompletionItemKind.Value,
    "snippet": types.CompletionItemKind.Snippet,
}
_HIGHLIGHTS = {
    "text": types.DocumentHighlightKind.Text,
    "read": types.DocumentHighlightKind.Read,
    "write": types.DocumentHighlightKind.Write,
}
_PLACEHOLDER = re.compile(r"\\([\\$}])|\$(?:\d+|\{\d+(?::([^{}]*))?\})")


class Mapper(NamedTuple):
    """Offsets to positions and back, in one text."""

    lines: LineIndex
    encoding: Encoding

    def position(self, offset: int) -> types.Position:
        line, character = self.lines.position(offset, self.encoding)
        return types.Position(line, character)

    def range(self, span: Span) -> types.Range:
        return types.Range(self.position(span.start), self.position(span.end))

    def offset(self, position: types.Position) -> int:
        return self.lines.offset(position.line, position.character, self.encoding)

    def span(self, range_: types.Range) -> Span:
        start, end = self.offset(range_.start), self.offset(range_.end)
        return Span(min(start, end), max(start, end))

    def plain_position(self, offset: int) -> Plain:
        line, character = self.lines.position(offset, self.encoding)
        return {"line": line, "character": character}

    def plain_range(self, span: Span) -> Plain:
        return {"start": self.plain_position(span.start), "end": self.plain_position(span.end)}

    def location(self, uri: str, span: Span) -> types.Location:
        return types.Location(uri, self.range(span))

    def text_edits(self, edits: Iterable[Edit]) -> list[types.TextEdit]:
        return [types.TextEdit(self.range(Span(edit.start, edit.end)), edit.new_text) for edit in edits]


def mapper(snapshot: Snapshot, encoding: Encoding) -> Mapper:
    return Mapper(snapshot.lines, encoding)


def mapper_of(text: str, encoding: Encoding) -> Mapper:
    return Mapper(LineIndex(text), encoding)


def changes(params: types.DidChangeTextDocumentParams) -> list[Change]:
    """The content changes as plain values."""
    return [
        Change(change.text, _position(change.range.start), _position(change.range.end))
        if isinstance(change, types.TextDocumentContentChangePartial)
        else Change(change.text)
        for change in params.content_changes
    ]


def _position(position: types.Position) -> Position:
    return Position(position.line, position.character)


def encoding_of(kind: str | types.PositionEncodingKind | None) -> Encoding:
    return Encoding(kind.value if isinstance(kind, types.PositionEncodingKind) else kind or "utf-16")


# ---- showing


def hover(found: Hover, to: Mapper) -> types.Hover:
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, found.markdown), to.range(found.span))


def inlay_hint(hint: Hint, to: Mapper) -> Plain:
    found: Plain = {"position": to.plain_position(hint.offset), "label": hint.label, "paddingLeft": True}
    return {**found, "tooltip": hint.tooltip} if hint.tooltip else found


def command(given: Command, uri: str, to: Mapper) -> types.Command:
    """A command with the document in front of its arguments; offsets in it become positions."""
    return types.Command(title=given.title, command=given.name, arguments=_arguments(given, uri, to))


def _arguments(given: Command, uri: str, to: Mapper) -> list[Any]:
    if given.name != SHOW_STEPS:
        return [uri, *given.arguments]
    step, followers = given.arguments
    assert isinstance(step, int)
    assert isinstance(followers, tuple)
    return [uri, to.plain_position(step), [{"uri": uri, "range": to.plain_range(Span(at, at))} for at in followers]]


def code_lens(lens: Lens, uri: str, to: Mapper) -> Plain:
    given = lens.command
    shown = {"title": given.title, "command": given.name, "arguments": _arguments(given, uri, to)}
    return {"range": to.plain_range(lens.span), "command": shown}


def document_symbol(symbol: Symbol, to: Mapper) -> Plain:
    found: Plain = {
        "name": symbol.name or " ",
        "kind": _SYMBOLS[symbol.kind.value].value,
        "range": to.plain_range(symbol.span),
        "selectionRange": to.plain_range(symbol.selection),
    }
    if symbol.detail:
        found["detail"] = symbol.detail
    if symbol.children:
        found["children"] = [document_symbol(child, to) for child in symbol.children]
    return found


def flat_symbols(
    symbol: Symbol, uri: str, to: Mapper, container: str | None = None
) -> Iterator[types.SymbolInformation]:
    """A symbol and all below it, for an editor that knows no trees."""
    location = to.location(uri, symbol.span)
    yield types.SymbolInformation(location, symbol.name or " ", _SYMBOLS[symbol.kind.value], container_name=container)
    for child in symbol.children:
        yield from flat_symbols(child, uri, to, symbol.name)


def workspace_symbol(symbol: FlatSymbol, uri: str, to: Mapper) -> types.WorkspaceSymbol:
    location = to.location(uri, symbol.span)
    return types.WorkspaceSymbol(
        location, symbol.name or " ", _SYMBOLS[symbol.kind.value], container_name=symbol.container
    )


def folding_ranges(folds: Iterable[Span], to: Mapper) -> list[types.FoldingRange]:
    """Folds from the line of the opening bracket to the one before the closing bracket, which stays in sight."""
    lines = ((to.lines.line_of(fold.start), to.lines.line_of(max(fold.start, fold.end - 1)) - 1) for fold in folds)
    return [types.FoldingRange(start_line=first, end_line=last) for first, last in lines if last > first]


def selection_range(spans: Sequence[Span], offset: int, to: Mapper) -> types.SelectionRange:
    found: types.SelectionRange | None = None
    for span in reversed(spans):
        found = types.SelectionRange(to.range(span), parent=found)
    return found if found is not None else types.SelectionRange(to.range(Span(offset, offset)))


def document_link(link: Link, uri: str, to: Mapper) -> types.DocumentLink:
    return types.DocumentLink(to.range(link.span), target=urljoin(uri, link.target))


# ---- navigation


def location_link(target: Target, uri: str, to: Mapper) -> types.LocationLink:
    return types.LocationLink(
        target_uri=uri,
        target_range=to.range(target.span),
        target_selection_range=to.range(target.selection),
        origin_selection_range=to.range(target.origin),
    )


def highlight(found: Highlight, to: Mapper) -> types.DocumentHighlight:
    return types.DocumentHighlight(to.range(found.span), _HIGHLIGHTS[found.access.value])


def hierarchy_item(item: Item, uri: str, to: Mapper) -> types.CallHierarchyItem:
    return types.CallHierarchyItem(
        name=item.name,
        kind=_SYMBOLS[item.kind.value],
        uri=uri,
        range=to.range(item.span),
        selection_range=to.range(item.selection),
        detail=item.detail or None,
        data={"position": item.position, "identity": item.identity},
    )


def incoming_call(call: Call, uri: str, to: Mapper) -> types.CallHierarchyIncomingCall:
    return types.CallHierarchyIncomingCall(hierarchy_item(call.item, uri, to), [to.range(span) for span in call.spans])


def outgoing_call(call: Call, uri: str, to: Mapper) -> types.CallHierarchyOutgoingCall:
    return types.CallHierarchyOutgoingCall(hierarchy_item(call.item, uri, to), [to.range(span) for span in call.spans])


# ---- editing


def completion_list(found: Sequence[Completion], most: int, to: Mapper, *, snippets: bool) -> types.CompletionList:
    items = [
        _completion(completion, to, snippets=snippets)
        for completion in found
        if snippets or completion.kind.value != "snippet"
    ]
    return types.CompletionList(is_incomplete=len(found) >= most, items=items)


def _completion(completion: Completion, to: Mapper, *, snippets: bool) -> types.CompletionItem:
    is_snippet = completion.is_snippet and snippets
    text = plain(completion.insert_text) if completion.is_snippet and not snippets else completion.insert_text
    return types.CompletionItem(
        label=completion.label,
        kind=_COMPLETIONS[completion.kind.value],
        text_edit=types.TextEdit(to.range(completion.span), text),
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


def renamable(found: Renamable, to: Mapper) -> types.PrepareRenamePlaceholder:
    return types.PrepareRenamePlaceholder(range=to.range(found.span), placeholder=found.placeholder)


def workspace_edit(
    uri: str, version: int | None, edits: Iterable[Edit], to: Mapper, *, versioned: bool
) -> types.WorkspaceEdit:
    """Edits of one document; with its version, where the editor can check it."""
    changes = to.text_edits(edits)
    if not versioned:
        return types.WorkspaceEdit(changes={uri: changes})
    document = types.OptionalVersionedTextDocumentIdentifier(uri=uri, version=version)
    return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(document, list(changes))])


def new_file(uri: str, edit: types.WorkspaceEdit) -> types.WorkspaceEdit:
    """An edit of a file that is not there yet; only an editor that knows versions can make one."""
    if edit.document_changes is None:
        return edit
    create = types.CreateFile(uri=uri, options=types.CreateFileOptions(ignore_if_exists=True))
    return types.WorkspaceEdit(document_changes=[create, *edit.document_changes])


def apply_edit(label: str, edit: types.WorkspaceEdit) -> types.ApplyWorkspaceEditParams:
    return types.ApplyWorkspaceEditParams(edit=edit, label=label)


def show_document(url: str) -> types.ShowDocumentParams:
    return types.ShowDocumentParams(uri=url, external=True)


def code_action(
    action: Action,
    edit: types.WorkspaceEdit | None,
    command: types.Command | None,
    about: list[types.Diagnostic],
    data: dict[str, Any] | None,
) -> types.CodeAction:
    return types.CodeAction(
        title=action.title,
        kind=types.CodeActionKind(action.kind.value),
        diagnostics=about or None,
        is_preferred=True if action.is_preferred else None,
        edit=edit,
        command=command,
        data=data,
    )


def resolved(action: types.CodeAction, edit: types.WorkspaceEdit) -> types.CodeAction:
    """A code action with the edit that it was promised."""
    return types.CodeAction(title=action.title, kind=action.kind, diagnostics=action.diagnostics, edit=edit)


def fix_all_action(edit: types.WorkspaceEdit) -> types.CodeAction:
    return types.CodeAction(title="Apply all safe fixes", kind=FIX_ALL, edit=edit)


def diagnostics_of(
    action: Action, snapshot: Snapshot, to: Mapper, shown: Sequence[types.Diagnostic]
) -> list[types.Diagnostic]:
    """Those of the editor's diagnostics that an action answers."""
    if action.finding is None:
        return []
    where = to.range(snapshot.span(action.finding))
    return [item for item in shown if item.code == action.finding.rule and item.range == where]
