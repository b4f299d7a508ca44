"""The report of a document as a value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from plancheck.analysis.finding import Severity
from plancheck.analysis.snapshot import Snapshot
from plancheck.checked import CheckedFinding, UncheckedPlace, checked_findings, dialect_name, unchecked_places
from plancheck.frozen import Frozen, replace
from plancheck.ide.words import count
from plancheck.report.words import REASONS, sentences

if TYPE_CHECKING:
    from plancheck.pre import PreReport

_SEVERITIES = tuple(severity.word for severity in Severity)
"""The worst first."""
_WITHOUT_LIMIT = 2**31
_ONLY_IN_CHECK = frozenset({"fixes", "fingerprint"})
"""Members of a finding that a report has no use for; trying fixes takes longer than all the rest."""


class Report(Frozen):
    """What there is to say about a document before its plan runs."""

    name: str
    """How the document is called."""
    dialect: str | None
    steps: int
    problem: str
    """Why this is not the report of a whole plan; empty where it is one."""
    is_pending: bool
    """Whether a pattern or a Rego policy is still being asked; only in an editor."""
    findings: tuple[CheckedFinding, ...]
    """All of them, the worst first, and in the order of the text."""
    unchecked: tuple[UncheckedPlace, ...]
    """In the order of the text."""
    pre: PreReport | None
    """None where the plan cannot be read as a whole: what was counted then would be wrong."""

    @property
    def verdict(self) -> str:
        """How much was found, in a line. That all is well is only said of a plan of which everything was checked."""
        numbers = Counter(finding.severity for finding in self.findings)
        parts = [_counted(numbers[word], word) for word in _SEVERITIES if numbers[word]]
        if self.unchecked:
            parts.append(f"{count(len(self.unchecked), 'place')} not checked")
        if parts:
            return f"{', '.join(parts)}."
        return "" if self.problem else "No findings, and everything was checked."

    def to_dict(self) -> dict[str, Any]:
        """The report as JSON values: the members of the PRE report, if there is one, and `document`."""
        numbers = Counter(finding.severity for finding in self.findings)
        document = {
            "dialect": self.dialect,
            "steps": self.steps,
            "problem": self.problem,
            "verdict": self.verdict,
            "pending": self.is_pending,
            "findings": [_plain(finding) for finding in self.findings],
            "unchecked": [{**place.to_dict(), "why": REASONS[place.reason]} for place in self.unchecked],
            "summary": {**{word: numbers[word] for word in _SEVERITIES}, "unchecked": len(self.unchecked)},
        }
        if self.pre is None:
            return {"document": document}
        return {**self.pre.to_dict(), "document": {**document, **sentences(self.pre)}}


def report_on(snapshot: Snapshot, name: str, faults: Iterable[UncheckedPlace] = ()) -> Report:
    """The report of a document. `faults` is what is wrong with its configuration, and so with how it was checked."""
    found = sorted(checked_findings(_with_all_shown(snapshot), with_fixes=False, with_fingerprints=False), key=_grade)
    pre = None
    if snapshot.is_valid:
        from plancheck.pre import report_of

        pre = report_of(snapshot.graph)
    return Report(
        name,
        dialect_name(snapshot),
        len(snapshot.plan.steps),
        _problem(snapshot),
        snapshot.is_pending,
        tuple(found),
        (*faults, *unchecked_places(snapshot)),
        pre,
    )


def _grade(finding: CheckedFinding) -> int:
    return _SEVERITIES.index(finding.severity)


def _with_all_shown(snapshot: Snapshot) -> Snapshot:
    """The same, whatever `max-findings` says: a report leaves nothing out."""
    settings = replace(snapshot.settings, max_findings=_WITHOUT_LIMIT)
    terms = snapshot.terms._replace(settings=settings)
    return Snapshot(snapshot.document, terms, snapshot.graph, snapshot.emitted, snapshot.limit)


def _problem(snapshot: Snapshot) -> str:
    if snapshot.limit is not None:
        return "This plan was not checked: it is past a limit."
    if snapshot.tree.root is None:
        return "This document is empty: there is no plan to report on."
    if dialect_name(snapshot) is None:
        return "This document is not a plan: there is nothing to report on."
    if snapshot.tree.problems:
        return "The JSON is broken: this is only what could be read of the plan."
    if not snapshot.is_valid:
        return "The plan has errors in its structure: repair them to see its keystone and its coverage."
    if not snapshot.plan.steps:
        return "The plan is empty: it has no steps."
    return "Some checks are still running: there may be more to report soon." if snapshot.is_pending else ""


def _counted(number: int, severity: str) -> str:
    return f"{number:,} info" if severity == "info" else count(number, severity)


def _plain(finding: CheckedFinding) -> dict[str, Any]:
    return {name: value for name, value in finding.to_dict().items() if name not in _ONLY_IN_CHECK}
