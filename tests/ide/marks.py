"""Texts with marks: `$0` is the cursor, `«…»` are spans. A text is dedented and its first line break dropped."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

from plancheck.analysis.engine import analyze
from plancheck.analysis.snapshot import Snapshot
from plancheck.text import Edit, Span, apply_edits

CURSOR = "$0"


def cursor(text: str) -> tuple[Snapshot, int]:
    """The snapshot of a text and where its `$0` stood."""
    text = textwrap.dedent(text).lstrip("\n")
    offset = text.index(CURSOR)
    return analyze(text.replace(CURSOR, "", 1)), offset


def marked(text: str, spans: Iterable[Span]) -> str:
    """The text with `«…»` around every span."""
    edits = [Edit(span.start, span.end, f"«{text[span.start : span.end]}»") for span in dict.fromkeys(spans)]
    return apply_edits(text, edits)


def expected(text: str) -> str:
    """An expected text, written like the input, without the cursor."""
    return textwrap.dedent(text).lstrip("\n").replace(CURSOR, "", 1)
