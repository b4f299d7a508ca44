"""Switching rules off inside a plan: which ones a plan can switch off, and the edits that do it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from plancheck.analysis.engine import update
from plancheck.analysis.finding import Finding
from plancheck.analysis.fix.edits import joined
from plancheck.analysis.settings import Settings
from plancheck.analysis.snapshot import Snapshot
from plancheck.analysis.suppress import may_ignore
from plancheck.analysis.surgery import append_element, container, insert_member, replace_value
from plancheck.plan.dialects.keys import IGNORE, REASON, RULE
from plancheck.syntax.tree import Path
from plancheck.text import Edit
from plancheck.tuples import NamedTuple

NOT_OF_THE_PLAN = ("syntax_error", "more_findings", "file_too_large", "nested_too_deeply")
"""Rules that cannot be switched off inside the file: about the text itself, or about plancheck."""
_ABOUT_SUPPRESSIONS = ("unused_suppression", "unknown_rule")


class Ignored(NamedTuple):
    """A document with its findings switched off."""

    snapshot: Snapshot
    added: int
    """How many entries were written."""


def can_ignore(rule: str, settings: Settings) -> bool:
    """Whether it makes sense to switch a rule off inside a plan, and is allowed."""
    return rule not in _ABOUT_SUPPRESSIONS and rule not in NOT_OF_THE_PLAN and may_ignore(rule, settings)


def ignore_edits(snapshot: Snapshot, path: Path, rules: Sequence[str], reason: str | None = None) -> list[Edit]:
    """Name rules in the suppressions of the object at `path`: in the list that is there, or in a new one."""
    tree = snapshot.tree
    found = container(tree, path)
    if found is None or not found.is_object:
        return []
    entries: list[Any] = [rule if reason is None else {RULE: rule, REASON: reason} for rule in rules]
    if not any(entry.key == IGNORE for entry in found.entries):
        before = [str(name) for name in snapshot.plan.path[:1]] if not path else []
        return insert_member(tree, path, IGNORE, entries, before=before)
    member = (*path, IGNORE)
    inside = container(tree, member)
    if inside is None:
        span = tree.span(member)
        return replace_value(tree, member, entries) if tree.text[span.start : span.end] in ("", "null") else []
    if not inside.entries and len(entries) > 1:
        return replace_value(tree, member, entries)
    appended = [edit for entry in entries for edit in append_element(tree, member, entry)]
    return [appended[0]._replace(new_text="".join(edit.new_text for edit in appended))] if appended else []


def ignore_all(snapshot: Snapshot, reason: str | None = None) -> Ignored:
    """The document with every finding switched off at its own step, or for the plan where it is at none.

    What is left cannot be switched off. Of a text that is not JSON all is left: nobody knows what an edit would make
    of it.
    """
    added = 0
    tried: set[tuple[Path, str]] = set()
    while not snapshot.has_syntax_errors:
        wanted = _rules_by_place(snapshot, tried)
        edits: list[Edit] = []
        for path, rules in wanted.items():
            tried.update((path, rule) for rule in rules)
            own = ignore_edits(snapshot, path, list(rules), reason)
            added += len(rules) if own else 0
            edits += own
        if not edits:
            break
        snapshot = update(snapshot, joined(snapshot.text, edits))  # what a finding covered comes to light now
    return Ignored(snapshot, added)


def _rules_by_place(snapshot: Snapshot, tried: set[tuple[Path, str]]) -> dict[Path, dict[str, None]]:
    """The rules to switch off in each object, in the order of the text."""
    found: dict[Path, dict[str, None]] = {}
    for finding in sorted(_ignorable(snapshot), key=snapshot.span):
        step = finding.place.step
        path = () if step is None else snapshot.plan.step_path(step)
        if (path, finding.rule) not in tried:
            found.setdefault(path, {})[finding.rule] = None
    return found


def _ignorable(snapshot: Snapshot) -> Iterator[Finding]:
    return (finding for finding in snapshot.findings if can_ignore(finding.rule, snapshot.settings))
