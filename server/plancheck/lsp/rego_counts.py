"""How many plans of the workspace each rule of a Rego policy is against."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from plancheck.tuples import NamedTuple

if TYPE_CHECKING:
    from plancheck.policy.rego.files import RegoFiles
    from plancheck.workspace.rego.asker import EngineAsker


class PlanToCount(NamedTuple):
    path: str
    text: str | None
    """What is in the editor; None for what is on disk."""
    dialect: str | None


class RuleCounts(NamedTuple):
    files: RegoFiles
    made_from: object
    total: int
    """The plans that were judged."""
    unknown: int
    """Those that could not be."""
    against: Mapping[tuple[str, int], int]
    """By the path and the number of the rule in its file."""


def counted(asker: EngineAsker, files: RegoFiles, plans: Sequence[PlanToCount], made_from: object) -> RuleCounts:
    """Takes its time, so call it in a thread."""
    from plancheck.policy.rego.plan_input import PlanInput

    inputs = [_input(plan) for plan in plans]
    found = asker.judge_many(files, [each for each in inputs if isinstance(each, PlanInput)])
    sources = asker.policy(files).sources
    numbers = {
        (path, rule.name_span): (path, number)
        for path, source in sources.items()
        for number, rule in enumerate(source.deciding)
    }
    against: Counter[tuple[str, int]] = Counter()
    for verdict in found:
        sites = {blamed.firing.site for blamed in verdict.firings}
        against.update(numbers[site.path, site.rule.name_span] for site in sites)
    judged = sum(not verdict.faults for verdict in found)
    return RuleCounts(files, made_from, judged, len(plans) - judged, dict(against))


def _input(plan: PlanToCount) -> object:
    from plancheck.plan.lower import lower
    from plancheck.policy.rego.plan_input import PlanQuestion, context_of
    from plancheck.syntax.json import read
    from plancheck.workspace.reading import ReadError, read_text

    text = read_text(plan.path) if plan.text is None else plan.text
    if isinstance(text, ReadError):
        return None
    tree = read(text)
    return PlanQuestion(lower(tree, plan.dialect), context_of(tree)).as_input()
