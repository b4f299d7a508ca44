"""The documents that an editor has open: their text, kept up with the edits, and the snapshot of the current version.

pygls has documents of its own; they are not used. See `protocol.REPLACED` for why.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from plancheck.lsp.convert.findings import NOTHING_RENDERED
from plancheck.lsp.identity import FileKey, key_of
from plancheck.lsp.rego_plans import OpenPlan
from plancheck.lsp.result_ids import settings_inputs
from plancheck.text import Edit, Encoding, LineIndex, Position, merged_edit
from plancheck.tuples import NamedTuple

if TYPE_CHECKING:
    from plancheck.analysis.settings import Settings
    from plancheck.analysis.snapshot import Snapshot
    from plancheck.plan.model import Plan
    from plancheck.policy.regexes import Matcher

IN_LOOP = 200_000
"""A text longer than this is read afresh in a thread, so that the loop can go on answering."""

_HALF = re.compile("[\ud800-\udfff]")


class TextChange(NamedTuple):
    """One content change as an editor sends it; without a range it replaces everything."""

    text: str
    start: Position | None = None
    end: Position | None = None


class Document:
    """One open document. Edits are cheap; the analysis is done when somebody asks for the snapshot."""

    def __init__(
        self,
        uri: str,
        version: int,
        text: str,
        encoding: Encoding,
        settings: Settings,
        matcher: Matcher,
        run: Callable[..., Awaitable[Snapshot]] = asyncio.to_thread,
    ) -> None:
        """`run` calls a function that may take long without keeping the loop from answering."""
        self.uri = uri
        """As the client spells it."""
        self.key = key_of(uri)
        self.version = version
        self.encoding = encoding
        self.serial = 0
        """Tells this document from those that were open before."""
        self.closed = False
        self.is_plan = True
        """Whether the configuration counts this file among the plans."""
        self.tools: frozenset[str] | None = None
        """The tools that the plan uses, as of the last analysis; None before the first."""
        self.rendered = NOTHING_RENDERED
        """The diagnostics that were last made."""
        self.rego = OpenPlan()
        """Asks the policies in force that are written in Rego."""
        self._settings = settings
        self._matcher = matcher
        self._run = run
        self._lines = LineIndex(_whole(text))
        self._snapshot: Snapshot | None = None
        self._pending: Edit | None = None
        """What was edited since `_snapshot` was made (or `_running` was started), as one edit of its text."""
        self._running: asyncio.Future[Snapshot] | None = None
        self._answers = 0
        """Counts how often patterns that an analysis was waiting for have been answered."""

    @property
    def text(self) -> str:
        return self._lines.text

    @property
    def last_plan(self) -> Plan | None:
        """The plan as it was last analysed, be it with edits that came since or not; None where it was not."""
        return None if self._snapshot is None else self._snapshot.plan

    @property
    def settings(self) -> Settings:
        return self._settings

    @property
    def inputs(self) -> tuple[object, ...]:
        """All that a plan's diagnostics are made from; the text by the version that the client gave it."""
        return self.serial, self.version, self.is_plan, settings_inputs(self._settings), self._answers

    def configure(self, settings: Settings, *, is_plan: bool) -> None:
        """Put settings in force."""
        self.is_plan = is_plan
        if settings != self._settings:
            self._settings = settings
            self._drop()

    @property
    def is_pending(self) -> bool:
        """Whether the last analysis waits for a pattern of the policy, or for a Rego policy."""
        return self._snapshot is not None and self._snapshot.is_pending

    def recheck(self) -> None:
        """Let the next analysis ask again what it did not know; the text is the same."""
        self._answers += 1
        if self._snapshot is not None and self._pending is None:
            self._pending = Edit(0, 0, "")

    def change(self, changes: Iterable[TextChange], version: int) -> None:
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
            self._pending = edit if self._pending is None else merged_edit(self._pending, edit, text)

    def analyzed(self) -> Snapshot:
        """The snapshot of the current version."""
        from plancheck.analysis.engine import update

        if self._snapshot is None:
            self._snapshot = self._fresh(self._lines)
        elif self._pending is not None:
            self._snapshot = update(self._snapshot, self._pending, self._settings, lines=self._lines)
        self._pending = self._running = None
        return self._snapshot

    @property
    def _has_slow_catalogue(self) -> bool:
        catalogue = self._settings.catalogue
        return catalogue is not None and catalogue.is_slow

    def _fresh(self, lines: LineIndex) -> Snapshot:
        from plancheck.analysis.engine import analyze

        if self._settings.catalogue is not None:
            _ = self._settings.catalogue.tools  # read here, which may be a thread: not every plan asks for them
        snapshot = analyze(lines.text, self._settings, matcher=self._matcher, rego=self.rego)
        snapshot.lines = lines
        return snapshot

    async def snapshot(self) -> Snapshot:
        """The snapshot of the version that is current when this returns."""
        while self._snapshot is None and (len(self.text) > IN_LOOP or self._has_slow_catalogue):
            if self._running is None:
                self._running = asyncio.ensure_future(self._run(self._fresh, self._lines))
            running = self._running
            try:
                snapshot = await asyncio.shield(running)
            finally:
                is_current = running is self._running
                if is_current and running.done():  # one that failed is not kept: whoever asks next tries again
                    self._running = None
            if is_current:
                self._snapshot = snapshot
        return self.analyzed()


class Documents:
    """The open documents, found by the client's own spelling first, then by the file that is meant.

    A client may have one file open twice, under its own name and under that of a link: these are two documents.
    """

    def __init__(self) -> None:
        self._by_uri: dict[str, Document] = {}
        self._serial = 0

    def __iter__(self) -> Iterator[Document]:
        return iter(list(self._by_uri.values()))

    def add(self, document: Document) -> None:
        """Take a document in; the one that was open under its URI is closed."""
        before = self._by_uri.get(document.uri)
        if before is not None:
            before.closed = True
        document.serial = self._serial = self._serial + 1
        self._by_uri[document.uri] = document

    def get(self, uri: str) -> Document | None:
        found = self._by_uri.get(uri)
        return found if found is not None or not self._by_uri else self.by_key(key_of(uri))

    def by_key(self, key: FileKey) -> Document | None:
        """The open document of a file."""
        return next((document for document in self._by_uri.values() if document.key == key), None)

    def change(self, uri: str, version: int, changes: Iterable[TextChange]) -> Document | None:
        """The changed document; None where it is not open, or is already at this version or past it."""
        document = self.get(uri)
        if document is None or version <= document.version:
            return None
        document.change(changes, version)
        return document

    def close(self, uri: str) -> Document | None:
        document = self.get(uri)
        if document is not None:
            document.closed = True
            del self._by_uri[document.uri]
        return document


def _whole(text: str) -> str:
    """The text with halves of surrogate pairs put together, as an editor may send them one by one."""
    if text.isascii() or _HALF.search(text) is None:
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
