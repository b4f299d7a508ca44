"""The folders of the workspace, and what is in force in each: the editor's settings, configuration files, policies."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, TypeAlias

from plancheck.cached import cached_property
from plancheck.lsp.identity import FileKey, is_inside, key_of_path, path_of
from plancheck.lsp.settings import ClientSettings

if TYPE_CHECKING:
    from plancheck.analysis.settings import Settings
    from plancheck.catalogue.model import CatalogueSource
    from plancheck.policy.rego.files import RegoFiles
    from plancheck.workspace.catalogues import Catalogues
    from plancheck.workspace.files import Configurations, ReadError
    from plancheck.workspace.policies import Policies

Reader: TypeAlias = "Callable[[str], str | ReadError]"

CONFIGURATION_NAMES = ("plancheck.toml", "pyproject.toml")
POLICY_NAMES = ("plan-policy.yaml", "plan-policy.yml", "plan-policy.rego")


class CatalogueSources:
    """The texts of catalogues that were last in force, by their paths: what was read of one is kept while its text
    stays the same."""

    def __init__(self) -> None:
        self._last: dict[str, CatalogueSource] = {}

    def of(self, path: str, text: str) -> CatalogueSource:
        from plancheck.catalogue.model import CatalogueSource

        known = self._last.get(path)
        if known is None or known.text != text:
            known = self._last[path] = CatalogueSource(path, text)
        return known


class InForce:
    """What is in force in one folder, or outside of all of them. It is made anew whenever something changes."""

    def __init__(
        self, client: ClientSettings, read: Reader, sources: CatalogueSources, folder: str | None = None
    ) -> None:
        self.client = client
        self._read = read
        self._sources = sources
        self._folder = folder
        """Its path; None outside of all folders."""

    @cached_property
    def configurations(self) -> Configurations:
        from plancheck.lsp.folder_configurations import FolderConfigurations

        return FolderConfigurations(self.client.include)

    @cached_property
    def policies(self) -> Policies:
        from plancheck.workspace.policies import Policies

        return Policies(self.configurations, self._read)

    @cached_property
    def catalogues(self) -> Catalogues:
        from plancheck.workspace.catalogues import Catalogues, EditorTools

        editor = EditorTools(self.client.tools, self._folder)
        return Catalogues(self.configurations, self._read, editor=editor, source_of=self._sources.of)

    def settings_for(self, path: str, *, is_open: bool) -> Settings:
        """The settings for a file; the editor's own checks cover those that are open."""
        loaded = self.configurations.above(os.path.dirname(path))
        settings = self.catalogues.over(self.policies.over(loaded.settings_for(path), path), path)
        return self.client.over(settings, is_open=is_open)

    def read_again(self) -> InForce:
        """The same, with every file read anew."""
        return InForce(self.client, self._read, self._sources, self._folder)

    def is_plan(self, path: str) -> bool:
        return self.configurations.above(os.path.dirname(path)).is_plan(path)

    def has_policy(self, key: FileKey) -> bool:
        """Whether a file is one of the policies that were looked for, be it there or not."""
        paths = [policy.path for policy in self.policies.loaded] + [error.path for error in self.policies.errors]
        paths += (path for loaded in self.policies.loaded_rego for path in loaded.rego.paths)
        return any(key_of_path(path) == key for path in paths)

    def extends(self, key: FileKey) -> bool:
        """Whether a configuration extends a file, be it there or not."""
        return any(key_of_path(path) == key for path in list(self.configurations.extended))

    def rego_with(self, key: FileKey) -> RegoFiles | None:
        """The Rego policy that a file is part of."""
        for loaded in self.policies.loaded_rego:
            if any(key_of_path(path) == key for path in loaded.rego.paths):
                return loaded.rego
        return None


class Folder:
    """One folder of the workspace."""

    def __init__(self, uri: str, path: str, read: Reader, sources: CatalogueSources) -> None:
        self.uri = uri
        self.path = path
        self.key = key_of_path(path)
        self.own_client: ClientSettings | None = None
        """The editor's settings for this folder, where it has some of its own."""
        self.in_force = InForce(ClientSettings(), read, sources, path)


class Folders:
    """All folders. What lies in none of them has `outside` in force."""

    def __init__(self, read: Reader) -> None:
        self._read = read
        self._folders: dict[FileKey, Folder] = {}
        self.client = ClientSettings()
        """The editor's settings where a folder has none of its own."""
        self.sources = CatalogueSources()
        self.outside = InForce(self.client, read, self.sources)

    def __iter__(self) -> Iterator[Folder]:
        return iter(list(self._folders.values()))

    def __len__(self) -> int:
        return len(self._folders)

    def add(self, uri: str) -> Folder | None:
        """The new folder; None for one that is not on this disk."""
        path = path_of(uri)
        if path is None:
            return None
        folder = Folder(uri, path, self._read, self.sources)
        self._folders[folder.key] = folder
        self._renew(folder)
        return folder

    def remove(self, uri: str) -> None:
        path = path_of(uri)
        if path is not None:
            self._folders.pop(key_of_path(path), None)

    def holding(self, key: FileKey) -> Folder | None:
        """The innermost folder that holds a file."""
        around = [folder for folder in self._folders.values() if is_inside(key, folder.key)]
        return max(around, key=lambda folder: len(folder.key)) if around else None

    def in_force_for(self, key: FileKey) -> InForce:
        folder = self.holding(key)
        return folder.in_force if folder is not None else self.outside

    def everything_in_force(self) -> list[InForce]:
        return [self.outside, *(folder.in_force for folder in self)]

    def has_policy(self, key: FileKey) -> bool:
        return any(in_force.has_policy(key) for in_force in self.everything_in_force())

    def extends(self, key: FileKey) -> bool:
        return any(in_force.extends(key) for in_force in self.everything_in_force())

    def rego_with(self, key: FileKey) -> RegoFiles | None:
        found = (in_force.rego_with(key) for in_force in self.everything_in_force())
        return next((files for files in found if files is not None), None)

    def set_client(self, everywhere: ClientSettings, of_folders: Iterable[tuple[Folder, ClientSettings]] = ()) -> None:
        """Put the editor's settings in force; folders that are not named have none of their own."""
        own = {folder.key: settings for folder, settings in of_folders}
        self.client = everywhere
        for folder in self:
            folder.own_client = own.get(folder.key)
        self.reread()

    def reread(self) -> None:
        """Read all configuration and policy files anew, when they are next needed."""
        self.outside = InForce(self.client, self._read, self.sources)
        for folder in self:
            self._renew(folder)

    def _renew(self, folder: Folder) -> None:
        client = folder.own_client if folder.own_client is not None else self.client
        folder.in_force = InForce(client, self._read, self.sources, folder.path)
