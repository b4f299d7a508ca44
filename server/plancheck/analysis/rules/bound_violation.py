"""An argument is outside the bounds that the policy sets.

## What it does
Reports a number that is below the lowest or above the highest of the policy's `bounds` for this argument. Both ends are
allowed. A key such as `payments.transfer.amount` is the tool and the path of the argument; where several tools fit, the
longest counts. `true`, `"5"` and a reference are no numbers.

## Why is this bad?
Whoever wrote the policy decided that such a value is too dangerous to be carried out.

## Fix safety
Unsafe: the nearest allowed number may not be what the plan needs.
"""

from collections.abc import Iterator

from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.fix.change import FixView, Proposal, Remedy, SetValue
from plancheck.analysis.rule import PartView, Rule
from plancheck.plan.model import Place
from plancheck.policy.checks import outside_bounds
from plancheck.policy.model import bounds_by_tool


def check(view: PartView) -> Iterator[Finding]:
    step = view.step
    if step is None or step.call is None or not view.bounds:
        return
    for path, value, bound in outside_bounds(step.call, view.bounds):
        name = ".".join(str(part) for part in path[len(step.call.arguments_path) :])
        side = "below" if value < bound.low else "above"
        limit = bound.low if value < bound.low else bound.high
        yield Finding(
            Place(0, path),
            f"`{name}` of step {step.name} is {value}, {side} the {limit} that the policy allows: stay from "
            f"{bound.low} to {bound.high}.",
            resource=bound.key,
        )


def _clamp(view: FixView, finding: Finding) -> Iterator[Proposal]:
    position = finding.place.step
    call = view.plan.steps[position].call if position is not None else None
    if call is None or call.tool is None:
        return
    applied = bounds_by_tool(view.policy.bounds, view.plan.tools())
    for path, value, bound in outside_bounds(call, applied.get(call.tool, ())):
        if path == finding.place.path and bound.key == finding.resource:
            nearest = bound.low if value < bound.low else bound.high
            yield Proposal(f"Change it to {nearest}", (SetValue(finding.place, nearest),))


RULE = Rule(
    "bound_violation",
    Severity.ERROR,
    __doc__,
    bad="""\
{"goal": "pay the bill", "steps": [
  {"id": "pay", "tool": "payments.transfer", "args": {"amount": 5000, "to": "ACME"}}
]}
""",
    good="""\
{"goal": "pay the bill", "steps": [
  {"id": "pay", "tool": "payments.transfer", "args": {"amount": 1000, "to": "ACME"}}
]}
""",
    policy="bounds:\n  payments.transfer.amount: [0.01, 1000]\n",
    remedies=(Remedy("change the number to the nearest allowed one", False, _clamp),),
    check_part=check,
)
