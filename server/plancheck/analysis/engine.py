"""From a document to its snapshot, afresh or at the cost of an edit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from plancheck.analysis.finding import Finding
from plancheck.analysis.parts import part_findings
from plancheck.analysis.rule import PlanView, Rule
from plancheck.analysis.rules import RULES
from plancheck.analysis.running import contained
from plancheck.analysis.settings import Settings
from plancheck.analysis.snapshot import Snapshot
from plancheck.analysis.suppress import suppress
from plancheck.plan.graph.facts import PlanGraph
from plancheck.plan.lower import lower
from plancheck.plan.model import Dialect, Fault, Place, Plan
from plancheck.syntax.json import read, reread
from plancheck.syntax.tree import Tree
from plancheck.text import Edit, Span

DEFAULT = Settings()


def analyze(text: str, settings: Settings = DEFAULT, rules: Mapping[str, Rule] = RULES) -> Snapshot:
    """The snapshot of a document."""
    return _snapshot(read(text), settings, rules, None)


def update(old: Snapshot, edit: Edit, settings: Settings = DEFAULT, rules: Mapping[str, Rule] = RULES) -> Snapshot:
    """The snapshot after an edit; equal to that of the new text read afresh."""
    text = old.text[: edit.start] + edit.new_text + old.text[edit.end :]
    known = None if _is_too_large(old.tree, old.settings) else old
    new = _snapshot(reread(old.tree, edit, text), settings, rules, known)
    new.lines = old.lines.edited(edit, text)
    return new


def _snapshot(tree: Tree, settings: Settings, rules: Mapping[str, Rule], old: Snapshot | None) -> Snapshot:
    if _is_too_large(tree, settings):
        return _syntax_only(tree, settings)
    plan = lower(tree, settings.dialect)
    if old is not None and old.settings.policy == settings.policy and _same_outlines(old.plan, plan):
        graph, plan_findings = old.graph, old.plan_findings
    else:
        outlines = [step.outline for step in plan.steps]
        graph = PlanGraph(outlines, plan.dialect is Dialect.STEPS, old.graph if old is not None else None)
        view = PlanView(plan, graph, settings.policy)
        plan_findings = tuple(finding for rule in rules.values() for finding in _run(rule, view))
    parts = part_findings(tree, plan, settings, rules)
    found = [*_text_findings(tree), *_fault_findings(plan), *plan_findings, *parts.findings]
    graded = _graded(suppress(plan, found, settings), settings)
    return Snapshot(tree, plan, graph, settings, plan_findings, graded, is_pending=parts.is_pending)


def _graded(findings: Iterable[Finding], settings: Settings) -> list[Finding]:
    graded = []
    for finding in findings:
        severity = settings.severity(finding.rule)
        if severity is not None:
            graded.append(finding if finding.severity is severity else finding._replace(severity=severity))
    return graded


def _is_too_large(tree: Tree, settings: Settings) -> bool:
    return len(tree.text) > settings.max_file_size


def _syntax_only(tree: Tree, settings: Settings) -> Snapshot:
    """What can be said of a document that is too large to be understood as a plan."""
    message = (
        f"Only the JSON text was checked, because the file has {len(tree.text):,} characters and `max-file-size` is "
        f"{settings.max_file_size:,}: raise it to have the plan checked."
    )
    note = Finding(Place(None), message, rule="file_too_large")
    graded = _graded([*_text_findings(tree), note], settings)
    return Snapshot(tree, Plan(Dialect.DECLARED, (), (), (), ()), PlanGraph(()), settings, (), graded)


def _same_outlines(old: Plan, new: Plan) -> bool:
    if len(old.steps) != len(new.steps) or old.dialect is not new.dialect:
        return False
    return all(
        a is b or (a.outline == b.outline and a.identity_path == b.identity_path)
        for a, b in zip(old.steps, new.steps, strict=True)
    )


def _run(rule: Rule, view: PlanView) -> Iterator[Finding]:
    if rule.check is not None:
        yield from contained(rule.name, rule.check(view))


def _text_findings(tree: Tree) -> Iterator[Finding]:
    for start, end, message in tree.problems:
        yield Finding(Place(None), message, span=Span(start, end), rule="syntax_error")


def _fault_findings(plan: Plan) -> Iterator[Finding]:
    def finding(fault: Fault, position: int | None, identity: int | str | None) -> Finding:
        return Finding(Place(position, fault.path, fault.part), fault.message, step=identity, rule=fault.rule)

    for fault in plan.faults:
        yield finding(fault, None, None)
    for position, step in enumerate(plan.steps):
        for fault in step.faults:
            yield finding(fault, position, step.outline.identity)
