"""Plans of steps and their policies as Python values, and their validation with codes and a risk score.

    from plancheck.plan_lint import Plan, PlanStep, Policy, validate_plan

    plan = Plan(goal="pay", steps=[PlanStep(id="pay", tool="payments.transfer", args={"amount": 5000})])
    result = validate_plan(plan, Policy(bounds={"payments.transfer.amount": [0, 1000]}))
    assert not result.valid and result.errors[0].code is ErrorCode.BOUND_VIOLATION

The checks are those of the editor and the command: a plan that is valid here has no such finding there. What a plan
asks to be ignored (`plancheck-ignore`) is not ignored here, for who is checked does not choose the checks.
"""

from plancheck.plan_lint.types import (
    ErrorCode,
    Plan,
    PlanError,
    PlanStep,
    PlanWarning,
    Policy,
    Status,
    ValidationResult,
    Violation,
)
from plancheck.plan_lint.validation import validate_plan

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
    "validate_plan",
]
