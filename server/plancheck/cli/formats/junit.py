"""`check --format junit`: JUnit XML, which Jenkins, GitLab and others show as test results.

A file is a test suite, and what was found in it are its tests. Errors and warnings fail; what kept the check from doing
its job is an error; what is milder passes, with the message as its output. Of tests with one name GitLab takes only the
first, so each has a name of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TextIO

from plancheck.checked import CheckedFinding, UncheckedPlace
from plancheck.cli.formats.format import message_of, severity_of
from plancheck.cli.results import FileResult, Tally
from plancheck.cli.terminal import one_line
from plancheck.tuples import NamedTuple

_FAILING = ("error", "warning")
_ESCAPES = {ord(char): f"&{name};" for char, name in (("&", "amp"), ("<", "lt"), (">", "gt"), ('"', "quot"))}
_NEVER_IN_XML = {0xFFFE: "\ufffd", 0xFFFF: "\ufffd"}
"""What XML 1.0 forbids even as a reference; `one_line` writes the others of the kind as escapes."""


class _Case(NamedTuple):
    """A test."""

    name: str
    element: str
    """What says how it went: `failure`, `error`, or nothing but `system-out`."""
    severity: str
    message: str
    output: str


class Junit:
    """Each suite is written as soon as its file is checked."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._lead = '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="plancheck">\n'

    def file(self, result: FileResult) -> None:
        path = _text(result.path)
        cases = list(_cases(result))
        counts = Counter(case.element for case in cases)
        totals = f'tests="{len(cases) or 1}" failures="{counts["failure"]}" errors="{counts["error"]}"'
        rows = [f'<testsuite name="{path}" {totals} skipped="0">']
        if not cases:
            rows.append(f'<testcase classname="{path}" name="no findings" file="{path}"/>')
        rows += (_row(path, case) for case in cases)
        self._stream.write(self._lead + "\n".join([*rows, "</testsuite>\n"]))
        self._lead = ""

    def end(self, _: Tally) -> None:
        """Every suite has its own counts."""
        self._stream.write(f"{self._lead}</testsuites>\n")


def _cases(result: FileResult) -> Iterator[_Case]:
    names: Counter[str] = Counter()
    found: list[CheckedFinding | UncheckedPlace] = [*result.findings, *result.unchecked]
    for item in found:
        if isinstance(item, CheckedFinding):
            severity, message, is_blocking = item.severity, item.message, False
        else:
            severity, message, is_blocking = severity_of(item), message_of(item), item.is_blocking
        name = f"{item.rule} {item.pointer}".rstrip()
        names[name] += 1
        if names[name] > 1:
            name += f" ({names[name]})"
        start = item.range.start
        output = f"{result.path}:{start.line + 1}:{start.character + 1}: {severity}[{item.rule}] {message}"
        failing = "failure" if severity in _FAILING else "system-out"
        yield _Case(name, "error" if is_blocking else failing, severity, message, output)


def _row(path: str, case: _Case) -> str:
    verdict = "" if case.element == "system-out" else f' type="{case.severity}" message="{_text(case.message)}"'
    outcome = f"<{case.element}{verdict}>{_text(case.output)}</{case.element}>"
    return f'<testcase classname="{path}" name="{_text(case.name)}" file="{path}">{outcome}</testcase>'


def _text(text: str) -> str:
    """A text as content or as the value of an attribute. It is ASCII, whatever the encoding of the output."""
    shown = one_line(text).translate(_NEVER_IN_XML).translate(_ESCAPES)
    return shown.encode("ascii", "xmlcharrefreplace").decode("ascii")
