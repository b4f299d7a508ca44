"""What is wrong with configuration and policy files themselves, shown in those files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from plancheck.lsp.convert import findings
from plancheck.lsp.documents import Document
from plancheck.lsp.session import is_configuration, uri_of
from plancheck.text import LineIndex

if TYPE_CHECKING:
    from plancheck.lsp.server import Server


class ConfigurationFiles:
    def __init__(self, server: Server) -> None:
        self._server = server
        self._published: set[str] = set()

    def problems(self) -> dict[str, list[types.Diagnostic]]:
        """The problems of every configuration file that was read, by URI; of an open one, those of its text."""
        session = self._server.session
        found: dict[str, list[types.Diagnostic]] = {}
        for configurations in session.all_configurations():
            for loaded in configurations.loaded:
                if loaded.path is not None:
                    found[uri_of(loaded.path)] = findings.problems(
                        loaded.problems, LineIndex(loaded.text), session.encoding
                    )
            for error in configurations.errors:
                found[uri_of(error.path)] = [findings.unreadable(error.message)]
        found.update(self._server.policy_files.problems())
        return {uri: items for uri, items in found.items() if uri not in session.documents}

    def of_open(self, document: Document) -> list[types.Diagnostic]:
        """The problems of an open document, if it is a configuration file."""
        if self._server.session.is_policy(document.uri):
            return self._server.policy_files.of_open(document)
        if not is_configuration(document.uri):
            return []
        from plancheck.workspace.config import has_section, parse_config

        is_pyproject = document.uri.endswith("pyproject.toml")
        if is_pyproject and not has_section(document.text):
            return []
        _, found = parse_config(document.text, is_pyproject)
        return findings.problems(found, LineIndex(document.text), document.encoding)

    def publish(self) -> None:
        """Push the problems, and take back those that are gone."""
        if self._server.client.pulls:
            return
        problems = {uri: items for uri, items in self.problems().items() if items}
        for uri in self._published - problems.keys() - self._server.session.documents.keys():
            self._server.text_document_publish_diagnostics(findings.publication(uri, None, []))
        for uri, items in problems.items():
            self._server.text_document_publish_diagnostics(findings.publication(uri, None, items))
        self._published = set(problems)
