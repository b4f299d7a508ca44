"""Plans of steps and their policies as Python values, and their validation with codes and a risk score.

    from plancheck.plan_lint import Plan, PlanStep, Policy, validate_plan

    plan = Plan(goal="pay", steps=[PlanStep(id="pay", tool="payments.transfer", args={"amount": 5000})])
    result = validate_plan(plan, Policy(bounds={"payments.transfer.amount": [0, 1000]}))
    assert not result.valid and result.errors[0].code is ErrorCode.BOUND_VIOLATION

The checks are those of the editor and the command: a plan that is valid here has no such finding there. What a plan
asks to be ignored (`plancheck-ignore`) is not ignored here, for who is checked does not choose the checks.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from plancheck.analysis.engine import analyze
from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.settings import InlineIgnores, Settings
from plancheck.analysis.snapshot import Snapshot
from plancheck.plan.dialects.table import VALIDATED
from plancheck.policy.model import OnUnknown
from plancheck.policy.model import Policy as GatePolicy
from plancheck.policy.reading import PolicyProblem, PolicyText, policy_of, read_policy
from plancheck.policy.regexes import Matcher
from plancheck.unknown import Reason
from plancheck.workspace.regex_process import shared_process

__all__ = [
    "ErrorCode",
    "Plan",
    "PlanError",
    "PlanStep",
    "PlanWarning",
    "Policy",
    "Status",
    "ValidationResult",
    "validate_plan",
]


class Status(str, Enum):
    PASS = "pass"
    WARN = "warn"
    ERROR = "error"


class ErrorCode(str, Enum):
    SCHEMA_INVALID = "SCHEMA_INVALID"
    TOOL_DENY = "TOOL_DENY"
    BOUND_VIOLATION = "BOUND_VIOLATION"
    RAW_SECRET = "RAW_SECRET"
    LOOP_DETECTED = "LOOP_DETECTED"
    MAX_STEPS_EXCEEDED = "MAX_STEPS_EXCEEDED"
    MISSING_HANDLER = "MISSING_HANDLER"
    NOT_CHECKED = "NOT_CHECKED"
    """Something could not be checked: it is too large, a rule failed, the policy has a mistake. As a warning: only the
    run can tell, or it was not understood."""


DEFAULT_WEIGHT = 0.2
"""What a code adds to the risk score where the policy gives it no weight."""

_INVALID = ("syntax_error", "not_a_plan", "wrong_type", "missing_key", "empty_name", "unknown_kind")
_DENIED = ("blocked_tool", "second_tool", "too_many_uses", "wrong_first_step", "missing_verification")
_CODES: dict[str, ErrorCode] = {
    **dict.fromkeys(_INVALID, ErrorCode.SCHEMA_INVALID),
    **dict.fromkeys(_DENIED, ErrorCode.TOOL_DENY),
    "too_many_steps": ErrorCode.MAX_STEPS_EXCEEDED,
    **{code.value.lower(): code for code in ErrorCode},
}
_ABOUT_THE_PLAN = (ErrorCode.SCHEMA_INVALID, ErrorCode.MAX_STEPS_EXCEEDED, ErrorCode.LOOP_DETECTED)
_ORDER = {code: number for number, code in enumerate((*_ABOUT_THE_PLAN, *ErrorCode))}


@dataclass
class PlanError:
    """Something that makes a plan unfit to run."""

    code: ErrorCode
    msg: str
    step: int | None = None
    """The position of the step in the list, or None where the plan as a whole is meant."""

    def to_dict(self) -> dict[str, Any]:
        return {"step": self.step, "code": self.code.value, "msg": self.msg}


@dataclass
class PlanWarning:
    """Something to look at. Its code is an `ErrorCode`'s value or, for a fault of the policy, the name of a rule."""

    code: str
    msg: str
    step: int | None = None

    def to_dict(self) -> dict[str, Any]:
        return {"step": self.step, "code": self.code, "msg": self.msg}


# ---- plans -----------------------------------------------------------------------------------------------------------


