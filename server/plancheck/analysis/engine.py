"""From a document to its snapshot, afresh or at the cost of an edit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from plancheck.analysis.facts import Change, State
from plancheck.analysis.finding import Finding, Severity, Unchecked
from plancheck.analysis.rule import Check, Rule
from plancheck.analysis.rules import RULES
from plancheck.analysis.settings import Settings
from plancheck.analysis.snapshot import Faults, Snapshot
from plancheck.analysis.tables import Runner, Table, common_head, is_by_itself, kept_steps
from plancheck.plan.dialects.dialect import Dialects
from plancheck.plan.dialects.table import DIALECTS
from plancheck.plan.graph.facts import PlanGraph
from plancheck.plan.lower import lower
from plancheck.plan.model import Fault, Place, Plan, Step
from plancheck.policy.regexes import Matcher, refusing_matcher
from plancheck.syntax.json import read, reread
from plancheck.syntax.tree import Tree
from plancheck.text import Edit
from plancheck.unknown import Reason

DEFAULT = Settings()


def analyze(
    text: str,
    settings: Settings = DEFAULT,
    rules: Mapping[str, Rule] = RULES,
    *,
    matcher: Matcher = refusing_matcher,
    dialects: Dialects = DIALECTS,
) -> Snapshot:
    """The snapshot of a document. `matcher` runs those of a policy's patterns that could take forever."""
    return _snapshot(read(text), settings, rules, matcher, dialects, None)


def update(old: Snapshot, edit: Edit, settings: Settings | None = None, rules: Mapping[str, Rule] = RULES) -> Snapshot:
    """The snapshot after an edit, under other settings if some are given; equal to that of the new text read afresh."""
    text = old.text[: edit.start] + edit.new_text + old.text[edit.end :]
    settings = old.settings if settings is None else settings
    new = _snapshot(reread(old.tree, edit, text), settings, rules, old.matcher, old.dialects, old)
    new.lines = old.lines.edited(edit, text)
    return new


def _snapshot(
    tree: Tree,
    settings: Settings,
    rules: Mapping[str, Rule],
    matcher: Matcher,
    dialects: Dialects,
    old: Snapshot | None,
) -> Snapshot:
    limit = _limit(tree, settings)
    if limit is not None:
        return _syntax_only(tree, settings, rules, matcher, dialects, limit)
    plan = lower(tree, settings.dialect, dialects)
    if old is None or old.limit is not None or old.settings != settings or old.plan.dialect is not plan.dialect:
        return _afresh(tree, plan, settings, rules, matcher, dialects)
    changed = _edited_in_place(old.plan.steps, plan.steps)
    if changed is None:
        return _with_other_steps(tree, plan, rules, old)
    return _with_the_same_steps(tree, plan, rules, old, changed)


# ---- afresh ----------------------------------------------------------------------------------------------------------


def _afresh(
    tree: Tree, plan: Plan, settings: Settings, rules: Mapping[str, Rule], matcher: Matcher, dialects: Dialects
) -> Snapshot:
    graph = PlanGraph([step.outline for step in plan.steps], plan.dialect.any_order)
    runner = Runner(State(tree, plan, graph, settings.policy, matcher))
    tables = {check: runner.afresh(rule, check, severity) for rule, check, severity in _checks(rules, settings)}
    faults = _faults(plan, range(len(plan.steps)), settings)
    ignoring = frozenset(position for position, step in enumerate(plan.steps) if step.ignores)
    return Snapshot(tree, plan, graph, settings, rules, tables, faults, ignoring, matcher, dialects)


def _checks(rules: Mapping[str, Rule], settings: Settings) -> Iterator[tuple[Rule, Check, Severity]]:
    """The checks to run, with what their findings count as. A rule that is switched off is run if a plan can be invalid
    by it: whether it is, no setting decides."""
    for rule in rules.values():
        severity = settings.severity(rule.name)
        if severity is None and rule.invalidates:
            severity = rule.severity
        if severity is not None:
            yield from ((rule, check, severity) for check in rule.checks)


def _faults(plan: Plan, positions: Iterable[int], settings: Settings) -> Faults:
    found: Faults = {}
    for position in positions:
        step = plan.steps[position]
        if step.faults:
            found[position] = _graded(step.faults, position, step, settings)
    return found


