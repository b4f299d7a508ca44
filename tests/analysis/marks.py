"""Rules are tested by the text itself, with marks drawn under the tokens that findings point at.

No line of JSON starts with `~`, so a line that does is a mark: it stands under the line before it, and says which rule
reports what at the marked characters. Several marks may stand under one line.

    {"nodes": [{"idx": 0, "agent": "", "kind": "decision"}]}
                                   ~~ empty_name: `agent` is empty…

What could not be checked is marked too: `rule: not checked (reason): message`.

A message may end in `…`, which stands for any rest. A mark `-> message` is a related place; where a text has one, it
must have all of them. An unmarked finding fails the test, as does a mark without a finding.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from textwrap import dedent
from typing import NamedTuple

from plancheck.analysis.engine import analyze
from plancheck.analysis.finding import Finding
from plancheck.analysis.rule import Rule
from plancheck.analysis.rules import RULES
from plancheck.analysis.settings import Settings
from plancheck.analysis.snapshot import Snapshot
from plancheck.plan.dialects.dialect import Dialects
from plancheck.plan.dialects.table import DIALECTS
from plancheck.text import Span

_MARK = re.compile(r"\s*(~+) (?:(\w+):|(->)) (.*)")


class Mark(NamedTuple):
    line: int
    column: int
    width: int
    label: str
    message: str


def check_rule(
    rule: str | None,
    marked: str,
    settings: Settings | None = None,
    rules: Mapping[str, Rule] = RULES,
    dialects: Dialects = DIALECTS,
) -> None:
    """The marks are exactly what the rule, or without one every rule, has to say about the text."""
    text, expected = read_marks(marked)
    snapshot = analyze(text, settings or looking_for(rule), rules, dialects=dialects)
    found = [finding for finding in snapshot.shown if rule is None or finding.rule == rule]
    with_related = any(mark.label == "->" for mark in expected)
    actual = [mark for finding in found for mark in _marks(snapshot, finding, with_related)]
    for item in snapshot.unchecked:
        if rule is None or item.rule == rule:
            message = f"not checked ({item.reason.value}): {item.message}"
            actual.append(_mark(snapshot, snapshot.place_span(item.place), item.rule, message))
    for mark in actual:
        match = next((other for other in expected if _fits(other, mark)), None)
        assert match is not None, f"not marked: {draw(text, [mark])}"
        expected.remove(match)
    assert not expected, f"not reported: {draw(text, expected)}"


def looking_for(rule: str | None) -> Settings:
    """The settings under which a rule is looked for, also one that is off unless it is asked for."""
    is_off = rule is not None and rule in RULES and not RULES[rule].is_on
    return Settings({rule: RULES[rule].severity} if rule is not None and is_off else {})


def read_marks(marked: str) -> tuple[str, list[Mark]]:
    """The text without its marks, and the marks."""
    lines: list[str] = []
    marks: list[Mark] = []
    for line in dedent(marked).strip("\n").splitlines():
        if not line.lstrip().startswith("~"):
            lines.append(line)
            continue
        match = _MARK.fullmatch(line)
        assert match is not None, f"not a mark: {line}"
        column, end = match.span(1)
        marks.append(Mark(len(lines) - 1, column, end - column, match[2] or match[3], match[4]))
    return "\n".join(lines) + "\n", marks


def draw(text: str, marks: list[Mark]) -> str:
    """The text with marks under it."""
    drawn: list[str] = []
    for number, line in enumerate(text.splitlines()):
        drawn.append(line)
        for mark in marks:
            if mark.line == number:
                label = mark.label if mark.label == "->" else f"{mark.label}:"
                drawn.append(f"{' ' * mark.column}{'~' * mark.width} {label} {mark.message}")
    return "\n" + "\n".join(drawn)


def _marks(snapshot: Snapshot, finding: Finding, with_related: bool) -> Iterator[Mark]:
    yield _mark(snapshot, snapshot.span(finding), finding.rule, finding.message)
    if with_related:
        for related in finding.related:
            yield _mark(snapshot, snapshot.place_span(related.place), "->", related.message)


def _mark(snapshot: Snapshot, span: Span, label: str, message: str) -> Mark:
    """A mark under what of the span stands on its first line, and under one character at least."""
    line = snapshot.lines.line_of(span.start)
    start, end = snapshot.lines.line_span(line)
    return Mark(line, span.start - start, max(min(span.end, end) - span.start, 1), label, message)


def _fits(expected: Mark, actual: Mark) -> bool:
    if expected[:4] != actual[:4]:
        return False
    if expected.message.endswith("…"):
        return actual.message.startswith(expected.message[:-1])
    return expected.message == actual.message
