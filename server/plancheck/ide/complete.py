"""What can be typed at an offset, in text that is not finished."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from plancheck.analysis.snapshot import Snapshot
from plancheck.text import Span


class CompletionKind(Enum):
    KEY = "key"
    KIND = "kind"
    STEP = "step"
    RESOURCE = "resource"
    RULE = "rule"
    VALUE = "value"
    SNIPPET = "snippet"


class Completion(NamedTuple):
    label: str
    kind: CompletionKind
    span: Span
    """What the new text takes the place of; it holds the offset and lies on its line."""
    insert_text: str
    is_snippet: bool
    """Whether `insert_text` has `$1`, `${1:…}` and `\\$` in it."""
    filter_text: str
    """What the text in `span` is compared with."""
    sort_key: str
    detail: str = ""
    documentation: str = ""
    """Markdown."""


def complete(snapshot: Snapshot, offset: int) -> list[Completion]:
    return []
