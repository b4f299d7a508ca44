"""What a rule is: a value with a pure function, its documentation and its examples."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.fix.change import Remedy
from plancheck.plan.graph.facts import PlanGraph
from plancheck.plan.model import Plan


class PlanView(NamedTuple):
    """What a rule that looks at the plan sees."""

    plan: Plan
    graph: PlanGraph


Check: TypeAlias = Callable[[PlanView], Iterator[Finding]]


class Rule(NamedTuple):
    """A rule without a `check` is one that lowering, the reader or the engine notices on its way."""

    name: str
    severity: Severity
    page: str
    """The rule's documentation in Markdown; its first line is the summary."""
    bad: str
    """A plan on which the rule has something to say."""
    good: str
    """The same plan put right: nothing at all is said about it."""
    check: Check | None = None
    remedies: tuple[Remedy, ...] = ()
    """What can be done about a finding, the best first; see `analysis.fix`."""

    @property
    def summary(self) -> str:
        return self.page.strip().partition("\n")[0]
