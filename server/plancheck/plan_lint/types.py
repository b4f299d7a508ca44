"""Plans of steps, their policies and what validation says of them, as Python values."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from plancheck.policy.families import plain_words
from plancheck.policy.reading import PolicyProblem, PolicyText, policy_of, read_policy

__all__ = [
    "ErrorCode",
    "Plan",
    "PlanError",
    "PlanStep",
    "PlanWarning",
    "Policy",
    "Status",
    "ValidationResult",
    "Violation",
]


class Status(str, Enum):
    """What validation says of a plan, in one word."""

    PASS = "pass"
    """Nothing was found, and everything was checked."""
    WARN = "warn"
    """There are warnings, or the gate wants a human to look."""
    ERROR = "error"
    """There are errors, or the risk score has reached the threshold."""


class ErrorCode(str, Enum):
    """What kinds of mistakes there are. The rule of the same name in lower case has a page."""

    SCHEMA_INVALID = "SCHEMA_INVALID"
    """The plan is not put together as it must be."""
    TOOL_DENY = "TOOL_DENY"
    """A tool is not allowed."""
    BOUND_VIOLATION = "BOUND_VIOLATION"
    """An argument is outside its bounds."""
    RAW_SECRET = "RAW_SECRET"
    """A secret is written out."""
    LOOP_DETECTED = "LOOP_DETECTED"
    """Steps wait for each other."""
    MAX_STEPS_EXCEEDED = "MAX_STEPS_EXCEEDED"
    """There are too many steps."""
    MISSING_HANDLER = "MISSING_HANDLER"
    """A step with consequences does not say what happens when it fails."""
    NOT_CHECKED = "NOT_CHECKED"
    """Something could not be checked: it is too large, a rule failed, the policy has a mistake. As a warning: only the
    run can tell, or it was not understood."""


@dataclass(frozen=True, slots=True)
class PlanError:
    """Something that makes a plan unfit to run."""

    code: ErrorCode
    """What kind of mistake it is."""
    msg: str
    """What is wrong and what to do."""
    step: int | None = None
    """The position of the step in the list, or None where the plan as a whole is meant."""

    def to_dict(self) -> dict[str, Any]:
        """A dict of plain values, for JSON."""
        return {"step": self.step, "code": self.code.value, "msg": self.msg}


@dataclass(frozen=True, slots=True)
class PlanWarning:
    """Something to look at. Its code is an `ErrorCode`'s value or, for a fault of the policy, the name of a rule."""

    code: str
    """An `ErrorCode`'s value or the name of a rule."""
    msg: str
    """What is wrong and what to do."""
    step: int | None = None
    """The position of the step in the list, or None where the plan as a whole is meant."""

    def to_dict(self) -> dict[str, Any]:
        """A dict of plain values, for JSON."""
        return {"step": self.step, "code": self.code, "msg": self.msg}


# ---- plans -----------------------------------------------------------------------------------------------------------


@dataclass(init=False)
class PlanStep:
    """One call of a tool. `args` and `parameters` are two names of the same thing."""

    id: str
    """Names the step in `depends_on` and in references."""
    tool: str
    """What it calls."""
    args: dict[str, Any]
    """What the tool is given; references such as `{{id.result}}` are filled in by the run."""
    on_fail: str
    """What happens when it fails; `abort` where nothing is said."""
    depends_on: list[str] | None
    """The steps that it waits for; None where nothing is said."""
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
        """The step as the plan's JSON has it."""
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
    """A plan of steps. `validate_plan` takes it, and so does a gate as `plan.to_dict()`."""

    steps: list[PlanStep]
    """In their order."""
    goal: str | None = None
    """What it is for."""
    context: dict[str, Any] = field(default_factory=dict)
    """Values that references may take."""
    meta: dict[str, Any] = field(default_factory=dict)
    """Whatever else is to be kept with it."""

    def to_dict(self) -> dict[str, Any]:
        """The plan as its JSON has it."""
        found: dict[str, Any] = {} if self.goal is None else {"goal": self.goal}
        found["steps"] = [step.to_dict() for step in self.steps]
        found |= {key: value for key, value in (("context", self.context), ("meta", self.meta)) if value}
        return found

    def to_json(self, indent: int | None = None) -> str:
        """The plan as JSON."""
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
        """The plan in a JSON text; ValueError, naming the step, where it is none."""
        return cls.from_dict(json.loads(text))


def _numbered_step(number: int, value: Mapping[str, Any]) -> PlanStep:
    try:
        return PlanStep.from_dict(value)
    except (TypeError, ValueError) as error:
        raise ValueError(f"step {number}: {error}") from error


# ---- policies --------------------------------------------------------------------------------------------------------


