"""Evaluating a plan: from its document to the decision, and into the log."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import Any, TypeAlias

from plancheck.analysis.snapshot import RAW_SECRET, Snapshot
from plancheck.gate.decision import GovernanceError, PlanRejected, PolicyDecision, Verdict, Vote, decide
from plancheck.gate.documents import NotWritten, in_context, plan_text
from plancheck.gate.judge import far_too_many_steps, judged, unread, votes
from plancheck.gate.log import DecisionLog, record_of
from plancheck.gate.policies import load_policy
from plancheck.policy.model import NO_POLICY, GateRules, Policy
from plancheck.policy.regexes import Matcher
from plancheck.policy.rego.files import no_engine
from plancheck.policy.secrets import MASK
from plancheck.syntax.tree import Part, Path
from plancheck.syntax.values import to_plain
from plancheck.workspace.asking import asker_for
from plancheck.workspace.catalogues import ToolsSource, loaded_catalogue
from plancheck.workspace.regex_process import matcher_for

GateRule: TypeAlias = Callable[[Sequence[Mapping[str, Any]], Any], "Vote | None"]
"""A rule of one's own: it sees the steps and the context, and votes or leaves it to the others."""
PolicySource: TypeAlias = "Policy | Mapping[str, Any] | str | PathLike[str]"
"""A policy, or what `load_policy` takes."""
LogTarget: TypeAlias = "DecisionLog | str | PathLike[str]"

_MALFORMED = frozenset({"not_a_plan", "wrong_type"})


def evaluate_plan(
    plan: Any,
    context: Any = None,
    policy: PolicySource | Sequence[GateRule] = NO_POLICY,
    *,
    rules: Sequence[GateRule] = (),
    log: LogTarget | None = None,
    matcher: Matcher | None = None,
    faults: tuple[str, ...] = (),
    opa: str | None = None,
    tools: ToolsSource | None = None,
) -> PolicyDecision:
    """Whether a plan may run. Does not raise where it may not.

    `plan` is its JSON text, or the same as Python values; a malformed one of the latter raises ValueError naming the
    step. `policy` is a policy, what `load_policy` takes, or a list of rules of one's own that take its place; `rules`
    are asked besides the policy. `context` is handed to such rules, and to Rego policies as `input.context`, instead of
    what the plan has there; it means nothing to other rules, and a policy in its place is a TypeError. `faults` says
    why the policy cannot be relied on, in sentences: nothing is decided then. `opa` is the program that evaluates Rego.
    `tools` is the catalogue of the tools that there are: a path, several, or a `Catalogue`; what does not fit is not
    allowed.
    """
    if isinstance(context, (Policy, GateRules)) or hasattr(context, "deny_tokens_regex"):
        raise TypeError("the second argument is the context, and this is a policy: give it as `policy=`")
    if isinstance(policy, (list, tuple)):
        _raise_unless_rules(policy)
        return _logged(plan_text(plan), None, _by_rules(plan, context, (*policy, *rules)), log)
    known = _known(policy)
    text = plan_text(plan)
    if isinstance(text, NotWritten):
        vote = Vote(Verdict.UNDECIDED, text.rule, text.message)
        return _logged(text, None, decide([vote], known.digest), log)
    refused = far_too_many_steps(text, known)
    if refused is not None:
        return _logged(text, None, decide([refused], known.digest), log)
    asker = in_context(asker_for(known, opa), context) if known.rego else no_engine
    snapshot = judged(text, known, matcher_for(text, matcher), faults, asker, loaded_catalogue(tools))
    if not isinstance(plan, (str, bytes, bytearray)):
        _raise_if_malformed(snapshot)
    cast = votes(snapshot)
    if rules:
        cast += _own_votes(_values(snapshot), context, rules)
    return _logged(text, snapshot, decide(cast, known.digest), log)


def require_allowed(
    plan: Any, context: Any = None, policy: PolicySource | Sequence[GateRule] = NO_POLICY, **how: Any
) -> PolicyDecision:
    """The decision on a plan that may run; PlanRejected, with the decision, for any other."""
    decision = evaluate_plan(plan, context, policy, **how)
    if not decision.allow:
        raise PlanRejected(f"{decision.rule_matched}: {decision.reason}", decision=decision)
    return decision


class PolicyGate:
    """A policy, and a log, by which plans are judged. The policy is read and validated when the gate is made."""

    def __init__(
        self,
        policy: PolicySource = NO_POLICY,
        *,
        log: LogTarget | None = None,
        rules: Sequence[GateRule] = (),
        matcher: Matcher | None = None,
        opa: str | None = None,
        tools: ToolsSource | None = None,
    ) -> None:
        self.policy = _known(policy)
        self._tools = loaded_catalogue(tools)
        self._log = log if log is None or isinstance(log, DecisionLog) else DecisionLog(log)
        self._rules = tuple(rules)
        self._matcher = matcher
        self._opa = opa

    def evaluate_plan(self, plan: Any, context: Any = None) -> PolicyDecision:
        """Whether a plan may run. The decision can be awaited as well as used at once."""
        rules, log, matcher, opa, tools = self._rules, self._log, self._matcher, self._opa, self._tools
        return evaluate_plan(plan, context, self.policy, rules=rules, log=log, matcher=matcher, opa=opa, tools=tools)


