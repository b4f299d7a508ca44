"""An argument is outside the bounds that the policy sets.

## What it does
Reports a number that is below the lowest or above the highest of the policy's `bounds` for this argument. Both ends are
allowed. A key such as `payments.transfer.amount` is the tool and the path of the argument; since tools have dots in
their names, every way to split it counts whose first part is the step's tool. A value that is not a number (`true`,
`"5"`, a list) cannot be compared, and a reference is known at run time only: both are reported as not checked. Calls
inside arguments and beside the steps count. Arguments are looked for where a lenient runner would look, too: once more
under a name of arguments (`{"kwargs": {…}}`), beside the arguments, and in JSON text.

## Why is this bad?
Whoever wrote the policy decided that such a value is too dangerous to be carried out.

## Fix safety
Unsafe: the nearest allowed number may not be what the plan needs.
"""

from collections.abc import Iterable, Iterator

from plancheck.analysis.calls import TopMember
from plancheck.analysis.facts import HAS_POLICY, POLICY
from plancheck.analysis.finding import Finding, Severity, Unchecked
from plancheck.analysis.fix.change import FixView, Proposal, Remedy, SetValue
from plancheck.analysis.rule import Category, Rule, each_member, each_step
from plancheck.analysis.subjects import Subject
from plancheck.plan.model import Identity, Place, Step
from plancheck.policy.checks import Concern, judged_calls
from plancheck.policy.limits import Outside, Uncompared, outside_bounds
from plancheck.policy.model import Policy


def check(steps: Iterable[Subject], policy: Policy) -> Iterator[Finding | Unchecked]:
    concern = Concern(policy.bounds_of)
    for position, step in steps if policy.bounds else ():
        for found in _outside(step, policy, concern):
            yield _item(found, Place(position), f" of step {step.name}", step.outline.identity)


def check_beside(members: Iterable[TopMember], policy: Policy) -> Iterator[Finding | Unchecked]:
    concern = Concern(policy.bounds_of)
    for member in members if policy.bounds else ():
        for judged in member.judged_for(concern):
            for found in outside_bounds(judged, policy):
                yield _item(found, Place(None), "", None)


def _item(found: Outside | Uncompared, place: Place, of: str, identity: Identity | None) -> Finding | Unchecked:
    where, key = place._replace(path=found.path), found.bound.key
    if not isinstance(found, Outside):
        return Unchecked(RULE.name, where, found.why.reason, found.why.message, identity, key)
    name, value, bound = found.argument.name, found.argument.value, found.bound
    side, limit = ("below", bound.low) if value < bound.low else ("above", bound.high)
    allowed = f"use a value from {bound.low} to {bound.high}"
    message = f"`{name}`{of} is {value}, {side} the {limit} that the policy allows: {allowed}."
    return Finding(where, message, identity, key)


def _outside(step: Step, policy: Policy, concern: Concern) -> Iterator[Outside | Uncompared]:
    for judged in judged_calls(step, concern):
        yield from outside_bounds(judged, policy)


def _clamp(view: FixView, finding: Finding) -> Iterator[Proposal]:
    position = finding.place.step
    if position is None:
        return
    for found in _outside(view.plan.steps[position], view.policy, Concern(view.policy.bounds_of)):
        if not isinstance(found, Outside) or found.argument.within is not None:
            continue
        if (found.path, found.bound.key) == (finding.place.path, finding.resource):
            nearest = found.bound.low if found.argument.value < found.bound.low else found.bound.high
            yield Proposal(f"Change it to {nearest}", (SetValue(finding.place, nearest),))


RULE = Rule(
    "bound_violation",
    Severity.ERROR,
    Category.POLICY,
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
    is_enforced=True,
    checks=(each_step(check, POLICY, only_if=HAS_POLICY), each_member(check_beside, POLICY, only_if=HAS_POLICY)),
    policy="bounds:\n  payments.transfer.amount: [0.01, 1000]\n",
    remedies=(Remedy("change the number to the nearest allowed one", False, _clamp),),
    tags=("ASI02",),
)
