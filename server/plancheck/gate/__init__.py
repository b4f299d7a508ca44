"""The plan gate: whether a plan of tool calls may run, decided before its first step does.

    from plancheck.gate import evaluate_plan, require_allowed

    decision = evaluate_plan([{"tool_name": "crm.find", "args": {"name": "Ada"}}])
    assert decision.allow

That a plan was let through never replaces the check of each step when it runs: arguments that are only known then, and
what an agent does besides its plan, are nothing that a plan can show.
"""

from plancheck.gate.decision import PlanRejected, PolicyDecision, Verdict, Vote
from plancheck.gate.evaluate import GateRule, evaluate_plan, require_allowed
from plancheck.gate.log import DecisionLog
from plancheck.policy.model import GateRules, HumanLimit, Policy, Required, Uses

__all__ = [
    "DecisionLog",
    "GateRule",
    "GateRules",
    "HumanLimit",
    "PlanRejected",
    "Policy",
    "PolicyDecision",
    "Required",
    "Uses",
    "Verdict",
    "Vote",
    "evaluate_plan",
    "require_allowed",
]
