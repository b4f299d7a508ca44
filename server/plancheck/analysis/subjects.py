"""What rules look at, one by one: steps, links, resources, spellings of a resource, members beside the steps."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Any

from plancheck.analysis.calls import members_beside
from plancheck.plan.graph.facts import PlanGraph
from plancheck.plan.graph.touches import fold
from plancheck.plan.model import Outline, Place, Plan, Step
from plancheck.policy.model import Policy
from plancheck.policy.regexes import Ask
from plancheck.policy.rego.files import RegoAsk
from plancheck.syntax.tree import Tree
from plancheck.tuples import NamedTuple

if TYPE_CHECKING:
    from plancheck.catalogue.model import Catalogue

Keys = Collection[Any]
"""The subjects of some grain."""


class State(NamedTuple):
    """What all facts are made from."""

    tree: Tree
    plan: Plan
    graph: PlanGraph
    policy: Policy | None
    matcher: Ask
    rego: RegoAsk
    catalogue: Catalogue | None = None
    options: Mapping[str, int] = {}


class Subject(NamedTuple):
    """A step and where it stands in the list."""

    position: int
    step: Step


class Link(NamedTuple):
    """A step as it is linked to others: its outline, and where it stands in the list."""

    position: int
    outline: Outline

    @property
    def name(self) -> str:
        return "?" if self.outline.identity is None else f"{self.outline.identity}"


class Grain(Enum):
    """What a rule looks at, one by one."""

    __hash__ = object.__hash__  # they are asked for all the time, and Enum's own is a function in Python

    STEP = "step"
    LINK = "link"
    """A step without what it calls: typing in an argument changes nothing here."""
    RESOURCE = "resource"
    SPELLING = "spelling"
    MEMBER = "member"
    PLAN = "plan"


def subjects(grain: Grain, state: State, keys: Keys | None = None) -> Sequence[Any]:
    """The subjects of a grain; with keys, those of them that are there."""
    graph = state.graph
    if grain is Grain.STEP:
        steps = state.plan.steps
        return [Subject(i, steps[i]) for i in (range(len(steps)) if keys is None else sorted(keys))]
    if grain is Grain.LINK:
        outlines = graph.steps
        return [Link(i, outlines[i]) for i in (range(len(outlines)) if keys is None else sorted(keys))]
    if grain is Grain.RESOURCE:
        names = graph.touches.names() if keys is None else [key for key in keys if key in graph.touches.steps]
        return [graph.touches.resource(name) for name in names]
    if grain is Grain.SPELLING:
        groups = graph.touches.spellings
        several = (groups[key] for key in (groups if keys is None else keys) if len(groups.get(key, ())) > 1)
        return [tuple(graph.touches.resource(name) for name in group) for group in several]
    if grain is Grain.MEMBER:
        return list(members_beside(state.tree, state.plan, keys))
    return ()


def key_of(grain: Grain, place: Place, resource: str | None, known: Keys) -> Any:
    """Which subject something was said about."""
    if grain in (Grain.STEP, Grain.LINK):
        return place.step
    if grain is Grain.RESOURCE:
        return resource
    if grain is Grain.SPELLING:
        return fold(resource or "")
    if grain is Grain.MEMBER:
        return place.path[:2] if place.path[:2] in known else place.path[:1]
    return None
