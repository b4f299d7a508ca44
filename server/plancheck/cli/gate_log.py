"""`plancheck gate --log FILE --show`: the decisions of a log as a table.

The log is read twice, a record at a time: once for how wide the columns are, once to show them. However long it has
become, no more than a record of it is in memory.
"""

from __future__ import annotations

import shutil
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime
from itertools import islice
from textwrap import fill
from typing import Any

from plancheck.cli.document import say
from plancheck.cli.terminal import cell, one_line
from plancheck.gate.log import EVENT_TYPE, DecisionLog
from plancheck.tuples import NamedTuple
from plancheck.workspace.reading import why

_WORDS = {"allow": "allow", "deny": "deny", "requires_hitl": "needs a human", "undecided": "undecided"}
_STRONGEST_FIRST = ("deny", "undecided", "requires_hitl", "allow")

_GAP = "  "
_WIDEST = 200
"""Columns of a table that goes into a file or a pipe, and of any one cell."""
_MOST_BLAMED = 3
"""Steps that are named one by one."""


class Row(NamedTuple):
    """A line of the table: what its cells hold, safe to print."""

    time: str
    decision: str
    rule: str
    steps: str
    tools: str
    policy: str


_HEADS = Row("TIME", "DECISION", "RULE", "STEPS", "TOOLS", "POLICY")
_NARROWEST = {"rule": 16, "tools": 12}
"""Columns that give way on a narrow terminal, and down to what width."""
_FIRST_TO_GO = ("policy", "tools", "steps", "time", "rule")
"""Columns that are left out where even that does not help, in this order."""


class LogTally(NamedTuple):
    """What a reading of the whole log has found."""

    decisions: Counter[str]
    torn: int
    others: int
    """Records of other events."""
    widths: dict[str, int]
    """The widest cell of each column."""


def show(path: str) -> int:
    """Print the log as a table. 0, or 2 where it cannot be read."""
    log = DecisionLog(path)
    try:
        tally = _tally(log)
    except OSError as error:
        say(f"plancheck: {path}: {why(error)}")
        return 2
    columns = _columns()
    if tally.decisions:
        widths = _fitted(tally.widths, columns)
        print(_line(_HEADS, widths))
        for row in islice(_rows(log), tally.decisions.total()):  # others may be writing meanwhile
            print(_line(row, widths))
        print()
    print(fill(_summary(tally), columns))
    return 0


def _tally(log: DecisionLog) -> LogTally:
    decisions: Counter[str] = Counter()
    torn = others = 0
    widths = {name: _width(head) for name, head in _HEADS._asdict().items()}
    for entry in log.entries():
        if entry is None:
            torn += 1
        elif entry.get("event_type") != EVENT_TYPE:
            others += 1
        else:
            decisions[_decision(entry)] += 1
            for name, text in _row(entry)._asdict().items():
                widths[name] = max(widths[name], _width(text))
    return LogTally(decisions, torn, others, widths)


def _rows(log: DecisionLog) -> Iterator[Row]:
    return (_row(record) for record in log.records() if record.get("event_type") == EVENT_TYPE)


# ---- a record as a row -----------------------------------------------------------------------------------------------


def _row(record: Mapping[str, Any]) -> Row:
    """The row of a record, whatever its members hold: the file may have been written by anybody."""
    return Row(
        _local_time(record.get("time")),
        _WORDS[_decision(record)],
        _text(record.get("rule_matched")),
        _steps(record.get("steps"), record.get("blamed_steps")),
        _tools(record.get("steps")),
        _short_digest(record.get("policy_version")),
    )


def _decision(record: Mapping[str, Any]) -> str:
    """The verdict by its flags, else by the one word that older records have. What says neither decided nothing."""
    if any(name in record for name in _STRONGEST_FIRST):
        return next((name for name in _STRONGEST_FIRST if record.get(name) is True), "undecided")
    word = record.get("decision")
    return word if isinstance(word, str) and word in _WORDS else "undecided"


