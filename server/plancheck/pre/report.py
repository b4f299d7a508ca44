"""The PRE report: what can be said about a plan before it runs, and what cannot."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import Any, overload

from plancheck.cached import cached_property
from plancheck.plan.graph.facts import PlanGraph
from plancheck.plan.model import Identity
from plancheck.pre.lints import LintFinding, lint
from plancheck.tuples import NamedTuple

WITHHELD_REASON = (
    "State B (how far a wrong dependency state would spread) is withheld before the run: every dependency of a plan is "
    "declared and none observed (observed_fraction = 0), so any number would be made up."
)
SINGLE_DECISION = "no_score:single_decision: a plan of fewer than two steps has no structure between steps to score"
LOW_COVERAGE = "no_score:low_coverage: every dependency is declared, none is observed, so the runtime scorer withholds"
NOTES = (
    "The keystone is the step that the most others follow in the control flow: a place to be careful with, not a "
    "prediction of failure.",
    "The four lints look at the declared graph only; whether a value flips or drifts is for the run to tell.",
    "The coverage report describes how ready the plan is to be scored at run time; it is not a risk score.",
    WITHHELD_REASON,
)
MIN_OBSERVED_FRACTION = 0.5
MAX_RHO = 0.9


class PreflightCoverage(NamedTuple):
    """How much of the dependency structure is known, and how."""

    n_steps: int
    """How many steps there are."""
    n_dep_edges: int
    """How many reads name a producer."""
    observed: int
    """How many of these a run has shown: none before it ran."""
    declared: int
    """How many the plan declares."""
    inferred: int
    """How many are guessed."""
    observed_fraction: float
    """`observed` of all, from 0 to 1."""
    rho: float
    """How dense the dependencies are: of all pairs of steps."""
    no_score_reason: str
    """Why there is no score, beginning with `no_score:`."""
    would_score: bool = False
    """Always False."""


class ResourceGap(NamedTuple):
    """A dependency that names its resource, but not yet as the runtime will identify it."""

    kind: str
    """Always `edge`."""
    node_idx: Identity | None
    """The step that reads."""
    src_idx: Identity | None
    """The step that it takes the resource from."""
    detail: str
    """The same in words."""


class Gaps(Sequence[ResourceGap]):
    """One gap for each dependency, in the order of the dependencies: a plan names resources, and only the run can tell
    them apart for certain. Most readers want their number only, so the words are made when one is looked at.
    """

    def __init__(self, graph: PlanGraph) -> None:
        self._graph = graph

    @cached_property
    def _all(self) -> list[ResourceGap]:
        graph = self._graph
        gaps = []
        for position in graph.by_identity:
            step = graph.steps[position]
            for producer, read in graph.ordered_dependencies(position):
                source, resource = graph.steps[producer].identity, step.reads[read].resource
                detail = (
                    f"step {step.identity} relies on step {source} for `{resource}`, not yet identified at run time"
                )
                gaps.append(ResourceGap("edge", step.identity, source, detail))
        return gaps

    def __len__(self) -> int:
        return self._graph.totals.dependencies

    @overload
    def __getitem__(self, index: int) -> ResourceGap: ...
    @overload
    def __getitem__(self, index: slice) -> list[ResourceGap]: ...
    def __getitem__(self, index: int | slice) -> ResourceGap | list[ResourceGap]:
        return self._all[index]

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, (Gaps, list)) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(self._all)


class ResourceTouchCompleteness(NamedTuple):
    """How many of a plan's reads, writes and dependencies name what they are about."""

    n_reads: int
    """All reads."""
    n_writes: int
    """All writes."""
    n_edges: int
    """All dependencies."""
    reads_with_id: int
    """The reads that name a resource."""
    writes_with_id: int
    """The writes that name one."""
    edges_with_id: int
    """The dependencies that name one."""
    edges_missing_structured_resource: int
    """The dependencies whose resource the run has yet to identify: all."""
    gaps: Sequence[ResourceGap]
    """One for each of these."""


class BarrierInventory(NamedTuple):
    """Which steps re-read which resource."""

    by_resource: dict[str, list[Identity]]
    """The steps that re-read each resource."""
    barrier_nodes: list[Identity]
    """All of these steps."""
    resources_with_barrier: list[str]
    """All of these resources."""


