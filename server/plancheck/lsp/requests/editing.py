"""Requests that change the text: completion, rename and code actions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcContentModified

from plancheck.lsp.convert import completions, editing, options, reading
from plancheck.lsp.requests import described
from plancheck.lsp.requests.subject import RequestedPlan, subject_of
from plancheck.lsp.stepwise import in_steps
from plancheck.text import Edit

if TYPE_CHECKING:
    from plancheck.ide.actions import Action
    from plancheck.lsp.server import Server


async def completion(ls: Server, params: types.CompletionParams) -> types.CompletionList | None:
    from plancheck.ide.complete import complete
    from plancheck.ide.offers import MOST_ITEMS

    subject = await subject_of(ls, params.text_document.uri)
    if subject is None:
        return await described.completion(ls, params)
    found = complete(subject.snapshot, subject.mapper.offset(params.position))
    return completions.completion_list(found, MOST_ITEMS, subject.mapper, snippets=ls.client.snippets)


async def prepare_rename(ls: Server, params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder | None:
    from plancheck.ide.described.rename import tool_in_plan
    from plancheck.ide.navigate import prepare_rename

    subject = await subject_of(ls, params.text_document.uri)
    if subject is None:
        return await described.prepare_rename(ls, params)
    offset = subject.mapper.offset(params.position)
    found = tool_in_plan(subject.snapshot, offset) or prepare_rename(subject.snapshot, offset)
    return editing.renamable(found, subject.mapper) if found is not None else None


async def rename(ls: Server, params: types.RenameParams) -> types.WorkspaceEdit | None:
    from plancheck.ide.described.rename import tool_in_plan
    from plancheck.ide.navigate import RenameError, rename

    subject = await subject_of(ls, params.text_document.uri)
    if subject is None:
        return await described.rename(ls, params)
    offset = subject.mapper.offset(params.position)
    tool = tool_in_plan(subject.snapshot, offset)
    if tool is not None:
        return await described.rename_tool(ls, subject.uri, tool.placeholder, params.new_name.strip())
    try:
        edits = rename(subject.snapshot, offset, params.new_name)
    except RenameError as error:
        raise described.refused(str(error)) from error
    return _workspace_edit(ls, subject, edits) if edits else None


def _workspace_edit(ls: Server, subject: RequestedPlan, edits: Sequence[Edit]) -> types.WorkspaceEdit:
    return editing.workspace_edit(
        subject.uri, subject.version, edits, subject.mapper, versioned=ls.client.versioned_edits
    )


async def code_action(ls: Server, params: types.CodeActionParams) -> list[types.CodeAction | types.Command] | None:
    from plancheck.ide.actions import ActionKind, offers

    subject = await subject_of(ls, params.text_document.uri)
    if subject is None:
        return await described.code_action(ls, params)
    only = [str(getattr(kind, "value", kind)) for kind in params.context.only or ()]
    # An editor that asks at every move of the cursor wants to know what can be fixed there, not what else can be done.
    by_itself = params.context.trigger_kind is types.CodeActionTriggerKind.Automatic and not only
    found: list[types.CodeAction | types.Command] = []
    if any(_wanted(kind.value, only) for kind in ActionKind):
        # Fixes are tried before they are on offer, which in a large plan takes longer than others should wait.
        async for actions in in_steps(offers(subject.snapshot, subject.mapper.span(params.range)), ls.host):
            for action in actions:
                kind = action.kind.value
                if _wanted(kind, only) and not (by_itself and kind.startswith("refactor")):
                    found += _offered(ls, subject, action, params.context.diagnostics)
    if ls.client.action_literals and any(_covers(asked, options.FIX_ALL) for asked in only):
        edits = await _fix_all(ls, subject)
        if edits:
            found.append(editing.fix_all_action(_workspace_edit(ls, subject, edits)))
    return found


async def _fix_all(ls: Server, subject: RequestedPlan) -> list[Edit]:
    from plancheck.ide.fixing import fix_all_in_rounds

    edits: list[Edit] = []
    async for edits in in_steps(fix_all_in_rounds(subject.snapshot), ls.host):  # noqa: B007 - the last ones count
        pass
    return edits


def _offered(
    ls: Server, subject: RequestedPlan, action: Action, shown: Sequence[types.Diagnostic]
) -> Iterator[types.CodeAction | types.Command]:
    """An action as this editor can take it; one without literals takes commands only."""
    command = reading.command(action.command, subject.uri, subject.mapper) if action.command is not None else None
    if not ls.client.action_literals:
        if command is not None:
            yield command
        return
    edits: Sequence[Edit] = action.edits
    data = None
    if action.refactoring is not None:
        if ls.client.resolves_edits:
            data = {"uri": subject.uri, "version": subject.version, "refactoring": action.refactoring.value}
        else:
            from plancheck.ide.refactor import edits_of

            edits = edits_of(subject.snapshot, action.refactoring)
    edit = _workspace_edit(ls, subject, edits) if edits else None
    yield editing.code_action(
        action, edit, command, editing.diagnostics_of(action, subject.snapshot, subject.mapper, shown), data
    )


async def resolve_code_action(ls: Server, action: types.CodeAction) -> types.CodeAction:
    """Make the edits of a refactoring that was chosen."""
    from plancheck.ide.refactor import Refactoring, edits_of

    data = action.data
    names = {refactoring.value: refactoring for refactoring in Refactoring}
    if not isinstance(data, dict) or data.get("refactoring") not in names or not isinstance(data.get("uri"), str):
        return action
    subject = await subject_of(ls, data["uri"])
    if subject is None or subject.version != data.get("version"):
        raise JsonRpcContentModified("The plan has changed since: choose the action again.")
    return editing.resolved(
        action, _workspace_edit(ls, subject, edits_of(subject.snapshot, names[data["refactoring"]]))
    )


def _wanted(kind: str, only: Sequence[str]) -> bool:
    return not only or any(_covers(asked, kind) for asked in only)


def _covers(asked: str, kind: str) -> bool:
    """Kinds form a tree: `refactor` asks for `refactor.rewrite` too."""
    return asked == "" or kind == asked or kind.startswith(f"{asked}.")
