"""The frozen picture of one document version, which every feature reads."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TypeAlias

from plancheck.analysis.finding import Finding, Severity, Unchecked
from plancheck.analysis.rule import Rule
from plancheck.analysis.settings import Settings
from plancheck.analysis.shown import Base, Region, ShownDocument, ShownState, region_of, show
from plancheck.analysis.suppress import suppress
from plancheck.analysis.tables import Table, Tables
from plancheck.cached import cached_property
from plancheck.plan.dialects.dialect import Dialects
from plancheck.plan.graph.facts import PlanGraph
from plancheck.plan.lower import Lowered
from plancheck.plan.model import Fault, Place, Plan
from plancheck.policy.regexes import Matcher
from plancheck.policy.rego.files import RegoAsk, no_engine
from plancheck.policy.secrets import masked
from plancheck.syntax.tree import Spine, Top, Tree
from plancheck.text import Edit, LineIndex, Span, merged_edit
from plancheck.tuples import NamedTuple
from plancheck.unknown import Reason

Faults: TypeAlias = dict[int, tuple[Finding, ...]]
"""What lowering found wrong with steps, by their positions."""


RAW_SECRET = "raw_secret"
POLICY_FAULT = "policy_fault"
"""Stands where the name of a rule would, for a plan whose policy has a mistake: the rules that need the policy could
not do their work."""
CATALOGUE_FAULT = "catalogue_fault"
"""Likewise, for a plan whose tools are not all known, because a catalogue cannot be read."""


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
    rego: RegoAsk = no_engine
    """Asks the policy's parts that are written in Rego."""


