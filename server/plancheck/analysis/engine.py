"""From a document to its snapshot, afresh or at the cost of an edit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from plancheck.analysis.change import Fact, StateChange
from plancheck.analysis.finding import Finding, Severity, Unchecked
from plancheck.analysis.rule import Check, Rule
from plancheck.analysis.rule_table import rules_that_look
from plancheck.analysis.rules import RULES
from plancheck.analysis.settings import Settings
from plancheck.analysis.snapshot import Emitted, Faults, PlanText, Snapshot, Terms
from plancheck.analysis.subjects import Grain, State
from plancheck.analysis.tables import Reported, Runner, Table, Tables, earlier_positions, is_by_itself
from plancheck.plan.dialects.dialect import Dialects
from plancheck.plan.dialects.table import DIALECTS
from plancheck.plan.graph.facts import PlanGraph
from plancheck.plan.lower import lower_again
from plancheck.plan.model import Fault, Place, Plan, Step
from plancheck.policy.regexes import Matcher, refusing_matcher
from plancheck.policy.rego.files import RegoAsk, no_engine
from plancheck.syntax.json import read, reread
from plancheck.syntax.splice import splice
from plancheck.syntax.tree import INSIDE, Tree, Within
from plancheck.text import Edit, LineIndex
from plancheck.unknown import Reason

DEFAULT = Settings()


def analyze(
    text: str,
    settings: Settings = DEFAULT,
    rules: Mapping[str, Rule] = RULES,
    *,
    matcher: Matcher = refusing_matcher,
    dialects: Dialects = DIALECTS,
    rego: RegoAsk = no_engine,
) -> Snapshot:
    """The snapshot of a document. `matcher` runs those of a policy's patterns that could take forever, and `rego` asks
    what of the policy is written in Rego."""
    return _snapshot(read(text), Terms(settings, rules, matcher, dialects, rego), None)


def update(
    old: Snapshot,
    edit: Edit,
    settings: Settings | None = None,
    rules: Mapping[str, Rule] = RULES,
    *,
    lines: LineIndex | None = None,
) -> Snapshot:
    """The snapshot after an edit, under other settings if some are given; equal to that of the new text read afresh.
    `lines` is the line table of the new text, where it is known already."""
    if lines is None:
        lines = old.lines.edited(edit, old.text[: edit.start] + edit.new_text + old.text[edit.end :])
    terms = old.terms._replace(settings=old.settings if settings is None else settings, rules=rules)
    new = _snapshot(reread(old.tree, edit, lines.text), terms, old)
    new.lines = lines
    new.base = old.base_for(edit, lines.text) if new.settings == old.settings else None
    return new


def _snapshot(tree: Tree, terms: Terms, old: Snapshot | None) -> Snapshot:
    limit = _limit(tree, terms.settings)
    if limit is not None:
        nothing = Plan(terms.dialects[0], (), (), (), ())
        return Snapshot(PlanText(tree, nothing, None), terms, PlanGraph(()), Emitted({}, {}, frozenset()), limit)
    plan, lowered = lower_again(tree, terms.settings.dialect, terms.dialects, old.lowered if old is not None else None)
    document = PlanText(tree, plan, lowered)
    if old is None or not _is_comparable(old, plan, terms):
        return _afresh(document, terms)
    changed = _edited_in_place(old.plan.steps, plan.steps)
    if changed is None:
        return _with_other_steps(document, terms, old)
    return _with_the_same_steps(document, terms, old, changed)


def _is_comparable(old: Snapshot, plan: Plan, terms: Terms) -> bool:
    """Whether what checks said before can be gone on from."""
    is_same_dialect = old.limit is None and old.plan.dialect is plan.dialect
    return is_same_dialect and old.settings == terms.settings


# ---- afresh ----------------------------------------------------------------------------------------------------------


def _afresh(document: PlanText, terms: Terms) -> Snapshot:
    graph = _graph(document.plan)
    state = _state(document, graph, terms)
    runner = Runner(state)
    tables = {reported.check: runner.afresh(reported) for reported in _checks(terms, state)}
    return Snapshot(document, terms, graph, _emitted(document.plan, tables, terms.settings))


def _graph(plan: Plan) -> PlanGraph:
    dialect = plan.dialect
    named_by_text = dialect.has_references and dialect.identities.are_numbers
    return PlanGraph([step.outline for step in plan.steps], dialect.any_order, named_by_text)


def _state(document: PlanText, graph: PlanGraph, terms: Terms) -> State:
    settings = terms.settings
    asked = (terms.matcher, terms.rego)
    return State(document.tree, document.plan, graph, settings.policy, *asked, settings.catalogue, settings.options)


def _emitted(plan: Plan, tables: Tables, settings: Settings) -> Emitted:
    ignoring = frozenset(position for position, step in enumerate(plan.steps) if step.ignores)
    return Emitted(tables, _faults(plan, range(len(plan.steps)), settings), ignoring)


def _checks(terms: Terms, state: State) -> Iterator[Reported]:
    """The checks to run, with what their findings count as. A rule that is switched off is run if a plan can be invalid
    by it: whether it is, no setting decides. What has nothing to say about plans of this kind is left out."""
    known: dict[Fact | None, bool] = {None: True}

    def holds(fact: Fact | None) -> bool:
        if fact is not None and fact not in known:
            known[fact] = bool(fact.value(state))
        return known[fact]

    for rule in rules_that_look(terms.rules, holds):
        severity = terms.settings.severity(rule.name)
        if severity is None and rule.invalidates:
            severity = rule.severity
        if severity is not None:
            may_grade = terms.settings.grades(rule.name)
            yield from (Reported(rule, check, severity, may_grade) for check in rule.checks if holds(check.only_if))


def _faults(plan: Plan, positions: Iterable[int], settings: Settings) -> Faults:
    found: Faults = {}
    for position in positions:
        step = plan.steps[position]
        if step.faults:
            found[position] = _graded(step.faults, position, step, settings)
    return found


def _severity(fault: Fault, settings: Settings) -> Severity | None:
    is_in_text = INSIDE in fault.path or any(isinstance(name, Within) for name in fault.path[-1:])
    is_unseen = is_in_text or fault.is_of_plan  # by an editor that reports such findings itself
    return settings.severity_in_text(fault.rule) if is_unseen else settings.severity_of(fault.rule, fault.is_error)


def _graded(faults: Iterable[Fault], position: int, step: Step, settings: Settings) -> tuple[Finding, ...]:
    graded = ((fault, _severity(fault, settings)) for fault in faults)
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
    head, tail = splice(old, new)
    changed = range(head, len(new) - tail)
    for position in changed:
        one, other = old[position], new[position]
        if one.outline.identity != other.outline.identity or one.identity_path != other.identity_path:
            return None
        if one.outline.alias != other.outline.alias:
            return None
    return changed


def _known_checks(terms: Terms, state: State, old: Snapshot) -> Iterator[tuple[Reported, Table | None]]:
    """The checks to run, each with what it said before; None where it was not run. Settings and dialect are the same,
    so that with the same rules these are the same checks."""
    tables = old.emitted.tables
    if terms.rules is old.rules:
        return ((known.of, known) for known in tables.values())
    return ((reported, tables.get(reported.check)) for reported in _checks(terms, state))


def _with_the_same_steps(document: PlanText, terms: Terms, old: Snapshot, changed: Sequence[int]) -> Snapshot:
    plan, graph = document.plan, old.graph
    before = graph.steps
    outlines = [position for position in changed if plan.steps[position].outline != before[position]]
    if outlines:
        steps = list(before)
        for position in outlines:
            steps[position] = plan.steps[position].outline
        graph = graph.edited(steps, outlines)
    state = _state(document, graph, terms)
    runner = Runner(state)
    change = StateChange(_state(old.document, old.graph, terms), state, changed)
    is_in_list_order = graph.is_in_list_order and old.graph.is_in_list_order
    is_rearranged = graph is not old.graph and not is_in_list_order
    tables = {
        reported.check: runner.afresh(reported) if known is None or is_rearranged else runner.again(known, change)
        for reported, known in _known_checks(terms, state, old)
    }
    faults, ignoring = old.emitted.faults, old.emitted.ignoring
    if changed:
        faults = {position: found for position, found in faults.items() if position not in changed}
        faults |= _faults(plan, changed, terms.settings)
        ignoring = frozenset({*(ignoring - set(changed)), *(i for i in changed if plan.steps[i].ignores)})
    return Snapshot(document, terms, graph, Emitted(tables, faults, ignoring))


def _with_other_steps(document: PlanText, terms: Terms, old: Snapshot) -> Snapshot:
    """Steps came, went, or were renamed: what was said about single steps stays right where they are the same."""
    plan = document.plan
    graph = _graph(plan)
    state = _state(document, graph, terms)
    runner = Runner(state)
    earlier = earlier_positions(old.plan.steps, plan.steps)
    beside = StateChange(_state(old.document, old.graph, terms), state, ())  # asked for nothing but members
    tables: dict[Check, Table] = {}
    for reported, known in _known_checks(terms, state, old):
        if known is None or not is_by_itself(reported.check):
            tables[reported.check] = runner.afresh(reported)
        elif reported.check.grain is Grain.MEMBER:
            tables[reported.check] = runner.again(known, beside)
        else:
            tables[reported.check] = runner.carried(known, earlier)
    return Snapshot(document, terms, graph, _emitted(plan, tables, terms.settings))


# ---- limits ----------------------------------------------------------------------------------------------------------

DEEPEST = 500
"""Values nested deeper than this are nobody's plan: walking over them would take ever longer for each level."""


def _limit(tree: Tree, settings: Settings) -> Unchecked | None:
    """Why a document is not looked at as a plan, if it is not."""
    if len(tree.text) > settings.max_file_size:
        message = (
            f"Only the JSON text was checked, because the file has {len(tree.text):,} characters and `max-file-size` "
            f"is {settings.max_file_size:,}: raise it to have the plan checked."
        )
        return Unchecked("file_too_large", Place(None), Reason.LIMIT, message)
    if tree.depth > DEEPEST:
        message = (
            f"Only the JSON text was checked, because it is nested {tree.depth:,} levels deep (at most {DEEPEST})."
        )
        return Unchecked("nested_too_deeply", Place(None), Reason.LIMIT, message)
    return None
