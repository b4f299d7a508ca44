"""What the client was last told about each file, so that it can be told when that is no longer so."""

from __future__ import annotations

from collections.abc import Container
from typing import NamedTuple

from plancheck.lsp.identity import FileKey


class Told(NamedTuple):
    uri: str
    """As it was spelled in the message: what is taken back must be spelled the same."""
    result_id: str


class Shown:
    """The files of which the client shows problems."""

    def __init__(self) -> None:
        self._told: dict[FileKey, Told] = {}

    def note(self, key: FileKey, uri: str, result_id: str, *, has_items: bool) -> None:
        """The client was told about a file; without items it shows nothing of it any more."""
        if has_items:
            self._told[key] = Told(uri, result_id)
        else:
            self._told.pop(key, None)

    def get(self, key: FileKey) -> Told | None:
        return self._told.get(key)

    def take(self, key: FileKey) -> Told | None:
        """What the client was told, to be forgotten."""
        return self._told.pop(key, None)

    def take_all_but(self, current: Container[FileKey]) -> list[Told]:
        """What the client was told of all other files, to be forgotten."""
        gone = [key for key in self._told if key not in current]
        return [self._told.pop(key) for key in gone]
