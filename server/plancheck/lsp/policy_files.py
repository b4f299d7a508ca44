"""Policy files in the server: what is wrong with them, shown in them, and plans checked again when they change."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from lsprotocol import types

from plancheck.lsp.convert import findings
from plancheck.lsp.documents import Document
from plancheck.lsp.session import path_of, uri_of
from plancheck.text import LineIndex

if TYPE_CHECKING:
    from plancheck.lsp.server import Server
    from plancheck.workspace.policies import LoadedPolicy

SOON = 0.2
"""Seconds after which an edit of an open policy reaches the plans."""


class PolicyFiles:
    def __init__(self, server: Server) -> None:
        self._server = server
        self._settling: asyncio.Task[None] | None = None
        self._waiting: asyncio.Task[None] | None = None

    # ---- what is wrong with them

    def problems(self) -> Iterator[tuple[str, list[types.Diagnostic]]]:
        """The problems of every policy in force, by URI."""
        for policies in self._server.session.all_policies():
            for loaded in policies.loaded:
                yield uri_of(loaded.path), self._of(loaded)
            for error in policies.errors:
                yield uri_of(error.path), [findings.unreadable(error.message)]

    def of_open(self, document: Document) -> list[types.Diagnostic]:
        """The problems of an open policy, as it is being typed."""
        from plancheck.policy.reading import read_policy
        from plancheck.workspace.policies import LoadedPolicy

        path = path_of(document.uri) or ""
        return self._of(LoadedPolicy(path, document.text, read_policy(document.text)))

    def _of(self, loaded: LoadedPolicy) -> list[types.Diagnostic]:
        session = self._server.session
        severity = session.settings_for(uri_of(loaded.path)).severity
        found = loaded.problems(session.patterns.stopped, self._tools(loaded.path))
        return findings.policy_problems(found, LineIndex(loaded.text), session.encoding, severity)

    def _tools(self, policy: str) -> frozenset[str] | None:
        """The tools of all plans under a policy; None while some plan of the workspace has not been looked at."""
        tools = self._server.scanner.tools()
        if tools is None:
            return None
        session = self._server.session
        governed = (used for path, used in tools.items() if policy in session.policy_paths(path))
        return frozenset[str]().union(*governed)

    # ---- when they change

    def changed_soon(self, refresh: Callable[[], None]) -> None:
        """An open policy was edited: once the typing pauses, the plans are to be checked again."""
        if self._waiting is not None:
            self._waiting.cancel()
        self._waiting = self._server.spawn(self._after_a_while(refresh))

    async def _after_a_while(self, refresh: Callable[[], None]) -> None:
        await asyncio.sleep(SOON)
        refresh()

    # ---- patterns that take their time

    def settle(self) -> None:
        """Run the patterns that an analysis is waiting for, and show what comes of them."""
        if self._settling is None or self._settling.done():
            self._settling = self._server.spawn(self._settle())

    async def _settle(self) -> None:
        server = self._server
        patterns = server.session.patterns
        stopped = patterns.stopped
        await asyncio.to_thread(patterns.answer)
        news = patterns.stopped != stopped
        for uri, document in list(server.session.documents.items()):
            if document.is_pending or (news and server.session.is_policy(uri)):
                document.recheck()
                if not server.client.pulls:
                    server.publisher.changed(document)
        if news:
            server.configuration_files.publish()
        if server.client.pulls and server.client.refreshes_diagnostics:
            server.workspace_diagnostic_refresh(None)
