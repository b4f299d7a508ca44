"""`plancheck check --baseline` and `--write-baseline`: findings that were there before do not count.

A baseline is a JSON file with a finding in each line: the file it is in, relative to the baseline's own folder, the
rule, the fingerprint by which it is known again, and its message, for whoever reviews the baseline. Of several
findings with one fingerprint as many are known as the baseline has.

What could not be checked is never known, and neither is what says that a plan could not be read: a baseline must not
make a plan look fine that nobody looked at. A secret is never known either: its fingerprint is that of its place, and
the next one there would not be seen. What is against the policy is known by its message, too, which has the value.
The gate does not ask for baselines at all.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable
from typing import Any

from plancheck.analysis.rules import RULES
from plancheck.analysis.settings import Settings
from plancheck.analysis.snapshot import RAW_SECRET
from plancheck.checked import CheckedFinding
from plancheck.cli.checking import CheckTask
from plancheck.cli.replacing import replacing
from plancheck.cli.results import BaselineTally, FileResult
from plancheck.cli.terminal import one_line
from plancheck.tuples import NamedTuple
from plancheck.workspace.files import ReadError, read_text, relative

FORMAT = "plancheck-baseline"
VERSION = 1
MOST_BYTES = 64_000_000
MOST_CHARACTERS = 120
"""Of a message."""
_HEAD = f'{{"{FORMAT}":'


class KnownFinding(NamedTuple):
    """A line of a baseline."""

    path: str
    rule: str
    fingerprint: str
    message: str

    def line(self) -> str:
        fields = {"path": self.path, "rule": self.rule, "fingerprint": self.fingerprint, "message": self.message}
        return json.dumps(fields, ensure_ascii=not self.path.isprintable())


class Baseline:
    """What is known in the files that one baseline is about, and what of it was met in a run."""

    def __init__(self, path: str, known: Iterable[KnownFinding] = ()) -> None:
        self.path = path
        self._left: dict[str, Counter[KnownFinding]] = {}
        """By file, what was not met yet."""
        self._met: list[KnownFinding] = []
        self.not_recordable: Counter[str] = Counter()
        self.gone = 0
        for finding in known:
            self._left.setdefault(finding.path, Counter())[finding] += 1

    def split(self, result: FileResult, settings: Settings, *, records: bool) -> FileResult:
        """The result with known findings put aside. One that `records` takes every finding for known."""
        path = _relative(os.path.abspath(result.path), os.path.dirname(self.path))
        left = self._left.pop(path, Counter())
        by_fingerprint: dict[tuple[str, str], list[KnownFinding]] = {}
        for known in left.elements():
            is_enforced = known.rule in RULES and RULES[known.rule].is_enforced
            by_fingerprint.setdefault((known.fingerprint, known.message if is_enforced else ""), []).append(known)
        new: list[CheckedFinding] = []
        met: list[CheckedFinding] = []
        for finding in result.findings:
            rule, message = RULES[finding.rule], _short(finding.message)
            matching = by_fingerprint.get((finding.fingerprint, message if rule.is_enforced else ""))
            if rule.is_unread or rule.name == RAW_SECRET:
                self.not_recordable[finding.rule] += 1
                new.append(finding)
            elif records or matching:
                if records:
                    self._met.append(KnownFinding(path, finding.rule, finding.fingerprint, message))
                met.append(finding)
                if matching:
                    left[matching.pop()] -= 1
            else:
                new.append(finding)
        self._keep_or_drop(path, left, result, settings)
        return result._replace(findings=new, known=met)

    def _keep_or_drop(self, path: str, left: Counter[KnownFinding], result: FileResult, settings: Settings) -> None:
        """What was not met is gone, if it would have been met: if its rule was looked for, and the file was read."""
        was_read = result.dialect is not None and not any(place.is_blocking for place in result.unchecked)
        was_read = was_read and not any(finding.rule == "syntax_error" for finding in result.findings)
        for known, count in left.items():
            if was_read and (known.rule not in RULES or settings.severity(known.rule) is not None):
                self.gone += count
            elif count:
                self._left.setdefault(path, Counter())[known] += count

    def drop_missing_files(self) -> None:
        """What was known in files that are not there any more is gone."""
        folder = os.path.dirname(self.path)
        for path in [path for path in self._left if not os.path.lexists(os.path.join(folder, path))]:
            self.gone += self._left.pop(path).total()

    def text(self) -> str:
        """The file with what was met, and with what is known of files that were not looked at."""
        unmet = [known for left in self._left.values() for known in left.elements()]
        lines = [f"  {known.line()}" for known in sorted([*self._met, *unmet])]
        return "\n".join([f'{_HEAD} {VERSION}, "findings": [', ",\n".join(lines), "]}", ""]).replace("[\n\n]", "[]")


class Baselines:
    """The baselines of a run, by their paths."""

    def __init__(self, *, writes: bool) -> None:
        self._writes = writes
        self._baselines: dict[str, Baseline] = {}

    def load(self, paths: Iterable[str]) -> list[ReadError]:
        """Read the files, and say which cannot be used. One that is written need not be there."""
        errors: list[ReadError] = []
        for path in dict.fromkeys(paths):
            read = _read(path, is_written=self._writes)
            if isinstance(read, ReadError):
                errors.append(read)
            else:
                self._baselines[path] = Baseline(path, read)
        return errors

    def without_known(self, task: CheckTask, result: FileResult) -> FileResult:
        if task.baseline is None:
            return result
        return self._baselines[task.baseline].split(result, task.settings, records=self._writes)

    def tally(self, known: Iterable[str]) -> BaselineTally:
        """What the run comes to, given the rules of the findings that were known."""
        counts = Counter(known)
        not_recordable: Counter[str] = Counter()
        for baseline in self._baselines.values():
            baseline.drop_missing_files()
            not_recordable.update(baseline.not_recordable if self._writes else ())
        return BaselineTally(
            counts.total(),
            sum(count for rule, count in counts.items() if RULES[rule].is_enforced),
            sum(baseline.gone for baseline in self._baselines.values()),
            tuple(self._baselines) if self._writes else (),
            not_recordable,
        )

    def write(self) -> list[ReadError]:
        """Write the files, each as a whole or not at all; those that cannot be written."""
        errors = (_written(path, baseline.text()) for path, baseline in self._baselines.items() if self._writes)
        return [error for error in errors if error is not None]


def is_baseline(path: str) -> bool:
    """Whether a file begins as baselines do."""
    text = read_text(path, most=MOST_BYTES)
    return not isinstance(text, ReadError) and text.startswith(_HEAD)


def _relative(path: str, folder: str) -> str:
    try:
        return relative(path, folder)
    except ValueError:  # on another drive
        return path.replace(os.sep, "/")


def _short(message: str) -> str:
    shown = one_line(message)
    return shown if len(shown) <= MOST_CHARACTERS else f"{shown[: MOST_CHARACTERS - 1]}…"


def _read(path: str, *, is_written: bool) -> list[KnownFinding] | ReadError:
    if is_written and not os.path.lexists(path):
        return []
    text = read_text(path, most=MOST_BYTES)
    if isinstance(text, ReadError):
        hint = "there is no such baseline: make it with --write-baseline."
        return ReadError(path, hint) if not os.path.lexists(path) else text
    found = _known(text)
    if isinstance(found, list):
        return found
    if not is_written:
        return ReadError(path, found)
    if text.startswith(_HEAD):
        return []  # of another version, or after a merge that did not work out: it is made anew
    return ReadError(path, "this file is not a baseline, and is left as it is: name another one.")


def _known(text: str) -> list[KnownFinding] | str:
    """The findings in a baseline, or what is wrong with it."""
    try:
        data = json.loads(text)
    except RecursionError:
        return "this is not a baseline: it is nested too deeply."
    except ValueError as error:
        line = f" in line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        return f"this baseline is not valid JSON{line}: write it again with --write-baseline."
    if not isinstance(data, dict) or FORMAT not in data:
        return "this is not a baseline: make one with --write-baseline."
    if data[FORMAT] != VERSION:
        version = one_line(str(data[FORMAT]))[:20]
        return f"this baseline has format {version}, and only {VERSION} is known here: write it again."
    findings = data.get("findings")
    if not isinstance(findings, list):
        return "this baseline has no list of `findings`: write it again with --write-baseline."
    known = [_finding(entry) for entry in findings]
    if None in known:
        return f"finding {known.index(None) + 1} of this baseline is not complete: write it again."
    return [finding for finding in known if finding is not None]


def _finding(entry: Any) -> KnownFinding | None:
    if not isinstance(entry, dict):
        return None
    fields = [field for name in KnownFinding._fields if isinstance(field := entry.get(name), str)]
    return KnownFinding(*fields) if len(fields) == len(KnownFinding._fields) else None


def _written(path: str, text: str) -> ReadError | None:
    try:
        with replacing(path) as file:
            file.write(text.encode("utf-8"))
    except OSError as error:
        return ReadError(path, f"the baseline cannot be written: {(error.strerror or str(error)).lower()}.")
    return None
