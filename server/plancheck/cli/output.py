"""The formats of `plancheck check`. Each is fed the results one by one, and all print the same findings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Any, Protocol, TextIO

from plancheck import __version__
from plancheck.analysis.finding import Severity
from plancheck.api import CheckedFinding
from plancheck.cli.checking import FileResult
from plancheck.cli.excerpt import excerpt
from plancheck.cli.terminal import Painter, one_line
from plancheck.text import LineIndex

WORDS = tuple(severity.word for severity in Severity)


class Output(Protocol):
    def file(self, result: FileResult) -> None: ...

    def end(self, files: int, counts: Counter[str]) -> None: ...


class Text:
    """For people: a line for each finding, the source with a caret, the related places, and a summary."""

    def __init__(self, stream: TextIO, paint: Painter, quiet: bool, columns: int) -> None:
        self._stream = stream
        self._paint = paint
        self._quiet = quiet
        self._columns = columns
        self._fixed: int | None = None

    def file(self, result: FileResult) -> None:
        if result.fixed is not None:
            self._fixed = (self._fixed or 0) + result.fixed
        lines = LineIndex(result.text) if result.findings and not self._quiet else None
        for finding in result.findings:
            head = self._head(result.path, finding)
            self._stream.write(head if lines is None else head + self._source(result.path, lines, finding))

    def _head(self, path: str, finding: CheckedFinding) -> str:
        paint = self._paint
        place = f"{one_line(path)}:{finding.range.start.line + 1}:{finding.range.start.character + 1}:"
        label = paint(finding.severity, f"{finding.severity}[{finding.rule}]")
        return f"{paint('bold', place)} {label} {one_line(finding.message)}\n"

    def _source(self, path: str, lines: LineIndex, finding: CheckedFinding) -> str:
        paint = self._paint
        number = str(finding.range.start.line + 1)
        span = lines.line_span(finding.range.start.line)
        shown = excerpt(lines.text, span.start, span.end, finding.start, finding.end, self._columns - len(number) - 5)
        gutter = " " * len(number)
        rows = [
            f"{paint('dim', f'  {number} |')} {shown.line}".rstrip(),
            f"{paint('dim', f'  {gutter} |')} {' ' * shown.indent}{paint(finding.severity, '^' * shown.width)}",
        ]
        for related in finding.related:
            place = f"{one_line(path)}:{related.range.start.line + 1}:{related.range.start.character + 1}:"
            rows.append(f"{paint('dim', f'  {gutter} = {place}')} {one_line(related.message)}")
        for fix in finding.fixes:
            label = "fix" if fix.safe else "unsafe fix"
            rows.append(f"{paint('dim', f'  {gutter} = {label}:')} {one_line(fix.title)}")
        return "".join(f"{row}\n" for row in rows)

    def end(self, files: int, counts: Counter[str]) -> None:
        if self._quiet or not files:
            return
        found = [self._paint(word, _counted(counts[word], word)) for word in WORDS if counts[word]]
        checked = f"{files:,} file{'s' * (files != 1)} checked"
        if self._fixed is not None:
            checked += f", {self._fixed:,} fix{'es' * (self._fixed != 1)} applied"
        self._stream.write(f"{checked}: {', '.join(found) if found else 'no findings'}.\n")


def _counted(number: int, word: str) -> str:
    return f"{number:,} {word}" if number == 1 or word == "info" else f"{number:,} {word}s"


class Diff:
    """What the fixes would change, and nothing else."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def file(self, result: FileResult) -> None:
        self._stream.write(result.diff)

    def end(self, files: int, counts: Counter[str]) -> None:
        """A diff needs no summary."""


class Json:
    """For programs: one object with everything."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._files: list[dict[str, Any]] = []

    def file(self, result: FileResult) -> None:
        self._files.append(result.to_dict())

    def end(self, files: int, counts: Counter[str]) -> None:
        import json

        summary = {"files": files, **{word: counts[word] for word in WORDS}}
        document = {"version": __version__, "files": self._files, "summary": summary}
        self._stream.write(json.dumps(document, indent=2) + "\n")


class Github:
    """Workflow commands: GitHub shows them as annotations of a pull request."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def file(self, result: FileResult) -> None:
        for finding in result.findings:
            start, end = finding.range
            properties = {
                "file": result.path.replace("\\", "/"),
                "line": start.line + 1,
                "col": start.character + 1,
                "endLine": end.line + 1,
                "endColumn": end.character + 1,
                "title": f"plancheck {finding.severity}[{finding.rule}]",
            }
            listed = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
            level = finding.severity if finding.severity in ("error", "warning") else "notice"
            self._stream.write(f"::{level} {listed}::{_data(finding.message)}\n")

    def end(self, files: int, counts: Counter[str]) -> None:
        """Annotations need no summary."""


def _data(text: str) -> str:
    return one_line(text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"))


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


class Markdown:
    """For a comment or a page: a table for each file that has findings."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def file(self, result: FileResult) -> None:
        if not result.findings:
            return
        rows = [f"## {markdown(result.path)}", "", "| place | severity | rule | finding |", "|---|---|---|---|"]
        for finding in result.findings:
            start = finding.range.start
            place = f"{start.line + 1}:{start.character + 1}"
            rows.append(f"| {place} | {finding.severity} | `{finding.rule}` | {markdown(finding.message)} |")
        self._stream.write("\n".join(rows) + "\n\n")

    def end(self, files: int, counts: Counter[str]) -> None:
        found = ", ".join(_counted(counts[word], word) for word in WORDS if counts[word]) or "no findings"
        self._stream.write(f"{files:,} file{'s' * (files != 1)} checked: {found}.\n")


_SPECIAL = re.compile(r"[\\*_{}\[\]<>#!|~&$]")


def markdown(text: str) -> str:
    """The text as one line of Markdown that shows it, code in backticks staying code."""
    pieces = one_line(text).split("`")
    if len(pieces) % 2 == 0:  # a lone backtick opens nothing
        pieces[-2:] = [f"{pieces[-2]}\0{pieces[-1]}"]
    shown: Iterable[str] = (
        f"`{piece.replace('|', chr(92) + '|')}`" if number % 2 else _SPECIAL.sub(r"\\\g<0>", piece)
        for number, piece in enumerate(pieces)
    )
    return "".join(shown).replace("\0", "\\`")
