"""What the server knows while one client is connected: documents, folders, settings. It sends nothing itself."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from pygls.uris import from_fs_path, to_fs_path

from plancheck.lsp.documents import Change, Document
from plancheck.lsp.patterns import Patterns
from plancheck.lsp.settings import ClientSettings
from plancheck.text import Encoding

if TYPE_CHECKING:
    from plancheck.analysis.settings import Settings
    from plancheck.workspace.files import Configurations, ReadError
    from plancheck.workspace.policies import Policies


def path_of(uri: str) -> str | None:
    """The file that a URI means; None for one that is not on this disk, such as an unsaved document."""
    if not uri.startswith("file:"):
        return None
    try:
        found = to_fs_path(uri)
    except ValueError:
        return None
    return os.path.normpath(found) if found and "\0" not in found else None


def uri_of(path: str) -> str:
    return str(from_fs_path(path))


CONFIGURATION_NAMES = ("plancheck.toml", "pyproject.toml")


def is_configuration(uri: str) -> bool:
    """Whether a file may configure plancheck, by its name."""
    return uri.rpartition("/")[2] in CONFIGURATION_NAMES


POLICY_NAMES = ("plan-policy.yaml", "plan-policy.yml")


class Session:
    def __init__(self) -> None:
        self.encoding = Encoding.UTF16
        self.documents: dict[str, Document] = {}
        self._serial = 0
        self.folders: dict[str, str] = {}
        """The paths of the workspace's folders by their URI."""
        self._configurations: dict[str | None, Configurations] = {}
        self._policies: dict[str | None, Policies] = {}
        self.patterns = Patterns()
        """Runs the policies' patterns."""
        self.client = ClientSettings()
        """The editor's settings outside every folder; `client_of` has those of a folder."""
        self.client_by_folder: dict[str, ClientSettings] = {}
        self.options: object = None
        """Settings that came with the first request."""
        self.configured = asyncio.Event()
        """Set once the editor's settings are known: nothing is shown before, for it might be switched off."""

    # ---- documents

    def open(self, uri: str, version: int, text: str) -> Document:
        document = Document(uri, version, text, self.encoding, self.settings_for(uri), self.patterns)
        document.is_plan = self.is_plan(uri)
        document.serial = self._serial = self._serial + 1
        self.documents[uri] = document
        return document

    def change(self, uri: str, version: int, changes: Iterable[Change]) -> Document | None:
        """The changed document; None where it is not open, or is already past this version."""
        document = self.documents.get(uri)
        if document is None or version <= document.version:
            return None
        document.change(changes, version)
        return document

    def close(self, uri: str) -> Document | None:
        document = self.documents.pop(uri, None)
        if document is not None:
            document.closed = True
        return document

    def plan(self, uri: str) -> Document | None:
        """The open document, if it is a plan."""
        document = self.documents.get(uri)
        return document if document is not None and document.is_plan else None

    def open_at(self, path: str) -> Document | None:
        """The open document of a file, however the editor spells its URI."""
        return next((document for uri, document in self.documents.items() if path_of(uri) == path), None)

    # ---- folders and settings

    def add_folders(self, uris: Iterable[str]) -> None:
        for uri in uris:
            path = path_of(uri)
            if path is not None:
                self.folders[uri] = path

    def remove_folders(self, uris: Iterable[str]) -> None:
        for uri in uris:
            self.folders.pop(uri, None)
            self.client_by_folder.pop(uri, None)
            self._configurations.pop(uri, None)
            self._policies.pop(uri, None)

    def folder_of(self, path: str | None) -> str | None:
        """The URI of the innermost folder that holds a file."""
        if path is None:
            return None
        around = [(len(folder), uri) for uri, folder in self.folders.items() if _is_inside(path, folder)]
        return max(around)[1] if around else None

    def client_of(self, folder: str | None) -> ClientSettings:
        """The editor's settings for a folder, given by its URI."""
        return self.client if folder is None else self.client_by_folder.get(folder, self.client)

    def client_for(self, uri: str) -> ClientSettings:
        """The editor's settings for a document."""
        return self.client_of(self.folder_of(path_of(uri)))

    def configurations(self, folder: str | None) -> Configurations:
        """The configuration files of a folder, given by its URI."""
        found = self._configurations.get(folder)
        if found is None:
            from plancheck.lsp.folder import FolderConfigurations

            found = self._configurations[folder] = FolderConfigurations(self.client_of(folder).include)
        return found

    def all_configurations(self) -> Iterable[Configurations]:
        return list(self._configurations.values())

    def settings_for(self, uri: str) -> Settings:
        path = path_of(uri)
        folder = self.folder_of(path)
        if path is None:
            from plancheck.analysis.settings import Settings

            return self.client.over(Settings())
        loaded = self.configurations(folder).above(os.path.dirname(path))
        return self.client_of(folder).over(self.policies(folder).over(loaded.settings_for(path), path))

    def policies(self, folder: str | None) -> Policies:
        """The policy files of a folder, given by its URI."""
        found = self._policies.get(folder)
        if found is None:
            from plancheck.workspace.policies import Policies

            found = self._policies[folder] = Policies(self.configurations(folder), self._read)
        return found

    def all_policies(self) -> Iterable[Policies]:
        return list(self._policies.values())

    def policy_paths(self, plan: str) -> tuple[str, ...]:
        """The policy files in force for a plan."""
        return self.policies(self.folder_of(plan)).paths_for(plan)

    def is_policy(self, uri: str) -> bool:
        """Whether a file is a policy: by its name, or because a configuration says so."""
        if uri.rpartition("/")[2] in POLICY_NAMES:
            return True
        path = path_of(uri)
        return any(loaded.path == path for policies in self._policies.values() for loaded in policies.loaded)

    def _read(self, path: str) -> str | ReadError:
        """The text of a file; of an open one as it is in the editor."""
        from plancheck.workspace.files import read_text

        document = self.open_at(path)
        return document.text if document is not None else read_text(path)

    def is_plan(self, uri: str) -> bool:
        """Whether a document is one of ours. One that is not saved yet is: the editor was told which to send."""
        path = path_of(uri)
        if path is None:
            return True
        return self.configurations(self.folder_of(path)).above(os.path.dirname(path)).is_plan(path)

    def reconfigure(self) -> None:
        """Read the configuration files anew and apply all settings to every open document."""
        self._configurations.clear()
        self._policies.clear()
        self.patterns.forget()
        for uri, document in self.documents.items():
            document.configure(self.settings_for(uri))
            document.is_plan = self.is_plan(uri)


def _is_inside(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)