def _local_time(value: object) -> str:
    try:
        return datetime.fromisoformat(str(value)).astimezone().replace(tzinfo=None).isoformat(timespec="seconds")
    except (ValueError, OverflowError, OSError):  # no time, or one that no clock of this system shows
        return _cut(_text(value), 19)


def _steps(steps: object, blamed: object) -> str:
    """How many there are, or which of how many are to blame, counted from one as people do."""
    count = str(len(steps)) if isinstance(steps, list) else "?"
    positions = [step for step in blamed if isinstance(step, int)] if isinstance(blamed, list) else []
    if not positions:
        return count
    shown = [_cut(str(position + 1), 12) for position in positions[:_MOST_BLAMED]]
    more = ["…"] if len(positions) > _MOST_BLAMED else []
    return f"{', '.join(shown + more)} of {count}"


def _tools(steps: object) -> str:
    """As many tools as any table has room for; older records have their names alone."""
    if not isinstance(steps, list):
        return "-"
    names = (step.get("tool") if isinstance(step, dict) else step for step in islice(steps, _WIDEST))
    return _cut(", ".join(_text(name) for name in names), _WIDEST) or "-"


def _short_digest(version: object) -> str:
    text = _text(version)
    return text.removeprefix("sha256:")[:12] if text.startswith("sha256:") else _cut(text, 24)


def _text(value: object) -> str:
    """A value in one harmless line. Nothing longer than a cell is looked at."""
    if value is None or value == "":
        return "-"
    return _cut(one_line(value[: _WIDEST + 1]), _WIDEST) if isinstance(value, str) else "?"


# ---- the layout ------------------------------------------------------------------------------------------------------


def _columns() -> int:
    """A table that nobody looks at while it is printed may be wide; a terminal would break its lines."""
    return max(shutil.get_terminal_size().columns, 1) if sys.stdout.isatty() else _WIDEST


def _fitted(widths: Mapping[str, int], columns: int) -> dict[str, int]:
    """The columns that are shown, as wide as they can be."""
    fitted = {name: min(width, _NARROWEST.get(name, width)) for name, width in widths.items()}
    for name in _FIRST_TO_GO:
        if _total(fitted) > columns:
            del fitted[name]
    for name in _NARROWEST:
        if name in fitted:
            fitted[name] = min(widths[name], fitted[name] + columns - _total(fitted))
    return fitted if _total(fitted) <= columns else dict.fromkeys(fitted, columns)


def _total(widths: Mapping[str, int]) -> int:
    return sum(widths.values()) + len(_GAP) * (len(widths) - 1)


def _line(row: Row, widths: Mapping[str, int]) -> str:
    cells = (_padded(_cut(getattr(row, name), width), width) for name, width in widths.items())
    return _GAP.join(cells).rstrip()


def _width(text: str) -> int:
    return len(text) if text.isascii() else sum(cell(char)[1] for char in text)


def _padded(text: str, width: int) -> str:
    return text + " " * (width - _width(text))


def _cut(text: str, width: int) -> str:
    """The text, or as much of its beginning as fits with a mark that there was more."""
    if len(text) <= width and _width(text) <= width:
        return text
    room = width - 1
    end = 0
    while end < min(len(text), width) and (room := room - cell(text[end])[1]) >= 0:
        end += 1
    return f"{text[:end]}…" if width > 0 else ""


def _summary(tally: LogTally) -> str:
    counts = ", ".join(f"{tally.decisions[name]} {words}" for name, words in _WORDS.items())
    left_out = [
        *([_counted(tally.torn, "torn line", "torn lines")] if tally.torn else []),
        *([_counted(tally.others, "record", "records") + " of another kind"] if tally.others else []),
    ]
    tail = f"; {' and '.join(left_out)} left out" if left_out else ""
    return f"{_counted(tally.decisions.total(), 'decision', 'decisions')}: {counts}{tail}"


def _counted(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
