"""Evaluating a plan: from its document to the decision, and into the log."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from plancheck.gate.decision import PlanRejected, PolicyDecision, Vote, decide
from plancheck.gate.log import DecisionLog
from plancheck.gate.rules import GateCall, to_pairs, votes
from plancheck.plan.model import Call
from plancheck.policy.model import NO_POLICY, Policy
from plancheck.policy.regexes import Matcher
from plancheck.workspace.regex_process import shared_process

GateRule: TypeAlias = Callable[[Sequence[Mapping[str, Any]], Any], "Vote | None"]
"""A rule of one's own: it sees the steps and the context, and votes or leaves it to the others."""


def evaluate_plan(
    plan: Any,
    context: Any = None,
    policy: Policy | Sequence[GateRule] = NO_POLICY,
    *,
    rules: Sequence[GateRule] = (),
    log: DecisionLog | str | None = None,
    matcher: Matcher | None = None,
) -> PolicyDecision:
    """Whether a plan may run. Does not raise where it may not; a malformed plan raises ValueError naming the step.

    `policy` is a policy, or a list of rules that take its place; `rules` are asked besides the policy. `context` is
    handed to such rules and means nothing to ours.
    """
    steps = steps_of(plan)
    calls = [_call(position, step) for position, step in enumerate(steps)]
    cast: list[Vote] = []
    if isinstance(policy, Policy):
        version = policy.digest
        cast += votes(calls, policy, matcher if matcher is not None else shared_process())
        own = list(rules)
    else:
        own = [*policy, *rules]
        version = f"rules:{','.join(_name(rule) for rule in own)}"
    cast += (vote for rule in own if (vote := rule(steps, context)) is not None)
    decision = decide(cast, version)
    if log is not None:
        (DecisionLog(log) if isinstance(log, str) else log).append(record(steps, decision))
    return decision


def require_allowed(
    plan: Any, context: Any = None, policy: Policy | Sequence[GateRule] = NO_POLICY, **how: Any
) -> PolicyDecision:
    """The decision on a plan that may run; PlanRejected, with the decision, for any other."""
    decision = evaluate_plan(plan, context, policy, **how)
    if not decision.allow:
        raise PlanRejected(decision)
    return decision


def steps_of(plan: Any) -> list[Mapping[str, Any]]:
    """The steps of a plan: a list of them, or an object that has one under `steps`."""
    steps = plan.get("steps") if isinstance(plan, Mapping) else plan
    if not isinstance(steps, (list, tuple)):
        raise ValueError("a plan must be a list of tool calls, or an object with one under `steps`")
    for position, step in enumerate(steps):
        if not isinstance(step, Mapping):
            raise ValueError(f"step {position}: a step must be an object, not {type(step).__name__}")
    return list(steps)


def _call(position: int, step: Mapping[str, Any]) -> GateCall:
    tool, args = step.get("tool_name"), step.get("args")
    if tool is not None and not isinstance(tool, str):
        raise ValueError(f"step {position}: `tool_name` must be a string, not {type(tool).__name__}")
    if args is not None and not isinstance(args, Mapping):
        raise ValueError(f"step {position}: `args` must be an object, not {type(args).__name__}")
    other = next((key for key in ("tool", "name", "toolName") if isinstance(step.get(key), str)), None)
    call = Call(tool or None, ("tool_name",), to_pairs(args), ("args",), None, ())
    return GateCall(tool or None, args, call, None if tool else other)


def record(steps: Sequence[Mapping[str, Any]], decision: PolicyDecision) -> dict[str, Any]:
    """What the log keeps of a decision: the tools of the plan and a digest of all of it, but no arguments."""
    text = json.dumps(list(steps), sort_keys=True, ensure_ascii=True, default=str)
    return {
        "event_type": "agent.plan",
        "plan_digest": f"sha256:{hashlib.sha256(text.encode()).hexdigest()}",
        "steps": [step.get("tool_name") for step in steps],
        "decision": decision.verdict.value,
        "rule_matched": decision.rule_matched,
        "reason": decision.reason,
        "blamed_steps": list(decision.steps),
        "policy_version": decision.policy_version,
    }


def _name(rule: GateRule) -> str:
    return str(getattr(rule, "__name__", type(rule).__name__))
