"""`check --format markdown`: a table for each file with findings, for a comment or a page."""

from __future__ import annotations

from typing import TextIO

from plancheck.checked import Range
from plancheck.cli.formats.format import (
    SEVERITIES,
    baseline_lines,
    counted,
    files_checked,
    message_of,
    severity_of,
    verdict,
)
from plancheck.cli.results import FileResult, Tally
from plancheck.cli.terminal import one_line
from plancheck.markdown import cell, prose


class Markdown:
    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def file(self, result: FileResult) -> None:
        rows = [_row(f.range, f.severity, f.rule, f.message) for f in result.findings]
        rows += (_row(place.range, severity_of(place), place.rule, message_of(place)) for place in result.unchecked)
        if rows:
            head = [f"## {markdown(result.path)}", "", "| place | severity | rule | finding |", "|---|---|---|---|"]
            self._stream.write("\n".join([*head, *rows]) + "\n\n")

    def end(self, tally: Tally) -> None:
        found = [counted(tally.findings[word], word) for word in SEVERITIES if tally.findings[word]]
        self._stream.write(f"{files_checked(tally.files)}: {verdict(tally, found)}.\n")
        if tally.baseline is not None:
            self._stream.write(f"\n{baseline_lines(tally.baseline)}")


def _row(where: Range, severity: str, rule: str, message: str) -> str:
    place = f"{where.start.line + 1}:{where.start.character + 1}"
    return f"| {place} | {severity} | `{rule}` | {markdown(message)} |"


def markdown(text: str) -> str:
    """The text as one line of Markdown that shows it, also in a table; what is in backquotes is code."""
    return cell(prose(one_line(text)))
