"""The frozen picture of one document version, which every feature reads."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import Any

from plancheck.analysis.finding import Finding, Severity, Unchecked
from plancheck.analysis.settings import Settings
from plancheck.plan.dialects.dialect import Dialects
from plancheck.plan.dialects.table import DIALECTS
from plancheck.plan.graph.facts import PlanGraph
from plancheck.plan.model import Place, Plan
from plancheck.policy.regexes import Matcher, refusing_matcher
from plancheck.syntax.tree import Tree
from plancheck.text import LineIndex, Span


class Snapshot:
    """Text, tree, plan, graph and findings, all of the same version."""

    def __init__(
        self,
        tree: Tree,
        plan: Plan,
        graph: PlanGraph,
        settings: Settings,
        plan_findings: tuple[Finding | Unchecked, ...],
        findings: list[Finding],
        unchecked: list[Unchecked],
        lines: LineIndex | None = None,
        *,
        is_pending: bool = False,
        matcher: Matcher = refusing_matcher,
        dialects: Dialects = DIALECTS,
    ) -> None:
        self.tree = tree
        self.plan = plan
        self.graph = graph
        self.settings = settings
        self.is_pending = is_pending
        """Whether one of the policy's patterns is still being run, so that there may be more to say soon."""
        self.plan_findings = plan_findings
        """What the plan-wide rules said, before settings and suppressions: right for every plan of these outlines."""
        self.findings = findings
        """All findings with their final severities, in no particular order."""
        self.unchecked = unchecked
        """What could not be checked, and why. Whoever calls a document fine has looked here too."""
        self.matcher = matcher
        self.dialects = dialects
        """What the document may be written in."""
        self.memo: dict[object, Any] = {}
        """What later layers derived from this snapshot, so that it is derived once. Keyed by who derived it."""
        if lines is not None:
            self.lines = lines

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
    def by_step(self) -> dict[int | None, list[Finding]]:
        """The findings by the position of the step at which they are; None for the plan around the steps."""
        found: dict[int | None, list[Finding]] = {}
        for finding in self.findings:
            found.setdefault(finding.place.step, []).append(finding)
        return found

    @cached_property
    def shown(self) -> list[Finding]:
        """The findings to show, in text order: at most `max_findings`, the worst, and a note about the rest."""
        most = self.settings.max_findings
        if len(self.findings) <= most:
            return self._in_text_order(self.findings)
        worst_first = sorted(
            self.findings, key=lambda f: (f.severity, f.place.step if f.place.step is not None else -1)
        )
        left_out = Counter(f.rule for f in worst_first[most:])
        rules = ", ".join(f"{count:,} {rule}" for rule, count in left_out.most_common())
        total = sum(left_out.values())
        note = Finding(
            Place(None),
            f"{_count(total)} not shown: {rules}; raise `max-findings` to see more.",
            rule="more_findings",
            severity=Severity.INFO,
        )
        return self._in_text_order([note, *worst_first[:most]])

    def _in_text_order(self, findings: list[Finding]) -> list[Finding]:
        return sorted(findings, key=lambda f: (self.span(f), f.severity, f.rule, f.message))


def _count(number: int) -> str:
    return "1 more finding is" if number == 1 else f"{number:,} more findings are"
