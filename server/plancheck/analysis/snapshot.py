"""The frozen picture of one document version, which every feature reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import NamedTuple, TypeAlias

from plancheck.analysis.finding import Finding, Severity, Unchecked
from plancheck.analysis.rule import Rule
from plancheck.analysis.settings import Settings
from plancheck.analysis.suppress import suppress
from plancheck.analysis.tables import Table, Tables, everything
from plancheck.plan.dialects.dialect import Dialects
from plancheck.plan.graph.facts import PlanGraph
from plancheck.plan.lower import Lowered
from plancheck.plan.model import Place, Plan
from plancheck.policy.regexes import Matcher
from plancheck.policy.secrets import masked
from plancheck.syntax.tree import Chunk, Spine, Top, Tree
from plancheck.text import LineIndex, Span
from plancheck.unknown import Reason

Faults: TypeAlias = dict[int, tuple[Finding, ...]]
"""What lowering found wrong with steps, by their positions."""


RAW_SECRET = "raw_secret"
POLICY_FAULT = "policy_fault"
"""Stands where the name of a rule would, for a plan whose policy has a mistake: the rules that need the policy could
not do their work."""


class PlanText(NamedTuple):
    """A text, and the plan that it holds."""

    tree: Tree
    plan: Plan
    lowered: Lowered | None
    """What the plan was made of, for the next version."""


class Terms(NamedTuple):
    """Under what a document is looked at."""

    settings: Settings
    rules: Mapping[str, Rule]
    matcher: Matcher
    dialects: Dialects
    """What the document may be written in."""


class Emitted(NamedTuple):
    """What there is to say about the steps; right for the next version too, as far as it is not edited."""

    tables: Tables
    faults: Faults
    ignoring: frozenset[int]
    """The steps that ask for rules to be ignored."""


class ShownSpan(NamedTuple):
    """Where a finding stands in its step, in offsets from the step's start; right for this very step."""

    finding: Finding
    chunk: Chunk
    start: int
    end: int


