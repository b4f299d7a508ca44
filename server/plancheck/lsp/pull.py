"""Diagnostics for an editor that asks for them: of one document, or of the whole workspace."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing
from typing import TYPE_CHECKING

from lsprotocol import types

from plancheck.lsp.convert import findings
from plancheck.lsp.convert.mapper import Encoded, Plain
from plancheck.lsp.diagnostics import inputs_of, items_of, rendered_plan
from plancheck.lsp.documents import Document
from plancheck.lsp.identity import File, FileKey, key_of, path_of
from plancheck.lsp.progress import Progress
from plancheck.lsp.protocol import retrigger
from plancheck.lsp.result_ids import result_id

if TYPE_CHECKING:
    from plancheck.lsp.server import Server


async def document(ls: Server, params: types.DocumentDiagnosticParams) -> Plain | Encoded:
    """Answer `textDocument/diagnostic`. A pull that an edit overtakes is cancelled by `Protocol.supersede`."""
    await ls.session.configured.wait()
    uri, previous = params.text_document.uri, params.previous_result_id
    found = ls.session.documents.get(uri)
    return await (_of_file(ls, uri, previous) if found is None else _of_open(ls, found, previous))


async def _of_open(ls: Server, document: Document, previous: str | None) -> Plain | Encoded:
    inputs = inputs_of(ls, document)
    found = result_id(*inputs)
    if previous == found:
        return findings.unchanged_report(found)
    report: Plain | Encoded
    if document.is_plan:
        report = findings.encoded_report(await rendered_plan(ls, document), found)
    else:
        report = findings.full_report(await items_of(ls, document), found)
    if inputs != inputs_of(ls, document) or document.closed:
        raise retrigger()
    ls.answered.note(document.key, document.uri, found)
    return report


async def _of_file(ls: Server, uri: str, previous: str | None) -> Plain:
    """The report on a file that is not open. VS Code asks for it when it closes a document, and may then drop this
    answer and what a report on the workspace says of the file meanwhile: so the next one says it again."""
    path, key = path_of(uri), key_of(uri)
    checked = await ls.plan_files.check(File(key, path)) if path is not None and ls.session.is_plan(uri) else None
    ls.answered.note(key, uri, "")
    if checked is None:
        return findings.full_report([], None)
    if checked.result_id == previous:
        return findings.unchanged_report(checked.result_id)
    return findings.full_report(checked.items, checked.result_id)


async def workspace(ls: Server, params: types.WorkspaceDiagnosticParams) -> Plain:
    """Answer `workspace/diagnostic`."""
    await ls.session.configured.wait()
    previous = {known.uri: known.value for known in params.previous_result_ids}
    progress = Progress(ls, "Checking plans", len(await ls.plan_files.all()), params.work_done_token)
    reports = {key: report async for key, report in _reports(ls, previous, progress)}
    if progress.cancelled:
        raise asyncio.CancelledError
    return findings.workspace_reports([*reports.values(), *_gone(ls, previous, reports)])


async def _reports(ls: Server, previous: Mapping[str, str], progress: Progress) -> AsyncIterator[tuple[FileKey, Plain]]:
    """A report for every plan of the workspace, open ones included, and for every configuration file."""
    async with aclosing(progress.over(await ls.plan_files.all())) as steps:
        async for file in steps:
            report = await _report(ls, file, previous)
            if report is not None:
                yield file.key, report
    ls.policy_files.plans_changed()
    for file, items in ls.configuration_files.problems().items():
        found = result_id("items", [repr(item) for item in items])
        yield file.key, _answer(ls, file.key, ls.session.spellings.uri(file), None, found, items, previous)


async def _report(ls: Server, file: File, previous: Mapping[str, str]) -> Plain | None:
    """The report on one plan; None if it is gone."""
    document = ls.session.documents.by_key(file.key)
    if document is None:
        checked = await ls.plan_files.check(file)
        if checked is None:
            return None
        uri = ls.session.spellings.uri(file)
        return _answer(ls, file.key, uri, None, checked.result_id, checked.items, previous)
    inputs = inputs_of(ls, document)
    found = result_id(*inputs)
    items = [] if _knows(ls, file.key, document.uri, found, previous) else await items_of(ls, document)
    if inputs != inputs_of(ls, document):  # it has changed meanwhile, and the editor asks for it by itself then
        return None
    return _answer(ls, file.key, document.uri, document.version, found, items, previous)


def _answer(
    ls: Server,
    key: FileKey,
    uri: str,
    version: int | None,
    found: str,
    items: list[findings.Diagnostic],
    previous: Mapping[str, str],
) -> Plain:
    if _knows(ls, key, uri, found, previous):
        return findings.workspace_report(uri, version, found, None)
    ls.answered.note(key, uri, found)
    return findings.workspace_report(uri, version, found, items)


def _knows(ls: Server, key: FileKey, uri: str, found: str, previous: Mapping[str, str]) -> bool:
    """Whether the editor has this result, and was answered nothing else since."""
    return previous.get(uri) == found and ls.answered.is_current(key, uri, found)


def _gone(ls: Server, previous: Mapping[str, str], reports: Mapping[FileKey, Plain]) -> list[Plain]:
    """An empty report for everything that the editor may still show although there is nothing to report on any more:
    a file that was renamed or deleted, or is no plan now."""
    open_keys = {document.key for document in ls.session.documents}
    reported = {report["uri"] for report in reports.values()}
    uris = set(ls.answered.forget_all_but(open_keys.union(reports)))
    uris.update(uri for uri in previous.keys() - reported if key_of(uri) not in open_keys)
    return [findings.workspace_report(uri, None, None, []) for uri in sorted(uris - reported)]
