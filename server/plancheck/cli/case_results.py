"""What running the cases of policies comes to: for people, and for programs."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from plancheck import __version__
from plancheck.cli.terminal import Painter, one_line
from plancheck.gate.cases import CaseOutcome
from plancheck.tuples import NamedTuple
from plancheck.workspace.rego.engine import RegoTest, RegoTestOutcome


class TextPlace(NamedTuple):
    """A place in a file, counted from 1; line 0 for the file as a whole."""

    path: str
    line: int
    column: int

    def __str__(self) -> str:
        path = one_line(self.path)
        return f"{path}:{self.line}:{max(self.column, 1)}" if self.line else path


class CaseError(NamedTuple):
    """Why something could not be read or run."""

    place: TextPlace
    message: str

    def to_dict(self) -> dict[str, Any]:
        return {**self.place._asdict(), "message": self.message}


def complain(error: CaseError) -> None:
    """Say on standard error what could not be read or run."""
    print(f"{'' if error.place.line else 'plancheck: '}{error.place}: {one_line(error.message)}", file=sys.stderr)


class RanCase(NamedTuple):
    outcome: CaseOutcome
    place: TextPlace
    """Of the case."""
    plan: TextPlace
    """What in the plan decided."""

    def to_dict(self) -> dict[str, Any]:
        case, vote = self.outcome.case, self.outcome.vote
        optional = {"steps": case.steps, "rule": case.rule, "reason": case.reason}
        return {
            "name": case.name,
            **self.place._asdict(),
            "passed": self.outcome.has_passed,
            "expected": {
                "verdict": case.verdict,
                **{name: value for name, value in optional.items() if value is not None},
            },
            "found": {
                "verdict": self.outcome.decision.verdict.value,
                "steps": list(vote.steps),
                "rule": vote.rule,
                "reason": vote.reason,
                **self.plan._asdict(),
            },
            "differences": [difference._asdict() for difference in self.outcome.differences],
        }


class TestedFile(NamedTuple):
    """A file of cases, or of tests in Rego."""

    path: str
    policies: list[str]
    cases: list[RanCase]
    rego_tests: list[RegoTest]
    errors: list[CaseError]

    def to_dict(self) -> dict[str, Any]:
        return {
            "path": self.path,
            "policies": self.policies,
            "cases": [case.to_dict() for case in self.cases],
            "rego_tests": [
                {
                    "name": test.name,
                    "path": test.path,
                    "line": test.row,
                    "column": test.column,
                    "outcome": test.outcome.value,
                    "message": test.message,
                }
                for test in self.rego_tests
            ],
            "errors": [error.to_dict() for error in self.errors],
        }


class CaseTotals:
    def __init__(self) -> None:
        self.passed = 0
        self.failed = 0
        self.skipped = 0
        self.errors = 0

    def add(self, tested: TestedFile) -> None:
        outcomes = [test.outcome for test in tested.rego_tests]
        self.passed += sum(case.outcome.has_passed for case in tested.cases) + outcomes.count(RegoTestOutcome.PASSED)
        self.failed += sum(not case.outcome.has_passed for case in tested.cases) + outcomes.count(
            RegoTestOutcome.FAILED
        )
        self.skipped += outcomes.count(RegoTestOutcome.SKIPPED)
        self.errors += len(tested.errors)

    @property
    def exit_code(self) -> int:
        if self.errors or not self.passed + self.failed:
            return 2
        return 1 if self.failed else 0

    def sentence(self) -> str:
        number = self.passed + self.failed + self.skipped
        parts = [f"{self.passed:,} passed", f"{self.failed:,} failed"]
        parts += [f"{self.skipped:,} skipped"] * (self.skipped > 0)
        parts += [f"{self.errors:,} error{'s' * (self.errors != 1)}: not everything could be run"] * (self.errors > 0)
        return f"{number:,} case{'s' * (number != 1)}: {', '.join(parts)}."


def failures(tested: TestedFile, paint: Painter) -> Iterator[str]:
    """Each case that failed, with what is not as expected."""
    for case in tested.cases:
        if not case.outcome.has_passed:
            yield _failed(case, paint)
    for test in tested.rego_tests:
        if test.outcome is RegoTestOutcome.FAILED:
            place = TextPlace(test.path, test.row, test.column)
            more = f"\n  reason: {one_line(test.message)}" if test.message else ""
            yield f"{paint('bold', f'{place}:')} {paint('error', 'failed:')} {one_line(test.name)}{more}"


def _failed(case: RanCase, paint: Painter) -> str:
    outcome = case.outcome
    lines = [f"{paint('bold', f'{case.place}:')} {paint('error', 'failed:')} {one_line(outcome.case.name)}"]
    for what, expected, found in outcome.differences:
        lines.append(f"  {what}: expected {one_line(expected)}, but found {one_line(found)}")
    lines.append(f"  because: {one_line(outcome.vote.reason)} [{outcome.vote.rule}] ({case.plan})")
    return "\n".join(lines)


def document_of(files: list[TestedFile], errors: list[CaseError], totals: CaseTotals) -> dict[str, Any]:
    """Everything, for programs."""
    return {
        "version": __version__,
        "files": [tested.to_dict() for tested in files],
        "errors": [error.to_dict() for error in errors],
        "summary": {
            "passed": totals.passed,
            "failed": totals.failed,
            "skipped": totals.skipped,
            "errors": totals.errors,
        },
    }
