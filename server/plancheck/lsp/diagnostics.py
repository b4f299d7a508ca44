"""Diagnostics of open documents: published to an editor that waits for them, or answered to one that asks.

Which of the two is settled once, when the editor connects; it is never both.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from lsprotocol import types

from plancheck.lsp.convert import findings
from plancheck.lsp.documents import Document
from plancheck.lsp.protocol import retrigger

if TYPE_CHECKING:
    from plancheck.lsp.server import Server


def result_id(document: Document) -> str:
    """Names what a document's diagnostics depend on: as long as it stays, so do they."""
    return f"{document.serial}.{document.version}.{document.generation}"


async def items_of(server: Server, document: Document) -> list[types.Diagnostic]:
    """The diagnostics of the version that is current when this returns; none for a document that is no plan."""
    if not document.is_plan:
        return server.configuration_files.of_open(document)
    snapshot = await document.snapshot()
    if snapshot.is_pending:
        server.policy_files.settle()
    return findings.diagnostics(snapshot, document.uri, server.session.encoding, related=server.client.related)


class Publisher:
    """Pushes diagnostics: once for all edits that came together, and only for the version that is current."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def changed(self, document: Document) -> None:
        """Publish soon: behind every message that has already arrived."""
        if document.uri not in self._tasks:
            self._tasks[document.uri] = self._server.spawn(self._publish(document))

    async def _publish(self, document: Document) -> None:
        await self._server.session.configured.wait()
        while not document.closed:
            before = result_id(document)
            items = await items_of(self._server, document)
            if before == result_id(document) and not document.closed:
                # Without an await in between: whatever changes from here on needs a task of its own.
                del self._tasks[document.uri]
                self._server.text_document_publish_diagnostics(
                    findings.publication(document.uri, document.version, items)
                )
                return

    def closed(self, uri: str) -> None:
        """Take back what was published."""
        task = self._tasks.pop(uri, None)
        if task is not None:
            task.cancel()
        self._server.text_document_publish_diagnostics(findings.publication(uri, None, []))


async def pull(ls: Server, params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
    """Answer `textDocument/diagnostic`. A pull that an edit overtakes is cancelled by `Protocol.supersede`."""
    await ls.session.configured.wait()
    document = ls.session.documents.get(params.text_document.uri)
    if document is None:
        return await ls.scanner.pull_one(params.text_document.uri, params.previous_result_id)
    if params.previous_result_id == result_id(document):
        return findings.unchanged_report(result_id(document))
    before = result_id(document)
    items = await items_of(ls, document)
    if before != result_id(document) or document.closed:
        raise retrigger()
    return findings.full_report(items, before)
