"""Which fixes of a finding hold: each is tried on the document, and only what proves good is offered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping

from plancheck.analysis.engine import update
from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.fix.change import Change, Fix, FixView, InsertStep, MoveStep, RemoveSteps
from plancheck.analysis.fix.edits import edits_of, joined, new_order
from plancheck.analysis.rego import REGO
from plancheck.analysis.rule import Rule
from plancheck.analysis.rule_table import SomeRules
from plancheck.analysis.rules import RULES
from plancheck.analysis.settings import Settings
from plancheck.analysis.snapshot import Snapshot
from plancheck.policy.model import NO_POLICY
from plancheck.text import Edit

_UNUSED = "unused_suppression"
_MOVING = (InsertStep, MoveStep, RemoveSteps)

Key = tuple[str, int | None, str | None]
"""What of a finding outlives an edit: its rule, the step it is at (as numbered before the edit), its resource."""


def offered(snapshot: Snapshot, finding: Finding) -> tuple[Fix, ...]:
    """The fixes of a finding that hold, the best first. Each of them, applied alone,

    - leaves proper JSON,
    - makes this finding disappear,
    - adds no error anywhere and no finding of the same rule at this step.
    """
    by_outcome: dict[str, Fix] = {}
    for fix in candidates(snapshot, finding):
        outcome = _outcome(snapshot, finding, fix)
        if outcome is not None:
            by_outcome.setdefault(outcome, fix)
    return tuple(by_outcome.values())


MOST_STEPS_TRIED = 50_000
"""How much trying `shown_fixes` does: trying a fix costs what checking the plan's steps does, a few microseconds for
each. This is half a second on a slow machine."""


def shown_fixes(snapshot: Snapshot) -> dict[Finding, tuple[Fix, ...]]:
    """The fixes of the findings to show, in the order of the text, until `MOST_STEPS_TRIED` steps were checked.

    That is all findings of a plan of a hundred steps, and only the first few of one of ten thousand. An editor, which
    asks about one place at a time, and `check --fix` know of no such limit.
    """
    found: dict[Finding, tuple[Fix, ...]] = {}
    left = MOST_STEPS_TRIED
    for finding in snapshot.shown:
        if has_remedies(finding):
            left -= len(snapshot.plan.steps) * sum(1 for _ in candidates(snapshot, finding))
            if left < 0:
                break
            found[finding] = offered(snapshot, finding)
    return found


def fix_edits(snapshot: Snapshot, fix: Fix) -> list[Edit]:
    """What applying a fix changes in the text."""
    return edits_of(snapshot.tree, snapshot.plan, fix.changes)


def has_remedies(finding: Finding, *, unsafe: bool = True) -> bool:
    """Whether there is anything to try, which costs nothing to know."""
    return finding.rule in RULES and any(remedy.safe or unsafe for remedy in RULES[finding.rule].remedies)


def candidates(snapshot: Snapshot, finding: Finding, spare: int = 0, *, unsafe: bool = True) -> Iterator[Fix]:
    """Everything that the finding's rule proposes, none of it tried yet. Nothing for a text that is no proper JSON:
    what was made of it may not be what the author meant."""
    if not has_remedies(finding) or snapshot.has_syntax_errors:
        return
    policy, catalogue = snapshot.settings.policy or NO_POLICY, snapshot.settings.catalogue
    view = FixView(snapshot.plan, snapshot.graph, snapshot.tree, spare, policy, RULES, catalogue)
    titles: set[str] = set()
    for remedy in RULES[finding.rule].remedies:
        if not (remedy.safe or unsafe):
            continue
        for title, changes in remedy.propose(view, finding):
            if changes and title not in titles and not _renames_by_moving(view, changes):
                titles.add(title)
                yield Fix(title, remedy.safe, changes)


def _renames_by_moving(view: FixView, changes: tuple[Change, ...]) -> bool:
    """Whether steps that are known by their positions would get others, while some step names one by its position."""
    if view.plan.dialect.identities.are_written or not any(isinstance(change, _MOVING) for change in changes):
        return False
    return any(isinstance(name, int) or name.isdecimal() for name in view.graph.mentions.steps)


def _outcome(snapshot: Snapshot, finding: Finding, fix: Fix) -> str | None:
    """The text with the fix applied, if it holds."""
    edits = fix_edits(snapshot, fix)
    if not edits:
        return None
    rules = _rules_to_ask(finding.rule, snapshot.settings)
    after = update(snapshot, joined(snapshot.text, edits), snapshot.settings, rules)
    if after.has_syntax_errors or broken_promises(snapshot, after, [finding], fix.changes):
        return None
    return after.text


def _rules_to_ask(rule: str, settings: Settings) -> Mapping[str, Rule]:
    """The rules whose findings decide whether a fix holds: its own, and those that report errors."""
    if rule == _UNUSED or settings.severities.get(_UNUSED) is Severity.ERROR:  # it depends on all the others
        return rules_to_try(settings)
    is_tried = _is_tried(settings)
    return SomeRules(
        RULES, lambda one: (one.name == rule or settings.severity(one.name) is Severity.ERROR) and is_tried(one)
    )


def rules_to_try(settings: Settings) -> Mapping[str, Rule]:
    """The rules by which a fix is tried: Rego policies are not asked, for each question takes longer than all rules."""
    return SomeRules(RULES, _is_tried(settings)) if _has_rego(settings) else RULES


def _is_tried(settings: Settings) -> Callable[[Rule], bool]:
    has_rego = _has_rego(settings)
    return lambda rule: not has_rego or not any(REGO in check.needs for check in rule.checks)


def _has_rego(settings: Settings) -> bool:
    return settings.policy is not None and bool(settings.policy.rego)


def broken_promises(
    before: Snapshot, after: Snapshot, findings: Iterable[Finding], changes: Iterable[Change]
) -> set[int | None]:
    """The steps, by their positions before, at which something is wrong with the outcome of applying changes.

    That is a finding that should have gone, another one of its rule, or a new error. None stands for the plan around
    the steps, and for the steps that the changes inserted.
    """
    order = new_order(changes, len(before.plan.steps))
    expected: Counter[Key] = Counter()
    fixed: Counter[Key] = Counter()
    watched: set[tuple[str, int | None]] = set()
    for finding in findings:
        watched.add((finding.rule, finding.place.step))
        fixed[finding.rule, finding.place.step, finding.resource] += 1
    for finding in before.findings:
        if finding.severity is Severity.ERROR or (finding.rule, finding.place.step) in watched:
            expected[finding.rule, finding.place.step, finding.resource] += 1
    expected -= fixed
    wrong: set[int | None] = set()
    for finding in after.findings:
        step = finding.place.step if order is None or finding.place.step is None else order[finding.place.step]
        if finding.severity is Severity.ERROR or (finding.rule, step) in watched:
            key = (finding.rule, step, finding.resource)
            expected[key] -= 1
            if expected[key] < 0:
                wrong.add(step)
    return wrong
