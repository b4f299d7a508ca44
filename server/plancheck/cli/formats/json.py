"""`check --format json`: one object with everything, for programs."""

from __future__ import annotations

import json
from typing import Any, TextIO

from plancheck import __version__
from plancheck.cli.formats.format import SEVERITIES
from plancheck.cli.results import FileResult, Tally

FORMAT_VERSION = 1
"""It grows when a member is taken away or means something else; one that is added is no reason.
`plancheck schema output` describes it."""


class Json:
    """The object is written piece by piece, a file in a line: the results of thousands of files are never held."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        head = {"format_version": FORMAT_VERSION, "version": __version__}
        self._lead = f'{json.dumps(head)[:-1]}, "files": [\n'

    def file(self, result: FileResult) -> None:
        self._stream.write(self._lead + json.dumps(result.to_dict()))
        self._lead = ",\n"

    def end(self, tally: Tally) -> None:
        lead = self._lead if self._lead != ",\n" else "\n"
        counts = {severity: tally.findings[severity] for severity in SEVERITIES}
        summary: dict[str, Any] = {"files": tally.files, **counts, "unchecked": tally.unchecked}
        summary["rules"] = tally.counts_of_rules()
        if tally.baseline is not None:
            summary["baseline"] = {"known": tally.baseline.known, "gone": tally.baseline.gone}
        self._stream.write(f'{lead}], "summary": {json.dumps(summary)}}}\n')