class Emitted(NamedTuple):
    """What there is to say about the steps; right for the next version too, as far as it is not edited."""

    tables: Tables
    faults: Faults
    ignoring: frozenset[int]
    """The steps that ask for rules to be ignored."""


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
        self.base: Base | None = None
        """What the version before showed, if there was one."""

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
    def steps_list(self) -> Spine | None:
        """The list whose elements the steps are, if they are that."""
        found = self.tree.resolve(self.plan.path) if self.plan.is_list else None
        value = found.value if isinstance(found, Top) else found
        return value if isinstance(value, Spine) else None

    # ---- what there is to say

    @cached_property
    def is_pending(self) -> bool:
        """Whether one of the policy's patterns is still being run, or a Rego policy asked: there may be more to say
        soon."""
        return any(table.pending for table in self.emitted.tables.values())

    @cached_property
    def is_valid(self) -> bool:
        """Whether the document is a valid plan, whatever the settings say about what is wrong with it."""
        if self.limit is not None or self.tree.root is None or self.tree.problems:
            return False
        faults = [*self.plan.faults, *(fault for step in self.plan.steps for fault in step.faults)]
        if any(self.rules[fault.rule].severity is Severity.ERROR for fault in faults if fault.rule in self.rules):
            return False
        return not any(table.entries for table in self.emitted.tables.values() if table.of.rule.invalidates)

    def has_faults_of(self, rules: Collection[str]) -> bool:
        """Whether reading the document found something that is reported under one of these rules."""
        if self.tree.problems and "syntax_error" in rules:
            return True
        faults = (*self.plan.faults, *(fault for step in self.plan.steps for fault in step.faults)) if rules else ()
        return any(fault.rule in rules for fault in faults)

    @cached_property
    def findings(self) -> list[Finding]:
        """All findings with their final severities, in no particular order."""
        return self.findings_with(None)

    def findings_with(self, most: int | None) -> list[Finding]:
        """The same with only so many faults of the text itself: of those there may be one for each character."""
        found = [*self._text_findings(most), *self._plan_faults()]
        for faults in self.emitted.faults.values():
            found += faults
        for table in self._tables_in_force:
            found += table.findings
        if self._has_secrets:
            found = [_without_secrets(finding) for finding in found]
        remaining = suppress(self.plan, self.emitted.ignoring, found, self.settings)
        covered = self._covered() if remaining is found else {pair for one in remaining for pair in one.covers}
        if not covered:
            return remaining
        rules = {rule for rule, _ in covered}
        return [one for one in remaining if one.rule not in rules or (one.rule, one.place) not in covered]

    def _covered(self) -> set[tuple[str, Place]]:
        """What need not be shown, because another finding that is shown explains it."""
        return set().union(*(table.covered for table in self._tables_in_force if table.of.rule.covers))

    @cached_property
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
        if self.settings.catalogue is not None and self.plan.dialect.tool_key is not None:
            unread = self.settings.catalogue.unread
            found += (Unchecked(CATALOGUE_FAULT, Place(None), reason, message) for reason, message in unread)
        for table in self._tables_in_force:
            found += table.unchecked
        found += self._unread()
        if self._has_secrets:
            found = [place._replace(message=masked(place.message)) for place in found]
        return list(dict.fromkeys(found))

    def pointer(self, place: Place) -> str:
        """A place as a JSON pointer (RFC 6901). Where the plan has a secret, it may be the name of a member: no output
        shows it."""
        return self.without_secrets(self.plan.pointer(place))

    def without_secrets(self, text: str) -> str:
        """A text of the document, fit to be shown."""
        return masked(text) if self._has_secrets else text

    def _unread(self) -> Iterator[Unchecked]:
        """What could not be read, where the rules that say so are switched off: it is not reported, and not fine."""
        off = {name for name, severity in self.settings.severities.items() if severity is None and name in self.rules}
        unread = {name for name in off.difference(self.settings.reported_elsewhere) if self.rules[name].is_unread}
        if not unread:
            return
        if "syntax_error" in unread and self.tree.problems:
            message = "This text is not JSON, and `syntax_error` is switched off: not all of it was checked."
            yield Unchecked("syntax_error", Place(None), Reason.NOT_UNDERSTOOD, message)
        places: list[tuple[int | None, Fault]] = [(None, fault) for fault in self.plan.faults]
        places += ((position, fault) for position, step in enumerate(self.plan.steps) for fault in step.faults)
        for position, fault in places:
            if fault.rule in unread:
                place = Place(position, fault.path, fault.part)
                message = f"`{fault.rule}` is switched off, so this was not checked: {fault.message}"
                yield Unchecked(fault.rule, place, Reason.NOT_UNDERSTOOD, message)

    @cached_property
    def _tables_in_force(self) -> list[Table]:
        """What the rules emitted that are not switched off."""
        severity = self.settings.severity
        tables = [table for table in self.emitted.tables.values() if table.entries]
        return [table for table in tables if severity(table.of.rule.name) is not None]

    def _text_findings(self, most: int | None) -> Iterator[Finding]:
        severity = self.settings.severity("syntax_error") if self.tree.problems else None
        if severity is not None:
            for start, end, message in self.tree.problems[:most]:
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

    # ---- what is shown of it

    @property
    def shown(self) -> list[Finding]:
        """The findings to show, in text order."""
        return self.what_is_shown.ordered

    @property
    def shown_at(self) -> Iterator[tuple[Span, Finding]]:
        """The findings to show and where: at most `max_findings`, the worst, and a note about the rest."""
        shown = self.what_is_shown
        return zip(map(Span, shown.starts, shown.ends), shown.ordered, strict=True)

    @cached_property
    def what_is_shown(self) -> ShownState:
        document = ShownDocument(self.span, self.steps_list, self.lines)
        return show(self.findings, self.settings, document, self.base, self._region)

    def region_since(self, shown: ShownState) -> Region | None:
        """The part of the text that is not as it was when something was shown; None where nobody knows."""
        if self.base is None or self.base.shown is not shown:
            return None
        return self._region

    @cached_property
    def _region(self) -> Region | None:
        return None if self.base is None else region_of(self.base, self.steps_list, self.lines)

    def base_for(self, edit: Edit, text: str) -> Base | None:
        """What the next version, whose text comes about by an edit, can go on from."""
        if "what_is_shown" in self.__dict__:
            return Base(self.what_is_shown, edit)
        return None if self.base is None else Base(self.base.shown, merged_edit(self.base.edit, edit, text))


def _without_secrets(finding: Finding) -> Finding:
    """A finding that names no secret: where a plan has one, it may be the name of a step, a tool or an argument."""
    related = tuple(other._replace(message=masked(other.message)) for other in finding.related)
    return finding._replace(message=masked(finding.message), related=related)
