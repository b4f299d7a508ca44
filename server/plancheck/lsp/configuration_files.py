"""What is wrong with configuration and policy files themselves, and with files that cannot be read, shown in them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from plancheck.lsp.convert import findings
from plancheck.lsp.documents import Document
from plancheck.lsp.identity import File, file_at, path_of
from plancheck.lsp.shown import Shown
from plancheck.text import LineIndex

if TYPE_CHECKING:
    from plancheck.lsp.server import Server


class ConfigurationFiles:
    def __init__(self, server: Server) -> None:
        self._server = server
        self._shown = Shown()

    def problems(self) -> dict[File, list[findings.Diagnostic]]:
        """The problems of every configuration and policy file that was read and is not open, and of all that could not
        be looked into in search of plans."""
        session = self._server.session
        errors = self._server.plan_files.errors
        found = {error.path: [findings.unreadable(error.message)] for error in errors}
        for in_force in session.folders.everything_in_force():
            for loaded in in_force.configurations.loaded:
                if loaded.path is not None:
                    problems = sorted((*loaded.problems, *in_force.catalogues.configuration_problems(loaded)))
                    found[loaded.path] = findings.problems(problems, LineIndex(loaded.text), session.encoding)
            for error in in_force.configurations.errors:
                found[error.path] = [findings.unreadable(error.message)]
        found.update(self._server.policy_files.problems())
        found.update(self._server.catalogue_files.problems())
        files = {file_at(path): items for path, items in found.items()}
        return {file: items for file, items in files.items() if session.documents.by_key(file.key) is None}

    def of_open(self, document: Document) -> list[findings.Diagnostic]:
        """The problems of an open document, if it is a configuration file."""
        if self._server.session.is_policy(document.uri):
            return self._server.policy_files.of_open(document)
        if self._server.session.is_catalogue(document.uri):
            return self._server.catalogue_files.of_open(document)
        if not self._server.session.is_configuration(document.uri):
            return []
        from plancheck.workspace.config import has_section, read_config

        is_pyproject = document.uri.endswith("pyproject.toml")
        if is_pyproject and not has_section(document.text):
            return []
        config = read_config(document.text, is_pyproject)
        path, found = path_of(document.uri), config.problems
        if path is not None:
            in_force = self._server.session.folders.in_force_for(document.key)
            unfitting = in_force.catalogues.unfitting(config.given.get("tools", ()), os.path.dirname(path))
            found = sorted((*found, *unfitting, *in_force.configurations.files.problems_of(config.given, path)))
        return findings.problems(found, LineIndex(document.text), document.encoding)

    def publish(self) -> None:
        """Push the problems, and take back those that are gone."""
        server = self._server
        if server.client.pulls:
            return
        open_keys = {document.key for document in server.session.documents}
        problems = {file: items for file, items in self.problems().items() if items}
        for uri in self._shown.forget_all_but(open_keys.union(file.key for file in problems)):
            server.publish(findings.publication(uri, None, []))
        for file, items in problems.items():
            uri = server.session.spellings.uri(file)
            server.publish(findings.publication(uri, None, items))
            self._shown.note(file.key, uri, "", has_items=True)
