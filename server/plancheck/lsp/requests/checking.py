"""`plancheck/checkWorkspace`: check every plan anew, and count what was found."""

from __future__ import annotations

from collections import Counter
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

from plancheck.lsp.diagnostics import items_of
from plancheck.lsp.progress import Progress

if TYPE_CHECKING:
    from plancheck.lsp.convert.findings import Diagnostic
    from plancheck.lsp.identity import File
    from plancheck.lsp.server import Server

_SEVERITIES = {1: "error", 2: "warning", 3: "info", 4: "hint"}


async def check_workspace(ls: Server, params: object) -> dict[str, Any]:
    """Counts of plans, of findings by their severity, and of places that were not checked."""
    await ls.session.configured.wait()
    ls.plan_files.changed()
    files = await ls.plan_files.find_now()
    token = params.get("workDoneToken") if isinstance(params, dict) else None
    progress = Progress(ls, "Checking plans", len(files), token if isinstance(token, int | str) else None)
    counts: Counter[str] = Counter()
    async with aclosing(progress.over(files)) as steps:
        async for file in steps:
            items = await _items(ls, file)
            if items is not None:
                counts["plans"] += 1
                counts.update(map(_kind, items))
    if ls.client.pulls:
        ls.refresh_diagnostics()
    else:
        ls.scanner.start()
    names = ("plans", *_SEVERITIES.values(), "unchecked")
    return {**{name: counts[name] for name in names}, "cancelled": progress.cancelled}


async def _items(ls: Server, file: File) -> list[Diagnostic] | None:
    """What there is to report about a plan, as the editor has it where it is open there; None if it is gone."""
    document = ls.session.documents.by_key(file.key)
    if document is not None:
        return await items_of(ls, document)
    checked = await ls.plan_files.check(file)
    return None if checked is None else checked.items


def _kind(item: Diagnostic) -> str:
    return "unchecked" if "unchecked" in item.get("data", {}) else _SEVERITIES[item["severity"]]
