"""What is wrong with a document, and what could not be looked at, as plain values.

The Python API returns them, every format of the command is made of them. Nothing here is expensive to import.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import repeat
from typing import TYPE_CHECKING, Any

from plancheck.analysis.finding import Finding, PolicySite, Unchecked
from plancheck.analysis.fix.change import Fix
from plancheck.analysis.fix.offer import fix_edits, shown_fixes
from plancheck.analysis.rules import RULES
from plancheck.analysis.snapshot import Snapshot
from plancheck.frozen import Frozen, replace
from plancheck.plan.model import Place
from plancheck.text import LineIndex, Position, Span
from plancheck.unknown import Reason

if TYPE_CHECKING:
    from plancheck.catalogue.model import ToolSite
    from plancheck.plan.dialects.dialect import Dialect
    from plancheck.plan.model import Identity

UNREADABLE_FILE = "unreadable_file"
"""Stands where the name of a rule would, for a file that no rule got to see."""
CONFIGURATION_FAULT = "configuration_fault"
"""Likewise, for a mistake in the configuration: nobody knows how the plans below it should have been checked."""

BLOCKING = frozenset({Reason.LIMIT.value, Reason.FAILURE.value})
"""The reasons with which a check has not done its job; with the others, the plan itself cannot be known better."""


class Range(Frozen):
    """Zero-based lines and characters, in UTF-16 code units, as editors count them."""

    start: Position
    """The first character."""
    end: Position
    """Behind the last one."""

    def to_dict(self) -> dict[str, Any]:
        """As `plancheck check --format json` prints it."""
        return {"start": self.start.to_dict(), "end": self.end.to_dict()}


NOWHERE = Range(Position(0, 0), Position(0, 0))


class CheckedRelated(Frozen):
    """Another token that is involved."""

    message: str
    """What is there."""
    pointer: str
    """The place as a JSON pointer (RFC 6901)."""
    start: int
    """The place in the text, in code points, as Python counts them."""
    end: int
    """Behind its last character."""
    range: Range
    """The place as an editor counts it."""
    path: str | None = None
    """The file that it is in, where that is another one: the policy that a rule stands in."""

    def to_dict(self) -> dict[str, Any]:
        """As `plancheck check --format json` prints it."""
        found = {"message": self.message, "pointer": self.pointer, "range": self.range.to_dict()}
        return found if self.path is None else {**found, "path": self.path}


class CheckedEdit(Frozen):
    """A piece of text that is replaced by another one."""

    start: int
    """In code points, as Python counts them."""
    end: int
    """Behind the last character that is replaced; `start` where something is only inserted."""
    range: Range
    """The place as an editor counts it."""
    new_text: str
    """What is there afterwards."""

    def to_dict(self) -> dict[str, Any]:
        """As `plancheck check --format json` prints it."""
        return {"range": self.range.to_dict(), "newText": self.new_text}


class CheckedFix(Frozen):
    """A change that makes the finding go away."""

    title: str
    """What it does, as an editor's menu shows it."""
    safe: bool
    """Whether it can be applied without a look at it: the plan keeps its meaning."""
    edits: tuple[CheckedEdit, ...] = ()
    """What it changes, in the order of the text; all of it at once."""

    def to_dict(self) -> dict[str, Any]:
        """The fix as `plancheck check --format json` prints it."""
        return {"title": self.title, "safe": self.safe, "edits": [edit.to_dict() for edit in self.edits]}


class CheckedFinding(Frozen):
    """One thing wrong with a document, and where."""

    rule: str
    """The name of the rule: `plancheck explain` shows its page."""
    severity: str
    """`error`, `warning`, `info` or `hint`."""
    message: str
    """What is wrong and what to do, in one sentence. Its words may change in any version."""
    step: Identity | None
    """The step's own identity; None where the plan as a whole is meant."""
    resource: str | None
    """What it is about, where that is a resource."""
    pointer: str
    """The place as a JSON pointer (RFC 6901)."""
    start: int
    """The place in the text, in code points, as Python counts them."""
    end: int
    """Behind its last character."""
    range: Range
    """The place as an editor counts it."""
    related: tuple[CheckedRelated, ...]
    """Other places that are involved."""
    fixes: tuple[CheckedFix, ...]
    """Changes that make it go away, the best first."""
    tags: tuple[str, ...] = ()
    """What catalogues of weaknesses call it: `ASI02`, `CWE-89`."""
    path_length: int = 0
    """How many of the related places, from the first, are the path to this place; see `path`."""
    fingerprint: str = ""
    """The same for the same finding after edits elsewhere, see `plancheck.fingerprints`; empty where none was made."""

    @property
    def path(self) -> tuple[CheckedRelated, ...]:
        """The way of the data to this place, its source first; empty where the finding is about no such way."""
        return self.related[: self.path_length]

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
            "tags": list(self.tags),
            "fingerprint": self.fingerprint,
            "fixes": [fix.to_dict() for fix in self.fixes],
        }


class UncheckedPlace(Frozen):
    """A place that could not be checked, and why. It is neither a finding nor fine."""

    rule: str
    """The rule that could not check it; for a file as a whole `unreadable_file` or `configuration_fault`."""
    reason: str
    """`runtime`, `not_understood`, `limit` or `failure`; see `plancheck.unknown.Reason`."""
    message: str
    """Why, in one sentence."""
    pointer: str
    """The place as a JSON pointer (RFC 6901)."""
    start: int
    """The place in the text, in code points, as Python counts them."""
    end: int
    """Behind its last character."""
    range: Range
    """The place as an editor counts it."""

    @property
    def is_blocking(self) -> bool:
        """Whether the check has not done its job here, which no setting can make good."""
        return self.reason in BLOCKING

    def to_dict(self) -> dict[str, Any]:
        """The place as `plancheck check --format json` prints it."""
        return {
            "rule": self.rule,
            "reason": self.reason,
            "message": self.message,
            "pointer": self.pointer,
            "range": self.range.to_dict(),
        }


