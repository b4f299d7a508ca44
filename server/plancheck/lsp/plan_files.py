"""The plan files of the workspace as they are on disk: finding them, checking them, and what is kept of that."""

from __future__ import annotations

import os
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Mapping
from typing import TYPE_CHECKING, TypeAlias

from plancheck.lsp.convert import findings
from plancheck.lsp.identity import File, FileKey, file_at
from plancheck.lsp.rego_counts import PlanToCount
from plancheck.lsp.result_ids import result_id, settings_inputs
from plancheck.tuples import NamedTuple

if TYPE_CHECKING:
    from plancheck.analysis.settings import Settings
    from plancheck.analysis.snapshot import Snapshot
    from plancheck.catalogue.model import Catalogue
    from plancheck.lsp.server import Server
    from plancheck.policy.rego.files import RegoFiles
    from plancheck.workspace.files import Configurations, ReadError

Stamp: TypeAlias = tuple[int, int, int]

LIST_AGAIN = 10.0
"""Seconds for which a list of files is taken as complete, where no watcher said otherwise: editors ask every second."""
MOST_CACHED = 2_000_000
"""Characters of unopened plans whose snapshots are kept for searches."""


class Checked(NamedTuple):
    """What is known of a file."""

    result_id: str
    items: list[findings.Diagnostic]
    tools: frozenset[str]
    arguments: Mapping[str, frozenset[str]]
    """The dotted paths of the arguments, by the tools that the steps call with them."""


class PlanWithTools(NamedTuple):
    """A plan of the workspace, and the tools that it uses."""

    uri: str
    key: FileKey
    catalogue: Catalogue | None
    """The one in force for it."""
    tools: frozenset[str]
    """By the names that the plan calls them."""


