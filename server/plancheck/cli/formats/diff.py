"""`check --diff`: what the fixes would change, and nothing else."""

from __future__ import annotations

from typing import TextIO

from plancheck.cli.formats.format import message_of, severity_of, unsafe_fixes
from plancheck.cli.results import FileResult, Tally
from plancheck.cli.terminal import one_line


class Diff:
    """The diffs go to one stream, for `git apply`; what could not be checked to another one, for people."""

    def __init__(self, stream: TextIO, complaints: TextIO, quiet: bool) -> None:
        self._stream = stream
        self._complaints = complaints
        self._quiet = quiet

    def file(self, result: FileResult) -> None:
        self._stream.write(result.diff)
        for place in result.unchecked if result.is_checked else ():
            start = place.range.start
            where = f"{result.path}:{start.line + 1}:{start.character + 1}"
            label = f"{severity_of(place)}[{place.rule}]"
            self._complaints.write(f"{one_line(where)}: {label} {one_line(message_of(place))}\n")

    def end(self, tally: Tally) -> None:
        if tally.unsafe_fixes and not self._quiet:
            self._complaints.write(f"{unsafe_fixes(tally)}\n")
