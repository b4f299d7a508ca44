"""Diagnostics of plans that are not open, pushed to an editor that waits for them."""

from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING

from plancheck.lsp.convert import findings
from plancheck.lsp.documents import Document
from plancheck.lsp.identity import File, FileKey
from plancheck.lsp.progress import Progress
from plancheck.lsp.shown import Shown

if TYPE_CHECKING:
    from plancheck.lsp.server import Server


class Scanner:
    def __init__(self, server: Server) -> None:
        self._server = server
        self._shown = Shown()

    def start(self) -> None:
        """Check all unopened plans in the background and publish what is found; an earlier run gives way."""
        if not self._server.client.pulls:
            self._server.background.run("scan", self._publish_all)

    async def _publish_all(self) -> None:
        server = self._server
        await server.session.configured.wait()
        files = await server.plan_files.all()
        progress = Progress(server, "Checking plans", len(files))
        current: set[FileKey] = set()
        async with aclosing(progress.over(files)) as steps:
            async for file in steps:
                if await self._publish(file):
                    current.add(file.key)
        if not progress.cancelled:
            self._take_back_all_but(current)
        server.policy_files.plans_changed()
        server.configuration_files.publish()

    async def _publish(self, file: File) -> bool:
        """Publish what is wrong with an unopened plan; whether there is such a plan."""
        server, documents = self._server, self._server.session.documents
        if documents.by_key(file.key) is not None:
            return False
        checked = await server.plan_files.check(file)
        if checked is None or documents.by_key(file.key) is not None:
            return False
        uri = server.session.spellings.uri(file)
        if not self._shown.is_current(file.key, uri, checked.result_id):
            server.publish(findings.publication(uri, None, checked.items))
            self._shown.note(file.key, uri, checked.result_id, has_items=bool(checked.items))
        return True

    def opened(self, document: Document) -> None:
        """A document was opened: what was said of its file is said of the document from now on. Under another
        spelling of its URI it would stay beside that."""
        uri = self._shown.forget(document.key)
        if uri is not None and uri != document.uri:
            self._server.publish(findings.publication(uri, None, []))

    def closed(self, document: Document) -> None:
        """A document was closed: from now on its file is one of the unopened ones."""
        if self._server.session.folders.holding(document.key) is not None:
            self.start()

    def _take_back_all_but(self, current: set[FileKey]) -> None:
        for uri in self._shown.forget_all_but(current):
            self._server.publish(findings.publication(uri, None, []))
