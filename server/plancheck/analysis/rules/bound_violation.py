"""An argument is outside the bounds that the policy sets.

## What it does
Reports a number that is below the lowest or above the highest of the policy's `bounds` for this argument. Both ends are
allowed. A key such as `payments.transfer.amount` is the tool and the path of the argument; since tools have dots in
their names, every way to split it counts whose first part is the step's tool. What is there and is no number (`true`,
`"5"`, a list) cannot be compared, and a reference is known at run time only: both are reported as not checked.

## Why is this bad?
Whoever wrote the policy decided that such a value is too dangerous to be carried out.

## Fix safety
Unsafe: the nearest allowed number may not be what the plan needs.
"""

from collections.abc import Iterable, Iterator

from plancheck.analysis.facts import POLICY, Subject
from plancheck.analysis.finding import Finding, Severity, Unchecked
from plancheck.analysis.fix.change import FixView, Proposal, Remedy, SetValue
from plancheck.analysis.rule import Rule, each_step
from plancheck.plan.model import Place
from plancheck.policy.checks import Outside, outside_bounds
from plancheck.policy.model import Policy


def check(steps: Iterable[Subject], policy: Policy) -> Iterator[Finding | Unchecked]:
    for position, step in steps if policy.bounds else ():
        call, identity = step.call, step.outline.identity
        if call is None or call.tool is None:
            continue
        for found in outside_bounds(call, policy.bounds_of(call.tool)):
            place, key = Place(position, found.path), found.bound.key
            if not isinstance(found, Outside):
                yield Unchecked(RULE.name, place, found.why.reason, found.why.message, identity, key)
                continue
            _, value, bound = found
            name = ".".join(str(part) for part in found.path[len(call.arguments_path) :])
            side, limit = ("below", bound.low) if value < bound.low else ("above", bound.high)
            yield Finding(
                place,
                f"`{name}` of step {step.name} is {value}, {side} the {limit} that the policy allows: stay from "
                f"{bound.low} to {bound.high}.",
                identity,
                key,
            )


def _clamp(view: FixView, finding: Finding) -> Iterator[Proposal]:
    position = finding.place.step
    call = view.plan.steps[position].call if position is not None else None
    if call is None or call.tool is None:
        return
    for found in outside_bounds(call, view.policy.bounds_of(call.tool)):
        if isinstance(found, Outside) and (found.path, found.bound.key) == (finding.place.path, finding.resource):
            nearest = found.bound.low if found.value < found.bound.low else found.bound.high
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
    checks=(each_step(check, POLICY),),
    policy="bounds:\n  payments.transfer.amount: [0.01, 1000]\n",
    remedies=(Remedy("change the number to the nearest allowed one", False, _clamp),),
)
