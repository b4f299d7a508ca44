"""What the gate decides, and what speaks for or against a plan on the way there."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any


class Verdict(str, Enum):
    """What the gate decides."""

    ALLOW = "allow"
    """The plan may run."""
    DENY = "deny"
    """It may not."""
    HUMAN = "requires_hitl"
    """A human must look first."""
    UNDECIDED = "undecided"
    """Something kept the gate from deciding: it may not run."""


@dataclass(frozen=True, slots=True)
class Vote:
    """What one rule says about a plan. A rule that has nothing to say gives none."""

    verdict: Verdict
    """What becomes of the plan, if no stricter vote is cast."""
    rule: str
    """The name of the rule."""
    reason: str
    """In plain words; for a plan that is not let through, with the way out."""
    steps: tuple[int, ...] = ()
    """The positions of the steps that it is about."""
    pointer: str = ""
    """The place in the document, as a JSON pointer (RFC 6901)."""
    line: int = 0
    """The place in the text, counted from 1; 0 where there is none."""
    column: int = 0
    """Likewise, in UTF-16 code units, as editors count them."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "verdict", Verdict(self.verdict))


@dataclass(frozen=True, slots=True)
class PolicyDecision:
    """Whether a plan may run, and why. It is true where the plan is allowed, and nowhere else.

    It can be awaited, which gives the decision itself: the gate has decided by then.
    """

    verdict: Verdict
    """The strictest of what the rules say."""
    reason: str
    """The strongest reason in plain words."""
    rule_matched: str
    """The rule that gave it: compare this, never the words."""
    steps: tuple[int, ...]
    """The positions of the steps that are to blame."""
    findings: tuple[Vote, ...]
    """Everything that speaks against the plan; where nothing does, what speaks for it."""
    policy_version: str
    """The digest of the policy in force."""

    def __bool__(self) -> bool:
        return self.allow

    def __await__(self) -> Generator[Any, None, PolicyDecision]:
        yield from ()  # nothing to wait for
        return self

    @property
    def allow(self) -> bool:
        """Whether the plan may run."""
        return self.verdict is Verdict.ALLOW

    @property
    def deny(self) -> bool:
        """Whether a rule speaks against it."""
        return self.verdict is Verdict.DENY

    @property
    def requires_hitl(self) -> bool:
        """Whether a human must look first."""
        return self.verdict is Verdict.HUMAN

    @property
    def undecided(self) -> bool:
        """Whether something kept the gate from deciding."""
        return self.verdict is Verdict.UNDECIDED

    @property
    def feedback(self) -> str:
        """What to tell a planner, so that its next plan gets through."""
        lines = [f"- [{vote.rule}] {vote.reason}" for vote in self.findings if vote.verdict is not Verdict.ALLOW]
        return "\n".join([_HEADS[self.verdict], *lines])

    def to_dict(self) -> dict[str, Any]:
        """As `plancheck gate --format json` prints it."""
        return {
            "decision": self.verdict.value,
            "allow": self.allow,
            "deny": self.deny,
            "requires_hitl": self.requires_hitl,
            "undecided": self.undecided,
            "reason": self.reason,
            "rule_matched": self.rule_matched,
            "steps": list(self.steps),
            "policy_version": self.policy_version,
            "findings": [
                {
                    "rule": vote.rule,
                    "decision": vote.verdict.value,
                    "reason": vote.reason,
                    "steps": list(vote.steps),
                    "pointer": vote.pointer,
                    "line": vote.line,
                    "column": vote.column,
                }
                for vote in self.findings
                if vote.verdict is not Verdict.ALLOW
            ],
            "feedback": self.feedback,
        }


_HEADS = {
    Verdict.ALLOW: "The plan is allowed.",
    Verdict.DENY: "The plan is denied. Change it and submit it again:",
    Verdict.HUMAN: "The plan waits for a human. To go on without one, change it:",
    Verdict.UNDECIDED: "The plan could not be judged, so it is not allowed:",
}
STRONGEST_FIRST = (Verdict.DENY, Verdict.UNDECIDED, Verdict.HUMAN, Verdict.ALLOW)
_NO_VOTE = Vote(Verdict.UNDECIDED, "no_rule", "No rule of the policy decides on this plan: add one that does.")


def decide(votes: Sequence[Vote], policy_version: str) -> PolicyDecision:
    """Deny wins over undecided, undecided over a human, a human over allow; without any vote the plan is not allowed.

    A human who approves what was checked would approve what could not be checked with it.
    """
    cast = tuple(votes) or (_NO_VOTE,)
    strongest = next(verdict for verdict in STRONGEST_FIRST if any(vote.verdict is verdict for vote in cast))
    matched = next(vote for vote in cast if vote.verdict is strongest)
    against = tuple(vote for vote in cast if vote.verdict is not Verdict.ALLOW)
    return PolicyDecision(strongest, matched.reason, matched.rule, matched.steps, against or (matched,), policy_version)


class GovernanceError(Exception):
    """A plan that is not allowed, with the decision."""

    def __init__(self, message: str, *, decision: PolicyDecision) -> None:
        super().__init__(message)
        self.decision = decision


class PlanRejected(GovernanceError):  # noqa: N818 - the name that callers know
    """The same, from `require_allowed`."""
