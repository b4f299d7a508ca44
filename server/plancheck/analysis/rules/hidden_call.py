"""A text may hold a call of a tool that the policy restricts.

## What it does
Reports a text that is not JSON and names a tool where calls name theirs: in code (`delete_all()`), YAML
(`tool: delete_all`), XML (`<invoke name="delete_all">`) and the like, in arguments, beside them or beside the steps.
Only tools count that are blocked, or that the policy has bounds or other rules for. What such a text would do cannot be
read here: it is reported as not checked, and the gate asks a human, unless the policy denies what is unknown.

## Why is this bad?
Whoever carries the step out may carry out what the text says. A tool that may not be used, or only within limits, would
be used without anybody having looked.

## What it cannot know
Whether the text is code at all: an example in a letter looks the same. A name in a sentence is not reported.

## Fix safety
There is no fix: make it a step of the plan, or leave it out.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from plancheck.analysis.calls import TopMember
from plancheck.analysis.facts import GATED, POLICY
from plancheck.analysis.finding import Severity, Unchecked
from plancheck.analysis.rule import Category, Rule, each_member, each_step
from plancheck.analysis.subjects import Subject
from plancheck.plan.carried import texts_in, whole_text
from plancheck.plan.model import Carried, Identity, Place, Step
from plancheck.policy.model import Policy
from plancheck.policy.showing import shortened
from plancheck.syntax.tree import Path
from plancheck.unknown import Reason


def check(steps: Iterable[Subject], policy: Policy) -> Iterator[Unchecked]:
    subjects = [(position, step, _without_its_tool(step)) for position, step in steps]
    if policy.may_restrict_something_in("\n".join([whole_text(value) for _, _, value in subjects])):
        for position, step, value in subjects:
            yield from _noticed(value, step.carried, policy, Place(position), step.outline.identity)


def _without_its_tool(step: Step) -> Any:
    """All of a step but the name of the tool that it calls: that is for other rules."""
    path = step.call.tool_path if step.call is not None else ()
    return _without(step.value, path) if path else step.value


def _without(value: Any, path: Path) -> Any:
    if not isinstance(value, tuple):
        return value
    key, rest = path[0], path[1:]
    if not rest:
        return tuple([member for member in value if member[0] != key])
    return tuple([(name, _without(child, rest) if name == key else child) for name, child in value])


def check_beside(members: Iterable[TopMember], policy: Policy) -> Iterator[Unchecked]:
    for member in members:
        yield from _noticed(member.emitted, member.carried, policy, Place(None, member.path))


def _noticed(
    value: Any, carried: Iterable[Carried], policy: Policy, place: Place, identity: Identity | None = None
) -> Iterator[Unchecked]:
    """Calls that are known to be carried are for the rules that judge calls."""
    if not policy.may_restrict_something_in(whole_text(value)):
        return
    from plancheck.policy.text_calls import tools_called  # its patterns take long to be made, and few plans need them

    known = {found.call.tool for found in carried if found.call is not None and found.is_unread}
    for path, text in texts_in(value):
        restricted = sorted(name for name in tools_called(text) - known if policy.restricts(name))
        if restricted:
            name = shortened(restricted[0])
            message = f"This text may be a call of `{name}`, which is restricted: make it a step, or leave it out."
            where = place._replace(path=(*place.path, *path))
            yield Unchecked(RULE.name, where, Reason.NOT_UNDERSTOOD, message, identity, restricted[0])


RULE = Rule(
    "hidden_call",
    Severity.ERROR,
    Category.POLICY,
    __doc__,
    bad="""\
[
  {"tool_name": "queue.add", "args": {"job": "payments.transfer(amount=5000)"}}
]
""",
    good="""\
[
  {"tool_name": "payments.transfer", "args": {"amount": 50}}
]
""",
    policy="bounds: {payments.transfer.amount: [0, 100]}\n",
    is_enforced=True,
    checks=(each_step(check, POLICY, only_if=GATED), each_member(check_beside, POLICY, only_if=GATED)),
    since="0.2",
    tags=("ASI02",),
)
