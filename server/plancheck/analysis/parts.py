"""Rules about a single part of the document: a step, or a member beside the steps.

Such a rule depends on nothing but the part's own text, the policy and the step's name. So what it says is kept with the
part and stays right until one of these changes: typing inside one argument costs the check of one step.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from plancheck.analysis.finding import Finding, Unchecked
from plancheck.analysis.rule import PartCheck, PartView, Rule
from plancheck.analysis.running import MOST_PER_RULE, contained
from plancheck.analysis.settings import Settings
from plancheck.plan.dialects.dialect import Dialect
from plancheck.plan.model import Plan, Step
from plancheck.plan.sites import chunk_around
from plancheck.policy.model import Applied, bounds_by_tool
from plancheck.policy.regexes import Hits, Matcher, Outcome
from plancheck.syntax.tree import Chunk, Path, Spine, Top, Tree


class PartFindings(NamedTuple):
    findings: list[Finding | Unchecked]
    is_pending: bool
    """Whether a pattern's outcome is not known yet, so that there may be more to say."""


class _Watch:
    """A matcher that notes whether an answer is still outstanding."""

    def __init__(self, matcher: Matcher) -> None:
        self._matcher = matcher
        self.is_pending = False

    def __call__(self, pattern: str, value: str) -> Hits | Outcome:
        outcome = self._matcher(pattern, value)
        if outcome is Outcome.PENDING:
            self.is_pending = True
        return outcome


class _Kept(NamedTuple):
    """What the rules said about a part, and what that depends on."""

    policy: str | None
    bounds: tuple[Applied, ...]
    name: str
    said: dict[PartCheck, tuple[Finding | Unchecked, ...]]


def part_findings(
    tree: Tree, plan: Plan, settings: Settings, rules: Mapping[str, Rule], matcher: Matcher
) -> PartFindings:
    """What the rules about single parts say about a document."""
    checks = [(rule.name, rule.check_part) for rule in rules.values() if rule.check_part is not None]
    if not plan.dialect.names_tools or not checks:
        return PartFindings([], False)
    run = _Run(plan.dialect, settings, checks, matcher)
    findings: list[Finding | Unchecked] = []
    tools = _bounds(plan, settings)
    for position, ((chunk, within), step) in enumerate(zip(_chunks(tree, plan), plan.steps, strict=True)):
        call = step.call
        bounds = tools.get(call.tool, ()) if call is not None and call.tool is not None else ()
        said = run.of_step(chunk, within, step, bounds)
        if said:
            findings += _placed(said, position, step)
    for top in tree.root if isinstance(tree.root, list) else ():
        if (top.key,) != plan.path:
            findings += run.around(top)
    return PartFindings(_capped(findings), run.is_pending)


def _chunks(tree: Tree, plan: Plan) -> Iterator[tuple[Chunk, Path]]:
    """For every step the chunk that it stands in, and its path there."""
    if plan.is_list:
        listed = tree.resolve(plan.path)
        spine = listed.value if isinstance(listed, Top) else listed
        yield from ((chunk, ()) for chunk in (spine.chunks if isinstance(spine, Spine) else ()))
        return
    for position in range(len(plan.steps)):
        _, chunk, within = chunk_around(tree, plan.step_path(position))
        yield chunk, within


def _bounds(plan: Plan, settings: Settings) -> dict[str, tuple[Applied, ...]]:
    if settings.policy is None or not settings.policy.bounds:
        return {}
    return bounds_by_tool(settings.policy.bounds, plan.tools())


def _placed(said: Iterable[Finding | Unchecked], position: int, step: Step) -> Iterator[Finding | Unchecked]:
    for finding in said:
        if isinstance(finding, Unchecked):
            yield finding._replace(place=finding.place._replace(step=position), step=step.outline.identity)
            continue
        yield finding._replace(
            place=finding.place._replace(step=position),
            step=step.outline.identity,
            related=tuple(r._replace(place=r.place._replace(step=position)) for r in finding.related),
        )


def _capped(findings: list[Finding | Unchecked]) -> list[Finding | Unchecked]:
    if len(findings) <= MOST_PER_RULE:
        return findings
    counts: dict[str, int] = {}
    kept = []
    for finding in findings:
        counts[finding.rule] = counts.get(finding.rule, 0) + 1
        if counts[finding.rule] <= MOST_PER_RULE:
            kept.append(finding)
    return kept


class _Run:
    """One pass over the parts of a document."""

    def __init__(
        self, dialect: Dialect, settings: Settings, checks: list[tuple[str, PartCheck]], matcher: Matcher
    ) -> None:
        self.dialect = dialect
        self.policy = settings.policy
        self.digest = settings.policy.digest if settings.policy is not None else None
        self.matcher = matcher
        self.checks = checks
        self.asked = (self.digest, *(check for _, check in checks))
        self.is_pending = False

    def of_step(self, chunk: Chunk, within: Path, step: Step, bounds: tuple[Applied, ...]) -> list[Finding | Unchecked]:
        """What there is to say about a step: what was said, if it is the same step and the same is asked about it."""
        known = chunk.memo.get((_Run, within))
        if known is not None and known[0] is step and known[1] == bounds and known[2] == self.asked:
            return known[3]  # type: ignore[no-any-return]
        was_pending, self.is_pending = self.is_pending, False
        found = self.part(chunk, within, step, (), bounds)
        if not self.is_pending:
            chunk.memo[_Run, within] = (step, bounds, self.asked, found)
        self.is_pending |= was_pending
        return found

    def around(self, top: Top) -> Iterator[Finding | Unchecked]:
        """What there is to say about a member beside the steps."""
        if isinstance(top.value, Chunk):
            yield from self.part(top.value, (), None, (((top.key,), top.value.value),), ())
            return
        for number, chunk in enumerate(top.value.chunks):
            yield from self.part(chunk, (), None, (((top.key, number), chunk.value),), ())

    def part(
        self,
        chunk: Chunk,
        within: Path,
        step: Step | None,
        values: tuple[tuple[Path, Any], ...],
        bounds: tuple[Applied, ...],
    ) -> list[Finding | Unchecked]:
        name = step.name if step is not None else repr(values[0][0])
        kept: _Kept | None = chunk.memo.get((part_findings, within))
        if kept is None or kept.policy != self.digest or kept.name != name or kept.bounds != bounds:
            kept = _Kept(self.digest, bounds, name, {})
            chunk.memo[part_findings, within] = kept
        found: list[Finding | Unchecked] = []
        for rule, check in self.checks:
            said = kept.said.get(check)
            if said is None:
                watch = _Watch(self.matcher)
                said = tuple(contained(rule, check(PartView(self.dialect, step, values, self.policy, bounds, watch))))
                if watch.is_pending:
                    self.is_pending = True
                else:
                    kept.said[check] = said
            found += said
        return found