class PlanFiles:
    def __init__(self, server: Server) -> None:
        self._server = server
        self._checked: dict[FileKey, Checked] = {}
        self._snapshots: OrderedDict[FileKey, tuple[str, Snapshot]] = OrderedDict()
        self._files: list[File] = []
        """As they were found last; kept while they are looked for again."""
        self._listed_at: float | None = None
        """When that was; None where they are to be looked for again."""
        self._changes = 0
        self.errors: list[ReadError] = []
        """What could not be looked into when files were last looked for."""

    # ---- finding

    def changed(self) -> None:
        """Something came, went or changed on disk."""
        self._listed_at = None
        self._changes += 1

    async def all(self) -> list[File]:
        """The plan files of all folders."""
        if self._listed_at is None or time.monotonic() - self._listed_at > LIST_AGAIN:
            every, changes = self._server.session.folders, self._changes
            searched = [folder for folder in every if folder.in_force.client.workspace_diagnostics]
            folders = [(folder.path, folder.in_force.configurations) for folder in searched]
            self._files, self.errors = await self._server.host.run(_find, folders)
            if changes == self._changes:
                self._listed_at = time.monotonic()
            self._keep_only({file.key for file in self._files})
            self._server.follow_configuration()  # configurations may have come to light on the way
        return self._files

    async def find_now(self) -> list[File]:
        """The plan files of all folders as they are now, whether or not those that are not open are to be checked."""
        folders = [(folder.path, folder.in_force.configurations) for folder in self._server.session.folders]
        files, _ = await self._server.host.run(_find, folders)
        return files

    def _keep_only(self, current: set[FileKey]) -> None:
        """Forget what is known of files that are no longer there."""
        for key in self._checked.keys() - current:
            del self._checked[key]
        for key in self._snapshots.keys() - current:
            del self._snapshots[key]

    # ---- checking

    def settings(self, file: File) -> Settings:
        return self._server.session.settings_on_disk(file)

    async def snapshot(self, file: File) -> Snapshot | None:
        """The snapshot of a file, kept for a while; None where it cannot be read."""
        from plancheck.workspace.files import ReadError, read_text

        stamp, settings = _stamp(file.path), self.settings(file)
        if stamp is None:
            return None
        made_from = self._result_id(stamp, settings)
        known = self._snapshots.pop(file.key, None)
        if known is None or known[0] != made_from:
            text = await self._server.host.run(read_text, file.path)
            if isinstance(text, ReadError):
                return None
            known = made_from, await self._server.host.run(self._analyze, text, settings)
        self._snapshots[file.key] = known
        while sum(len(cached.text) for _, cached in self._snapshots.values()) > MOST_CACHED:
            if len(self._snapshots) == 1:
                break
            self._snapshots.popitem(last=False)
        return known[1]

    async def check(self, file: File) -> Checked | None:
        """The diagnostics of a file as it is on disk; None if it is gone."""
        stamp, settings = _stamp(file.path), self.settings(file)
        if stamp is None:
            self._checked.pop(file.key, None)
            return None
        uri = self._server.session.spellings.uri(file)
        known = self._checked.get(file.key)
        if known is None or known.result_id != self._result_id(stamp, settings, uri):
            items, tools, arguments = await self._server.host.run(self._look, file, uri, settings)
            # Named after the fact, for a pattern may have been stopped on the way.
            known = self._checked[file.key] = Checked(self._result_id(stamp, settings, uri), items, tools, arguments)
        return known

    def _result_id(self, stamp: Stamp, settings: Settings, uri: str = "") -> str:
        patterns = settings.policy.deny_tokens_regex if settings.policy is not None else ()
        stopped = set(self._server.session.patterns.stopped).intersection(patterns)
        opa = self._server.rego_policies.opa if settings.policy is not None and settings.policy.rego else None
        return result_id("file", uri, stamp, settings_inputs(settings), stopped, opa)

    def _look(
        self, file: File, uri: str, settings: Settings
    ) -> tuple[list[findings.Diagnostic], frozenset[str], Mapping[str, frozenset[str]]]:
        from plancheck.ide.described.tools import arguments_in
        from plancheck.workspace.files import ReadError, read_text

        text = read_text(file.path)
        if isinstance(text, ReadError):
            return [findings.unreadable(text.message)], frozenset(), {}
        snapshot = self._analyze(text, settings)
        server = self._server
        items = findings.diagnostics(snapshot, uri, server.session.encoding, server.client.diagnostic_parts)
        return items, snapshot.plan.tools(), arguments_in(snapshot.plan)

    def _analyze(self, text: str, settings: Settings) -> Snapshot:
        """In a thread, which may wait for a pattern, or for a Rego policy."""
        from plancheck.analysis.engine import analyze

        server = self._server
        return analyze(text, settings, matcher=server.session.patterns.process, rego=server.rego_policies.of_files)

    async def judged_by(self, files: RegoFiles) -> tuple[object, list[PlanToCount]]:
        """The plans that a Rego policy judges, and what tells them from others: the states of their files."""
        plans: list[PlanToCount] = []
        states: list[object] = []
        for file in await self.all():
            settings = self.settings(file)
            if settings.policy is None or all(files.paths != rego.paths for rego in settings.policy.rego):
                continue
            document = self._server.session.documents.by_key(file.key)
            states.append((file.path, _stamp(file.path) if document is None else document.version))
            plans.append(PlanToCount(file.path, None if document is None else document.text, settings.dialect))
        return states, plans

    # ---- what they use

    async def with_tools(self, *, in_catalogues: bool = False) -> AsyncIterator[PlanWithTools]:
        """The plans that are open or in the workspace; those with a catalogue in force, where only these are wanted."""
        session = self._server.session
        is_open: set[FileKey] = set()
        for document in session.documents:
            if document.is_plan:
                is_open.add(document.key)
                catalogue = document.settings.catalogue
                if catalogue is not None or not in_catalogues:
                    snapshot = await document.snapshot()
                    yield PlanWithTools(document.uri, document.key, catalogue, snapshot.plan.tools())
        for file in await self.all():
            catalogue = self.settings(file).catalogue if file.key not in is_open else None
            if file.key in is_open or (catalogue is None and in_catalogues):
                continue
            checked = await self.check(file)
            if checked is not None:
                yield PlanWithTools(session.spellings.uri(file), file.key, catalogue, checked.tools)

    async def looked_at(self, most: int) -> tuple[list[tuple[FileKey, Mapping[str, frozenset[str]]]], bool]:
        """What the first plans of the workspace, and all that are open, call their tools with, and whether these are
        all plans. Nothing waits for the analysis of an open one: it counts as it was last seen."""
        from plancheck.ide.described.tools import arguments_in

        found: dict[FileKey, Mapping[str, frozenset[str]]] = {}
        files = await self.all()
        for file in files[:most]:
            checked = await self.check(file)
            if checked is not None:
                found[file.key] = {**dict.fromkeys(checked.tools, frozenset()), **checked.arguments}
        for document in self._server.session.documents:
            plan = document.last_plan if document.is_plan else None
            if plan is not None:
                found[document.key] = arguments_in(plan)
        return list(found.items()), len(files) <= most

    def tools(self) -> dict[str, frozenset[str]] | None:
        """The tools of every plan of the workspace by its path, of an open one as it is in the editor; None while some
        plan has not been looked at."""
        found: dict[str, frozenset[str]] = {}
        for file in self._files:
            document = self._server.session.documents.by_key(file.key)
            checked = self._checked.get(file.key)
            tools = document.tools if document is not None else None
            if tools is None and checked is not None:
                tools = checked.tools
            if tools is None:
                return None
            found[file.path] = tools
        return found or None


def _find(folders: list[tuple[str, Configurations]]) -> tuple[list[File], list[ReadError]]:
    """The plan files of some folders, each once: a link to another of them is not a file of its own. And what could
    not be looked into."""
    from plancheck.workspace.files import ReadError, find_plans

    found: dict[FileKey, File] = {}
    errors: list[ReadError] = []
    for folder, configurations in folders:
        for path in find_plans(folder, configurations):
            if isinstance(path, ReadError):
                errors.append(path)
                continue
            file = file_at(path)
            if file.key not in found or file.key == path:
                found[file.key] = file
    return list(found.values()), errors


def _stamp(path: str) -> Stamp | None:
    """What tells one state of a file from another, also after a tool that keeps the times of files, or a change of who
    may read it; None if there is no such file."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_ctime_ns, status.st_size
