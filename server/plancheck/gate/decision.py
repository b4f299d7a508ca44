"""What the gate decides, and what a single rule says on the way there."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Any, NamedTuple


class Verdict(str, Enum):
    ALLOW = "allow"
    DENY = "deny"
    HUMAN = "requires_hitl"
    UNDECIDED = "undecided"


class Vote(NamedTuple):
    """What one rule says about a plan. A rule that has nothing to say gives none."""

    verdict: Verdict
    rule: str
    reason: str
    """In plain words; for a plan that is not let through, with the way out."""
    steps: tuple[int, ...] = ()
    """The positions of the steps that it is about."""


class PolicyDecision(NamedTuple):
    allow: bool
    deny: bool
    requires_hitl: bool
    """A human must look first."""
    reason: str
    rule_matched: str
    steps: tuple[int, ...]
    """The positions of the steps that are to blame."""
    policy_version: str
    """The digest of the policy in force."""
    votes: tuple[Vote, ...] = ()
    """Everything that spoke against the plan, or for it where nothing did."""

    @property
    def verdict(self) -> Verdict:
        if self.deny:
            return Verdict.DENY
        if self.requires_hitl:
            return Verdict.HUMAN
        return Verdict.ALLOW if self.allow else Verdict.UNDECIDED

    @property
    def feedback(self) -> str:
        """What to tell a planner, so that its next plan gets through."""
        if self.allow:
            return "The plan is allowed."
        heads = {
            Verdict.DENY: "The plan is denied. Change it and hand it in again:",
            Verdict.HUMAN: "The plan waits for a human. To go on without one, change it:",
            Verdict.UNDECIDED: "Nobody could decide on the plan, so it is not allowed:",
        }
        lines = [f"- [{vote.rule}] {vote.reason}" for vote in self.votes]
        return "\n".join([heads[self.verdict], *lines])

    def to_dict(self) -> dict[str, Any]:
        return {
            "decision": self.verdict.value,
            "allow": self.allow,
            "deny": self.deny,
            "requires_hitl": self.requires_hitl,
            "reason": self.reason,
            "rule_matched": self.rule_matched,
            "steps": list(self.steps),
            "policy_version": self.policy_version,
            "violations": [
                {"rule": vote.rule, "decision": vote.verdict.value, "reason": vote.reason, "steps": list(vote.steps)}
                for vote in self.votes
                if vote.verdict is not Verdict.ALLOW
            ],
            "feedback": self.feedback,
        }


_STRONGEST_FIRST = (Verdict.DENY, Verdict.UNDECIDED, Verdict.HUMAN, Verdict.ALLOW)
UNDECIDED = Vote(Verdict.UNDECIDED, "no_rule", "No rule of the policy decides on this plan: add one that does.")


def decide(votes: Sequence[Vote], policy_version: str) -> PolicyDecision:
    """Deny wins over undecided, undecided over a human, a human over allow; without any vote the plan is not allowed.

    A human who approves what was checked would approve what could not be checked with it.
    """
    cast = tuple(votes) or (UNDECIDED,)
    strongest = next(verdict for verdict in _STRONGEST_FIRST if any(vote.verdict is verdict for vote in cast))
    matched = next(vote for vote in cast if vote.verdict is strongest)
    against = tuple(vote for vote in cast if vote.verdict is not Verdict.ALLOW)
    return PolicyDecision(
        strongest is Verdict.ALLOW,
        strongest is Verdict.DENY,
        strongest is Verdict.HUMAN,
        matched.reason,
        matched.rule,
        matched.steps,
        policy_version,
        against or (matched,),
    )


class PlanRejected(Exception):  # noqa: N818 - the name that callers know
    """A plan that is not allowed, with the decision."""

    def __init__(self, decision: PolicyDecision) -> None:
        super().__init__(f"{decision.rule_matched}: {decision.reason}")
        self.decision = decision
