"""The plan begins with a tool that it may not begin with.

## What it does
Reports a step that waits for no other one and uses a tool of `not_first` of the policy's `gate`. In a plan whose steps
may run side by side, there may be several first steps.

## Why is this bad?
The plan gate refuses such a plan as a whole: it acts before it has looked.

## Fix safety
There is no fix: only the author knows what there is to look at first.
"""

from collections.abc import Iterator

from plancheck.analysis.facts import HAS_POLICY, NAMES, ORDER, POLICY, TOOL_USES, Names, ToolUses
from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.rule import Rule, whole_plan
from plancheck.plan.graph.order import Order
from plancheck.policy.model import Policy
from plancheck.policy.names import folded, spellings
from plancheck.policy.showing import shortened


def check(policy: Policy, names: Names, order: Order, uses: ToolUses) -> Iterator[Finding]:
    wanted = {folded(tool) for tool in policy.gate.not_first}
    for position, preds in enumerate(order.preds if wanted else ()):
        tool = next((tool for tool in uses.all(position) if not wanted.isdisjoint(spellings(tool))), None)
        if not preds and tool is not None:
            first = f"Step {names[position]} comes first and calls `{shortened(tool)}`"
            message = f"{first}, which a plan may not begin with: look first."
            yield Finding(uses.place(position), message, names.identity(position), tool)


RULE = Rule(
    "wrong_first_step",
    Severity.ERROR,
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
)
