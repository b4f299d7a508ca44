"""The findings of a document as plain values: the API returns them, every output of the command is made of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from plancheck.analysis.engine import analyze
from plancheck.analysis.finding import Finding
from plancheck.analysis.fix.change import Fix
from plancheck.analysis.fix.offer import shown_fixes
from plancheck.analysis.settings import Settings
from plancheck.analysis.snapshot import Snapshot
from plancheck.text import Position, Span

if TYPE_CHECKING:
    from plancheck.plan.dialects.dialect import Dialect
    from plancheck.plan.model import Identity, Place

__all__ = ["CheckedFinding", "CheckedFix", "CheckedRelated", "Range", "Settings", "check_text"]


class Range(NamedTuple):
    """Zero-based lines and characters, in UTF-16 code units, as editors count them."""

    start: Position
    end: Position

    def to_dict(self) -> dict[str, Any]:
        return {"start": self.start._asdict(), "end": self.end._asdict()}


class CheckedRelated(NamedTuple):
    """Another token that is involved."""

    message: str
    pointer: str
    start: int
    end: int
    range: Range

    def to_dict(self) -> dict[str, Any]:
        return {"message": self.message, "pointer": self.pointer, "range": self.range.to_dict()}


class CheckedFix(NamedTuple):
    """A change that makes the finding go away."""

    title: str
    safe: bool


class CheckedFinding(NamedTuple):
    """One thing wrong with a document, and where."""

    rule: str
    severity: str
    """`error`, `warning`, `info` or `hint`."""
    message: str
    step: Identity | None
    """The step's own identity; None where the plan as a whole is meant."""
    resource: str | None
    pointer: str
    """The place as a JSON pointer (RFC 6901)."""
    start: int
    """The place in the text, in code points, as Python counts them."""
    end: int
    range: Range
    related: tuple[CheckedRelated, ...]
    fixes: tuple[CheckedFix, ...]

    def to_dict(self) -> dict[str, Any]:
        """The finding as `plancheck check --format json` prints it."""
        return {
            "rule": self.rule,
            "severity": self.severity,
            "message": self.message,
            "step": self.step,
            "resource": self.resource,
            "pointer": self.pointer,
            "range": self.range.to_dict(),
            "related": [related.to_dict() for related in self.related],
            "fixes": [fix._asdict() for fix in self.fixes],
        }


def check_text(text: str, *, settings: Settings | None = None) -> list[CheckedFinding]:
    """The findings of a plan's text, in the order of the text."""
    return checked_findings(analyze(text, settings if settings is not None else Settings()))


def checked_findings(snapshot: Snapshot, *, with_fixes: bool = True) -> list[CheckedFinding]:
    """The findings to show of a snapshot. Fixes are tried before they are listed, which may take longer than finding
    what is wrong; see `shown_fixes` for how many are."""
    fixes = shown_fixes(snapshot) if with_fixes else {}
    return [_checked(snapshot, finding, fixes.get(finding, ())) for finding in snapshot.shown]


def dialect_of(snapshot: Snapshot) -> Dialect | None:
    """The dialect of the plan that the document holds; None where it holds none."""
    is_too_large = len(snapshot.text) > snapshot.settings.max_file_size
    if snapshot.tree.root is None or is_too_large or any(f.rule == "not_a_plan" for f in snapshot.plan.faults):
        return None
    return snapshot.plan.dialect


def is_valid(snapshot: Snapshot) -> bool:
    """Whether the document is a valid plan, whatever the settings say about what is wrong with it."""
    return dialect_of(snapshot) is not None and snapshot.is_valid


def _checked(snapshot: Snapshot, finding: Finding, fixes: Iterable[Fix]) -> CheckedFinding:
    start, end = snapshot.span(finding)
    return CheckedFinding(
        finding.rule,
        finding.severity.word,
        finding.message,
        finding.step,
        finding.resource,
        snapshot.plan.pointer(finding.place),
        start,
        end,
        _range(snapshot, Span(start, end)),
        tuple(_related(snapshot, related.message, related.place) for related in finding.related),
        tuple(CheckedFix(fix.title, fix.safe) for fix in fixes),
    )


def _related(snapshot: Snapshot, message: str, place: Place) -> CheckedRelated:
    start, end = snapshot.place_span(place)
    return CheckedRelated(message, snapshot.plan.pointer(place), start, end, _range(snapshot, Span(start, end)))


def _range(snapshot: Snapshot, span: Span) -> Range:
    lines = snapshot.lines
    return Range(lines.position(span.start), lines.position(span.end))
