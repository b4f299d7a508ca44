"""What a format is, and the words that several of them use."""

from __future__ import annotations

import os
from collections import Counter
from typing import Protocol

from plancheck.analysis.finding import Severity
from plancheck.checked import UncheckedPlace
from plancheck.cli.results import BaselineTally, FileResult, Tally, from_here
from plancheck.cli.terminal import one_line
from plancheck.unknown import Reason

SEVERITIES = tuple(severity.word for severity in Severity)
"""The words for the severities, the worst first."""

_SEVERITY_OF_REASON = {
    Reason.RUNTIME.value: Severity.INFO.word,
    Reason.NOT_UNDERSTOOD.value: Severity.WARNING.word,
    Reason.LIMIT.value: Severity.ERROR.word,
    Reason.FAILURE.value: Severity.ERROR.word,
}


class Format(Protocol):
    """Prints results as they come. Nothing is kept that could be printed at once: there may be many thousands."""

    def file(self, result: FileResult) -> None: ...

    def end(self, tally: Tally) -> None: ...


def exit_code(tally: Tally, fail_on: str) -> int:
    """The code of a run: 2 where the job could not be done somewhere, 1 from a severity on, which may be `never`."""
    if tally.is_blocked:
        return 2
    failing = () if fail_on == "never" else SEVERITIES[: SEVERITIES.index(fail_on) + 1]
    has_failed = any(tally.findings[severity] for severity in failing)
    return int(has_failed or ("warning" in failing and tally.not_understood > 0))


def severity_of(place: UncheckedPlace) -> str:
    """How bad it is that a place was not checked."""
    return _SEVERITY_OF_REASON[place.reason]


def message_of(place: UncheckedPlace) -> str:
    return f"not checked: {place.message}"


def plain_path(path: str) -> str:
    """A path for programs. Bytes of a file's name that are not UTF-8 have no place in their formats."""
    return os.fsencode(path.replace(os.sep, "/")).decode("utf-8", "replace")


def counted(number: int, severity: str) -> str:
    return f"{number:,} {severity}" if number == 1 or severity == "info" else f"{number:,} {severity}s"


def files_checked(number: int) -> str:
    return f"{number:,} file{'s' * (number != 1)} checked"


def baseline_lines(tally: BaselineTally) -> str:
    """What a baseline kept from counting, or what became of it."""
    known = f"{tally.known:,} known finding{'s' * (tally.known != 1)} hidden"
    if tally.written:
        where = ", ".join(one_line(from_here(path)) for path in tally.written)
        known = f"{tally.known:,} finding{'s' * (tally.known != 1)} written to {where}"
    if tally.enforced:
        known += f", {tally.enforced:,} of them against the policy (`plancheck gate` counts them)"
    gone = f"{tally.gone:,} of the baseline {'is' if tally.gone == 1 else 'are'} fixed"
    if tally.gone:
        known += f"; {gone}" if tally.written else f"; {gone}: run --write-baseline"
    lines = [f"{known}."]
    if tally.not_recorded:
        lines.append(f"{_counted_by_rule(tally.not_recorded, 'cannot be in a baseline')}.")
    return "".join(f"{line}\n" for line in lines)


def ignores_written(number: int, left: Counter[str]) -> str:
    """How many ignores were written, and what is left that none can be written for."""
    lines = [f"{number:,} ignore{'s' * (number != 1)} written."]
    if left:
        lines.append(f"{_counted_by_rule(left, 'cannot be ignored in a plan')}.")
    return "".join(f"{line}\n" for line in lines)


def _counted_by_rule(rules: Counter[str], what: str) -> str:
    total = rules.total()
    listed = ", ".join(f"{rule} ({count:,})" for rule, count in sorted(rules.items()))
    return f"{total:,} finding{'s' * (total != 1)} {what}: {listed}"


def unsafe_fixes(tally: Tally) -> str:
    """What to do about findings that only an unsafe fix would mend."""
    are = "fix is" if tally.unsafe_fixes == 1 else "fixes are"
    return f"{tally.unsafe_fixes:,} {are} unsafe: add --unsafe to apply {'it' if tally.unsafe_fixes == 1 else 'them'}."


def verdict(tally: Tally, parts: list[str]) -> str:
    """The end of a summary. That there are no findings is only said where everything was checked."""
    if tally.unchecked:
        parts = [*parts, f"{tally.unchecked:,} not checked"]
    return ", ".join(parts) if parts else "no findings"
