"""`check --format text`, for people: a line for each finding, the source with a caret, the fixes, and a summary."""

from __future__ import annotations

from typing import TextIO

from plancheck.analysis.rules import RULES
from plancheck.checked import CheckedFinding, Range, UncheckedPlace
from plancheck.cli.excerpt import excerpt
from plancheck.cli.formats.format import (
    SEVERITIES,
    baseline_lines,
    counted,
    files_checked,
    ignores_written,
    message_of,
    severity_of,
    unsafe_fixes,
    verdict,
)
from plancheck.cli.results import FileResult, Tally, from_here
from plancheck.cli.terminal import Painter, one_line


class Text:
    def __init__(self, stream: TextIO, paint: Painter, quiet: bool, columns: int) -> None:
        self._stream = stream
        self._paint = paint
        self._quiet = quiet
        self._columns = columns
        self._fixed: int | None = None
        self._maybe_fixable = 0
        """Findings whose rule has a safe fix, of files for which none was tried."""

    def file(self, result: FileResult) -> None:
        if not result.is_checked:  # standard error has said so
            return
        if result.fixed is not None:
            self._fixed = (self._fixed or 0) + result.fixed
        if not result.has_tried_fixes:
            self._maybe_fixable += sum(map(_may_be_fixable, result.findings))
        found: list[CheckedFinding | UncheckedPlace] = [*result.findings, *result.unchecked]
        if result.unchecked:
            found.sort(key=lambda item: item.start)
        for item in found:
            if isinstance(item, CheckedFinding):
                self._stream.write(self._finding(result.path, result.text, item))
            else:
                self._stream.write(self._unchecked(result.path, result.text, item))

    def _finding(self, path: str, text: str, finding: CheckedFinding) -> str:
        head = self._head(path, finding.range, finding.severity, finding.rule, finding.message)
        if self._quiet:
            return head
        rows = self._source(text, finding.range, finding.start, finding.end, finding.severity)
        gutter = " " * len(str(finding.range.start.line + 1))
        for related in finding.related:
            place = f"{_place(path if related.path is None else from_here(related.path), related.range)}:"
            rows.append(f"{self._paint('dim', f'  {gutter} = {place}')} {one_line(related.message)}")
        for fix in finding.fixes:
            label = "fix" if fix.safe else "unsafe fix"
            rows.append(f"{self._paint('dim', f'  {gutter} = {label}:')} {one_line(fix.title)}")
        return head + "".join(f"{row}\n" for row in rows)

    def _unchecked(self, path: str, text: str, place: UncheckedPlace) -> str:
        severity = severity_of(place)
        head = self._head(path, place.range, severity, place.rule, message_of(place))
        if self._quiet:
            return head
        rows = self._source(text, place.range, place.start, place.end, severity)
        return head + "".join(f"{row}\n" for row in rows)

    def _head(self, path: str, where: Range, severity: str, rule: str, message: str) -> str:
        label = self._paint(severity, f"{severity}[{rule}]")
        return f"{self._paint('bold', f'{_place(path, where)}:')} {label} {one_line(message)}\n"

    def _source(self, text: str, where: Range, start: int, end: int, severity: str) -> list[str]:
        """The line of a token, and a caret under it."""
        number = str(where.start.line + 1)
        shown = excerpt(text, start, end, self._columns - len(number) - 5)
        gutter = " " * len(number)
        return [
            f"{self._paint('dim', f'  {number} |')} {shown.line}".rstrip(),
            f"{self._paint('dim', f'  {gutter} |')} {' ' * shown.indent}{self._paint(severity, '^' * shown.width)}",
        ]

    def end(self, tally: Tally) -> None:
        if self._quiet or not tally.files:
            return
        found = [self._paint(word, counted(tally.findings[word], word)) for word in SEVERITIES if tally.findings[word]]
        checked = files_checked(tally.files)
        if self._fixed is not None:
            checked += f", {self._fixed:,} fix{'es' * (self._fixed != 1)} applied"
        self._stream.write(f"{checked}: {verdict(tally, found)}.\n")
        if tally.baseline is not None:
            self._stream.write(baseline_lines(tally.baseline))
        if tally.ignored is not None:
            self._stream.write(ignores_written(tally.ignored, tally.not_ignored))
        if tally.unsafe_fixes:
            self._stream.write(f"{unsafe_fixes(tally)}\n")
        if self._maybe_fixable and self._fixed is None:
            findings = "1 finding" if self._maybe_fixable == 1 else f"{self._maybe_fixable:,} findings"
            self._stream.write(f"Up to {findings} more can be fixed with --fix; --diff shows how.\n")


def _place(path: str, where: Range) -> str:
    return f"{one_line(path)}:{where.start.line + 1}:{where.start.character + 1}"


def _may_be_fixable(finding: CheckedFinding) -> bool:
    rule = RULES.get(finding.rule)
    return rule is not None and any(remedy.safe for remedy in rule.remedies)