class Snapshot:
    """Text, tree, plan, graph and what the rules say, all of the same version."""

    def __init__(
        self, document: PlanText, terms: Terms, graph: PlanGraph, emitted: Emitted, limit: Unchecked | None = None
    ) -> None:
        self.document = document
        self.terms = terms
        self.graph = graph
        self.emitted = emitted
        self.limit = limit
        """Why the document was not looked at as a plan, if it was not."""
        self.spans_before: Mapping[int, ShownSpan] = {}
        """Where in their steps the findings stood that the version before showed."""
        self.shown_spans: Mapping[int, ShownSpan] = {}
        """The same of this version, once they have been asked for."""

    @property
    def tree(self) -> Tree:
        return self.document.tree

    @property
    def plan(self) -> Plan:
        return self.document.plan

    @property
    def lowered(self) -> Lowered | None:
        return self.document.lowered

    @property
    def settings(self) -> Settings:
        return self.terms.settings

    @property
    def rules(self) -> Mapping[str, Rule]:
        return self.terms.rules

    @property
    def matcher(self) -> Matcher:
        return self.terms.matcher

    @property
    def text(self) -> str:
        return self.tree.text

    @cached_property
    def lines(self) -> LineIndex:
        return LineIndex(self.tree.text)

    @cached_property
    def has_syntax_errors(self) -> bool:
        return bool(self.tree.problems)

    def place_span(self, place: Place) -> Span:
        return self.tree.span(self.plan.full_path(place), self.plan.token_part(place))

    def span(self, finding: Finding) -> Span:
        return finding.span if finding.span is not None else self.place_span(finding.place)

    @cached_property
    def _steps_list(self) -> Spine | None:
        """The list whose elements the steps are, if they are that."""
        found = self.tree.resolve(self.plan.path) if self.plan.is_list else None
        value = found.value if isinstance(found, Top) else found
        return value if isinstance(value, Spine) else None

    def chunk_of(self, position: int) -> tuple[int, Chunk] | None:
        """Where a step stands, and its text, which is the same object as long as it is the same text; None where steps
        are no elements of a list."""
        steps = self._steps_list
        return None if steps is None else (steps.starts[position], steps.chunks[position])

    # ---- what there is to say

    @cached_property
    def is_pending(self) -> bool:
        """Whether one of the policy's patterns is still being run, so that there may be more to say soon."""
        return any(table.pending for table in self.emitted.tables.values())

    @cached_property
    def is_valid(self) -> bool:
        """Whether the document is a valid plan, whatever the settings say about what is wrong with it."""
        if self.limit is not None or self.tree.root is None or self.tree.problems:
            return False
        faults = [*self.plan.faults, *(fault for step in self.plan.steps for fault in step.faults)]
        if any(self.rules[fault.rule].severity is Severity.ERROR for fault in faults if fault.rule in self.rules):
            return False
        invalidating = (check for rule in self.rules.values() if rule.invalidates for check in rule.checks)
        tables = self.emitted.tables
        return not any(tables[check].entries for check in invalidating if check in tables)

    @cached_property
    def findings(self) -> list[Finding]:
        """All findings with their final severities, in no particular order."""
        found = [*self._text_findings(), *self._plan_faults()]
        for faults in self.emitted.faults.values():
            found += faults
        found += self._items[0]
        if self._has_secrets:
            found = [_without_secrets(finding) for finding in found]
        return suppress(self.plan, self.emitted.ignoring, found, self.settings)

    @property
    def _has_secrets(self) -> bool:
        rule, tables = self.rules.get(RAW_SECRET), self.emitted.tables
        return rule is not None and any(tables[check].entries for check in rule.checks if check in tables)

    @cached_property
    def unchecked(self) -> list[Unchecked]:
        """What could not be checked, and why. Whoever calls a document fine has looked here too."""
        found = [] if self.limit is None else [self.limit]
        found += (
            Unchecked(POLICY_FAULT, Place(None), Reason.FAILURE, message) for message in self.settings.policy_faults
        )
        found += self._items[1]
        return found

    @cached_property
    def _items(self) -> tuple[list[Finding], list[Unchecked]]:
        """What the rules emitted, by what it is."""
        findings: list[Finding] = []
        unchecked: list[Unchecked] = []
        for item in everything(table for table in self._tables_in_force() if table.entries):
            if isinstance(item, Finding):
                findings.append(item)
            else:
                unchecked.append(item)
        return findings, unchecked

    def _tables_in_force(self) -> Iterator[Table]:
        """What the rules emitted that are not switched off."""
        tables = self.emitted.tables
        for rule in self.rules.values():
            if rule.checks and self.settings.severity(rule.name) is not None:
                yield from (tables[check] for check in rule.checks if check in tables)

    def _text_findings(self) -> Iterator[Finding]:
        severity = self.settings.severity("syntax_error")
        if severity is not None:
            for start, end, message in self.tree.problems:
                span = Span(start, end)
                yield Finding(Place(None), message, span=span, rule="syntax_error", severity=severity)

    def _plan_faults(self) -> Iterator[Finding]:
        for fault in self.plan.faults:
            severity = self.settings.severity(fault.rule)
            if severity is not None:
                place = Place(None, fault.path, fault.part)
                yield Finding(place, fault.message, rule=fault.rule, severity=severity)

    @cached_property
    def by_step(self) -> dict[int | None, list[Finding]]:
        """The findings by the position of the step at which they are; None for the plan around the steps."""
        found: dict[int | None, list[Finding]] = {}
        for finding in self.findings:
            found.setdefault(finding.place.step, []).append(finding)
        return found

    @property
    def shown(self) -> list[Finding]:
        """The findings to show, in text order."""
        return [finding for _, finding in self.shown_at]

    @cached_property
    def shown_at(self) -> list[tuple[Span, Finding]]:
        """The findings to show and where: at most `max_findings`, the worst, and a note about the rest."""
        most = self.settings.max_findings
        if len(self.findings) <= most:
            return self._in_text_order(self.findings)
        worst = _worst(self.findings, most)
        severity = self.settings.severity("more_findings")
        if severity is not None:
            left_out = Counter(finding.rule for finding in self.findings)
            left_out.subtract(finding.rule for finding in worst)
            rules = ", ".join(f"{count:,} {rule}" for rule, count in _most_first(left_out))
            message = f"{_count(left_out.total())} not shown: {rules}; raise `max-findings` to see more."
            worst.append(Finding(Place(None), message, rule="more_findings", severity=severity))
        return self._in_text_order(worst)

    def _in_text_order(self, findings: list[Finding]) -> list[tuple[Span, Finding]]:
        known = self.shown_spans = self._standing(findings)
        steps = self._steps_list
        placed: list[tuple[Span, Finding]] = []
        for finding in findings:
            shown = known.get(id(finding))
            if shown is None or steps is None or finding.place.step is None:
                placed.append((self.span(finding), finding))
            else:
                start = steps.starts[finding.place.step]
                placed.append((Span(shown.start + start, shown.end + start), finding))
        return sorted(placed, key=lambda item: (item[0], item[1].severity, item[1].rule, item[1].message))

    def _standing(self, findings: list[Finding]) -> dict[int, ShownSpan]:
        """Where in their steps findings stand; what the version before has found out is taken over."""
        steps, before = self._steps_list, self.spans_before
        if steps is None:
            return {}
        found: dict[int, ShownSpan] = {}
        for finding in findings:
            step = finding.place.step
            if step is None or finding.span is not None:
                continue
            key, chunk = id(finding), steps.chunks[step]
            known = before.get(key)
            if known is None or known.finding is not finding or known.chunk is not chunk:
                start, end = self.place_span(finding.place)
                known = ShownSpan(finding, chunk, start - steps.starts[step], end - steps.starts[step])
            found[key] = known
        return found


def _without_secrets(finding: Finding) -> Finding:
    """A finding that names no secret: where a plan has one, it may be the name of a step, a tool or an argument."""
    message = masked(finding.message)
    return finding if message == finding.message else finding._replace(message=message)


def _worst(findings: list[Finding], most: int) -> list[Finding]:
    """The worst findings: by severity, then by the place in the plan, then by the names of the rules."""
    by_severity: dict[Severity, list[Finding]] = {severity: [] for severity in Severity}
    for finding in findings:
        by_severity[finding.severity].append(finding)
    found: list[Finding] = []
    for severity in sorted(by_severity):
        group, left = by_severity[severity], most - len(found)
        if len(group) > left:
            steps = [-1 if finding.place.step is None else finding.place.step for finding in group]
            last = sorted(steps)[left - 1] if left else -2
            at_last = [finding for step, finding in zip(steps, group, strict=True) if step == last]
            group = [finding for step, finding in zip(steps, group, strict=True) if step < last]
            group += sorted(at_last, key=lambda f: (f.rule, f.message, f.place.path))[: left - len(group)]
        found += group
    return found


def _most_first(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(((rule, count) for rule, count in counts.items() if count), key=lambda item: (-item[1], item[0]))


def _count(number: int) -> str:
    return "1 more finding is" if number == 1 else f"{number:,} more findings are"