@dataclass(init=False)
class PlanStep:
    """One call of a tool. `args` and `parameters` are two names of the same thing."""

    id: str
    tool: str
    args: dict[str, Any]
    on_fail: str
    depends_on: list[str] | None
    has_handler: bool = field(compare=False, repr=False)
    """Whether `on_fail` was given, and is not only what holds by default."""

    def __init__(
        self,
        id: str,  # noqa: A002 - the name in the document
        tool: str,
        args: Mapping[str, Any] | None = None,
        on_fail: str | None = None,
        depends_on: Iterable[str] | None = None,
        parameters: Mapping[str, Any] | None = None,
    ) -> None:
        if args is not None and parameters is not None:
            raise ValueError(f"step {id}: `args` and `parameters` mean the same, so give one of them")
        self.id = id
        self.tool = tool
        self.args = dict(args if args is not None else parameters or {})
        self.on_fail = on_fail if on_fail is not None else "abort"
        self.depends_on = None if depends_on is None else list(depends_on)
        self.has_handler = on_fail is not None

    @property
    def parameters(self) -> dict[str, Any]:
        return self.args

    def to_dict(self) -> dict[str, Any]:
        found: dict[str, Any] = {"id": self.id, "tool": self.tool, "args": self.args}
        if self.has_handler:
            found["on_fail"] = self.on_fail
        if self.depends_on is not None:
            found["depends_on"] = self.depends_on
        return found

    @classmethod
    def from_dict(cls, value: Mapping[str, Any]) -> PlanStep:
        """The step in a dict; ValueError where there is none."""
        if not isinstance(value, Mapping):
            raise ValueError(f"a step must be an object, not {type(value).__name__}")
        for key in ("id", "tool"):
            if not isinstance(value.get(key), str):
                raise ValueError(f"`{key}` must be a string")
        known = ("id", "tool", "args", "on_fail", "depends_on", "parameters")
        return cls(**{key: value[key] for key in known if value.get(key) is not None})


@dataclass
class Plan:
    steps: list[PlanStep]
    goal: str | None = None
    context: dict[str, Any] = field(default_factory=dict)
    meta: dict[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        found: dict[str, Any] = {} if self.goal is None else {"goal": self.goal}
        found["steps"] = [step.to_dict() for step in self.steps]
        found |= {key: value for key, value in (("context", self.context), ("meta", self.meta)) if value}
        return found

    def to_json(self, indent: int | None = None) -> str:
        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False)

    @classmethod
    def from_dict(cls, value: Mapping[str, Any]) -> Plan:
        """The plan in a dict; ValueError, naming the step, where it is none. `validate_plan` takes such a dict too and
        says what is wrong with it."""
        if not isinstance(value, Mapping) or not isinstance(value.get("steps"), list):
            raise ValueError("a plan must be an object with a list of `steps`")
        steps = [_numbered_step(number, step) for number, step in enumerate(value["steps"])]
        return cls(steps, value.get("goal"), dict(value.get("context") or {}), dict(value.get("meta") or {}))

    @classmethod
    def from_json(cls, text: str) -> Plan:
        return cls.from_dict(json.loads(text))


def _numbered_step(number: int, value: Mapping[str, Any]) -> PlanStep:
    try:
        return PlanStep.from_dict(value)
    except (TypeError, ValueError) as error:
        raise ValueError(f"step {number}: {error}") from error


# ---- policies --------------------------------------------------------------------------------------------------------


@dataclass
class Policy:
    allow_tools: list[str] = field(default_factory=list)
    bounds: dict[str, list[float]] = field(default_factory=dict)
    deny_tokens_regex: list[str] = field(default_factory=list)
    max_steps: int = 100
    risk_weights: dict[str, float] = field(default_factory=dict)
    fail_risk_threshold: float = 0.8
    require_handlers: bool = False
    tools: dict[str, str] = field(default_factory=dict)
    gate: dict[str, Any] = field(default_factory=dict)
    """What the plan gate asks for besides, as in a policy file."""
    allows_nothing: bool = field(default=False, repr=False)
    """Set by `from_yaml` for a file with an empty `allow_tools`; in Python an empty list is no restriction."""

    def to_dict(self) -> dict[str, Any]:
        return {key: value for key, value in self.__dict__.items() if key not in _OPTIONAL or value}

    def to_json(self, indent: int | None = None) -> str:
        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False)

    def read(self) -> PolicyText:
        """The policy as the checks know it, with what is wrong with it."""
        fields = {key: value for key, value in self.to_dict().items() if key != "allows_nothing"}
        if not self.allow_tools and not self.allows_nothing:
            del fields["allow_tools"]
        return policy_of(fields)

    @classmethod
    def from_dict(cls, value: Mapping[str, Any]) -> Policy:
        """The policy in a dict. Unknown keys raise ValueError."""
        unknown = [key for key in value if key not in cls.__dataclass_fields__]
        if unknown:
            raise ValueError(f"`{unknown[0]}` is no key of a policy")
        return cls(**value)

    @classmethod
    def from_json(cls, text: str) -> Policy:
        return cls.from_dict(json.loads(text))

    @classmethod
    def from_yaml(cls, text: str) -> tuple[Policy, tuple[PolicyProblem, ...]]:
        """The policy in a YAML text, and what is wrong with it; the rest is in force."""
        found = read_policy(text)
        policy = found.policy
        return (
            cls(
                list(policy.allow_tools or ()),
                {bound.key: [bound.low, bound.high] for bound in policy.bounds},
                list(policy.deny_tokens_regex),
                policy.most_steps,
                dict(policy.risk_weights),
                policy.fail_risk_threshold,
                policy.require_handlers,
                {tool: family.value for tool, family in policy.tools},
                _plain_gate(found.given.get("gate", {})),
                policy.allow_tools == (),
            ),
            found.problems,
        )