def checked_findings(
    snapshot: Snapshot, *, with_fixes: bool = True, with_fingerprints: bool = True
) -> list[CheckedFinding]:
    """The findings to show of a snapshot. Fixes are tried before they are listed, which may take longer than finding
    what is wrong; see `shown_fixes` for how many are."""
    fixes = shown_fixes(snapshot) if with_fixes else {}
    shown = snapshot.shown
    named = _fingerprints(snapshot, shown) if with_fingerprints else repeat("")
    return [
        _checked(snapshot, finding, fixes.get(finding, ()), fingerprint)
        for finding, fingerprint in zip(shown, named, strict=False)
    ]


def _fingerprints(snapshot: Snapshot, shown: list[Finding]) -> Iterator[str]:
    from plancheck.fingerprints import fingerprints

    return fingerprints(snapshot, shown)


def with_fingerprints(text: str, findings: Iterable[CheckedFinding]) -> list[CheckedFinding]:
    """Findings of a file that holds no plan, told apart by what they point at and by the names that lead there."""
    from plancheck.fingerprints import digests

    found = list(findings)
    named = digests((f.rule, *_names_in(f.pointer), text[f.start : f.end].strip()) for f in found)
    return [replace(finding, fingerprint=fingerprint) for finding, fingerprint in zip(found, named, strict=True)]


def _names_in(pointer: str) -> Iterator[str]:
    return (name for name in pointer.split("/")[1:] if not name.isdecimal())


def unchecked_places(snapshot: Snapshot) -> list[UncheckedPlace]:
    """What of a document could not be checked, in the order of the text."""
    found = [_unchecked(snapshot, unchecked) for unchecked in snapshot.unchecked]
    return sorted(found, key=lambda place: (place.start, place.end, place.rule, place.message))


def unchecked_file(rule: str, message: str) -> UncheckedPlace:
    """A failure that is about a file as a whole."""
    return UncheckedPlace(rule, Reason.FAILURE.value, message, "", 0, 0, NOWHERE)


def range_of(lines: LineIndex, start: int, end: int) -> Range:
    return Range(*lines.ends(Span(start, end)))


def dialect_of(snapshot: Snapshot) -> Dialect | None:
    """The dialect of the plan that the document holds; None where it holds none."""
    is_past_limit = snapshot.limit is not None
    if snapshot.tree.root is None or is_past_limit or any(f.rule == "not_a_plan" for f in snapshot.plan.faults):
        return None
    return snapshot.plan.dialect


def dialect_name(snapshot: Snapshot) -> str | None:
    dialect = dialect_of(snapshot)
    return dialect.name if dialect is not None else None


def is_valid(snapshot: Snapshot) -> bool:
    """Whether the document is a valid plan, whatever the settings say about what is wrong with it."""
    return dialect_of(snapshot) is not None and snapshot.is_valid


def _checked(snapshot: Snapshot, finding: Finding, fixes: Iterable[Fix], fingerprint: str) -> CheckedFinding:
    start, end = snapshot.span(finding)
    return CheckedFinding(
        finding.rule,
        finding.severity.word,
        finding.message,
        finding.step,
        finding.resource,
        snapshot.pointer(finding.place),
        start,
        end,
        range_of(snapshot.lines, start, end),
        (
            *(_related(snapshot, related.message, related.place) for related in finding.related),
            *(() if finding.site is None else _rule_site(snapshot, finding.site)),
            *(() if finding.tool_site is None else (_tool_site(finding.tool_site),)),
        ),
        tuple(CheckedFix(fix.title, fix.safe, _edits(snapshot, fix)) for fix in fixes),
        RULES[finding.rule].tags if finding.rule in RULES else (),
        len(finding.related) if finding.is_flow else 0,
        fingerprint,
    )


def _edits(snapshot: Snapshot, fix: Fix) -> tuple[CheckedEdit, ...]:
    edits = sorted(fix_edits(snapshot, fix), key=lambda edit: (edit.start, edit.end))
    lines = snapshot.lines
    return tuple(
        CheckedEdit(edit.start, edit.end, range_of(lines, edit.start, edit.end), edit.new_text) for edit in edits
    )


def _related(snapshot: Snapshot, message: str, place: Place) -> CheckedRelated:
    start, end = snapshot.place_span(place)
    return CheckedRelated(message, snapshot.pointer(place), start, end, range_of(snapshot.lines, start, end))


def _rule_site(snapshot: Snapshot, site: PolicySite) -> Iterator[CheckedRelated]:
    """The rule of a policy file that a finding comes from."""
    policy = snapshot.settings.policy
    for path, text in (file for files in (() if policy is None else policy.rego) for file in files.files):
        if path == site.path:
            start, end = site.span
            where = range_of(LineIndex(text), start, end)
            yield CheckedRelated(f"the rule `{site.name}`", "", start, end, where, path)
            return


def _tool_site(site: ToolSite) -> CheckedRelated:
    """What a catalogue says."""
    return CheckedRelated(site.message, "", *site.span, Range(site.start, site.end), site.path)


def _unchecked(snapshot: Snapshot, unchecked: Unchecked) -> UncheckedPlace:
    start, end = snapshot.place_span(unchecked.place)
    return UncheckedPlace(
        unchecked.rule,
        unchecked.reason.value,
        unchecked.message,
        snapshot.pointer(unchecked.place),
        start,
        end,
        range_of(snapshot.lines, start, end),
    )
