"""The judge: from the text of a plan to what speaks against it, by the rules that `check` and the editor have.

A finding that is an error denies. What could not be looked at is undecided, and what nobody can know before the run is
for a human. What a plan says about rules that it wants to be switched off is not listened to, and neither is what a
configuration says about severities.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from plancheck.analysis.engine import analyze
from plancheck.analysis.finding import Finding, Severity, Unchecked
from plancheck.analysis.risks import on_warning
from plancheck.analysis.rule import Category
from plancheck.analysis.rules import RULES
from plancheck.analysis.settings import InlineIgnores, Settings
from plancheck.analysis.snapshot import Snapshot
from plancheck.gate.decision import STRONGEST_FIRST, Verdict, Vote
from plancheck.plan.dialects.dialect import Site
from plancheck.plan.dialects.table import detect
from plancheck.plan.lower import lower
from plancheck.policy.model import OnUnknown, OnWarning, Policy
from plancheck.policy.regexes import Matcher
from plancheck.policy.rego.files import RegoAsk, no_engine
from plancheck.syntax.json import read
from plancheck.syntax.tree import Spine
from plancheck.unknown import Reason

if TYPE_CHECKING:
    from plancheck.catalogue.model import Catalogue

MOST_VOTES = 1_000
MOST_STEPS = 20_000
"""Steps of a plan with more of them than it may have, for it to be looked at all the same."""
NEEDS_HUMAN = frozenset({"needs_human", "rego_needs_human"})
_BLAMING = frozenset({"too_many_uses", "rego_deny", "rego_needs_human"})
"""The rules whose related places are to blame, too."""
NOT_FINISHED = "not_finished"
NO_TOOLS = "no_tools"
TOO_MANY_STEPS = "too_many_steps"
_AMBIGUOUS = frozenset({"duplicate_key", "mixed_formats", "second_tool"})
_NOT_READ = frozenset({"syntax_error", "not_a_plan"})
"""What is said of a document that could not be read as a plan: nobody knows what it would do."""
_JUDGING = {name: rule for name, rule in RULES.items() if rule.severity is Severity.ERROR or name in NEEDS_HUMAN}
"""The rules that have a say. The others give advice."""
_WARNING = {name: rule for name, rule in RULES.items() if rule.category is Category.SECURITY and name not in _JUDGING}
"""The rules that have one, too, where the policy wants to hear of what could be abused."""
_ON_WARNING = {OnWarning.HUMAN: Verdict.HUMAN, OnWarning.DENY: Verdict.DENY}


def judged(
    text: str,
    policy: Policy,
    matcher: Matcher,
    faults: tuple[str, ...] = (),
    rego: RegoAsk = no_engine,
    catalogue: Catalogue | None = None,
) -> Snapshot:
    """The plan as the judge sees it. `faults` are what is wrong with the policy or the configuration."""
    settings = Settings(policy=policy, policy_faults=faults, inline_ignores=InlineIgnores.NONE, catalogue=catalogue)
    rules = _JUDGING if policy.gate.security_warnings is OnWarning.ALLOW else {**_JUDGING, **_WARNING}
    return analyze(text, settings, rules, matcher=matcher, rego=rego)


def far_too_many_steps(text: str, policy: Policy) -> Vote | None:
    """The vote against a plan that has so many more steps than it may have that nothing else needs to be known."""
    if text.count("{") <= MOST_STEPS:
        return None
    tree = read(text)
    dialect, most = detect(tree), policy.most_steps_at_gate
    holder = dialect.find(tree) if dialect.site is not Site.MEMBERS else None
    steps = None if holder is None else holder.value
    if dialect.site is Site.SCATTERED and holder is not None:
        number = len(lower(tree).steps)
    else:
        number = len(steps.chunks) if isinstance(steps, Spine) else 0
    if number <= max(MOST_STEPS, most):
        return None
    reason = f"This plan has {number:,} steps, and the gate allows {most}: it was not looked at any further."
    return Vote(Verdict.DENY, TOO_MANY_STEPS, reason)


def votes(snapshot: Snapshot) -> list[Vote]:
    """What speaks against a plan, in the order of the text; that nothing does is a vote for it. Of very much, the
    worst: finding a place in the text takes a time, so it is not done for what is left out."""
    found = list(_speaking_against(snapshot))
    if len(found) > MOST_VOTES:
        found = sorted(found, key=lambda item: STRONGEST_FIRST.index(item[1]))[:MOST_VOTES]
    placed = sorted((_placed(snapshot, about, verdict) for about, verdict in found), key=lambda item: item[0])
    if snapshot.plan.dialect.tool_key is None and snapshot.plan.sites is not None and not _is_judged(snapshot):
        reason = (
            "This plan names no tools, and the policy does not say what it may write: add `allow_writes` or "
            "`allow_scope` to the policy, or submit the calls that the plan makes."
        )
        return [Vote(Verdict.UNDECIDED, NO_TOOLS, reason), *(vote for _, vote in placed)]
    if snapshot.is_pending:
        reason = "This plan is still being checked, so nothing is decided: ask again."
        return [Vote(Verdict.UNDECIDED, NOT_FINISHED, reason), *(vote for _, vote in placed)]
    if not placed:
        return [Vote(Verdict.ALLOW, "invariants_hold", "The plan keeps to every rule of the policy.")]
    return [vote for _, vote in placed]


def _is_judged(snapshot: Snapshot) -> bool:
    """Whether a plan without tools has steps, and a policy that says what these may write, or have in scope."""
    policy = snapshot.settings.policy
    return policy is not None and policy.judges_resources and bool(snapshot.plan.steps)


def unread(snapshot: Snapshot) -> list[Vote]:
    """What speaks against a plan because not all of it can be read, or not in one way only."""
    found = (vote for vote in votes(snapshot) if vote.rule in _AMBIGUOUS or vote.verdict is Verdict.UNDECIDED)
    return [vote for vote in found if vote.rule != NO_TOOLS]


def _speaking_against(snapshot: Snapshot) -> Iterator[tuple[Finding | Unchecked, Verdict]]:
    policy = snapshot.settings.policy
    on_unknown = Verdict.DENY if policy is not None and policy.gate.unknown is OnUnknown.DENY else Verdict.HUMAN
    for finding in snapshot.findings_with(MOST_VOTES):
        verdict = _verdict(finding, policy)
        if verdict is not None:
            yield finding, verdict
    for unchecked in snapshot.unchecked:
        blocks = unchecked.reason in (Reason.LIMIT, Reason.FAILURE)
        yield unchecked, Verdict.UNDECIDED if blocks else on_unknown


def _verdict(finding: Finding, policy: Policy | None) -> Verdict | None:
    if finding.rule in _NOT_READ:
        return Verdict.UNDECIDED
    if finding.rule in NEEDS_HUMAN:
        return Verdict.HUMAN
    if finding.severity is Severity.ERROR:
        return Verdict.DENY
    return _ON_WARNING.get(on_warning(finding, policy))


def _placed(snapshot: Snapshot, about: Finding | Unchecked, verdict: Verdict) -> tuple[tuple[int, str, str], Vote]:
    start = snapshot.span(about).start if isinstance(about, Finding) else snapshot.place_span(about.place).start
    where = snapshot.lines.position(start)
    pointer = snapshot.pointer(about.place)
    rule = about.site.name if isinstance(about, Finding) and about.site is not None else about.rule
    vote = Vote(verdict, rule, about.message, _blamed(about), pointer, where.line + 1, where.character + 1)
    return (start, about.rule, about.message), vote


def _blamed(about: Finding | Unchecked) -> tuple[int, ...]:
    """The steps that are to blame: those that use a tool too often all are, and on a path only the last one."""
    related = about.related if isinstance(about, Finding) and about.rule in _BLAMING else ()
    places = (about.place, *(other.place for other in related))
    return tuple(sorted({place.step for place in places if place.step is not None}))
