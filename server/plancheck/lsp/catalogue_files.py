"""Catalogues of tools in the server: what is wrong with them, shown in them, as they are on disk or being typed, and
which plans use their tools."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from lsprotocol import types

from plancheck.lsp.convert import findings
from plancheck.lsp.convert.mapper import Mapper
from plancheck.lsp.documents import Document
from plancheck.lsp.identity import file_at, key_of_path, path_of
from plancheck.lsp.requests.subject import subject_of
from plancheck.text import Span
from plancheck.workspace.catalogues import read_source

if TYPE_CHECKING:
    from plancheck.analysis.finding import Severity
    from plancheck.catalogue.model import Catalogue, CatalogueFile, CatalogueSource, Tool
    from plancheck.ide.catalogue import ToolKey
    from plancheck.lsp.server import Server


class CatalogueFiles:
    def __init__(self, server: Server) -> None:
        self._server = server

    def problems(self) -> Iterator[tuple[str, list[findings.Diagnostic]]]:
        """The problems of every catalogue in force, by its path."""
        session = self._server.session
        for in_force in session.folders.everything_in_force():
            for catalogue in in_force.catalogues.in_force:
                if catalogue.is_slow:  # its problems are shown once it is read
                    self._server.background.run("catalogues", self._read_in_force)
                    continue
                for file in catalogue.files:
                    severity = session.settings_on_disk(file_at(file.path)).severity
                    yield file.path, self._of(file, catalogue, severity)
            for error in in_force.catalogues.errors:
                yield error.path, [findings.unreadable(error.message)]

    def of_open(self, document: Document) -> list[findings.Diagnostic]:
        """The problems of an open catalogue, as it is being typed."""
        catalogue, path = self._with(document)
        return self._of(catalogue.file(path), catalogue, document.settings.severity)

    def file_of(self, document: Document) -> CatalogueFile:
        """What an open catalogue says, as it is being typed."""
        catalogue, path = self._with(document)
        return catalogue.file(path)

    async def tool_at(self, uri: str, position: types.Position) -> tuple[Tool, CatalogueFile] | None:
        """The tool whose name is at a position of an open catalogue."""
        from plancheck.ide.catalogue import named_at

        session = self._server.session
        document = session.documents.get(uri)
        if document is None or not session.is_catalogue(uri):
            return None
        await self.prepare(document)
        file = self.file_of(document)
        tool = named_at(file, Mapper(file.lines, session.encoding).offset(position))
        return None if tool is None else (tool, file)

    # ---- who uses its tools

    async def counts(self) -> Counter[ToolKey]:
        """How many plans of the workspace use each tool."""
        from plancheck.ide.catalogue import key_of_tool

        found: Counter[ToolKey] = Counter()
        async for plan in self._server.plan_files.with_tools(in_catalogues=True):
            tools = (plan.catalogue.find(name) for name in plan.tools if plan.catalogue is not None)
            found.update({key_of_tool(tool) for tool in tools if tool is not None})
        return found

    async def uses(self, tool: Tool) -> AsyncIterator[tuple[str, Mapper, list[Span]]]:
        """Where the plans of the workspace call a tool: by the URIs of the plans."""
        from plancheck.ide.catalogue import key_of_tool, uses_of

        key = key_of_tool(tool)
        async for plan in self._server.plan_files.with_tools(in_catalogues=True):
            found = (plan.catalogue.find(name) for name in plan.tools if plan.catalogue is not None)
            if any(known is not None and key_of_tool(known) == key for known in found):
                subject = await subject_of(self._server, plan.uri)
                if subject is not None:
                    yield plan.uri, subject.mapper, uses_of(subject.snapshot, tool)

    # ---- problems

    def inputs(self, document: Document) -> tuple[object, ...]:
        """What the problems of an open catalogue are made from, besides its text and settings: the other files."""
        catalogue, _ = self._with(document)
        return (catalogue.digest,)

    def _with(self, document: Document) -> tuple[Catalogue, str]:
        """The catalogue that an open file is part of, with its text as it is now, and how the catalogue calls it. It is
        one by itself where no plan needs it yet."""
        from plancheck.catalogue.model import Catalogue

        folders = self._server.session.folders
        for in_force in folders.everything_in_force():
            for catalogue in in_force.catalogues.in_force:
                for known in catalogue.sources:
                    if key_of_path(known.path) == document.key:
                        return catalogue.with_source(folders.sources.of(known.path, document.text)), known.path
        path = path_of(document.uri) or ""
        return Catalogue((folders.sources.of(path, document.text),)), path

    # ---- large ones

    async def prepare(self, document: Document) -> None:
        """Read the catalogue that an open file is part of, so that what is asked next about it takes no time. A large
        one is read beside the loop, again if it was edited meanwhile."""
        while slow := [source for source in self._with(document)[0].sources if source.is_slow]:
            await self._read(slow)

    async def renew(self) -> None:
        """Read what large catalogues in force say now, before that is put in force: nobody has to wait for it then."""
        session = self._server.session
        paths = {s.path for catalogue in self._in_force() for s in catalogue.sources}
        open_ones = {document.key: document for document in session.documents}
        for path in paths:
            document = open_ones.get(key_of_path(path))
            text = document.text if document is not None else await self._server.host.run(read_source, path)
            if isinstance(text, str):
                source = session.folders.sources.of(path, text)
                await self._read([source] if source.is_slow else [])

    async def _read(self, sources: Iterable[CatalogueSource]) -> None:
        for source in sources:
            await self._server.host.run(getattr, source, "file")

    async def _read_in_force(self) -> None:
        """Read what is in force and large, and show what is wrong with it."""
        server = self._server
        while slow := [source for catalogue in self._in_force() for source in catalogue.sources if source.is_slow]:
            await self._read(slow)
        server.configuration_files.publish()
        server.refresh_diagnostics()

    def _in_force(self) -> Iterator[Catalogue]:
        for in_force in self._server.session.folders.everything_in_force():
            yield from in_force.catalogues.in_force

    def _of(
        self, file: CatalogueFile, catalogue: Catalogue, severity: Callable[[str], Severity | None]
    ) -> list[findings.Diagnostic]:
        session, related = self._server.session, self._server.client.diagnostic_parts.related
        problems = catalogue.problems_of(file)
        return findings.catalogue_problems(problems, file, catalogue, session.encoding, severity, related=related)
