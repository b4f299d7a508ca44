"""Catalogues of tools in the server: what is wrong with them, shown in them, as they are on disk or being typed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from plancheck.lsp.convert import findings
from plancheck.lsp.documents import Document
from plancheck.lsp.identity import file_at, key_of_path, path_of

if TYPE_CHECKING:
    from plancheck.analysis.finding import Severity
    from plancheck.catalogue.model import Catalogue, CatalogueFile
    from plancheck.lsp.server import Server


class CatalogueFiles:
    def __init__(self, server: Server) -> None:
        self._server = server

    def problems(self) -> Iterator[tuple[str, list[findings.Diagnostic]]]:
        """The problems of every catalogue in force, by its path."""
        session = self._server.session
        for in_force in session.folders.everything_in_force():
            for catalogue in in_force.catalogues.in_force:
                for file in catalogue.files:
                    severity = session.settings_on_disk(file_at(file.path)).severity
                    yield file.path, self._of(file, catalogue, severity)
            for error in in_force.catalogues.errors:
                yield error.path, [findings.unreadable(error.message)]

    def of_open(self, document: Document) -> list[findings.Diagnostic]:
        """The problems of an open catalogue, as it is being typed."""
        catalogue, path = self._with(document)
        file = next(file for file in catalogue.files if file.path == path)
        return self._of(file, catalogue, document.settings.severity)

    def inputs(self, document: Document) -> tuple[object, ...]:
        """What the problems of an open catalogue are made from, besides its text and settings: the other files."""
        catalogue, _ = self._with(document)
        return (catalogue.digest,)

    def _with(self, document: Document) -> tuple[Catalogue, str]:
        """The catalogue that an open file is part of, with its text as it is now, and how the catalogue calls it. It is
        one by itself where no plan needs it yet."""
        from plancheck.catalogue.model import Catalogue, CatalogueSource

        for in_force in self._server.session.folders.everything_in_force():
            for catalogue in in_force.catalogues.in_force:
                for path, _ in catalogue.sources:
                    if key_of_path(path) == document.key:
                        return catalogue.with_text(path, document.text), path
        path = path_of(document.uri) or ""
        return Catalogue((CatalogueSource(path, document.text),)), path

    def _of(
        self, file: CatalogueFile, catalogue: Catalogue, severity: Callable[[str], Severity | None]
    ) -> list[findings.Diagnostic]:
        session, related = self._server.session, self._server.client.diagnostic_parts.related
        problems = catalogue.problems_of(file)
        return findings.catalogue_problems(problems, file, catalogue, session.encoding, severity, related=related)
