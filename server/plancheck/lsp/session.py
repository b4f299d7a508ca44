"""What the server knows while one client is connected. It sends nothing itself."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING
from urllib.parse import unquote

from plancheck.lsp.documents import Document, Documents
from plancheck.lsp.folders import CONFIGURATION_NAMES, POLICY_NAMES, Folders
from plancheck.lsp.identity import File, FileKey, Spellings, file_at, key_of, key_of_path, path_of
from plancheck.lsp.patterns import Patterns
from plancheck.text import Encoding

if TYPE_CHECKING:
    from plancheck.analysis.settings import Settings
    from plancheck.lsp.host import Host
    from plancheck.lsp.settings import ClientSettings
    from plancheck.workspace.files import ReadError


class Session:
    """The open documents and the folders, and what follows for a document from the folder that it lies in."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self.encoding = Encoding.UTF16
        self.documents = Documents()
        self.folders = Folders(self._read)
        self.spellings = Spellings()
        self.patterns = Patterns(host.process)
        """Runs the policies' patterns."""
        self.options: object = None
        """Settings that came with the first request."""
        self.configured = asyncio.Event()
        """Set once the editor's settings are known: nothing is shown before, for it might be switched off."""

    def add_folder(self, uri: str) -> None:
        folder = self.folders.add(uri)
        if folder is not None:
            self.spellings.learn_folder(folder.path, uri)

    def open(self, uri: str, version: int, text: str) -> Document:
        """Open a document; one that was open under this URI before is closed."""
        from plancheck.analysis.settings import Settings

        document = Document(uri, version, text, self.encoding, Settings(), self.patterns, self._host.run)
        self.spellings.learn(document.key, uri)
        self._configure(document)
        self.documents.add(document)
        return document

    def uri_of(self, path: str) -> str:
        """The URI of a file, as the client spells it."""
        return self.spellings.uri(file_at(path))

    def client_for(self, uri: str) -> ClientSettings:
        """The editor's settings for a document."""
        return self.folders.in_force_for(self.key_of(uri)).client

    def key_of(self, uri: str) -> FileKey:
        """The key of a file; that of an open one is known."""
        document = self.documents.get(uri)
        return document.key if document is not None else key_of(uri)

    def settings_on_disk(self, file: File) -> Settings:
        """The settings for a file that is not open."""
        return self.folders.in_force_for(file.key).settings_for(file.path, is_open=False)

    def policy_paths(self, plan: str) -> tuple[str, ...]:
        """The policy files in force for a plan."""
        return self.folders.in_force_for(key_of_path(plan)).policies.paths_for(plan)

    def is_configuration(self, uri: str) -> bool:
        """Whether a file may configure plancheck: by its name, or because a configuration extends it."""
        return uri.rpartition("/")[2] in CONFIGURATION_NAMES or self.folders.extends(self.key_of(uri))

    def is_policy(self, uri: str) -> bool:
        """Whether a file is a policy: by its name, or because a configuration says so."""
        return uri.rpartition("/")[2] in POLICY_NAMES or self.folders.has_policy(self.key_of(uri))

    def is_catalogue(self, uri: str) -> bool:
        """Whether a file is a catalogue of tools, because a configuration or the editor's settings say so."""
        path = path_of(uri)
        return path is not None and self.folders.in_force_for(self.key_of(uri)).catalogues.names(path)

    def is_rule_source(self, uri: str) -> bool:
        """Whether plans are checked by what a file says: a policy, or a catalogue of tools."""
        return self.is_policy(uri) or self.is_catalogue(uri)

    def is_plan(self, uri: str) -> bool:
        """Whether a document is one of ours, by the configuration or because the user says so."""
        path = path_of(uri)
        if path is None:
            return self._is_unsaved_plan(uri)
        in_force = self.folders.in_force_for(self.key_of(uri))
        return uri in (in_force.client.plans or ()) or in_force.is_plan(path)

    def _is_unsaved_plan(self, uri: str) -> bool:
        plans = self.folders.client.plans
        if plans is None or uri in plans:
            return True
        from plancheck.workspace.config import Config

        return Config().is_plan(unquote(uri.rpartition("/")[2].rpartition(":")[2]))

    def reconfigure(self) -> None:
        """Read the configuration files anew and apply all settings to every open document."""
        self.folders.reread()
        self.patterns.forget()
        for document in self.documents:
            self._configure(document)

    def settings_in_full(self, uri: str) -> Settings:
        """The settings for a document with the rules whose findings the editor reports itself."""
        return self._settings(uri, is_open=False)

    def _settings(self, uri: str, *, is_open: bool) -> Settings:
        path = path_of(uri)
        if path is None:
            from plancheck.analysis.settings import Settings

            return self.folders.client.over(Settings(), is_open=is_open)
        return self.folders.in_force_for(self.key_of(uri)).settings_for(path, is_open=is_open)

    def _configure(self, document: Document) -> None:
        document.configure(self._settings(document.uri, is_open=True), is_plan=self.is_plan(document.uri))

    def _read(self, path: str) -> str | ReadError:
        """The text of a file; of an open one as it is in the editor."""
        from plancheck.workspace.files import read_text

        document = self.documents.by_key(key_of_path(path))
        return document.text if document is not None else read_text(path)
