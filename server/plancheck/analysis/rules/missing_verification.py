"""A step that must come first is missing on some path.

## What it does
Where the policy's `gate` requires a step of one set of tools before one of another set: reports every such step that
can be reached on a path without one, and shows the path. Where it requires a step and nothing more, reports a plan
without one. A required step counts only by its own call and its exact name, and only if the plan ends when it fails.
Before a call beside the steps there is nothing. Where it is not clear that something is a call, that is reported as not
checked.

## Why is this bad?
The plan gate refuses such a plan as a whole: something would be done that was not verified or approved.

## Fix safety
There is no fix: only the author knows what the required step has to look at.
"""

from collections import deque
from collections.abc import Iterator

from plancheck.analysis.calls import ToolUses
from plancheck.analysis.facts import HAS_POLICY, NAMES, ORDER, POLICY, TOOL_USES, Names
from plancheck.analysis.finding import Finding, Related, Severity, Unchecked
from plancheck.analysis.rule import Category, Rule, whole_plan
from plancheck.plan.graph.order import Order
from plancheck.plan.model import Place
from plancheck.policy.model import Policy, Required
from plancheck.policy.showing import shortened
from plancheck.unknown import Reason

MOST_RELATED = 20


def check(policy: Policy, names: Names, order: Order, uses: ToolUses) -> Iterator[Finding | Unchecked]:
    for required in policy.gate.required:
        covering = {i for i in range(len(uses)) if uses.own(i) in required.tools and uses.must_succeed(i)}
        either = " or ".join(f"`{tool}`" for tool in required.tools)
        if not required.before:
            if len(uses) and not covering:
                yield Finding(Place(None), f"No step of this plan calls {either}, which the policy requires: add one.")
            continue
        yield from _uncovered(required, covering, either, names, order, uses)
        yield from _beside(required, either, uses)


def _uncovered(
    required: Required, covering: set[int], either: str, names: Names, order: Order, uses: ToolUses
) -> Iterator[Finding | Unchecked]:
    wanted = uses.of(required.before)
    came_from = _reached_without(covering, order)
    for position in range(len(uses)):
        found = wanted.of_step(position)
        if not found or position not in came_from:
            continue
        use = max(found, key=lambda use: use.clarity)
        path = _path_to(position, came_from)
        shown = " -> ".join(names[i] for i in path[-6:])
        way = f"`{shortened(use.tool)}` without {either} before it: add one on the path {shown}."
        identity = names.identity(position)
        if not use.is_clear:
            message = f"Step {names[position]} may call {way}"
            yield Unchecked(RULE.name, use.place, Reason.NOT_UNDERSTOOD, message, identity, use.tool)
            continue
        related = tuple(Related(uses.place(i), f"Step {names[i]} is on the path.") for i in path[:-1][-MOST_RELATED:])
        yield Finding(use.place, f"Step {names[position]} calls {way}", identity, use.tool, related)


def _beside(required: Required, either: str, uses: ToolUses) -> Iterator[Finding | Unchecked]:
    """Calls beside the steps: nothing comes before these."""
    for use in uses.of(required.before).beside:
        verb = "is" if use.is_clear else "may be"
        message = f"`{use.tool}` {verb} called beside the steps, so without {either} before it: make it a step."
        if use.is_clear:
            yield Finding(use.place, message, None, use.tool)
        else:
            yield Unchecked(RULE.name, use.place, Reason.NOT_UNDERSTOOD, message, None, use.tool)


def _reached_without(covering: set[int], order: Order) -> dict[int, int | None]:
    """The steps that can be reached without passing one that covers, and for each the step before it on such a path."""
    came_from: dict[int, int | None] = {i: None for i, preds in enumerate(order.preds) if not preds}
    todo = deque(came_from)
    while todo:
        position = todo.popleft()
        for follower in order.successors[position] if position not in covering else ():
            if follower not in came_from:
                came_from[follower] = position
                todo.append(follower)
    return came_from


def _path_to(position: int, came_from: dict[int, int | None]) -> list[int]:
    path = [position]
    while (before := came_from[path[-1]]) is not None:
        path.append(before)
    return path[::-1]


RULE = Rule(
    "missing_verification",
    Severity.ERROR,
    Category.POLICY,
    __doc__,
    bad="""\
[
  {"tool_name": "orders.get", "args": {"id": "A-1"}},
  {"tool_name": "payments.refund", "args": {"order": "A-1"}}
]
""",
    good="""\
[
  {"tool_name": "orders.get", "args": {"id": "A-1"}},
  {"tool_name": "orders.verify", "args": {"id": "A-1"}},
  {"tool_name": "payments.refund", "args": {"order": "A-1"}}
]
""",
    policy="gate:\n  required: [{tools: [orders.verify], before: [payments.refund]}]\n",
    is_enforced=True,
    checks=(whole_plan(check, POLICY, NAMES, ORDER, TOOL_USES, only_if=HAS_POLICY),),
    since="0.2",
    tags=("ASI02", "ASI09", "CWE-841"),
)
