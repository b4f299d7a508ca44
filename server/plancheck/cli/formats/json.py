"""`check --format json`: one object with everything, for programs."""

from __future__ import annotations

import json
from typing import TextIO

from plancheck import __version__
from plancheck.cli.formats.format import SEVERITIES
from plancheck.cli.results import FileResult, Tally


class Json:
    """The object is written piece by piece, a file in a line: the results of thousands of files are never held."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._lead = f'{{"version": {json.dumps(__version__)}, "files": [\n'

    def file(self, result: FileResult) -> None:
        self._stream.write(self._lead + json.dumps(result.to_dict()))
        self._lead = ",\n"

    def end(self, tally: Tally) -> None:
        lead = self._lead if self._lead != ",\n" else "\n"
        counts = {severity: tally.findings[severity] for severity in SEVERITIES}
        summary = {"files": tally.files, **counts, "unchecked": tally.unchecked}
        self._stream.write(f'{lead}], "summary": {json.dumps(summary)}}}\n')
