"""What stands at an offset."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from plancheck.analysis.snapshot import Snapshot
from plancheck.syntax.tree import Part, Path
from plancheck.text import Span


class Role(Enum):
    """What the token at the cursor means to the plan."""

    STEP = "step"
    PRED = "pred"
    PRODUCER = "producer"
    READ = "read"
    WRITE = "write"
    GRANT = "grant"
    RULE = "rule"
    PLAN = "plan"
    KEY = "key"
    OTHER = "other"


class Cursor(NamedTuple):
    """One token. `step` is the position of the step it belongs to; `path` leads to it from there, or from the root."""

    step: int | None
    path: Path
    part: Part
    span: Span
    role: Role


def at(snapshot: Snapshot, offset: int) -> Cursor | None:
    return None
