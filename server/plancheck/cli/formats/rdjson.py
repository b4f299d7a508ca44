"""`check --format rdjson`: the Reviewdog Diagnostic Format, for comments on pull requests.

Its columns count bytes of UTF-8, and a suggestion is one replacement: only safe fixes that are one edit are listed.
"""

from __future__ import annotations

import json
from typing import Any, TextIO

from plancheck.analysis.rules import RULES
from plancheck.checked import CheckedFix
from plancheck.cli.formats.format import message_of, plain_path, severity_of
from plancheck.cli.results import FileResult, Tally
from plancheck.cli.terminal import one_line
from plancheck.home import HOME, RULE_PAGES
from plancheck.text import Encoding, LineIndex

_SEVERITIES = {"error": "ERROR", "warning": "WARNING", "info": "INFO", "hint": "INFO"}
_SOURCE = {"name": "plancheck", "url": HOME}


class Rdjson:
    """The object is written piece by piece, a diagnostic in a line."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._lead = f'{{"source": {json.dumps(_SOURCE)}, "diagnostics": [\n'

    def file(self, result: FileResult) -> None:
        if not result.findings and not result.unchecked:
            return
        path, lines = plain_path(result.path), LineIndex(result.text)
        for finding in result.findings:
            suggestions = [_suggestion(lines, fix) for fix in finding.fixes if fix.safe and len(fix.edits) == 1]
            self._write(
                _diagnostic(finding.rule, finding.severity, finding.message),
                {"path": path, "range": _range(lines, finding.start, finding.end)},
                suggestions,
            )
        for place in result.unchecked:
            where = {"range": _range(lines, place.start, place.end)} if result.text else {}
            diagnostic = _diagnostic(place.rule, severity_of(place), message_of(place))
            self._write(diagnostic, {"path": path, **where}, [])

    def _write(self, diagnostic: dict[str, Any], location: dict[str, Any], suggestions: list[dict[str, Any]]) -> None:
        whole = {**diagnostic, "location": location, **({"suggestions": suggestions} if suggestions else {})}
        self._stream.write(self._lead + json.dumps(whole))
        self._lead = ",\n"

    def end(self, _: Tally) -> None:
        """Diagnostics need no summary."""
        self._stream.write("\n]}\n" if self._lead == ",\n" else f"{self._lead}]}}\n")


def _diagnostic(rule: str, severity: str, message: str) -> dict[str, Any]:
    page = {"url": RULE_PAGES + rule} if rule in RULES else {}
    return {"message": one_line(message), "severity": _SEVERITIES[severity], "code": {"value": rule, **page}}


def _suggestion(lines: LineIndex, fix: CheckedFix) -> dict[str, Any]:
    (edit,) = fix.edits
    return {"range": _range(lines, edit.start, edit.end), "text": edit.new_text}


def _range(lines: LineIndex, start: int, end: int) -> dict[str, Any]:
    return {"start": _position(lines, start), "end": _position(lines, end)}


def _position(lines: LineIndex, offset: int) -> dict[str, int]:
    position = lines.position(offset, Encoding.UTF8)
    return {"line": position.line + 1, "column": position.character + 1}
