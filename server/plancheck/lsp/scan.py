"""Plans of the workspace that no editor has open: finding them, checking them, and what was found."""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing
from typing import TYPE_CHECKING, NamedTuple

from lsprotocol import types

from plancheck.lsp.convert import findings
from plancheck.lsp.diagnostics import items_of, result_id
from plancheck.lsp.progress import Progress
from plancheck.lsp.session import path_of, uri_of

if TYPE_CHECKING:
    from plancheck.analysis.settings import Settings
    from plancheck.analysis.snapshot import Snapshot
    from plancheck.lsp.server import Server

logger = logging.getLogger(__name__)

LIST_AGAIN = 10.0
"""Seconds for which a list of files is taken as complete, where no watcher said otherwise: editors ask every second."""
MOST_KEPT = 2_000_000
"""Characters of unopened plans whose snapshots are kept for searches."""


class Checked(NamedTuple):
    """What is known of a file, and what it depends on."""

    stamp: tuple[int, int]
    settings: Settings
    result_id: str
    items: list[types.Diagnostic]


class Scanner:
    def __init__(self, server: Server) -> None:
        self._server = server
        self._checked: dict[str, Checked] = {}
        self._snapshots: OrderedDict[str, tuple[tuple[int, int], Settings, Snapshot]] = OrderedDict()
        self._listed: tuple[float, list[str]] | None = None
        self._serial = 0
        self._tools: dict[str, frozenset[str]] = {}
        self._published: dict[str, str] = {}
        """What was published, by URI: the id of the result."""
        self._task: asyncio.Task[None] | None = None

    # ---- files

    def files_changed(self) -> None:
        """Something came, went or changed on disk."""
        self._listed = None

    async def plans(self) -> list[str]:
        """The plan files of all folders."""
        if self._listed is None or time.monotonic() - self._listed[0] > LIST_AGAIN:
            paths = await asyncio.to_thread(self._find)
            self._listed = time.monotonic(), paths
        return self._listed[1]

    def _find(self) -> list[str]:
        from plancheck.workspace.files import ReadError, find_plans

        session = self._server.session
        found: dict[str, None] = {}
        for uri, folder in list(session.folders.items()):
            if not session.client_of(uri).workspace_diagnostics:
                continue
            for path in find_plans(folder, session.configurations(uri)):
                if isinstance(path, ReadError):
                    logger.warning("%s: %s", path.path, path.message)
                else:
                    found.setdefault(path)
        return list(found)

    async def snapshot(self, path: str) -> Snapshot | None:
        """The snapshot of a file, kept for a while; None where it cannot be read."""
        from plancheck.workspace.files import ReadError, read_text

        stamp, settings = _stamp(path), self._server.session.settings_for(uri_of(path))
        if stamp is None:
            return None
        known = self._snapshots.pop(path, None)
        if known is None or known[:2] != (stamp, settings):
            text = read_text(path)
            if isinstance(text, ReadError):
                return None
            known = stamp, settings, await asyncio.to_thread(self._analyze, text, settings)
        self._snapshots[path] = known
        while sum(len(kept[2].text) for kept in self._snapshots.values()) > MOST_KEPT and len(self._snapshots) > 1:
            self._snapshots.popitem(last=False)
        return known[2]

    async def check(self, path: str) -> Checked | None:
        """The diagnostics of a file as it is on disk; None if it is gone."""
        stamp, settings = _stamp(path), self._server.session.settings_for(uri_of(path))
        if stamp is None:
            self._checked.pop(path, None)
            return None
        known = self._checked.get(path)
        if known is None or (known.stamp, known.settings) != (stamp, settings):
            self._serial += 1
            items = await asyncio.to_thread(self._items, path, settings)
            known = self._checked[path] = Checked(stamp, settings, f"disk.{self._serial}", items)
        return known

    def _analyze(self, text: str, settings: Settings) -> Snapshot:
        """In a thread, which may wait for a pattern."""
        from plancheck.analysis.engine import analyze

        return analyze(text, settings, matcher=self._server.session.patterns.process)

    def tools(self) -> dict[str, frozenset[str]] | None:
        """The tools of every plan of the workspace; None while some plan has not been looked at."""
        found: dict[str, frozenset[str]] = {}
        for path in self._listed[1] if self._listed is not None else ():
            document = self._server.session.open_at(path)
            tools = self._tools.get(path) if document is None else document.tools
            if tools is None:
                return None
            found[path] = tools
        return found or None

    def _items(self, path: str, settings: Settings) -> list[types.Diagnostic]:
        from plancheck.workspace.files import ReadError, read_text

        text = read_text(path)
        if isinstance(text, ReadError):
            return [findings.unreadable(text.message)]
        snapshot = self._analyze(text, settings)
        self._tools[path] = snapshot.plan.tools()
        server = self._server
        return findings.diagnostics(snapshot, uri_of(path), server.session.encoding, related=server.client.related)

    # ---- pushing

    def start(self) -> None:
        """Check all unopened plans in the background and publish what is found; an earlier run gives way."""
        if self._server.client.pulls:
            return
        if self._task is not None:
            self._task.cancel()
        self._task = self._server.spawn(self._publish_all())

    async def _publish_all(self) -> None:
        await self._server.session.configured.wait()
        paths = await self.plans()
        session = self._server.session
        progress = Progress(self._server, "Checking plans", len(paths))
        current: set[str] = set()
        async with aclosing(progress.over(paths)) as steps:
            async for path in steps:
                if session.open_at(path) is None and (checked := await self.check(path)) is not None:
                    uri = uri_of(path)
                    current.add(uri)
                    if session.open_at(path) is None and self._published.get(uri) != checked.result_id:
                        self._server.text_document_publish_diagnostics(findings.publication(uri, None, checked.items))
                        self._published[uri] = checked.result_id
        if not progress.cancelled:
            self._take_back(self._published.keys() - current)
        self._server.configuration_files.publish()

    def closed(self, uri: str) -> None:
        """A document was closed: from now on its file is one of the unopened ones."""
        self._published.pop(uri, None)
        path = path_of(uri)
        if path is not None and self._server.session.folder_of(path) is not None:
            self.start()

    def _take_back(self, uris: set[str]) -> None:
        for uri in uris:
            path = path_of(uri)
            if path is None or self._server.session.open_at(path) is None:
                self._server.text_document_publish_diagnostics(findings.publication(uri, None, []))
            del self._published[uri]

    # ---- answering

    async def pull_one(self, uri: str, previous: str | None) -> types.DocumentDiagnosticReport:
        """The report on a document that is not open."""
        path = path_of(uri)
        checked = await self.check(path) if path is not None and self._server.session.is_plan(uri) else None
        if checked is None:
            return findings.full_report([], None)
        if checked.result_id == previous:
            return findings.unchanged_report(checked.result_id)
        return findings.full_report(checked.items, checked.result_id)

    async def reports(
        self, previous: Mapping[str, str], progress: Progress
    ) -> AsyncIterator[types.WorkspaceDocumentDiagnosticReport]:
        """A report for every plan of the workspace, open ones included, and for every configuration file."""
        session = self._server.session
        reported: set[str] = set()
        async with aclosing(progress.over(await self.plans())) as steps:
            async for path in steps:
                uri = uri_of(path)
                document = session.open_at(path)
                if document is not None:
                    uri, version, found = document.uri, document.version, result_id(document)
                    items = [] if previous.get(uri) == found else await items_of(self._server, document)
                else:
                    checked = await self.check(path)
                    if checked is None:
                        continue
                    version, found, items = None, checked.result_id, checked.items
                reported.add(uri)
                yield findings.workspace_report(uri, version, found, None if previous.get(uri) == found else items)
        for uri, items in self._server.configuration_files.problems().items():
            reported.add(uri)
            yield findings.workspace_report(uri, None, None, items)
        for uri in previous.keys() - reported:
            if uri not in session.documents:
                yield findings.workspace_report(uri, None, None, [])


def _stamp(path: str) -> tuple[int, int] | None:
    """What tells one state of a file from another; None if there is no such file."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_size


async def pull_workspace(ls: Server, params: types.WorkspaceDiagnosticParams) -> types.WorkspaceDiagnosticReport:
    """Answer `workspace/diagnostic`."""
    await ls.session.configured.wait()
    previous = {known.uri: known.value for known in params.previous_result_ids}
    progress = Progress(ls, "Checking plans", len(await ls.scanner.plans()), params.work_done_token)
    reports = [report async for report in ls.scanner.reports(previous, progress)]
    if progress.cancelled:
        raise asyncio.CancelledError
    return findings.workspace_reports(reports)
