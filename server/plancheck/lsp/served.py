"""Telling an editor that wants to know which files the configuration makes plans and policies, by globs.

An editor selects the documents that it sends before it has seen any configuration; with these globs it can send more.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from plancheck.lsp.folders import POLICY_NAMES
from plancheck.lsp.identity import uri_of

if TYPE_CHECKING:
    from plancheck.lsp.server import Server
    from plancheck.workspace.files import Loaded

SERVED = "plancheck/served"


class ServedFiles:
    def __init__(self, server: Server) -> None:
        self._server = server
        self._sent: dict[str, list[dict[str, str]]] = {"plans": [], "policies": []}

    def update(self) -> None:
        """Tell the editor, if there is anything else to tell than before."""
        if not self._server.client.selects_served:
            return
        plans: list[dict[str, str]] = []
        policies: list[dict[str, str]] = []
        for folder in self._server.session.folders:
            configurations = folder.in_force.configurations
            configurations.above(folder.path)
            by_path = {loaded.path: loaded for loaded in configurations.loaded}  # two threads may have read one file
            for loaded in by_path.values():
                plans += _plans(loaded)
                policies += _policies(loaded)
        found = {"plans": plans, "policies": policies}
        if found != self._sent:
            self._sent = found
            self._server.protocol.notify_plain(SERVED, found)


def _plans(loaded: Loaded) -> Iterator[dict[str, str]]:
    from plancheck.workspace.config_model import DEFAULT_INCLUDE

    for glob in loaded.include:
        if glob in DEFAULT_INCLUDE:  # which every editor knows
            continue
        name = glob.removeprefix("./").rstrip("/")
        yield _pattern(loaded.folder, name if "/" in name else f"**/{name}")


def _policies(loaded: Loaded) -> Iterator[dict[str, str]]:
    for name in loaded.config.policy if loaded.config is not None else ():
        path = os.path.normpath(os.path.join(loaded.folder, name))
        if os.path.basename(path) in POLICY_NAMES:
            continue
        yield _pattern(os.path.dirname(path), _literally(os.path.basename(path)))


def _literally(name: str) -> str:
    """The glob that fits a name and no other."""
    return "".join(f"[{letter}]" if letter in "*?[{" else letter for letter in name)


def _pattern(folder: str, glob: str) -> dict[str, str]:
    """A relative pattern of the protocol."""
    return {"baseUri": uri_of(folder), "pattern": glob}
