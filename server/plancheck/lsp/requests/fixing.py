"""`plancheck.applyFixes`: fix a whole file or the whole workspace, all rules or one."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING

from lsprotocol import types

from plancheck.ide.commands import FIXES_IN_FILE, FIXES_IN_WORKSPACE
from plancheck.lsp.convert import editing
from plancheck.lsp.progress import Progress
from plancheck.lsp.requests.arguments import failed, invalid, text_at
from plancheck.lsp.requests.subject import RequestedPlan, subject_of
from plancheck.lsp.stepwise import in_steps

if TYPE_CHECKING:
    from plancheck.ide.fixing import FixChoice, FixOutcome
    from plancheck.lsp.server import Server

_GRADES = ("", "safe", "unsafe")


async def apply_fixes(ls: Server, *arguments: object) -> dict[str, object]:
    """Apply fixes as one edit of the editor's, and answer what came of it."""
    from plancheck.analysis.rules import RULES
    from plancheck.ide.fixing import FixChoice

    uri, rule, scope, grade = (text_at(arguments, position) for position in range(4))
    if scope not in (FIXES_IN_FILE, FIXES_IN_WORKSPACE) or grade not in _GRADES or (rule and rule not in RULES):
        raise invalid('The arguments must be a URI, a rule or "", "file" or "workspace", and "safe" or "unsafe".')
    if not ls.client.applies_edits:
        raise failed("This editor applies no edits: run `plancheck check --fix`.")
    choice = FixChoice(rule or None, grade == "unsafe")
    uris = [uri] if scope == FIXES_IN_FILE else await _workspace(ls)
    edits: list[types.WorkspaceEdit] = []
    fixed = only_unsafe = 0
    progress = Progress(ls, "Fixing plans", len(uris))
    async with aclosing(progress.over(uris)) as steps:
        async for each in steps:
            subject = await subject_of(ls, each)
            if subject is None:
                continue
            outcome = await _outcome(ls, subject, choice)
            fixed, only_unsafe = fixed + outcome.fixed, only_unsafe + outcome.only_unsafe
            if outcome.edits:
                edits.append(_edit(ls, subject, outcome))
    applied = not progress.cancelled and bool(edits) and await _apply(ls, edits)
    return {"applied": applied, "fixed": fixed, "files": len(edits), "unsafe": only_unsafe}


async def _workspace(ls: Server) -> list[str]:
    return [ls.session.spellings.uri(file) for file in await ls.plan_files.find_now()]


async def _outcome(ls: Server, subject: RequestedPlan, choice: FixChoice) -> FixOutcome:
    from plancheck.ide.fixing import FixOutcome, fixes_in_rounds

    outcome = FixOutcome()
    async for outcome in in_steps(fixes_in_rounds(subject.snapshot, choice), ls.host):  # noqa: B007 - the last one counts
        pass
    return outcome


def _edit(ls: Server, subject: RequestedPlan, outcome: FixOutcome) -> types.WorkspaceEdit:
    versioned = ls.client.versioned_edits
    return editing.workspace_edit(subject.uri, subject.version, outcome.edits, subject.mapper, versioned=versioned)


async def _apply(ls: Server, edits: Sequence[types.WorkspaceEdit]) -> bool:
    """Whether the editor took the edits: it does not where a document has changed meanwhile."""
    answer = await ls.workspace_apply_edit_async(editing.apply_edit("Fix", editing.joined(edits)))
    return answer.applied