def _graded(faults: Iterable[Fault], position: int, step: Step, settings: Settings) -> tuple[Finding, ...]:
    graded = ((fault, settings.severity(fault.rule)) for fault in faults)
    return tuple(
        Finding(
            Place(position, fault.path, fault.part),
            fault.message,
            step.outline.identity,
            rule=fault.rule,
            severity=severity,
        )
        for fault, severity in graded
        if severity is not None
    )


# ---- after an edit ---------------------------------------------------------------------------------------------------


def _edited_in_place(old: Sequence[Step], new: Sequence[Step]) -> Sequence[int] | None:
    """The steps that are others now; None where steps came, went, or were given other names."""
    if len(old) != len(new):
        return None
    head = common_head(old, new)
    tail = common_head(old[head:][::-1], new[head:][::-1])
    changed = range(head, len(new) - tail)
    for position in changed:
        one, other = old[position], new[position]
        if one.outline.identity != other.outline.identity or one.identity_path != other.identity_path:
            return None
    return changed


def _with_the_same_steps(
    tree: Tree, plan: Plan, rules: Mapping[str, Rule], old: Snapshot, changed: Sequence[int]
) -> Snapshot:
    graph, settings, matcher = old.graph, old.settings, old.matcher
    before = graph.steps
    outlines = [position for position in changed if plan.steps[position].outline != before[position]]
    if outlines:
        steps = list(before)
        for position in outlines:
            steps[position] = plan.steps[position].outline
        graph = graph.edited(steps, outlines)
    state = State(tree, plan, graph, settings.policy, matcher)
    runner = Runner(state)
    change = Change(State(old.tree, old.plan, old.graph, settings.policy, matcher), state, changed)
    tables: dict[Check, Table] = {}
    for rule, check, severity in _checks(rules, settings):
        known = old.tables.get(check)
        if known is None or graph.closing or old.graph.closing or graph.sequence != old.graph.sequence:
            tables[check] = runner.afresh(rule, check, severity)
        else:
            tables[check] = runner.again(rule, check, severity, known, change)
    faults, ignoring = old.faults, old.ignoring
    if changed:
        faults = {position: found for position, found in faults.items() if position not in changed}
        faults |= _faults(plan, changed, settings)
        ignoring = frozenset({*(ignoring - set(changed)), *(i for i in changed if plan.steps[i].ignores)})
    return Snapshot(tree, plan, graph, settings, rules, tables, faults, ignoring, matcher, old.dialects)


def _with_other_steps(tree: Tree, plan: Plan, rules: Mapping[str, Rule], old: Snapshot) -> Snapshot:
    """Steps came, went, or were renamed: what was said about single steps stays right where they are the same."""
    settings, matcher = old.settings, old.matcher
    graph = PlanGraph([step.outline for step in plan.steps], plan.dialect.any_order)
    runner = Runner(State(tree, plan, graph, settings.policy, matcher))
    kept = kept_steps(old.plan.steps, plan.steps)
    tables: dict[Check, Table] = {}
    for rule, check, severity in _checks(rules, settings):
        known = old.tables.get(check) if is_by_itself(check) else None
        if known is None:
            tables[check] = runner.afresh(rule, check, severity)
        else:
            tables[check] = runner.carried(rule, check, severity, known, kept)
    faults = _faults(plan, range(len(plan.steps)), settings)
    ignoring = frozenset(position for position, step in enumerate(plan.steps) if step.ignores)
    return Snapshot(tree, plan, graph, settings, rules, tables, faults, ignoring, matcher, old.dialects)


# ---- limits ----------------------------------------------------------------------------------------------------------


def _limit(tree: Tree, settings: Settings) -> Unchecked | None:
    """Why a document is not looked at as a plan, if it is not."""
    if len(tree.text) <= settings.max_file_size:
        return None
    message = (
        f"Only the JSON text was checked, because the file has {len(tree.text):,} characters and `max-file-size` is "
        f"{settings.max_file_size:,}: raise it to have the plan checked."
    )
    return Unchecked("file_too_large", Place(None), Reason.LIMIT, message)


def _syntax_only(
    tree: Tree,
    settings: Settings,
    rules: Mapping[str, Rule],
    matcher: Matcher,
    dialects: Dialects,
    limit: Unchecked,
) -> Snapshot:
    """What can be said of a document past a limit."""
    nothing = Plan(dialects[0], (), (), (), ())
    return Snapshot(tree, nothing, PlanGraph(()), settings, rules, {}, {}, frozenset(), matcher, dialects, limit=limit)
