"""Validating a plan: the findings of the checks as codes with a risk score."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any

from plancheck.analysis.engine import analyze
from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.risks import on_warning
from plancheck.analysis.settings import InlineIgnores, Settings
from plancheck.analysis.snapshot import Snapshot
from plancheck.frozen import replace
from plancheck.gate.documents import document_text
from plancheck.gate.policies import load_policy
from plancheck.plan.dialects.table import VALIDATED
from plancheck.plan_lint.types import ErrorCode, Plan, PlanError, PlanWarning, Policy, Status, ValidationResult
from plancheck.policy.model import DEFAULT_WEIGHT, NO_POLICY, OnUnknown, OnWarning
from plancheck.policy.model import Policy as GatePolicy
from plancheck.policy.reading import PolicyProblem, PolicyText
from plancheck.policy.regexes import Matcher
from plancheck.policy.rego.files import RegoAsk
from plancheck.text import Span
from plancheck.unknown import Reason
from plancheck.workspace.asking import asker_for
from plancheck.workspace.catalogues import ToolsSource, loaded_catalogue
from plancheck.workspace.regex_process import matcher_for

if TYPE_CHECKING:
    from plancheck.catalogue.model import Catalogue

_HUMAN = ("needs_human", "rego_needs_human")
_INVALID = ("syntax_error", "not_a_plan", "wrong_type", "missing_key", "empty_name", "unknown_kind")
_DENIED = (
    "blocked_tool",
    "second_tool",
    "too_many_uses",
    "wrong_first_step",
    "missing_verification",
    "recipient_deny",
    "private_data_out",
    "write_deny",
    "scope_deny",
    "rego_deny",
)
_CODES: dict[str, ErrorCode] = {
    **dict.fromkeys(_INVALID, ErrorCode.SCHEMA_INVALID),
    **dict.fromkeys(_DENIED, ErrorCode.TOOL_DENY),
    "too_many_steps": ErrorCode.MAX_STEPS_EXCEEDED,
    **{code.value.lower(): code for code in ErrorCode},
}
_ABOUT_THE_PLAN = (ErrorCode.SCHEMA_INVALID, ErrorCode.MAX_STEPS_EXCEEDED, ErrorCode.LOOP_DETECTED)
_ORDER = {code: number for number, code in enumerate((*_ABOUT_THE_PLAN, *ErrorCode))}


def validate_plan(
    plan: Plan | Mapping[str, Any] | list[Any] | str,
    policy: Policy | GatePolicy | Mapping[str, Any] | str | PathLike[str] | None = None,
    *,
    matcher: Matcher | None = None,
    opa: str | None = None,
    tools: ToolsSource | None = None,
) -> ValidationResult:
    """Check a plan, given as a `Plan`, as the dict in its JSON document or as the text of it, against a policy: one of
    this module, one of `plancheck.gate`, or what `plancheck.gate.load_policy` takes, which raises PolicyError. `opa` is
    the program that evaluates Rego policies, and `tools` the catalogue of the tools that there are: a path, several, or
    a `Catalogue`."""
    if isinstance(policy, (str, PathLike, Mapping)):
        policy = load_policy(policy)
    if isinstance(policy, GatePolicy):
        found = PolicyText(policy, ())
        policy = Policy(
            risk_weights=dict(policy.risk_weights), fail_risk_threshold=policy.fail_risk_threshold
        )  # of the rest, `found` has the say
    else:
        policy = policy if policy is not None else Policy()
        found = _read(policy)
    text = _text(plan)
    if isinstance(text, PlanError):
        score = _risk_score({text.code.value}, policy.risk_weights)
        return ValidationResult(Status.ERROR, score, [text])
    run = matcher_for(text, matcher)
    snapshot = _snapshot(text, found, run, asker_for(found.policy, opa), loaded_catalogue(tools))
    errors, warnings = _of_policy(found, run)
    for finding in snapshot.findings:
        code = _CODES.get(finding.rule)
        wanted = on_warning(finding, found.policy)
        if wanted is OnWarning.DENY:
            errors.append(PlanError(ErrorCode.TOOL_DENY, finding.message, finding.place.step))
        elif code is ErrorCode.MISSING_HANDLER or finding.rule in _HUMAN or wanted is OnWarning.HUMAN:
            warnings.append(PlanWarning(code.value if code else finding.rule, finding.message, finding.place.step))
        elif code is not None or finding.severity is Severity.ERROR:
            code = code or ErrorCode.SCHEMA_INVALID
            errors.append(PlanError(code, finding.message, _step(code, finding)))
    is_denied = found.policy.gate.unknown is OnUnknown.DENY
    for unchecked in snapshot.unchecked:
        if is_denied or unchecked.reason in (Reason.LIMIT, Reason.FAILURE):
            errors.append(PlanError(ErrorCode.NOT_CHECKED, unchecked.message, unchecked.place.step))
        else:
            warnings.append(PlanWarning(ErrorCode.NOT_CHECKED.value, unchecked.message, unchecked.place.step))
    errors.sort(key=lambda error: (error.code not in _ABOUT_THE_PLAN, _position(error.step), _ORDER[error.code]))
    score = _risk_score({error.code.value for error in errors} | _coded(warnings), policy.risk_weights)
    return ValidationResult(_status(score, errors, warnings, policy), score, errors, warnings)


def _snapshot(text: str, found: PolicyText, matcher: Matcher, rego: RegoAsk, catalogue: Catalogue | None) -> Snapshot:
    """The plan as it is checked: in its own format, if that is one that can be judged, and else as steps."""
    settings = Settings(policy=found.policy, inline_ignores=InlineIgnores.NONE, catalogue=catalogue)
    snapshot = analyze(text, settings, matcher=matcher, rego=rego)
    if snapshot.plan.dialect.tool_key is not None or (found.policy.judges_resources and snapshot.plan.steps):
        return snapshot
    return analyze(text, replace(settings, dialect=VALIDATED), matcher=matcher, rego=rego)


def _of_policy(found: PolicyText, matcher: Matcher) -> tuple[list[PlanError], list[PlanWarning]]:
    """What the policy keeps from being checked, by its mistakes and by patterns that take too long; and its oddities.

    An unknown key can only be a risk weight here: it keeps nothing from being checked, and plan-lint takes it too.
    """
    errors: list[PlanError] = []
    warnings: list[PlanWarning] = []
    for problem in found.problems:
        if problem.rule == "policy_unknown_key":
            warnings.append(PlanWarning(problem.rule, problem.message))
        else:
            message = f"The policy has a mistake, so not all of it was checked: {problem.message}"
            errors.append(PlanError(ErrorCode.NOT_CHECKED, message))
    for number, pattern in enumerate(found.policy.deny_tokens_regex, 1):
        if pattern in matcher.stopped:
            message = f"Pattern {number} of `deny_tokens_regex` took too long and was stopped: simplify it."
            errors.append(PlanError(ErrorCode.NOT_CHECKED, message))
    return errors, warnings


def _read(policy: Policy) -> PolicyText:
    try:
        return policy.read()
    except ValueError as error:  # it holds values that no policy can
        return PolicyText(NO_POLICY, (PolicyProblem("policy_bad_value", f"{error}.", Span(0, 0)),))


def _text(plan: Plan | Mapping[str, Any] | list[Any] | str) -> str | PlanError:
    """The plan as the JSON document that is checked, or why there is none."""
    try:
        text = document_text(plan.to_dict() if isinstance(plan, Plan) else plan)
    except (TypeError, ValueError) as error:
        return PlanError(ErrorCode.SCHEMA_INVALID, f"The plan cannot be written as JSON: {error}.")
    return text if isinstance(text, str) else PlanError(ErrorCode.NOT_CHECKED, text.message)


def _step(code: ErrorCode, finding: Finding) -> int | None:
    return None if code is ErrorCode.MAX_STEPS_EXCEEDED else finding.place.step


def _position(step: int | None) -> int:
    return -1 if step is None else step


def _coded(warnings: list[PlanWarning]) -> set[str]:
    """The codes of warnings about the plan; a fault of the policy is no risk of the plan."""
    return {warning.code for warning in warnings if warning.code in ErrorCode.__members__}


def _risk_score(codes: set[str], weights: Mapping[str, float]) -> float:
    by_code = {code.upper(): weight for code, weight in weights.items()}
    total = sum(by_code.get(code, DEFAULT_WEIGHT) for code in sorted(codes))
    return min(1.0, round(float(total), 12))  # 0.1 + 0.7 is to reach 0.8


def _status(score: float, errors: list[PlanError], warnings: list[PlanWarning], policy: Policy) -> Status:
    if errors or 0 < score >= policy.fail_risk_threshold:
        return Status.ERROR
    return Status.WARN if warnings else Status.PASS
