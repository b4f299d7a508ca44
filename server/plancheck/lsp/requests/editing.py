"""Requests that change the text: completion, rename and code actions."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcContentModified, JsonRpcException

from plancheck.lsp import convert
from plancheck.lsp.requests.target import Target, target
from plancheck.text import Edit

if TYPE_CHECKING:
    from plancheck.ide.actions import Action
    from plancheck.lsp.server import Server


async def completion(ls: Server, params: types.CompletionParams) -> types.CompletionList | None:
    from plancheck.ide.complete import MOST_ITEMS, complete

    at = await target(ls, params.text_document.uri)
    if at is None:
        return None
    found = complete(at.snapshot, at.to.offset(params.position))
    return convert.completion_list(found, MOST_ITEMS, at.to, snippets=ls.client.snippets)


async def prepare_rename(ls: Server, params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder | None:
    from plancheck.ide.navigate import prepare_rename

    at = await target(ls, params.text_document.uri)
    found = prepare_rename(at.snapshot, at.to.offset(params.position)) if at is not None else None
    return convert.renamable(found, at.to) if at is not None and found is not None else None


async def rename(ls: Server, params: types.RenameParams) -> types.WorkspaceEdit | None:
    from plancheck.ide.navigate import RenameError, rename

    at = await target(ls, params.text_document.uri)
    if at is None:
        return None
    try:
        edits = rename(at.snapshot, at.to.offset(params.position), params.new_name)
    except RenameError as error:
        raise JsonRpcException(str(error), code=int(types.LSPErrorCodes.RequestFailed)) from error
    return _workspace_edit(ls, at, edits) if edits else None


def _workspace_edit(ls: Server, at: Target, edits: Sequence[Edit]) -> types.WorkspaceEdit:
    return convert.workspace_edit(at.uri, at.version, edits, at.to, versioned=ls.client.versioned_edits)


async def code_action(ls: Server, params: types.CodeActionParams) -> list[types.CodeAction | types.Command] | None:
    from plancheck.ide.actions import ActionKind, actions

    at = await target(ls, params.text_document.uri)
    if at is None:
        return None
    only = [str(getattr(kind, "value", kind)) for kind in params.context.only or ()]
    # An editor that asks at every move of the cursor wants to know what can be fixed there, not what else can be done.
    by_itself = params.context.trigger_kind is types.CodeActionTriggerKind.Automatic and not only
    found: list[types.CodeAction | types.Command] = []
    offered: Sequence[Action] = ()
    if any(_wanted(kind.value, only) for kind in ActionKind):
        # Fixes are tried before they are on offer, which in a large plan takes longer than others should wait.
        offered = await asyncio.to_thread(actions, at.snapshot, at.to.span(params.range))
    for action in offered:
        kind = action.kind.value
        if _wanted(kind, only) and not (by_itself and kind.startswith("refactor")):
            found += _offered(ls, at, action, params.context.diagnostics)
    if ls.client.action_literals and any(_covers(asked, convert.FIX_ALL) for asked in only):
        from plancheck.ide.fixing import fix_all_edits

        edits = await asyncio.to_thread(fix_all_edits, at.snapshot)
        if edits:
            found.append(convert.fix_all_action(_workspace_edit(ls, at, edits)))
    return found


def _offered(
    ls: Server, at: Target, action: Action, shown: Sequence[types.Diagnostic]
) -> Iterator[types.CodeAction | types.Command]:
    """An action as this editor can take it; one without literals takes commands only."""
    command = convert.command(action.command, at.uri, at.to) if action.command is not None else None
    if not ls.client.action_literals:
        if command is not None:
            yield command
        return
    edits: Sequence[Edit] = action.edits
    data = None
    if action.refactoring is not None:
        if ls.client.resolves_edits:
            data = {"uri": at.uri, "version": at.version, "refactoring": action.refactoring.value}
        else:
            from plancheck.ide.refactor import edits_of

            edits = edits_of(at.snapshot, action.refactoring)
    edit = _workspace_edit(ls, at, edits) if edits else None
    yield convert.code_action(action, edit, command, convert.diagnostics_of(action, at.snapshot, at.to, shown), data)


async def resolve_code_action(ls: Server, action: types.CodeAction) -> types.CodeAction:
    """Make the edits of a refactoring that was chosen."""
    from plancheck.ide.refactor import Refactoring, edits_of

    data = action.data
    names = {refactoring.value: refactoring for refactoring in Refactoring}
    if not isinstance(data, dict) or data.get("refactoring") not in names or not isinstance(data.get("uri"), str):
        return action
    at = await target(ls, data["uri"])
    if at is None or at.version != data.get("version"):
        raise JsonRpcContentModified("The plan has changed since: choose the action again.")
    return convert.resolved(action, _workspace_edit(ls, at, edits_of(at.snapshot, names[data["refactoring"]])))


def _wanted(kind: str, only: Sequence[str]) -> bool:
    return not only or any(_covers(asked, kind) for asked in only)


def _covers(asked: str, kind: str) -> bool:
    """Kinds form a tree: `refactor` asks for `refactor.rewrite` too."""
    return asked == "" or kind == asked or kind.startswith(f"{asked}.")
