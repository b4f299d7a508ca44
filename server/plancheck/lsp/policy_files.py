"""Policy files in the server: what is wrong with them, shown in them, and plans checked again when they change."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from plancheck.lsp.convert import findings
from plancheck.lsp.documents import Document
from plancheck.lsp.identity import FileKey, file_at, key_of_path, path_of
from plancheck.text import LineIndex, Span

if TYPE_CHECKING:
    from plancheck.ide.limits import LimitSite, LimitSites
    from plancheck.lsp.server import Server
    from plancheck.policy.rego.files import RegoFiles
    from plancheck.workspace.policies import LoadedPolicy

SOON = 0.2
"""Seconds after which an edit of an open policy reaches the plans."""


def path_in(files: RegoFiles, document: Document) -> str:
    """How a Rego policy calls an open file of it."""
    return next((path for path in files.paths if key_of_path(path) == document.key), files.paths[0])


class PolicyFiles:
    def __init__(self, server: Server) -> None:
        self._server = server
        self._tools_used: dict[FileKey, frozenset[str] | None] = {}
        """The tools of the plans under each policy, as of the last time that its problems were due."""

    # ---- what is wrong with them

    def problems(self) -> Iterator[tuple[str, list[findings.Diagnostic]]]:
        """The problems of every policy in force, by its path."""
        for in_force in self._server.session.folders.everything_in_force():
            for loaded in in_force.policies.loaded:
                yield loaded.path, self._of(loaded)
            for rego in in_force.policies.loaded_rego:
                for path, text in rego.rego.files:
                    yield path, self._of_rego(path, text, rego.rego)
            for error in in_force.policies.errors:
                yield error.path, [findings.unreadable(error.message)]

    def of_open(self, document: Document) -> list[findings.Diagnostic]:
        """The problems of an open policy, as it is being typed."""
        if document.uri.endswith(".rego"):
            files = self.rego_of(document)
            return self._of_rego(path_in(files, document), document.text, files)
        from plancheck.policy.reading import read_policy
        from plancheck.workspace.policies import LoadedPolicy

        return self._of(LoadedPolicy(path_of(document.uri) or "", document.text, read_policy(document.text)))

    def inputs(self, document: Document) -> tuple[object, ...]:
        """What the problems of an open policy are made from, besides its text and settings."""
        server = self._server
        return server.session.patterns.stopped, self._tools(document.key), server.rego_policies.changes

    def rego_of(self, document: Document) -> RegoFiles:
        """The Rego policy that an open file is part of; it is one by itself where nothing names it."""
        from plancheck.policy.rego.files import RegoFiles

        known = self._server.session.folders.rego_with(document.key)
        return known if known is not None else RegoFiles(((path_of(document.uri) or "", document.text),))

    def _of_rego(self, path: str, text: str, files: RegoFiles) -> list[findings.Diagnostic]:
        from plancheck.policy.problems import PolicyProblem

        session, end = self._server.session, len(text)
        found = [
            PolicyProblem(fault.rule, fault.message, Span(min(fault.span.start, end), min(fault.span.end, end)))
            for fault in self._server.rego_policies.faults_in(path, files)
        ]
        severity = session.settings_on_disk(file_at(path)).severity
        return findings.policy_problems(found, LineIndex(text), session.encoding, severity)

    def _of(self, loaded: LoadedPolicy) -> list[findings.Diagnostic]:
        session = self._server.session
        file = file_at(loaded.path)
        found = loaded.problems(session.patterns.stopped, self._tools(file.key))
        severity = session.settings_on_disk(file).severity
        return findings.policy_problems(found, LineIndex(loaded.text), session.encoding, severity)

    def _tools(self, policy: FileKey) -> frozenset[str] | None:
        """The tools of all plans under a policy; None while some plan of the workspace has not been looked at."""
        tools = self._server.plan_files.tools()
        if tools is None:
            return None
        session = self._server.session
        governed = (used for path, used in tools.items() if policy in map(key_of_path, session.policy_paths(path)))
        return frozenset[str]().union(*governed)

    def sites_for(self, uri: str) -> LimitSites:
        """Where the policies in force for a plan limit an argument."""

        def sites(section: str, key: str) -> Iterator[LimitSite]:
            from plancheck.ide.limits import LimitSite
            from plancheck.policy.showing import pointer_to

            plan, session = path_of(uri), self._server.session
            paths = session.policy_paths(plan) if plan is not None else ()
            policies = session.folders.in_force_for(session.key_of(uri)).policies
            for loaded in policies.loaded:
                for placed in loaded.found.bounds if loaded.path in paths else ():
                    if placed.place.pointer == pointer_to(f"/{section}", key):
                        span, text = placed.place.span, loaded.text
                        line = text.count("\n", 0, span.start) + 1
                        yield LimitSite(session.uri_of(loaded.path), os.path.basename(loaded.path), line, span, text)

        return sites

    # ---- when plans change

    def plans_changed(self) -> None:
        """Plans may use other tools than before: a policy that has something else to say now gets to say it."""
        server = self._server
        used = {key: self._tools(key) for key in self._keys()}
        if used == self._tools_used:
            return
        self._tools_used = used
        if server.client.pulls:
            server.refresh_diagnostics()
            return
        for document in server.session.documents:
            if document.key in used:
                server.publisher.changed(document)
        server.configuration_files.publish()

    def _keys(self) -> set[FileKey]:
        """Every policy in force that bounds a tool, and every open one."""
        session = self._server.session
        files = (loaded for each in session.folders.everything_in_force() for loaded in each.policies.loaded)
        found = {key_of_path(loaded.path) for loaded in files if loaded.found.bounds}
        found.update(document.key for document in session.documents if session.is_policy(document.uri))
        return found

    # ---- when they change

    def changed_soon(self, refresh: Callable[[], None]) -> None:
        """An open policy or catalogue was edited: once the typing pauses, the plans are to be checked again."""

        async def after_a_while() -> None:
            await asyncio.sleep(SOON)
            await self._server.catalogue_files.renew()
            refresh()

        self._server.background.run("policy changed", after_a_while)

    # ---- patterns that take their time

    def settle(self) -> None:
        """Run the patterns that an analysis is waiting for, and show what comes of them."""
        self._server.background.ensure("patterns", self._settle)

    async def _settle(self) -> None:
        server = self._server
        patterns = server.session.patterns
        stopped = patterns.stopped
        while patterns.has_questions:  # also those that came in while the thread was ending
            await server.host.run(patterns.answer)
        has_news = patterns.stopped != stopped
        for document in server.session.documents:
            if document.is_pending or (has_news and server.session.is_policy(document.uri)):
                document.recheck()
                if not server.client.pulls:
                    server.publisher.changed(document)
        if has_news:
            server.configuration_files.publish()
        if server.client.pulls:
            server.refresh_diagnostics()
