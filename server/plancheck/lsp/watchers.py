"""Which files the editor is asked to watch. The list follows the configuration."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from pygls.exceptions import JsonRpcException

from plancheck.lsp.convert import messages
from plancheck.lsp.folders import CONFIGURATION_NAMES, POLICY_NAMES

if TYPE_CHECKING:
    from plancheck.lsp.server import Server

logger = logging.getLogger(__name__)

ALWAYS = (*(f"**/{name}" for name in (*CONFIGURATION_NAMES, *POLICY_NAMES)), "**/.gitignore")


class Watchers:
    def __init__(self, server: Server) -> None:
        self._server = server
        self._globs: tuple[str, ...] = ()
        """What is being watched, or was asked for."""
        self._registered: list[int] = []
        """The registrations that the editor has, the newest last."""
        self._serial = 0

    def update(self) -> None:
        """Have the files watched that matter now, if these are others than before."""
        if self._server.client.registers_watchers and self._wanted() != self._globs:
            self._server.background.run("watchers", self._register)

    async def _register(self) -> None:
        """Ask for the new list before the old one is given up, so that nothing goes unseen in between."""
        server = self._server
        self._globs = self._wanted()
        self._serial += 1
        self._registered.append(self._serial)
        try:
            await server.client_register_capability_async(messages.watcher_registration(self._serial, self._globs))
            while len(self._registered) > 1:
                old = self._registered.pop(0)
                await server.client_unregister_capability_async(messages.watcher_unregistration(old))
        except JsonRpcException as error:
            logger.warning("The editor refused to watch files: %s", error)

    def _wanted(self) -> tuple[str, ...]:
        from plancheck.workspace.config_model import DEFAULT_INCLUDE  # the handshake does without the analysis

        folders = self._server.session.folders
        found = dict.fromkeys(ALWAYS if len(folders) else (*ALWAYS, *DEFAULT_INCLUDE))
        for folder in folders:
            configurations = folder.in_force.configurations
            for loaded in (configurations.above(folder.path), *configurations.loaded):
                found.update(dict.fromkeys(map(_anywhere, loaded.include)))
                named = loaded.config.policy if loaded.config is not None else ()
                found.update(dict.fromkeys(f"**/{path.rpartition('/')[2]}" for path in named if path[-1:] != "/"))
                tools = loaded.config.tools if loaded.config is not None else ()
                found.update(dict.fromkeys(_named_anywhere(entry.text) for entry in tools))
                if any(not path.endswith((".yaml", ".yml")) for path in named):
                    found["**/*.rego"] = None  # it may be a folder of them
            found.update(dict.fromkeys(map(_anywhere_by_name, list(configurations.extended))))
            found.update(dict.fromkeys(map(_named_anywhere, folder.in_force.client.tools)))
        return (*ALWAYS, *sorted(found.keys() - set(ALWAYS)))


def _named_anywhere(name: str) -> str:
    """A path or a glob of a configuration, for the whole workspace: of a path only its end, it may lead anywhere."""
    from plancheck.workspace.globs import is_glob

    return _anywhere(name) if is_glob(name) else _anywhere_by_name(name)


def _anywhere_by_name(path: str) -> str:
    return f"**/{path.replace(chr(92), '/').rpartition('/')[2]}"


def _anywhere(glob: str) -> str:
    """A glob of a configuration, which is relative to that one's folder, for the whole workspace."""
    return glob if glob.startswith("**/") else f"**/{glob.removeprefix('./')}"
