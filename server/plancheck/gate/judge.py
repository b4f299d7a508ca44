"""The judge: from the text of a plan to what speaks against it, by the rules that `check` and the editor have.

A finding that is an error denies. What could not be looked at is undecided, and what nobody can know before the run is
for a human. What a plan says about rules that it wants to be switched off is not listened to, and neither is what a
configuration says about severities.
"""

from __future__ import annotations

from collections.abc import Iterator

from plancheck.analysis.engine import analyze
from plancheck.analysis.finding import Finding, Severity, Unchecked
from plancheck.analysis.rules import RULES
from plancheck.analysis.settings import InlineIgnores, Settings
from plancheck.analysis.snapshot import Snapshot
from plancheck.gate.decision import STRONGEST_FIRST, Verdict, Vote
from plancheck.policy.model import OnUnknown, Policy
from plancheck.policy.regexes import Matcher
from plancheck.unknown import Reason

MOST_VOTES = 1_000
NEEDS_HUMAN = "needs_human"
TOO_MANY_USES = "too_many_uses"
NO_TOOLS = "no_tools"
_AMBIGUOUS = frozenset({"duplicate_key", "mixed_formats", "second_tool"})
_NOT_READ = frozenset({"syntax_error", "not_a_plan"})
"""What is said of a document that could not be read as a plan: nobody knows what it would do."""
_JUDGING = {name: rule for name, rule in RULES.items() if rule.severity is Severity.ERROR or name == NEEDS_HUMAN}
"""The rules that have a say. The others give advice."""


def judged(text: str, policy: Policy, matcher: Matcher, faults: tuple[str, ...] = ()) -> Snapshot:
    """The plan as the judge sees it. `faults` are what is wrong with the policy or the configuration."""
    settings = Settings(policy=policy, policy_faults=faults, inline_ignores=InlineIgnores.NONE)
    return analyze(text, settings, _JUDGING, matcher=matcher)


def votes(snapshot: Snapshot) -> list[Vote]:
    """What speaks against a plan, in the order of the text; that nothing does is a vote for it. Of very much, the
    worst."""
    found = sorted(_votes(snapshot), key=lambda item: item[0])
    if not found:
        return [Vote(Verdict.ALLOW, "invariants_hold", "The plan keeps to every rule of the policy.")]
    if len(found) > MOST_VOTES:
        found = sorted(found, key=lambda item: STRONGEST_FIRST.index(item[1].verdict))[:MOST_VOTES]
        found.sort(key=lambda item: item[0])
    return [vote for _, vote in found]


def unread(snapshot: Snapshot) -> list[Vote]:
    """What speaks against a plan because not all of it can be read, or not in one way only."""
    found = (vote for vote in votes(snapshot) if vote.rule in _AMBIGUOUS or vote.verdict is Verdict.UNDECIDED)
    return [vote for vote in found if vote.rule != NO_TOOLS]


def _votes(snapshot: Snapshot) -> Iterator[tuple[tuple[int, str, str], Vote]]:
    policy = snapshot.settings.policy
    on_unknown = Verdict.DENY if policy is not None and policy.gate.unknown is OnUnknown.DENY else Verdict.HUMAN
    for finding in snapshot.findings:
        verdict = _verdict(finding)
        if verdict is not None:
            yield _placed(snapshot, finding, verdict)
    for unchecked in snapshot.unchecked:
        blocks = unchecked.reason in (Reason.LIMIT, Reason.FAILURE)
        yield _placed(snapshot, unchecked, Verdict.UNDECIDED if blocks else on_unknown)
    if snapshot.plan.dialect.tool_key is None and snapshot.plan.sites is not None:
        reason = "This plan names no tools, so that there is nothing to judge it by: hand in the calls that it makes."
        yield (-1, "", ""), Vote(Verdict.UNDECIDED, NO_TOOLS, reason)


def _verdict(finding: Finding) -> Verdict | None:
    if finding.rule in _NOT_READ:
        return Verdict.UNDECIDED
    if finding.rule == NEEDS_HUMAN:
        return Verdict.HUMAN
    return Verdict.DENY if finding.severity is Severity.ERROR else None


def _placed(snapshot: Snapshot, about: Finding | Unchecked, verdict: Verdict) -> tuple[tuple[int, str, str], Vote]:
    start = snapshot.span(about).start if isinstance(about, Finding) else snapshot.place_span(about.place).start
    line, column = snapshot.lines.position(start)
    pointer = snapshot.pointer(about.place)
    vote = Vote(verdict, about.rule, about.message, _blamed(about), pointer, line + 1, column + 1)
    return (start, about.rule, about.message), vote


def _blamed(about: Finding | Unchecked) -> tuple[int, ...]:
    """The steps that are to blame: those that use a tool too often all are, and on a path only the last one."""
    related = about.related if isinstance(about, Finding) and about.rule == TOO_MANY_USES else ()
    places = (about.place, *(other.place for other in related))
    return tuple(sorted({place.step for place in places if place.step is not None}))
