"""Changes of the text: edits of a document, renames, code actions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from plancheck.lsp.convert.findings import is_about
from plancheck.lsp.convert.mapper import Mapper
from plancheck.lsp.convert.options import FIX_ALL
from plancheck.text import Edit

if TYPE_CHECKING:
    from plancheck.analysis.snapshot import Snapshot
    from plancheck.ide.actions import Action
    from plancheck.ide.described.fixes import SpellingFix
    from plancheck.ide.navigate import Renamable


def renamable(found: Renamable, mapper: Mapper) -> types.PrepareRenamePlaceholder:
    return types.PrepareRenamePlaceholder(range=mapper.range(found.span), placeholder=found.placeholder)


def workspace_edit(
    uri: str, version: int | None, edits: Iterable[Edit], mapper: Mapper, *, versioned: bool
) -> types.WorkspaceEdit:
    """Edits of one document; with its version, where the editor can check it."""
    changes = mapper.text_edits(edits)
    if not versioned:
        return types.WorkspaceEdit(changes={uri: changes})
    document = types.OptionalVersionedTextDocumentIdentifier(uri=uri, version=version)
    return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(document, list(changes))])


def joined(edits: Sequence[types.WorkspaceEdit]) -> types.WorkspaceEdit:
    """Edits of several documents as one."""
    if any(edit.document_changes is not None for edit in edits):
        return types.WorkspaceEdit(document_changes=[one for edit in edits for one in edit.document_changes or ()])
    return types.WorkspaceEdit(changes={uri: found for edit in edits for uri, found in (edit.changes or {}).items()})


def spelling_fix(
    fix: SpellingFix, edit: types.WorkspaceEdit, mapper: Mapper, shown: Sequence[types.Diagnostic]
) -> types.CodeAction:
    """A quick fix, with those of the editor's diagnostics that it answers."""
    where = mapper.range(fix.about.span)
    return types.CodeAction(
        title=fix.title,
        kind=types.CodeActionKind.QuickFix,
        diagnostics=[item for item in shown if item.range == where and item.message == fix.about.message] or None,
        is_preferred=True,
        edit=edit,
    )


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


def show_place(uri: str, place: types.Range) -> types.ShowDocumentParams:
    return types.ShowDocumentParams(uri=uri, take_focus=True, selection=place)


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
    action: Action, snapshot: Snapshot, mapper: Mapper, shown: Sequence[types.Diagnostic]
) -> list[types.Diagnostic]:
    """Those of the editor's diagnostics that an action answers."""
    if action.finding is None:
        return []
    where = mapper.range(snapshot.span(action.finding))
    return [item for item in shown if is_about(item, snapshot, action.finding, where)]
