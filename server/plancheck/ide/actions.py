"""Changes on offer at a place: the fixes of its findings, switching their rules off, and refactorings."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from plancheck.analysis.engine import update
from plancheck.analysis.finding import Finding
from plancheck.analysis.fix.offer import MOST_STEPS_TRIED, candidates, fix_edits, has_remedies, offered
from plancheck.analysis.ignores import NOT_OF_THE_PLAN, can_ignore, ignore_edits
from plancheck.analysis.rules import RULES
from plancheck.analysis.snapshot import Snapshot
from plancheck.ide.commands import (
    APPLY_FIXES,
    FIXES_IN_FILE,
    FIXES_IN_WORKSPACE,
    IGNORE_IN_CONFIGURATION,
    SHOW_RULE,
    Command,
)
from plancheck.ide.cursor import step_at
from plancheck.ide.refactor import Refactoring, can_spell_out, explicit_default, on_offer
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
            yield [*found, *_fix_all_alike(snapshot, finding), *_for_finding(snapshot, finding)]
    yield from _fixes_of_reported_elsewhere(snapshot, span)
    yield list(_refactorings(snapshot, span))


# ---- quick fixes -----------------------------------------------------------------------------------------------------


def _fixes(snapshot: Snapshot, finding: Finding) -> Iterator[Action]:
    """What the finding's own rule proposes; preferred is the best one."""
    for number, fix in enumerate(offered(snapshot, finding)):
        edits = tuple(fix_edits(snapshot, fix))
        yield Action(fix.title, ActionKind.QUICK_FIX, edits, finding=finding, is_preferred=number == 0)


def _fixes_of_reported_elsewhere(snapshot: Snapshot, span: Span) -> Iterator[list[Action]]:
    """What the editor reports itself it cannot put right."""
    rules = frozenset(rule for rule in snapshot.settings.reported_elsewhere if RULES[rule].remedies)
    if snapshot.has_faults_of(rules):
        whole = update(snapshot, Edit(0, 0, ""), snapshot.settings.for_sole_reporter())
        for finding in whole.shown:
            where = whole.span(finding)
            if finding.rule in rules and where.start <= span.end and span.start <= where.end:
                yield list(_fixes(whole, finding))


def _fix_all_alike(snapshot: Snapshot, finding: Finding) -> Iterator[Action]:
    """All findings of the rule at once, where it has a fix that may be applied without a look at each."""
    if not has_remedies(finding, unsafe=False):
        return
    is_single = sum(other.rule == finding.rule for other in snapshot.shown) == 1
    places = ((FIXES_IN_FILE, "this file"), (FIXES_IN_WORKSPACE, "the workspace"))
    for scope, where in places[is_single:]:
        command = Command(f"Fix all `{finding.rule}` in {where}", APPLY_FIXES, (finding.rule, scope))
        yield Action(command.title, ActionKind.QUICK_FIX, command=command, finding=finding)


def _for_finding(snapshot: Snapshot, finding: Finding) -> Iterator[Action]:
    rule = finding.rule
    if can_ignore(rule, snapshot.settings):
        yield from _suppressions(snapshot, finding)
    if rule not in NOT_OF_THE_PLAN:
        command = Command(f"Switch `{rule}` off in the configuration", IGNORE_IN_CONFIGURATION, (rule,))
        yield Action(command.title, ActionKind.QUICK_FIX, command=command, finding=finding)
    if rule in RULES:
        command = Command(f"Show what `{rule}` means", SHOW_RULE, (rule,))
        yield Action(command.title, ActionKind.QUICK_FIX, command=command, finding=finding)


def _suppressions(snapshot: Snapshot, finding: Finding) -> Iterator[Action]:
    position = finding.place.step
    if position is not None:
        edits = tuple(ignore_edits(snapshot, snapshot.plan.step_path(position), [finding.rule]))
        if edits:
            title = f"Ignore `{finding.rule}` at step {snapshot.plan.steps[position].name}"
            yield Action(title, ActionKind.QUICK_FIX, edits, finding=finding)
    edits = tuple(ignore_edits(snapshot, (), [finding.rule]))
    if edits:
        yield Action(f"Ignore `{finding.rule}` in this file", ActionKind.QUICK_FIX, edits, finding=finding)


# ---- refactorings ----------------------------------------------------------------------------------------------------


def _refactorings(snapshot: Snapshot, span: Span) -> Iterator[Action]:
    position = step_at(snapshot, span.start)
    if position is not None and can_spell_out(snapshot, position):
        edits = tuple(explicit_default(snapshot, position))
        title = f"Spell out which step {snapshot.plan.steps[position].name} follows"
        yield Action(title, ActionKind.REFACTOR, edits)
    for refactoring in on_offer(snapshot):
        yield Action(refactoring.title, ActionKind.REFACTOR, refactoring=refactoring)