class GovernedToolbox:
    """A gate that raises: for code that must not go on with a plan that is not allowed."""

    def __init__(self, gate: PolicyGate | PolicySource = NO_POLICY) -> None:
        self.gate = gate if isinstance(gate, PolicyGate) else PolicyGate(gate)

    def evaluate_plan(self, plan: Any, context: Any = None) -> PolicyDecision:
        """The decision on a plan that may run; GovernanceError, with the decision, for any other."""
        decision = self.gate.evaluate_plan(plan, context)
        if not decision.allow:
            raise GovernanceError(f"{decision.rule_matched}: {decision.reason}", decision=decision)
        return decision


def _known(policy: PolicySource | Sequence[GateRule]) -> Policy:
    if isinstance(policy, Policy):
        return policy
    if isinstance(policy, (str, PathLike, Mapping)):
        return load_policy(policy)
    if isinstance(policy, GateRules):
        raise ValueError("a policy must be a Policy: write `Policy(gate=…)` around these rules")
    raise ValueError(f"a policy must be a Policy, or what load_policy takes, not {type(policy).__name__}")


def _raise_unless_rules(rules: Sequence[Any]) -> None:
    for rule in rules:
        if not callable(rule):
            raise ValueError(f"a rule in place of a policy must be a function, not {type(rule).__name__}")


def _by_rules(plan: Any, context: Any, rules: Sequence[GateRule]) -> PolicyDecision:
    """The decision of rules of one's own, without a policy."""
    text = _text_of(plan)
    snapshot = judged(text, NO_POLICY, matcher_for(text, None))
    _raise_if_malformed(snapshot)
    version = f"rules:{','.join(_name(rule) for rule in rules)}"
    return decide([*unread(snapshot), *_own_votes(_values(snapshot), context, rules)], version)


def _text_of(plan: Any) -> str:
    text = plan_text(plan)
    if isinstance(text, NotWritten):
        raise ValueError(text.message)
    return text


def _own_votes(steps: list[Any], context: Any, rules: Sequence[GateRule]) -> list[Vote]:
    found = [vote for rule in rules if (vote := rule(steps, context)) is not None]
    for vote in found:
        if not isinstance(vote, Vote):
            raise TypeError(f"a rule must return a Vote or None, not {type(vote).__name__}")
    return found


def _name(rule: GateRule) -> str:
    return str(getattr(rule, "__name__", type(rule).__name__))


def _values(snapshot: Snapshot) -> list[Any]:
    """The steps as plain values."""
    return [to_plain(step.value) for step in snapshot.plan.steps]


def _raise_if_malformed(snapshot: Snapshot) -> None:
    """A program that hands in values that are no plan has a mistake in it."""
    for fault in snapshot.plan.faults:
        if fault.rule in _MALFORMED:
            raise ValueError(fault.message)
    for position, step in enumerate(snapshot.plan.steps):
        for fault in step.faults:
            if fault.rule in _MALFORMED:
                raise ValueError(f"step {position}: {fault.message}")


def _logged(
    text: str | NotWritten, snapshot: Snapshot | None, decision: PolicyDecision, log: LogTarget | None
) -> PolicyDecision:
    """The decision, once it is in the log: one that cannot be recorded is none."""
    if log is not None:
        target = log if isinstance(log, DecisionLog) else DecisionLog(log)
        steps = [] if snapshot is None else _logged_steps(snapshot)
        document = "" if isinstance(text, NotWritten) else text
        target.append(record_of(document, steps, decision, log_arguments=target.log_arguments))
    return decision


def _logged_steps(snapshot: Snapshot) -> list[tuple[str | None, Any]]:
    """The tools and arguments of the steps, without the values that hold a secret or what the policy denies."""
    secrets: dict[int, list[Path]] = {}
    for finding in snapshot.findings:
        if finding.rule == RAW_SECRET and finding.place.step is not None:
            is_name = finding.place.part is Part.KEY
            path = finding.place.path[:-1] if is_name else finding.place.path
            secrets.setdefault(finding.place.step, []).append(path)
    found: list[tuple[str | None, Any]] = []
    for position, step in enumerate(snapshot.plan.steps):
        call, hidden = step.call, secrets.get(position, [])
        if call is None:
            found.append((None, None))
            continue
        arguments, size = to_plain(call.arguments), len(call.arguments_path)
        for path in hidden:
            if path[:size] == call.arguments_path[: len(path)]:
                arguments = _without(arguments, path[size:])
        found.append((MASK if call.tool_path in hidden else call.tool, arguments))
    return found


def _without(value: Any, path: Path) -> Any:
    """A value with what is at a path masked; all of it where the path cannot be followed."""
    if path and isinstance(value, dict) and path[0] in value:
        return {**value, path[0]: _without(value[path[0]], path[1:])}
    if path and isinstance(value, list) and isinstance(path[0], int) and path[0] < len(value):
        return [_without(item, path[1:]) if i == path[0] else item for i, item in enumerate(value)]
    return MASK