@dataclass
class Policy:
    """A policy in plan-lint's types, which is not validated when it is made. An empty `allow_tools` means no
    restriction here, as there."""

    allow_tools: list[str] = field(default_factory=list)
    """The tools that may be called; empty for all of them."""
    bounds: dict[str, list[float]] = field(default_factory=dict)
    """`[lowest, highest]` by `<tool>.<argument path>`."""
    deny_tokens_regex: list[str] = field(default_factory=list)
    """Patterns that nothing in the document may fit."""
    max_steps: int = 100
    """How many steps a plan may have."""
    risk_weights: dict[str, float] = field(default_factory=dict)
    """What each code adds to the risk score; 0.2 where nothing is said."""
    fail_risk_threshold: float = 0.8
    """From which risk score on a plan fails."""
    require_handlers: bool = False
    """Whether a step with consequences must say what happens when it fails."""
    tools: dict[str, Any] = field(default_factory=dict)
    """What tools do whose names do not tell."""
    gate: dict[str, Any] = field(default_factory=dict)
    """What the plan gate asks for besides, as in a policy file."""
    allow_writes: list[str] | None = None
    """What steps may declare to write; None allows everything, and an empty list nothing."""
    allow_scope: list[str] | None = None
    """Likewise, what steps may have in their scope."""
    recipients: dict[str, list[str]] = field(default_factory=dict)
    """To whom arguments may send or pay, by the tool and the argument."""
    allows_nothing: bool = field(default=False, repr=False)
    """Set by `from_yaml` for a file with an empty `allow_tools`; in Python an empty list is no restriction."""

    def to_dict(self) -> dict[str, Any]:
        """The policy as `from_dict` takes it."""
        optional = {key: value for key, value in self.__dict__.items() if key in _OPTIONAL}
        given = {key for key, value in optional.items() if value or isinstance(value, list)}
        return {key: value for key, value in self.__dict__.items() if key not in optional or key in given}

    def to_json(self, indent: int | None = None) -> str:
        """The policy as JSON."""
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
            raise ValueError(f"`{unknown[0]}` is not a key of a policy")
        return cls(**value)

    @classmethod
    def from_json(cls, text: str) -> Policy:
        """The policy in a JSON text. Unknown keys raise ValueError."""
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
                {tool: plain_words(words) for tool, words in policy.tools},
                _plain_gate(found.given.get("gate", {})),
                None if policy.allow_writes is None else list(policy.allow_writes),
                None if policy.allow_scope is None else list(policy.allow_scope),
                {one.key: list(one.allowed) for one in policy.recipients},
                policy.allow_tools == (),
            ),
            found.problems,
        )


_OPTIONAL = ("gate", "allow_writes", "allow_scope", "recipients", "allows_nothing")
"""What a policy of plan-lint does not have, and is left out where it says nothing."""


def _plain_gate(given: Mapping[str, Any]) -> dict[str, Any]:
    """The rules of the gate as a policy file has them."""
    found = dict(given)
    for key in ("blocked_tools", "unblock_tools", "not_first", "blocked_writes"):
        if key in found:
            found[key] = list(found[key])
    if "at_most" in found:
        found["at_most"] = [{"tools": list(uses.tools), "count": uses.at_most} for uses in found["at_most"]]
    if "required" in found:
        required = [{"tools": list(one.tools), "before": list(one.before)} for one in found["required"]]
        found["required"] = [{key: tools for key, tools in one.items() if tools} for one in required]
    if "needs_human" in found:
        found["needs_human"] = {limit.key: limit.above for limit in found["needs_human"]}
    for key in ("unknown", "security_warnings"):
        if key in found:
            found[key] = found[key].value
    return found


# ---- results ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Violation:
    """An error or a warning, by the name of its rule and by its code."""

    rule: str
    """The code in lower case."""
    message: str
    """What is wrong and what to do."""
    step: int | None
    """The position of the step in the list, or None where the plan as a whole is meant."""
    code: str
    """The code of the error or of the warning."""


@dataclass(frozen=True, slots=True)
class ValidationResult:
    """What validation says of a plan. A program that decides whether it may run uses `plancheck.gate`."""

    status: Status
    """The whole in one word."""
    risk_score: float
    """From 0 to 1: the weights of the codes, added up."""
    errors: list[PlanError] = field(default_factory=list)
    """What makes the plan unfit to run."""
    warnings: list[PlanWarning] = field(default_factory=list)
    """What to look at."""

    @property
    def valid(self) -> bool:
        """Whether the plan may run: there may be warnings, but no errors, and the risk is below the threshold."""
        return self.status is not Status.ERROR

    @property
    def violations(self) -> list[Violation]:
        """The errors, then the warnings, in one form."""
        found = [Violation(error.code.value.lower(), error.msg, error.step, error.code.value) for error in self.errors]
        found += (Violation(warning.code.lower(), warning.msg, warning.step, warning.code) for warning in self.warnings)
        return found

    def to_dict(self) -> dict[str, Any]:
        """A dict of plain values, for JSON."""
        return {
            "status": self.status.value,
            "valid": self.valid,
            "risk_score": self.risk_score,
            "errors": [error.to_dict() for error in self.errors],
            "warnings": [warning.to_dict() for warning in self.warnings],
        }

    def to_json(self, indent: int | None = None) -> str:
        """The result as JSON."""
        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False)

    @classmethod
    def from_dict(cls, value: Mapping[str, Any]) -> ValidationResult:
        """The result that `to_dict` gave."""
        return cls(
            Status(value["status"]),
            value["risk_score"],
            [PlanError(ErrorCode(error["code"]), error["msg"], error["step"]) for error in value["errors"]],
            [PlanWarning(warning["code"], warning["msg"], warning["step"]) for warning in value["warnings"]],
        )

    @classmethod
    def from_json(cls, text: str) -> ValidationResult:
        """The result that `to_json` gave."""
        return cls.from_dict(json.loads(text))
