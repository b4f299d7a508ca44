"""Every feature as two editors get it: a modern one that pulls, and one of 2022 that is pushed to."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

from lsp.plans import FAULTY
from lsp.profiles import modern
from lsp.wire import SERVER_PATH
from plancheck.analysis.rules import RULES

CONFIG = ClientServerConfig(
    server_command=[sys.executable, "-m", "plancheck", "lsp"], server_env={**os.environ, "PYTHONPATH": SERVER_PATH}
)
LINES = FAULTY.split("\n")
ACCEPTED = (
    types.CLIENT_REGISTER_CAPABILITY,
    types.WORKSPACE_CODE_LENS_REFRESH,
    types.WORKSPACE_INLAY_HINT_REFRESH,
)
"""What the server asks for that pytest-lsp's client does not answer by itself."""
VSCODE_OF_2022 = "visual-studio-code@v1.65.2"


async def connect(client: LanguageClient, capabilities: types.ClientCapabilities, folder: Path) -> str:
    """Open the faulty plan in an editor; its URI."""
    (folder / "refund.plan.json").write_text(FAULTY)
    uri = (folder / "refund.plan.json").as_uri()
    for method in ACCEPTED:
        client.feature(method)(lambda *_: None)
    workspace = [types.WorkspaceFolder(uri=folder.as_uri(), name="w")]
    client.set_configuration({"plancheck": {"inlayHints": True}})
    await client.initialize_session(types.InitializeParams(capabilities=capabilities, workspace_folders=workspace))
    document = types.TextDocumentItem(uri=uri, language_id="json", version=1, text=FAULTY)
    client.text_document_did_open(types.DidOpenTextDocumentParams(document))
    return uri


@pytest_lsp.fixture(config=CONFIG)  # type: ignore[untyped-decorator]
async def new(lsp_client: LanguageClient) -> AsyncIterator[None]:
    yield
    await lsp_client.shutdown_session()


@pytest_lsp.fixture(config=CONFIG)  # type: ignore[untyped-decorator]
async def old(lsp_client: LanguageClient) -> AsyncIterator[None]:
    yield
    await lsp_client.shutdown_session()


def at(line: int, text: str) -> types.Position:
    """Just inside some text on a line."""
    return types.Position(line, LINES[line].index(text) + 1)


def word(range_: types.Range, lines: list[str] = LINES) -> str:
    assert range_.start.line == range_.end.line
    return lines[range_.start.line][range_.start.character : range_.end.character]


def applied(edits: list[types.TextEdit]) -> str:
    """The faulty plan after edits."""
    starts = [0]
    for line in LINES:
        starts.append(starts[-1] + len(line) + 1)
    text = FAULTY
    for edit in sorted(edits, key=lambda e: (e.range.start.line, e.range.start.character), reverse=True):
        start = starts[edit.range.start.line] + edit.range.start.character
        end = starts[edit.range.end.line] + edit.range.end.character
        text = text[:start] + edit.new_text + text[end:]
    return text


async def test_a_modern_editor_pulls(new: LanguageClient, tmp_path: Path) -> None:
    uri = await connect(new, modern(), tmp_path)
    document = types.TextDocumentIdentifier(uri)
    report = await new.text_document_diagnostic_async(types.DocumentDiagnosticParams(document))
    assert isinstance(report, types.RelatedFullDocumentDiagnosticReport)
    assert report.items
    scope = next(item for item in report.items if item.code == "scope_vs_snapshot")
    assert word(scope.range) == '"customers/902"'
    assert not new.diagnostics, "and nothing is pushed"


async def test_an_old_editor_is_pushed_to(old: LanguageClient, tmp_path: Path) -> None:
    uri = await connect(old, client_capabilities(VSCODE_OF_2022), tmp_path)
    while not old.diagnostics.get(uri):
        await old.wait_for_notification("textDocument/publishDiagnostics")
    scope = next(item for item in old.diagnostics[uri] if item.code == "scope_vs_snapshot")
    assert word(scope.range) == '"customers/902"'


