"""The documents that an editor has open: their text, kept up with the edits, and the snapshot of the current version.

pygls has documents of its own; they are not used. See `protocol.REPLACED` for why.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from plancheck.text import Edit, Encoding, LineIndex, Position

if TYPE_CHECKING:
    from plancheck.analysis.settings import Settings
    from plancheck.analysis.snapshot import Snapshot
    from plancheck.policy.regexes import Matcher

IN_LOOP = 200_000
"""A text longer than this is read afresh in a thread, so that the loop can go on answering."""

_HALF = re.compile("[\ud800-\udfff]")


class Change(NamedTuple):
    """One content change as an editor sends it; without a range it replaces everything."""

    text: str
    start: Position | None = None
    end: Position | None = None


class Document:
    """One open document. Edits are cheap; the analysis is done when somebody asks for the snapshot."""

    def __init__(
        self, uri: str, version: int, text: str, encoding: Encoding, settings: Settings, matcher: Matcher
    ) -> None:
        self.uri = uri
        self.version = version
        self.encoding = encoding
        self.serial = 0
        """Tells this document from one that was open under the same URI before."""
        self.closed = False
        self.is_plan = True
        """Whether the configuration counts this file among the plans."""
        self._settings = settings
        self._matcher = matcher
        self._lines = LineIndex(_whole(text))
        self._snapshot: Snapshot | None = None
        self._pending: Edit | None = None
        """What was edited since `_snapshot` was made (or `_running` was started), as one edit of its text."""
        self._running: asyncio.Future[Snapshot] | None = None
        self.generation = 0
        """Counts the settings that were in force, so that a result can be told from one under other settings."""

    @property
    def text(self) -> str:
        return self._lines.text

    @property
    def settings(self) -> Settings:
        return self._settings

    def configure(self, settings: Settings) -> bool:
        """Put other settings in force; whether anything changed."""
        if settings == self._settings:
            return False
        self._settings = settings
        self.generation += 1
        self._drop()
        return True

    @property
    def is_pending(self) -> bool:
        """Whether the last analysis waits for a pattern of the policy."""
        return self._snapshot is not None and self._snapshot.is_pending

    @property
    def tools(self) -> frozenset[str] | None:
        """The tools that the plan uses; None where it was not analysed yet."""
        return self._snapshot.plan.tools() if self._snapshot is not None else None

    def recheck(self) -> None:
        """Let the next analysis ask again what it did not know; the text is the same."""
        self.generation += 1
        if self._snapshot is not None and self._pending is None:
            self._pending = Edit(0, 0, "")

    def change(self, changes: Iterable[Change], version: int) -> None:
        """Apply content changes in order, each to the text that the one before it left."""
        for text, start, end in changes:
            if start is None or end is None:
                self._replace(text)
                continue
            first = self._lines.offset(start.line, start.character, self.encoding)
            last = self._lines.offset(end.line, end.character, self.encoding)
            self._edit(Edit(min(first, last), max(first, last), text))
        self.version = version

    def _replace(self, text: str) -> None:
        self._lines = LineIndex(_whole(text))
        self._drop()

    def _drop(self) -> None:
        self._snapshot = self._pending = self._running = None

    def _edit(self, edit: Edit) -> None:
        text = self.text[: edit.start] + edit.new_text + self.text[edit.end :]
        if _HALF.search(edit.new_text):  # half of a surrogate pair: its other half may be there already
            self._replace(text)
            return
        self._lines = self._lines.edited(edit, text)
        if self._snapshot is not None or self._running is not None:
            self._pending = edit if self._pending is None else _merged(self._pending, edit, text)

    def analyzed(self) -> Snapshot:
        """The snapshot of the current version."""
        from plancheck.analysis.engine import update

        if self._snapshot is None:
            self._snapshot = self._fresh(self._lines)
        elif self._pending is not None:
            self._snapshot = update(self._snapshot, self._pending, self._settings)
        self._pending = self._running = None
        return self._snapshot

    def _fresh(self, lines: LineIndex) -> Snapshot:
        from plancheck.analysis.engine import analyze

        snapshot = analyze(lines.text, self._settings, matcher=self._matcher)
        snapshot.lines = lines
        return snapshot

    async def snapshot(self) -> Snapshot:
        """The snapshot of the version that is current when this returns."""
        while self._snapshot is None and len(self.text) > IN_LOOP:
            if self._running is None:
                loop = asyncio.get_running_loop()
                self._running = asyncio.ensure_future(loop.run_in_executor(None, self._fresh, self._lines))
            running = self._running
            snapshot = await asyncio.shield(running)
            if running is self._running:
                self._snapshot, self._running = snapshot, None
        return self.analyzed()


def _whole(text: str) -> str:
    """The text with halves of surrogate pairs put together, as an editor may send them one by one."""
    if _HALF.search(text) is None:
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def _merged(first: Edit, then: Edit, text: str) -> Edit:
    """Two edits, one after the other, as one edit of the text before both; `text` is the text after both."""
    grown = len(first.new_text) - (first.end - first.start)
    start = min(first.start, then.start)
    end = max(first.end, then.end - grown)
    grown += len(then.new_text) - (then.end - then.start)
    return Edit(start, end, text[start : end + grown])