class PreReport(NamedTuple):
    """Everything PRE says about a plan. `print(report)` is a readable summary."""

    adapter: str
    """What has read the plan."""
    n_steps: int
    """How many steps there are."""
    keystone_idx: Identity | None
    """The step that the most others follow; None for a plan without steps."""
    keystone_followers: int
    """How many follow it."""
    execution_reach_by_idx: dict[Identity, int]
    """How many follow each step."""
    findings: list[LintFinding]
    """What the four lints found, complete."""
    state_b_risk: None
    """Always None: a declared plan has no such number."""
    state_b_withheld: bool
    """Always True."""
    state_b_withheld_reason: str
    """Why."""
    preflight_coverage: PreflightCoverage
    """How much of the dependency structure is known."""
    resource_touch_completeness: ResourceTouchCompleteness
    """How much of it names what it is about."""
    barrier_inventory: BarrierInventory
    """Which steps re-read what."""
    notes: list[str]
    """How to read all this."""

    def summary(self) -> str:
        """What `print` shows."""
        from plancheck.pre.render import to_text

        return to_text(self)

    def __str__(self) -> str:
        return self.summary()

    def to_markdown(self, *, level: int = 1) -> str:
        """The report as a document."""
        from plancheck.pre.render import to_markdown

        return to_markdown(self, level=level)

    def to_dict(self) -> dict[str, Any]:
        """The report as JSON values, under the same names."""
        values = self._asdict()
        touches = self.resource_touch_completeness._asdict()
        touches["gaps"] = [gap._asdict() for gap in self.resource_touch_completeness.gaps]
        return {
            **values,
            "execution_reach_by_idx": {str(idx): count for idx, count in self.execution_reach_by_idx.items()},
            "findings": [finding.to_dict() for finding in self.findings],
            "preflight_coverage": self.preflight_coverage._asdict(),
            "resource_touch_completeness": touches,
            "barrier_inventory": self.barrier_inventory._asdict(),
        }


class Evidence(NamedTuple):
    """How many dependencies are known in another way than by declaration."""

    observed: int = 0
    inferred: int = 0


DECLARED_ONLY = Evidence()


def report_of(graph: PlanGraph, adapter: str = "declared_plan_v1", evidence: Evidence = DECLARED_ONLY) -> PreReport:
    """The PRE report of a plan's graph. Raises RuntimeError rather than let a plan be scored before it ran."""
    coverage = coverage_of(graph, evidence)
    counts = graph.follower_counts
    names = [step.identity for step in graph.steps]
    keystone = graph.keystone
    return PreReport(
        adapter=adapter,
        n_steps=len(graph),
        keystone_idx=None if keystone is None else names[keystone],
        keystone_followers=0 if keystone is None else counts[keystone],
        execution_reach_by_idx={name: count for name, count in zip(names, counts, strict=True) if name is not None},
        findings=lint(graph),
        state_b_risk=None,
        state_b_withheld=True,
        state_b_withheld_reason=WITHHELD_REASON,
        preflight_coverage=coverage,
        resource_touch_completeness=completeness_of(graph),
        barrier_inventory=barriers_of(graph),
        notes=list(NOTES),
    )


def coverage_of(graph: PlanGraph, evidence: Evidence) -> PreflightCoverage:
    n_steps = len(graph)
    n_edges = graph.totals.dependencies
    rho = n_edges / comb(n_steps, 2) if n_steps >= 2 else 0.0
    observed_fraction = evidence.observed / n_edges if n_edges else 0.0
    if n_steps >= 2 and observed_fraction >= MIN_OBSERVED_FRACTION and rho < MAX_RHO:
        raise RuntimeError(
            "a plan must not be scored before it ran: this adapter's graph would be "
            f"({observed_fraction:.0%} of its dependencies are observed)"
        )
    return PreflightCoverage(
        n_steps=n_steps,
        n_dep_edges=n_edges,
        observed=evidence.observed,
        declared=n_edges - evidence.observed - evidence.inferred,
        inferred=evidence.inferred,
        observed_fraction=observed_fraction,
        rho=rho,
        no_score_reason=LOW_COVERAGE if n_steps >= 2 else SINGLE_DECISION,
    )


def completeness_of(graph: PlanGraph) -> ResourceTouchCompleteness:
    n_reads, n_writes, n_edges = graph.totals
    return ResourceTouchCompleteness(n_reads, n_writes, n_edges, n_reads, n_writes, n_edges, n_edges, Gaps(graph))


def barriers_of(graph: PlanGraph) -> BarrierInventory:
    by_resource: dict[str, list[Identity]] = {}
    nodes: list[Identity] = []
    for position, reads in graph.flagged_reads:
        identity = graph.steps[position].identity
        reread = dict.fromkeys(read.resource for read in reads if read.revalidates)
        if reread and identity is not None:
            nodes.append(identity)
            for resource in reread:
                by_resource.setdefault(resource, []).append(identity)
    resources = sorted(by_resource)
    return BarrierInventory({resource: by_resource[resource] for resource in resources}, nodes, resources)