async def glance(client: LanguageClient, uri: str) -> None:
    """What both editors can show."""
    document = types.TextDocumentIdentifier(uri)
    hover = await client.text_document_hover_async(types.HoverParams(document, at(4, "0, ")))
    assert hover is not None
    assert isinstance(hover.contents, types.MarkupContent)
    assert "8 of 8 other steps follow this one" in hover.contents.value
    plan = await client.text_document_hover_async(types.HoverParams(document, at(3, '"nodes"')))
    assert plan is not None
    assert isinstance(plan.contents, types.MarkupContent)
    assert "No risk score" in plan.contents.value
    lenses = await client.text_document_code_lens_async(types.CodeLensParams(document))
    titles = [lens.command.title for lens in lenses or () if lens.command]
    assert any("keystone" in title for title in titles)
    assert any("graph" in title for title in titles)
    folds = await client.text_document_folding_range_async(types.FoldingRangeParams(document))
    assert types.FoldingRange(start_line=3, end_line=12) in (folds or ())
    ranges = await client.text_document_selection_range_async(types.SelectionRangeParams(document, [at(4, '"idx"')]))
    assert ranges
    assert ranges[0].parent is not None
    references = types.ReferenceParams(types.ReferenceContext(True), document, at(4, "0, "))
    found = await client.text_document_references_async(references)
    assert len(found or ()) == 1 + FAULTY.count('"producer": 0')
    marks = await client.text_document_document_highlight_async(
        types.DocumentHighlightParams(document, at(5, '"policy.refunds"'))
    )
    assert {word(mark.range).strip('"') for mark in marks or ()} == {"policy.refunds"}
    items = await client.text_document_prepare_call_hierarchy_async(
        types.CallHierarchyPrepareParams(document, at(8, "4, "))
    )
    assert items
    before = await client.call_hierarchy_incoming_calls_async(types.CallHierarchyIncomingCallsParams(items[0]))
    after = await client.call_hierarchy_outgoing_calls_async(types.CallHierarchyOutgoingCallsParams(items[0]))
    assert [call.from_.name.split()[1] for call in before or ()] == ["2", "3"]
    assert [call.to.name.split()[1] for call in after or ()] == ["5", "7"]


async def test_a_modern_editor_at_a_glance(new: LanguageClient, tmp_path: Path) -> None:
    uri = await connect(new, modern(), tmp_path)
    await glance(new, uri)
    document = types.TextDocumentIdentifier(uri)
    everything = types.Range(types.Position(0, 0), types.Position(99, 0))
    hints = await new.text_document_inlay_hint_async(types.InlayHintParams(document, everything))
    assert hints
    assert "keystone" in str(hints[0].label)
    symbols = await new.text_document_document_symbol_async(types.DocumentSymbolParams(document))
    assert symbols
    assert isinstance(symbols[0], types.DocumentSymbol)
    assert len(symbols[0].children or ()) == 9
    links = await new.text_document_definition_async(types.DefinitionParams(document, at(6, "1]")))
    assert isinstance(links, list)
    (link,) = links
    assert isinstance(link, types.LocationLink)
    assert (link.target_uri, word(link.target_selection_range)) == (uri, "1")


async def test_an_old_editor_at_a_glance(old: LanguageClient, tmp_path: Path) -> None:
    uri = await connect(old, client_capabilities("emacs"), tmp_path)
    await glance(old, uri)
    document = types.TextDocumentIdentifier(uri)
    assert await old.text_document_document_symbol_async(types.DocumentSymbolParams(document))


@pytest.mark.parametrize("is_modern", [True, False])
async def test_rename(new: LanguageClient, tmp_path: Path, is_modern: bool) -> None:
    capabilities = modern() if is_modern else client_capabilities("neovim@v0.7.0")
    uri = await connect(new, capabilities, tmp_path)
    document = types.TextDocumentIdentifier(uri)
    where = at(5, "1, ")
    can = await new.text_document_prepare_rename_async(types.PrepareRenameParams(document, where))
    assert isinstance(can, types.PrepareRenamePlaceholder)
    assert can.placeholder == "1"
    edit = await new.text_document_rename_async(types.RenameParams(document, where, "11"))
    assert edit is not None
    if edit.document_changes is not None:
        assert is_modern
        (change,) = edit.document_changes
        assert isinstance(change, types.TextDocumentEdit)
        assert change.text_document.version == 1
        edits = [e for e in change.edits if isinstance(e, types.TextEdit)]
    else:
        edits = list((edit.changes or {})[uri])
    text = applied(edits)
    assert text.count('"producer": 11}') == FAULTY.count('"producer": 1}')
    assert '"producer": 1}' not in text
    assert text.count('"control_preds": [11]') == 2
    with pytest.raises(Exception, match="6"):
        await new.text_document_rename_async(types.RenameParams(document, where, "6"))