_OPTIONAL = ("gate", "allows_nothing")
"""What a policy of plan-lint does not have, and is left out where it says nothing."""


def _plain_gate(given: Mapping[str, Any]) -> dict[str, Any]:
    """The rules of the gate as a policy file has them."""
    found = dict(given)
    for key in ("blocked_tools", "unblock_tools", "not_first"):
        if key in found:
            found[key] = list(found[key])
    if "at_most" in found:
        found["at_most"] = [{"tools": list(uses.tools), "count": uses.at_most} for uses in found["at_most"]]
    if "required" in found:
        found["required"] = [{"tools": list(one.tools), "before": list(one.before)} for one in found["required"]]
    if "needs_human" in found:
        found["needs_human"] = {limit.key: limit.above for limit in found["needs_human"]}
    if "unknown" in found:
        found["unknown"] = found["unknown"].value
    return found


# ---- validation ------------------------------------------------------------------------------------------------------


@dataclass
class ValidationResult:
    status: Status
    risk_score: float
    errors: list[PlanError] = field(default_factory=list)
    warnings: list[PlanWarning] = field(default_factory=list)

    @property
    def valid(self) -> bool:
        """Whether the plan may run: there may be warnings, but no errors, and the risk is below the threshold."""
        return self.status is not Status.ERROR

    def to_dict(self) -> dict[str, Any]:
        return {
            "status": self.status.value,
            "valid": self.valid,
            "risk_score": self.risk_score,
            "errors": [error.to_dict() for error in self.errors],
            "warnings": [warning.to_dict() for warning in self.warnings],
        }

    def to_json(self, indent: int | None = None) -> str:
        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False)

    @classmethod
    def from_dict(cls, value: Mapping[str, Any]) -> ValidationResult:
        return cls(
            Status(value["status"]),
            value["risk_score"],
            [PlanError(ErrorCode(error["code"]), error["msg"], error["step"]) for error in value["errors"]],
            [PlanWarning(warning["code"], warning["msg"], warning["step"]) for warning in value["warnings"]],
        )

    @classmethod
    def from_json(cls, text: str) -> ValidationResult:
        return cls.from_dict(json.loads(text))


def validate_plan(
    plan: Plan | Mapping[str, Any] | list[Any] | str,
    policy: Policy | GatePolicy | None = None,
    *,
    matcher: Matcher | None = None,
) -> ValidationResult:
    """Check a plan, given as a `Plan`, as the dict in its JSON document or as the text of it, against a policy: one of
    this module, or one of `plancheck.gate`."""
    if isinstance(policy, GatePolicy):
        found = PolicyText(policy, ())
        policy = Policy(
            risk_weights=dict(policy.risk_weights), fail_risk_threshold=policy.fail_risk_threshold
        )  # of the rest, `found` has the say
    else:
        policy = policy if policy is not None else Policy()
        found = policy.read()
    run = matcher if matcher is not None else shared_process()
    text = _text(plan)
    if isinstance(text, PlanError):
        score = _risk_score({text.code.value}, policy.risk_weights)
        return ValidationResult(Status.ERROR, score, [text])
    snapshot = _snapshot(text, found, run)
    errors, warnings = _of_policy(found, run)
    for finding in snapshot.findings:
        code = _CODES.get(finding.rule)
        if code is ErrorCode.MISSING_HANDLER or finding.rule == "needs_human":
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


def _snapshot(text: str, found: PolicyText, matcher: Matcher) -> Snapshot:
    """The plan as it is checked: in the format that it is written in, if that is one with tools, and else as steps."""
    settings = Settings(policy=found.policy, inline_ignores=InlineIgnores.NONE)
    snapshot = analyze(text, settings, matcher=matcher)
    if snapshot.plan.dialect.tool_key is not None:
        return snapshot
    return analyze(text, settings._replace(dialect=VALIDATED), matcher=matcher)


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


def _text(plan: Plan | Mapping[str, Any] | list[Any] | str) -> str | PlanError:
    """The plan as the JSON document that is checked, or why there is none."""
    if isinstance(plan, str):
        return plan
    try:
        return json.dumps(_document(plan), ensure_ascii=False, default=str)
    except RecursionError:
        return PlanError(
            ErrorCode.NOT_CHECKED, "The plan was not checked, because it is nested too deeply: flatten it."
        )
    except (TypeError, ValueError) as error:
        return PlanError(ErrorCode.SCHEMA_INVALID, f"The plan cannot be written as JSON: {error}.")


def _document(plan: Plan | Mapping[str, Any] | list[Any]) -> Any:
    return plan.to_dict() if isinstance(plan, Plan) else plan


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
