"""The snapshot that a request is about."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from plancheck.lsp import convert
from plancheck.lsp.session import path_of

if TYPE_CHECKING:
    from plancheck.analysis.snapshot import Snapshot
    from plancheck.lsp.server import Server


class Target(NamedTuple):
    uri: str
    version: int | None
    """None for a file that is not open."""
    snapshot: Snapshot
    to: convert.Mapper


async def target(ls: Server, uri: str) -> Target | None:
    """The plan at a URI as it is now: the open document's, else the file's; None where there is no plan."""
    document = ls.session.documents.get(uri)
    if document is not None:
        if not document.is_plan:
            return None
        snapshot = await document.snapshot()
        return Target(uri, document.version, snapshot, convert.mapper(snapshot, ls.session.encoding))
    path = path_of(uri)
    if path is None or not ls.session.is_plan(uri):
        return None
    on_disk = await ls.scanner.snapshot(path)
    return Target(uri, None, on_disk, convert.mapper(on_disk, ls.session.encoding)) if on_disk is not None else None
