"""A progress bar on a terminal. It is gone before anything else is printed, and when the work is done."""

from __future__ import annotations

from time import monotonic
from typing import TextIO

from plancheck.cli.terminal import understands_escapes

FEWEST_FILES = 100
_WIDTH = 30
_SECONDS_BETWEEN = 0.1


class ProgressBar:
    def __init__(self, total: int, stream: TextIO, wanted: bool) -> None:
        self._total = total
        self._stream = stream
        self._wanted = wanted and total >= FEWEST_FILES and understands_escapes(stream)
        self._shown = False
        self._next = monotonic() + _SECONDS_BETWEEN if self._wanted else 0.0

    def show(self, done: int) -> None:
        if not self._wanted or monotonic() < self._next:
            return
        self._next = monotonic() + _SECONDS_BETWEEN
        filled = _WIDTH * done // self._total
        bar = "#" * filled + "-" * (_WIDTH - filled)
        self._stream.write(f"\r[{bar}] {done:,} of {self._total:,} files\x1b[K")
        self._stream.flush()
        self._shown = True

    def hide(self) -> None:
        if self._shown:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
            self._shown = False
