"""The plan begins with a tool that it may not begin with.

## What it does
Reports a step that waits for no other one and uses a tool of `not_first` of the policy's `gate`. In a plan whose steps
may run side by side, there may be several first steps. Where it is not clear that something is a call, or when a call
beside the steps would be made, that is reported as not checked.

## Why is this bad?
The plan gate refuses such a plan as a whole: it acts before it has looked.

## Fix safety
There is no fix: only the author knows what there is to look at first.
"""

from collections.abc import Iterator

from plancheck.analysis.calls import ToolUses
from plancheck.analysis.facts import HAS_POLICY, NAMES, ORDER, POLICY, TOOL_USES, Names
from plancheck.analysis.finding import Finding, Severity, Unchecked
from plancheck.analysis.rule import Category, Rule, whole_plan
from plancheck.plan.graph.order import Order
from plancheck.policy.model import Policy
from plancheck.policy.showing import shortened
from plancheck.unknown import Reason


def check(policy: Policy, names: Names, order: Order, uses: ToolUses) -> Iterator[Finding | Unchecked]:
    if not policy.gate.not_first:
        return
    wanted = uses.of(policy.gate.not_first)
    for position, preds in enumerate(order.preds):
        found = [] if preds else wanted.of_step(position)
        if not found:
            continue
        use = max(found, key=lambda use: use.clarity)
        what = f"`{shortened(use.tool)}` first, which the policy forbids: put another step before it."
        if use.is_clear:
            message = f"Step {names[position]} calls {what}"
            yield Finding(use.place, message, names.identity(position), use.tool)
        else:
            message = f"Step {names[position]} may call {what}"
            yield Unchecked(RULE.name, use.place, Reason.NOT_UNDERSTOOD, message, names.identity(position), use.tool)
    for use in wanted.beside:
        message = f"`{shortened(use.tool)}` beside the steps may run first, which the policy forbids: make it a step."
        yield Unchecked(RULE.name, use.place, Reason.NOT_UNDERSTOOD, message, None, use.tool)


RULE = Rule(
    "wrong_first_step",
    Severity.ERROR,
    Category.POLICY,
    __doc__,
    bad="""\
[
  {"tool_name": "payments.refund", "args": {"order": "A-1"}}
]
""",
    good="""\
[
  {"tool_name": "orders.get", "args": {"id": "A-1"}},
  {"tool_name": "payments.refund", "args": {"order": "A-1"}}
]
""",
    policy="gate:\n  not_first: [payments.refund]\n",
    is_enforced=True,
    checks=(whole_plan(check, POLICY, NAMES, ORDER, TOOL_USES, only_if=HAS_POLICY),),
    since="0.2",
    tags=("ASI02", "CWE-841"),
)
