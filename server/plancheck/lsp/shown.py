"""What the client was last told about each file, so that it can be told when that is no longer so."""

from __future__ import annotations

from collections.abc import Container

from plancheck.lsp.identity import FileKey
from plancheck.tuples import NamedTuple


class Published(NamedTuple):
    uri: str
    """As it was spelled in the message: what is taken back must be spelled the same."""
    result_id: str
    has_items: bool


class Shown:
    """What the client has been told, by file."""

    def __init__(self) -> None:
        self._published: dict[FileKey, Published] = {}

    def note(self, key: FileKey, uri: str, result_id: str, *, has_items: bool = True) -> None:
        """The client was told about a file. It shows nothing of it only if it is sure to heed what it was told."""
        self._published[key] = Published(uri, result_id, has_items)

    def is_current(self, key: FileKey, uri: str, result_id: str) -> bool:
        """Whether the client was told just this."""
        published = self._published.get(key)
        return published is not None and (published.uri, published.result_id) == (uri, result_id)

    def forget(self, key: FileKey) -> str | None:
        """Forget a file; the URI under which the client shows problems of it, if it does."""
        published = self._published.pop(key, None)
        return published.uri if published is not None and published.has_items else None

    def forget_all_but(self, current: Container[FileKey]) -> list[str]:
        """Forget all other files; the URIs under which the client shows problems of them."""
        gone = [key for key in self._published if key not in current]
        return [uri for key in gone if (uri := self.forget(key)) is not None]