@pytest.mark.parametrize("snippets", [True, False])
async def test_completion(new: LanguageClient, tmp_path: Path, snippets: bool) -> None:
    capabilities = modern()
    assert capabilities.text_document is not None
    assert capabilities.text_document.completion is not None
    item = capabilities.text_document.completion.completion_item
    assert item is not None
    item.snippet_support = snippets
    uri = await connect(new, capabilities, tmp_path)
    half = '{"nodes": [\n  {"idx": 0, "agent": "a", "kind": "decision"},\n  \n]}'
    change = types.TextDocumentContentChangeWholeDocument(half)
    version = types.VersionedTextDocumentIdentifier(uri=uri, version=2)
    new.text_document_did_change(types.DidChangeTextDocumentParams(version, [change]))
    document = types.TextDocumentIdentifier(uri)
    found = await new.text_document_completion_async(types.CompletionParams(document, types.Position(2, 2)))
    assert isinstance(found, types.CompletionList)
    formats = {completion.insert_text_format for completion in found.items}
    assert (types.InsertTextFormat.Snippet in formats) is snippets
    texts = [c.text_edit.new_text for c in found.items if isinstance(c.text_edit, types.TextEdit)]
    assert any("$" in text for text in texts) is snippets


async def actions(client: LanguageClient, uri: str, only: list[Any] | None = None) -> list[types.CodeAction]:
    everything = types.Range(types.Position(0, 0), types.Position(len(LINES), 0))
    context = types.CodeActionContext(diagnostics=[], only=only, trigger_kind=types.CodeActionTriggerKind.Invoked)
    params = types.CodeActionParams(types.TextDocumentIdentifier(uri), everything, context)
    found = await client.text_document_code_action_async(params)
    return [action for action in found or () if isinstance(action, types.CodeAction)]


def edits_of(action: types.CodeAction) -> list[types.TextEdit]:
    assert action.edit is not None
    (change,) = action.edit.document_changes or ()
    assert isinstance(change, types.TextDocumentEdit)
    return [edit for edit in change.edits if isinstance(edit, types.TextEdit)]


async def test_actions_suppress_show_and_refactor(new: LanguageClient, tmp_path: Path) -> None:
    uri = await connect(new, modern(), tmp_path)
    found = {action.title: action for action in await actions(new, uri)}
    step = found["Ignore `scope_vs_snapshot` at step 0"]
    assert '"plancheck-ignore": ["scope_vs_snapshot"]' in applied(edits_of(step))
    refactor = await actions(new, uri, [types.CodeActionKind.Refactor])
    assert refactor
    assert all(
        str(action.kind).startswith("refactor") or action.kind is types.CodeActionKind.RefactorRewrite
        for action in refactor
    )
    lazy = next(action for action in refactor if action.edit is None)
    resolved = await new.code_action_resolve_async(lazy)
    assert '"control_preds": [0]' in applied(edits_of(resolved))
    assert await actions(new, uri, ["source.organizeImports"]) == []


async def test_fix_all_applies_safe_fixes_only(new: LanguageClient, tmp_path: Path) -> None:
    uri = await connect(new, modern(), tmp_path)
    text = FAULTY.replace('"plan_id"', '"plancheck-ignore": ["unknown_step"],\n  "plan_id"')
    change = types.TextDocumentContentChangeWholeDocument(text)
    version = types.VersionedTextDocumentIdentifier(uri=uri, version=2)
    new.text_document_did_change(types.DidChangeTextDocumentParams(version, [change]))
    (fix,) = await actions(new, uri, ["source.fixAll.plancheck"])
    assert fix.kind == "source.fixAll.plancheck"
    assert fix.edit is not None


async def test_the_commands_of_the_server(new: LanguageClient, tmp_path: Path) -> None:
    uri = await connect(new, modern(), tmp_path)
    applied_edits: list[types.ApplyWorkspaceEditParams] = []

    @new.feature(types.WORKSPACE_APPLY_EDIT)  # type: ignore[untyped-decorator]
    def apply(params: types.ApplyWorkspaceEditParams) -> types.ApplyWorkspaceEditResult:
        applied_edits.append(params)
        return types.ApplyWorkspaceEditResult(applied=True)

    shown = await new.workspace_execute_command_async(
        types.ExecuteCommandParams("plancheck.showRule", [uri, "scope_vs_snapshot"])
    )
    assert shown is not None
    assert shown["markdown"].startswith(RULES["scope_vs_snapshot"].summary)
    assert [str(document.uri) for document in new.shown_documents] == [shown["url"]]
    await new.workspace_execute_command_async(
        types.ExecuteCommandParams("plancheck.ignoreInConfiguration", [uri, "scope_vs_snapshot"])
    )
    create, change = applied_edits[0].edit.document_changes or ()
    assert isinstance(create, types.CreateFile)
    assert create.uri == (tmp_path / "plancheck.toml").as_uri()
    assert isinstance(change, types.TextDocumentEdit)
    (edit,) = change.edits
    assert isinstance(edit, types.TextEdit)
    assert edit.new_text == '[rules]\nscope_vs_snapshot = "off"\n'
