"""What a rule is: a value with a pure function, its documentation and its examples."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeAlias

from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.fix.change import Remedy
from plancheck.plan.dialects.dialect import Dialect
from plancheck.plan.graph.facts import PlanGraph
from plancheck.plan.model import Plan, Step
from plancheck.policy.model import Applied, Policy
from plancheck.policy.regexes import Ask
from plancheck.syntax.tree import Path


class PlanView(NamedTuple):
    """What a rule that looks at the plan sees."""

    plan: Plan
    graph: PlanGraph
    policy: Policy | None = None
    """None where no policy is in force."""


class PartView(NamedTuple):
    """What a rule sees that looks at one part of the document alone: a step, or a member beside the steps.

    Places of findings are inside the part; the engine fills in which step it is.
    """

    dialect: Dialect
    step: Step | None
    """None for a member beside the steps."""
    values: tuple[tuple[Path, Any], ...]
    """Of a member beside the steps, where it stands and its value."""
    policy: Policy | None
    bounds: tuple[Applied, ...]
    """The policy's bounds for the step's tool."""
    matcher: Ask


Check: TypeAlias = Callable[[PlanView], Iterator[Finding]]
PartCheck: TypeAlias = Callable[[PartView], Iterator[Finding]]


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
    check_part: PartCheck | None = None
    """For a rule that needs no more than one step at a time; see `analysis.parts`."""
    policy: str = ""
    """The policy under which the examples are what they are, where they need one."""
    is_about_policy: bool = False
    """Whether the rule is about policy files: its examples are policies then, and no plans."""

    @property
    def summary(self) -> str:
        return self.page.strip().partition("\n")[0]
