"""Changes on offer at a place: the fixes of its findings, switching their rules off, and refactorings."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from plancheck.analysis.finding import Finding
from plancheck.analysis.fix.offer import MOST_STEPS_TRIED, candidates, fix_edits, has_remedies, offered
from plancheck.analysis.rules import RULES
from plancheck.analysis.snapshot import Snapshot
from plancheck.analysis.suppress import may_ignore
from plancheck.analysis.surgery import append_element, container, insert_member, replace_value
from plancheck.ide.commands import IGNORE_IN_CONFIGURATION, SHOW_RULE, Command
from plancheck.ide.cursor import step_at
from plancheck.ide.refactor import Refactoring, can_spell_out, explicit_default, on_offer
from plancheck.plan.dialects.keys import IGNORE
from plancheck.syntax.tree import Path
from plancheck.text import Edit, Span
from plancheck.tuples import NamedTuple


class ActionKind(str, Enum):
    """The kinds of the protocol that we use."""

    QUICK_FIX = "quickfix"
    REFACTOR = "refactor.rewrite"


class Action(NamedTuple):
    """Edits, or a command, or a refactoring whose edits `refactor.edits_of` makes when the action is chosen."""

    title: str
    kind: ActionKind
    edits: tuple[Edit, ...] = ()
    command: Command | None = None
    refactoring: Refactoring | None = None
    finding: Finding | None = None
    """The one of `snapshot.shown` that the action answers."""
    is_preferred: bool = False


_ABOUT_SUPPRESSIONS = ("unused_suppression", "unknown_rule")
_NOT_OF_THE_PLAN = ("syntax_error", "more_findings", "file_too_large", "nested_too_deeply")
"""Rules that cannot be switched off inside the file: about the text itself, or about plancheck."""


def actions(snapshot: Snapshot, span: Span) -> list[Action]:
    """Everything on offer for a selection (or a cursor, an empty span): the quick fixes first."""
    return [action for found in offers(snapshot, span) for action in found]


def offers(snapshot: Snapshot, span: Span) -> Iterator[list[Action]]:
    """The same in parts, one for each finding and one for the refactorings: trying fixes takes its time, and between
    two parts whoever asked may have lost interest.

    Of very many findings only the first ones come with fixes, for each fix is tried before it is on offer.
    Refactorings are on offer wherever the cursor is. A client that asks on its own at every move of the cursor should
    be spared those (the protocol's trigger kind tells).
    """
    left = MOST_STEPS_TRIED
    for finding in snapshot.shown:
        where = snapshot.span(finding)
        if where.start <= span.end and span.start <= where.end:
            found: list[Action] = []
            if left > 0 and has_remedies(finding):
                left -= len(snapshot.plan.steps) * sum(1 for _ in candidates(snapshot, finding))
                found += _fixes(snapshot, finding)
            yield [*found, *_for_finding(snapshot, finding)]
    yield list(_refactorings(snapshot, span))


# ---- quick fixes -----------------------------------------------------------------------------------------------------


def _fixes(snapshot: Snapshot, finding: Finding) -> Iterator[Action]:
    """What the finding's own rule proposes; preferred is the best one."""
    for number, fix in enumerate(offered(snapshot, finding)):
        edits = tuple(fix_edits(snapshot, fix))
        yield Action(fix.title, ActionKind.QUICK_FIX, edits, finding=finding, is_preferred=number == 0)


def _for_finding(snapshot: Snapshot, finding: Finding) -> Iterator[Action]:
    rule = finding.rule
    if rule not in _ABOUT_SUPPRESSIONS and rule not in _NOT_OF_THE_PLAN and may_ignore(rule, snapshot.settings):
        yield from _suppressions(snapshot, finding)
    if rule not in _NOT_OF_THE_PLAN:
        command = Command(f"Switch `{rule}` off in the configuration", IGNORE_IN_CONFIGURATION, (rule,))
        yield Action(command.title, ActionKind.QUICK_FIX, command=command, finding=finding)
    if rule in RULES:
        command = Command(f"Show what `{rule}` means", SHOW_RULE, (rule,))
        yield Action(command.title, ActionKind.QUICK_FIX, command=command, finding=finding)


def _suppressions(snapshot: Snapshot, finding: Finding) -> Iterator[Action]:
    position = finding.place.step
    if position is not None:
        edits = tuple(_suppress(snapshot, snapshot.plan.step_path(position), finding.rule))
        if edits:
            title = f"Ignore `{finding.rule}` at step {snapshot.plan.steps[position].name}"
            yield Action(title, ActionKind.QUICK_FIX, edits, finding=finding)
    edits = tuple(_suppress(snapshot, (), finding.rule))
    if edits:
        yield Action(f"Ignore `{finding.rule}` in this file", ActionKind.QUICK_FIX, edits, finding=finding)


def _suppress(snapshot: Snapshot, path: Path, rule: str) -> list[Edit]:
    """Name a rule in the suppressions of the object at `path`: in the list that is there, or in a new one."""
    tree = snapshot.tree
    found = container(tree, path)
    if found is None or not found.is_object:
        return []
    if not any(entry.key == IGNORE for entry in found.entries):
        before = [str(name) for name in snapshot.plan.path[:1]] if not path else []
        return insert_member(tree, path, IGNORE, [rule], before=before)
    member = (*path, IGNORE)
    if container(tree, member) is not None:
        return append_element(tree, member, rule)
    span = tree.span(member)
    return replace_value(tree, member, [rule]) if tree.text[span.start : span.end] in ("", "null") else []


# ---- refactorings ----------------------------------------------------------------------------------------------------


def _refactorings(snapshot: Snapshot, span: Span) -> Iterator[Action]:
    position = step_at(snapshot, span.start)
    if position is not None and can_spell_out(snapshot, position):
        edits = tuple(explicit_default(snapshot, position))
        title = f"Spell out which step {snapshot.plan.steps[position].name} follows"
        yield Action(title, ActionKind.REFACTOR, edits)
    for refactoring in on_offer(snapshot):
        yield Action(refactoring.title, ActionKind.REFACTOR, refactoring=refactoring)
