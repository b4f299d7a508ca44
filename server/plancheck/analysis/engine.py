"""From a document to its snapshot, afresh or at the cost of an edit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from plancheck.analysis.finding import Finding, Unchecked
from plancheck.analysis.parts import part_findings
from plancheck.analysis.rule import PlanView, Rule
from plancheck.analysis.rules import RULES
from plancheck.analysis.running import contained
from plancheck.analysis.settings import Settings
from plancheck.analysis.snapshot import Snapshot
from plancheck.analysis.suppress import suppress
from plancheck.plan.dialects.dialect import Dialects
from plancheck.plan.dialects.table import DIALECTS
from plancheck.plan.graph.facts import PlanGraph
from plancheck.plan.lower import lower
from plancheck.plan.model import Fault, Place, Plan
from plancheck.policy.regexes import Matcher, refusing_matcher
from plancheck.syntax.json import read, reread
from plancheck.syntax.tree import Tree
from plancheck.text import Edit, Span
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
    known = None if _is_too_large(old.tree, old.settings) else old
    settings = old.settings if settings is None else settings
    new = _snapshot(reread(old.tree, edit, text), settings, rules, old.matcher, old.dialects, known)
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
    if _is_too_large(tree, settings):
        return _syntax_only(tree, settings, matcher, dialects)
    plan = lower(tree, settings.dialect, dialects)
    if old is not None and old.settings.policy == settings.policy and _same_outlines(old.plan, plan):
        graph, said = old.graph, old.plan_findings
    else:
        outlines = [step.outline for step in plan.steps]
        graph = PlanGraph(outlines, plan.dialect.any_order, old.graph if old is not None else None)
        view = PlanView(plan, graph, settings.policy)
        said = tuple(finding for rule in rules.values() for finding in _run(rule, view))
    parts = part_findings(tree, plan, settings, rules, matcher)
    unchecked = [item for item in (*said, *parts.findings) if isinstance(item, Unchecked)]
    found = [item for item in (*said, *parts.findings) if isinstance(item, Finding)]
    found += (*_text_findings(tree), *_fault_findings(plan))
    graded = _graded(suppress(plan, found, settings), settings)
    known = [item for item in unchecked if settings.severity(item.rule) is not None]
    return Snapshot(
        tree,
        plan,
        graph,
        settings,
        said,
        graded,
        known,
        is_pending=parts.is_pending,
        matcher=matcher,
        dialects=dialects,
    )


def _graded(findings: Iterable[Finding], settings: Settings) -> list[Finding]:
    graded = []
    for finding in findings:
        severity = settings.severity(finding.rule)
        if severity is not None:
            graded.append(finding if finding.severity is severity else finding._replace(severity=severity))
    return graded


def _is_too_large(tree: Tree, settings: Settings) -> bool:
    return len(tree.text) > settings.max_file_size


def _syntax_only(tree: Tree, settings: Settings, matcher: Matcher, dialects: Dialects) -> Snapshot:
    """What can be said of a document that is too large to be understood as a plan."""
    message = (
        f"Only the JSON text was checked, because the file has {len(tree.text):,} characters and `max-file-size` is "
        f"{settings.max_file_size:,}: raise it to have the plan checked."
    )
    note = Unchecked("file_too_large", Place(None), Reason.LIMIT, message)
    graded = _graded(_text_findings(tree), settings)
    nothing = Plan(dialects[0], (), (), (), ())
    return Snapshot(tree, nothing, PlanGraph(()), settings, (), graded, [note], matcher=matcher, dialects=dialects)


def _same_outlines(old: Plan, new: Plan) -> bool:
    if len(old.steps) != len(new.steps) or old.dialect is not new.dialect:
        return False
    return all(
        a is b or (a.outline == b.outline and a.identity_path == b.identity_path)
        for a, b in zip(old.steps, new.steps, strict=True)
    )


def _run(rule: Rule, view: PlanView) -> Iterator[Finding | Unchecked]:
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
