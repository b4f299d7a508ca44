"""The plan gate: whether a plan of tool calls may run, decided before its first step does.

    from plancheck.gate import PolicyGate

    gate = PolicyGate({"allow_tools": ["crm.find"]})
    decision = gate.evaluate_plan([{"tool_name": "crm.find", "args": {"name": "Ada"}}])
    assert decision

That a plan was let through never replaces the check of each step when it runs: arguments that are only known then, and
what an agent does besides its plan, are nothing that a plan can show.
"""

from plancheck.gate.decision import GovernanceError, PlanRejected, PolicyDecision, Verdict, Vote
from plancheck.gate.evaluate import GateRule, GovernedToolbox, PolicyGate, evaluate_plan, require_allowed
from plancheck.gate.log import DecisionLog
from plancheck.gate.policies import PolicyError, load_policy
from plancheck.policy.model import GateRules, HumanLimit, OnUnknown, Policy, Required, Uses

__all__ = [
    "DecisionLog",
    "GateRule",
    "GateRules",
    "GovernanceError",
    "GovernedToolbox",
    "HumanLimit",
    "OnUnknown",
    "PlanRejected",
    "Policy",
    "PolicyDecision",
    "PolicyError",
    "PolicyGate",
    "Required",
    "Uses",
    "Verdict",
    "Vote",
    "evaluate_plan",
    "load_policy",
    "require_allowed",
]
