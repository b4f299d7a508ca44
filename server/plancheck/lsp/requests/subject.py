"""The plan that a request is about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plancheck.lsp.convert.mapper import Mapper, mapper_of
from plancheck.lsp.identity import File, key_of, path_of
from plancheck.tuples import NamedTuple

if TYPE_CHECKING:
    from plancheck.analysis.snapshot import Snapshot
    from plancheck.lsp.server import Server


class RequestedPlan(NamedTuple):
    uri: str
    version: int | None
    """None for a file that is not open."""
    snapshot: Snapshot
    mapper: Mapper


async def subject_of(ls: Server, uri: str) -> RequestedPlan | None:
    """The plan at a URI as it is now: the open document's, else the file's; None where there is no plan."""
    document = ls.session.documents.get(uri)
    if document is not None:
        if not document.is_plan:
            return None
        snapshot = await document.snapshot()
        return RequestedPlan(uri, document.version, snapshot, mapper_of(snapshot, ls.session.encoding))
    path = path_of(uri)
    if path is None or not ls.session.is_plan(uri):
        return None
    on_disk = await ls.plan_files.snapshot(File(key_of(uri), path))
    return RequestedPlan(uri, None, on_disk, mapper_of(on_disk, ls.session.encoding)) if on_disk is not None else None
