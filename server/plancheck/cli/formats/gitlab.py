"""`check --format gitlab`: a Code Quality report, which GitLab shows in merge requests.

GitLab takes issues with one fingerprint for one issue, in whatever files they are: the path is part of it.
"""

from __future__ import annotations

import json
from typing import Any, TextIO

from plancheck.checked import Range
from plancheck.cli.formats.format import message_of, plain_path, severity_of
from plancheck.cli.results import FileResult, Tally
from plancheck.cli.terminal import one_line
from plancheck.fingerprints import digests

_SEVERITIES = {"error": "critical", "warning": "major", "info": "minor", "hint": "info"}
_NOT_DONE = "blocker"
"""Of what kept the check from doing its job."""


class Gitlab:
    """The list is written issue by issue."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._lead = "[\n"

    def file(self, result: FileResult) -> None:
        path = plain_path(result.path)
        named = digests((path, finding.rule, finding.fingerprint) for finding in result.findings)
        for finding, fingerprint in zip(result.findings, named, strict=True):
            severity = _SEVERITIES[finding.severity]
            self._issue(path, finding.range, finding.rule, finding.message, severity, fingerprint)
        named = digests((path, place.rule, place.reason, place.pointer) for place in result.unchecked)
        for place, fingerprint in zip(result.unchecked, named, strict=True):
            severity = _NOT_DONE if place.is_blocking else _SEVERITIES[severity_of(place)]
            self._issue(path, place.range, place.rule, message_of(place), severity, fingerprint)

    def _issue(self, path: str, where: Range, rule: str, message: str, severity: str, fingerprint: str) -> None:
        issue: dict[str, Any] = {
            "description": one_line(message),
            "check_name": rule,
            "fingerprint": fingerprint,
            "severity": severity,
            "location": {"path": path, "lines": {"begin": where.start.line + 1, "end": where.end.line + 1}},
        }
        self._stream.write(self._lead + json.dumps(issue))
        self._lead = ",\n"

    def end(self, _: Tally) -> None:
        """A list needs no summary."""
        self._stream.write("[]\n" if self._lead == "[\n" else "\n]\n")
