"""The configuration files in force in a workspace folder."""

from __future__ import annotations

from plancheck.workspace.config import Config
from plancheck.workspace.files import Configurations, Loaded


class FolderConfigurations(Configurations):
    """The configurations of a workspace folder, with the globs that the editor's settings add."""

    def __init__(self, include: tuple[str, ...]) -> None:
        super().__init__()
        self._include = include

    def above(self, folder: str) -> Loaded:
        loaded = super().above(folder)
        if not self._include:
            return loaded
        config = loaded.config if loaded.config is not None else Config()
        return loaded._replace(config=config._replace(around=config.around._replace(include_too=self._include)))
