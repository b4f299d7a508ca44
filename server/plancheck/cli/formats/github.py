"""`check --format github`: workflow commands, which GitHub shows as annotations of a pull request."""

from __future__ import annotations

from typing import TextIO

from plancheck.checked import Range
from plancheck.cli.formats.format import message_of, severity_of
from plancheck.cli.results import FileResult, Tally
from plancheck.cli.terminal import one_line


class Github:
    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def file(self, result: FileResult) -> None:
        for finding in result.findings:
            self._annotate(result.path, finding.range, finding.severity, finding.rule, finding.message)
        for place in result.unchecked:
            self._annotate(result.path, place.range, severity_of(place), place.rule, message_of(place))

    def _annotate(self, path: str, where: Range, severity: str, rule: str, message: str) -> None:
        start, end = where.start, where.end
        properties = {
            "file": path.replace("\\", "/"),
            "line": start.line + 1,
            "col": start.character + 1,
            "endLine": end.line + 1,
            "endColumn": end.character + 1,
            "title": f"plancheck {severity}[{rule}]",
        }
        listed = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
        level = severity if severity in ("error", "warning") else "notice"
        self._stream.write(f"::{level} {listed}::{_data(message)}\n")

    def end(self, tally: Tally) -> None:
        """Annotations need no summary."""


def _data(text: str) -> str:
    return one_line(text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"))


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
