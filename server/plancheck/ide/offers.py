"""What may be typed at a place: an offer, before it is fitted to the text around the cursor, and the place as the plan
sees it."""

from __future__ import annotations

from enum import Enum

from plancheck.analysis.snapshot import Snapshot
from plancheck.ide.context import Context
from plancheck.plan.dialects.vocabulary import Vocabulary
from plancheck.syntax.tree import Path
from plancheck.text import Span
from plancheck.tuples import NamedTuple

MOST_ITEMS = 500
"""A list of this length is not complete: the client has to ask again when more was typed."""


class CompletionKind(Enum):
    KEY = "key"
    KIND = "kind"
    STEP = "step"
    RESOURCE = "resource"
    RULE = "rule"
    TOOL = "tool"
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


class Offer(NamedTuple):
    """A proposal before it is fitted to the place."""

    label: str
    kind: CompletionKind
    text: str
    is_snippet: bool = False
    detail: str = ""
    documentation: str = ""
    span: Span | None = None
    """What it takes the place of, if not all of the token at the cursor."""


class CompletionPlace(NamedTuple):
    """The place to complete at, as the plan sees it."""

    snapshot: Snapshot
    context: Context
    words: Vocabulary
    step: int | None
    """The position of the step around, or that the new step will have."""
    path: Path
    """From that step, or from the root."""
    typed: str

    def cut(self, names: list[str]) -> list[str]:
        """All names; of very many, the first that go on from what was typed."""
        if len(names) <= MOST_ITEMS:
            return names
        return [name for name in names if name.startswith(self.typed)][:MOST_ITEMS]
