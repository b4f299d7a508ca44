"""The rules of the gate. Each looks at the whole plan and says what speaks against it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from typing import Any, NamedTuple

from plancheck.gate.decision import Verdict, Vote
from plancheck.plan.model import Call
from plancheck.policy.arguments import is_number, values_at
from plancheck.policy.checks import Found, Outside, is_allowed, outside_bounds, secrets_in, writes_through
from plancheck.policy.model import Policy, split_key
from plancheck.policy.regexes import Hits, Matcher, Outcome


class GateCall(NamedTuple):
    """One step as the gate sees it."""

    tool: str | None
    """None where it names no tool."""
    args: Any
    """As the document has them."""
    call: Call
    """The same for the checks of a policy."""
    other: str | None = None
    """The key under which a tool is named that should be `tool_name`."""


def votes(plan: Sequence[GateCall], policy: Policy, matcher: Matcher) -> Iterator[Vote]:
    """What speaks against a plan; that nothing does is a vote for it."""
    against = [
        *_empty(plan),
        *_nameless(plan),
        *_too_many(plan, policy),
        *_blocked(plan, policy),
        *_tools(plan, policy),
        *_bounds(plan, policy),
        *_secrets(plan, policy, matcher),
        *_uses(plan, policy),
        *_first(plan, policy),
        *_required(plan, policy),
        *_human(plan, policy),
    ]
    yield from sorted(against, key=lambda vote: vote.steps[0] if vote.steps else -1)
    if not against:
        yield Vote(Verdict.ALLOW, "invariants_hold", "The plan keeps to every rule of the policy.")


def _deny(rule: str, reason: str, *steps: int) -> Vote:
    return Vote(Verdict.DENY, rule, reason, steps)


def _empty(plan: Sequence[GateCall]) -> Iterator[Vote]:
    if not plan:
        yield _deny("empty_plan", "The plan has no steps: hand in what is to be done.")


def _nameless(plan: Sequence[GateCall]) -> Iterator[Vote]:
    for position, call in enumerate(plan):
        if call.tool is None:
            way = f"rename `{call.other}` to `tool_name`" if call.other else "name the tool under `tool_name`"
            yield _deny("missing_tool_name", f"Step {position} does not say which tool it calls: {way}.", position)


def _too_many(plan: Sequence[GateCall], policy: Policy) -> Iterator[Vote]:
    most = policy.gate.max_steps
    if len(plan) > most:
        reason = f"The plan has {len(plan)} steps, and at most {most} are let through: split it before step {most}."
        yield _deny("too_many_steps", reason, most)


def _blocked(plan: Sequence[GateCall], policy: Policy) -> Iterator[Vote]:
    for position, call in enumerate(plan):
        if call.tool in policy.gate.blocked_tools:
            reason = f"Step {position} calls `{call.tool}`, which no plan may use: find another way."
            yield _deny("blocked_tool", reason, position)


def _tools(plan: Sequence[GateCall], policy: Policy) -> Iterator[Vote]:
    for position, call in enumerate(plan):
        if call.tool is None:
            continue
        if not is_allowed(call.tool, policy):
            allowed = ", ".join(f"`{tool}`" for tool in policy.allow_tools)
            reason = f"Step {position} calls `{call.tool}`, which the policy does not allow: there are {allowed}."
            yield _deny("tool_deny", reason, position)
        if any(why is None for _, why in writes_through(call.call, policy)):
            reason = f"Step {position} writes by SQL through `{call.tool}`, which only reads: only read here."
            yield _deny("tool_deny", reason, position)


def _bounds(plan: Sequence[GateCall], policy: Policy) -> Iterator[Vote]:
    for position, call in enumerate(plan):
        for found in outside_bounds(call.call, policy.bounds_of(call.tool or "")):
            if isinstance(found, Outside):
                name, bound = ".".join(str(part) for part in found.path), found.bound
                reason = f"`{name}` of step {position} is {found.value}: stay from {bound.low} to {bound.high}."
                yield _deny("bound_violation", reason, position)


def _secrets(plan: Sequence[GateCall], policy: Policy, matcher: Matcher) -> Iterator[Vote]:
    stopped: dict[str, None] = {}

    def noting(pattern: str, value: str) -> Hits | Outcome:
        outcome = matcher(pattern, value)
        if isinstance(outcome, Outcome):
            stopped.setdefault(pattern)
        return outcome

    for position, call in enumerate(plan):
        for found in secrets_in(call.call.arguments, call.call.arguments_path, policy, noting):
            if not isinstance(found, Found):
                continue
            where = ".".join(str(part) for part in found.path)
            reason = f"`{where}` of step {position} holds {found.name}: write `${{{found.variable}}}` instead."
            yield _deny("raw_secret", reason, position)
    for pattern in stopped:
        number = policy.deny_tokens_regex.index(pattern) + 1
        reason = f"Pattern {number} of the policy's `deny_tokens_regex` took too long, so secrets may be left: mend it."
        yield Vote(Verdict.UNDECIDED, "policy_regex_timeout", reason)


def _uses(plan: Sequence[GateCall], policy: Policy) -> Iterator[Vote]:
    for tools, most in policy.gate.at_most:
        steps = [position for position, call in enumerate(plan) if call.tool in tools]
        if len(steps) > most:
            reason = f"{len(steps)} steps call {_either(tools)}, and at most {most} may: leave out the others."
            yield _deny("too_many_uses", reason, *steps[most:])


def _first(plan: Sequence[GateCall], policy: Policy) -> Iterator[Vote]:
    if plan and plan[0].tool in policy.gate.not_first:
        reason = f"Step 0 calls `{plan[0].tool}`, and a plan may not begin with it: look first, then act."
        yield _deny("wrong_first_step", reason, 0)


def _required(plan: Sequence[GateCall], policy: Policy) -> Iterator[Vote]:
    for tools, before in policy.gate.required:
        checks = [position for position, call in enumerate(plan) if call.tool in tools]
        if not before:
            if plan and not checks:
                yield _deny("missing_verification", f"No step calls {_either(tools)}: add one that does.")
            continue
        for position, call in enumerate(plan):
            if call.tool in before and not any(check < position for check in checks):
                reason = f"Step {position} calls `{call.tool}` without {_either(tools)} before it: add such a step."
                yield _deny("missing_verification", reason, position)


def _human(plan: Sequence[GateCall], policy: Policy) -> Iterator[Vote]:
    tools = _names(plan)
    for key, above in policy.gate.needs_human:
        split = split_key(key, tools)
        for position, call in enumerate(plan):
            if split is None or call.tool != split[0]:
                continue
            for path, value in values_at(call.call.arguments, split[1], call.call.arguments_path):
                name = ".".join(str(part) for part in path)
                if not _is_finite(value):
                    reason = f"Nobody can tell whether `{name}` of step {position} is above {above}: write a number."
                    yield Vote(Verdict.HUMAN, "needs_human", reason, (position,))
                elif not value <= above:
                    reason = f"`{name}` of step {position} is {value}, and above {above} a human must look first."
                    yield Vote(Verdict.HUMAN, "needs_human", reason, (position,))


def _is_finite(value: Any) -> bool:
    """Whether a value is a number that can be compared with a limit: NaN is neither above nor below any."""
    return is_number(value) and (not isinstance(value, float) or isfinite(value))


def _names(plan: Sequence[GateCall]) -> frozenset[str]:
    return frozenset(call.tool for call in plan if call.tool is not None)


def _either(tools: Sequence[str]) -> str:
    return " or ".join(f"`{tool}`" for tool in tools)


def to_pairs(value: Any) -> Any:
    """A plain value in the form that the syntax tree has it: objects as pairs."""
    if isinstance(value, Mapping):
        return tuple((str(key), to_pairs(item)) for key, item in value.items())
    if isinstance(value, (list, tuple)):
        return [to_pairs(item) for item in value]
    return value
