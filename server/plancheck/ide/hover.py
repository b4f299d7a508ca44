"""What an editor tells about the thing under the mouse."""

from __future__ import annotations

from typing import NamedTuple

from plancheck.analysis.snapshot import Snapshot
from plancheck.text import Span


class Hover(NamedTuple):
    markdown: str
    span: Span


def hover(snapshot: Snapshot, offset: int) -> Hover | None:
    return None
