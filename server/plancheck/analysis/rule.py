"""What a rule is: a value with pure functions, the facts that they need, its documentation and its examples."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from typing import TypeAlias

from plancheck.analysis.change import Fact
from plancheck.analysis.finding import Finding, Pending, Severity, Unchecked
from plancheck.analysis.fix.change import Remedy
from plancheck.analysis.subjects import Grain
from plancheck.tuples import NamedTuple

Item: TypeAlias = Finding | Unchecked | Pending
Run: TypeAlias = Callable[..., Iterator[Item]]
"""Is handed the subjects to look at, then the facts it needs, in their order. About the plan as a whole there are no
subjects: it is handed the facts alone."""


_OF_OUTLINES = frozenset({Grain.LINK, Grain.RESOURCE, Grain.SPELLING})
"""What is made of the outlines of steps alone."""


class Check:
    """One thing that a rule looks at. It is equal to itself only."""

    __slots__ = ("grain", "is_of_outlines", "live", "needs", "only_if", "run", "where")

    def __init__(
        self,
        grain: Grain,
        run: Run,
        needs: tuple[Fact, ...] = (),
        only_if: Fact | None = None,
        where: Fact | None = None,
    ) -> None:
        self.grain = grain
        self.run = run
        self.needs = needs
        self.live = tuple(fact for fact in needs if fact.can_affect(grain))
        """Those of the facts by which an edit may affect other subjects than what it changes itself."""
        self.is_of_outlines = grain in _OF_OUTLINES and not any(fact.is_about_calls for fact in needs)
        """Whether nothing but the outlines of steps matters to it."""
        self.only_if = only_if
        """What must hold of a plan as a whole for the check to have anything to say; no edit of a plan changes it."""
        self.where = where
        """The same, but for that an edit may change it. What is as it was need not be looked at to say so."""


def each_step(run: Run, *needs: Fact, only_if: Fact | None = None) -> Check:
    """A check of single steps; `run` is handed several at a time, each a `Subject`."""
    return Check(Grain.STEP, run, needs, only_if)


def each_link(run: Run, *needs: Fact, only_if: Fact | None = None, where: Fact | None = None) -> Check:
    """A check of single steps as they are linked to others, each a `Link`: whatever they call does not matter."""
    return Check(Grain.LINK, run, needs, only_if, where)


def each_resource(run: Run, *needs: Fact, where: Fact | None = None) -> Check:
    """A check of single resources; what it says carries the name of the resource."""
    return Check(Grain.RESOURCE, run, needs, where=where)


def each_spelling(run: Run, *needs: Fact) -> Check:
    """A check of resources whose names differ only in how they are written, together."""
    return Check(Grain.SPELLING, run, needs)


def each_member(run: Run, *needs: Fact, only_if: Fact | None = None) -> Check:
    """A check of what stands beside the steps."""
    return Check(Grain.MEMBER, run, needs, only_if)


def whole_plan(run: Run, *needs: Fact, only_if: Fact | None = None) -> Check:
    return Check(Grain.PLAN, run, needs, only_if)


class Category(str, Enum):
    """What a rule is about."""

    DOCUMENT = "document"
    """The text, its keys and the shapes of its values."""
    STEPS = "steps"
    """The names of the steps, what they wait for, and references between them."""
    DATA = "data"
    """What steps read, write and have in scope, and how fresh that is."""
    TOOLS = "tools"
    """Whether calls fit the catalogue of tools."""
    POLICY = "policy"
    """What a policy or the gate demands."""
    SECURITY = "security"
    """What could be abused: secrets, injections, where data comes from and goes to."""
    FILES = "files"
    """Policies and catalogues themselves."""
    RUN = "run"
    """The check itself: suppressions and limits."""


class Precision(str, Enum):
    """How often a finding is something that its reader wants to act on."""

    VERY_HIGH = "very-high"
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class Option(NamedTuple):
    """A number that the configuration may set for a rule."""

    name: str
    default: int
    what: str
    """What it says, in a sentence."""
    least: int = 0
    most: int = 10_000


def most_related(default: int, what: str) -> tuple[Option, ...]:
    """The option of a rule whose findings may have very many related places."""
    return (Option("related", default, f"How many {what} a finding lists at most.", least=1),)


class Rule(NamedTuple):
    """A rule without checks is one that lowering, the reader or the engine notices on its way."""

    name: str
    severity: Severity
    category: Category
    page: str
    """The rule's documentation in Markdown; its first line is the summary."""
    bad: str
    """A plan on which the rule has something to say."""
    good: str
    """The same plan put right: nothing at all is said about it."""
    checks: tuple[Check, ...] = ()
    remedies: tuple[Remedy, ...] = ()
    """What can be done about a finding, the best first; see `analysis.fix`."""
    policy: str = ""
    """The policy under which the examples are what they are, where they need one."""
    rego: str = ""
    """Likewise, in Rego."""
    catalogue: str = ""
    """Likewise, the catalogue of tools."""
    is_about_catalogue: bool = False
    """Whether the rule is about catalogues of tools: its examples are such files then, and no plans."""
    is_about_policy: bool = False
    """Whether the rule is about policy files: its examples are policies then, and no plans."""
    is_about_rego: bool = False
    """Whether the rule is about policy files in Rego."""
    invalidates: bool = False
    """Whether a plan of which it has something to say is no valid plan."""
    is_enforced: bool = False
    """Whether a plan may not switch it off for itself: who is judged does not choose the rules."""
    is_unread: bool = False
    """Whether what it reports could not be read as its author meant it, so that no other rule has looked at all of it.
    Switched off by the settings, the place is not checked rather than fine; and no plan can switch it off."""
    tags: tuple[str, ...] = ()
    """What catalogues of weaknesses call it: `ASI02` (OWASP Agentic 2026), `CWE-89`. The mapping is our own."""
    since: str = "0.1"
    """The first version that has it."""
    is_on: bool = True
    """Whether it is looked for without being asked for."""
    in_security_profile: Severity | None = None
    """What its findings count as in the security profile, where that is something else."""
    precision: Precision = Precision.HIGH
    security_severity: float | None = None
    """From 0 to 10, for rules of the category security alone: how bad it is if somebody makes use of it."""
    options: tuple[Option, ...] = ()
    covers: tuple[str, ...] = ()
    """Rules of which it may explain findings, which are not shown then; see `Finding.covers`."""

    def option(self, name: str, given: Mapping[str, int]) -> int:
        """An option's value: what the settings give, else its default."""
        option = next(option for option in self.options if option.name == name)
        return given.get(f"{self.name}.{name}", option.default)

    @property
    def summary(self) -> str:
        return self.page.strip().partition("\n")[0]
