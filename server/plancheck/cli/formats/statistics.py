"""`check --statistics`: how many findings each rule has, in place of the findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TextIO

from plancheck.analysis.rules import RULES
from plancheck.cli.formats.format import (
    SEVERITIES,
    baseline_lines,
    counted,
    files_checked,
    ignores_written,
    severity_of,
    verdict,
)
from plancheck.cli.results import FileResult, Tally
from plancheck.cli.terminal import Painter

_HEAD = ("count", "severity", "rule", "fix")


class Statistics:
    """Nothing is shown before everything is checked."""

    def __init__(self, stream: TextIO, paint: Painter, quiet: bool, *, is_markdown: bool) -> None:
        self._stream = stream
        self._paint = paint
        self._quiet = quiet
        self._is_markdown = is_markdown
        self._unchecked: Counter[tuple[str, str]] = Counter()

    def file(self, result: FileResult) -> None:
        if result.is_checked:  # else standard error has said so
            self._unchecked.update((place.rule, severity_of(place)) for place in result.unchecked)

    def end(self, tally: Tally) -> None:
        rows = list(_rows(tally.by_rule, self._unchecked))
        if rows:
            self._stream.write(_markdown(rows) if self._is_markdown else self._table(rows))
        if not self._quiet and tally.files:
            found = [counted(tally.findings[word], word) for word in SEVERITIES if tally.findings[word]]
            self._stream.write(f"{files_checked(tally.files)}: {verdict(tally, found)}.\n")
            if tally.baseline is not None:
                self._stream.write(baseline_lines(tally.baseline))
            if tally.ignored is not None:
                self._stream.write(ignores_written(tally.ignored, tally.not_ignored))

    def _table(self, rows: list[tuple[str, str, str, str]]) -> str:
        widths = [max(map(len, column)) for column in zip(_HEAD, *rows, strict=True)]
        lines = [self._row(_HEAD, widths, ["dim"] * 4)]
        lines += (self._row(row, widths, ["bold", row[1].partition(" ")[0], "", "dim"]) for row in rows)
        return "".join(lines)

    def _row(self, cells: tuple[str, str, str, str], widths: list[int], styles: list[str]) -> str:
        padded = [
            cells[0].rjust(widths[0]),
            *(cell.ljust(width) for cell, width in zip(cells[1:], widths[1:], strict=True)),
        ]
        shown = [self._paint(style, cell) if style else cell for style, cell in zip(styles, padded, strict=True)]
        return f"{'  '.join(shown)}".rstrip() + "\n"


def _rows(found: Counter[tuple[str, str]], unchecked: Counter[tuple[str, str]]) -> Iterator[tuple[str, str, str, str]]:
    """The most frequent first: how many, how bad, of which rule, and whether the rule has fixes."""
    rows = [(count, severity, rule, _fix(rule)) for (rule, severity), count in found.items()]
    rows += ((count, f"{severity} (not checked)", rule, "-") for (rule, severity), count in unchecked.items())
    for count, severity, rule, fix in sorted(rows, key=lambda row: (-row[0], row[2], row[1])):
        yield f"{count:,}", severity, rule, fix


def _fix(rule: str) -> str:
    """What the rule itself offers; whether it helps a single finding is known when it is tried."""
    remedies = RULES[rule].remedies
    if not remedies:
        return "-"
    return "safe" if any(remedy.safe for remedy in remedies) else "unsafe"


def _markdown(rows: list[tuple[str, str, str, str]]) -> str:
    lines = [f"| {' | '.join(_HEAD)} |", "|--:|---|---|---|"]
    lines += (f"| {count} | {severity} | `{rule}` | {fix} |" for count, severity, rule, fix in rows)
    return "\n".join([*lines, "", ""])
