"""Tools of a set are used more often than the policy allows.

## What it does
Reports the first step that uses one of a set of tools once more than `at_most` of the policy's `gate` allows, with the
later ones as related places. Calls inside arguments and beside the steps count; other spellings of a name are the same
tool. Where it is not clear that something is a call, and the limit would be passed with it, that is reported as not
checked.

## Why is this bad?
The plan gate refuses such a plan as a whole.

## Fix safety
There is no fix: only the author knows which of the uses can be left out.
"""

from collections.abc import Iterator

from plancheck.analysis.calls import ToolUses
from plancheck.analysis.facts import HAS_POLICY, NAMES, POLICY, TOOL_USES, Names
from plancheck.analysis.finding import Finding, Related, Severity, Unchecked
from plancheck.analysis.rule import Category, Rule, whole_plan
from plancheck.policy.model import Policy
from plancheck.unknown import Reason

MOST_RELATED = 20


def check(policy: Policy, names: Names, uses: ToolUses) -> Iterator[Finding | Unchecked]:
    for limit in policy.gate.at_most:
        tools, most = limit.tools, limit.at_most
        wanted = uses.of(tools)
        found = [*(use for i in range(len(uses)) for use in wanted.of_step(i)), *wanted.beside]
        clear = [use.place for use in found if use.is_clear]
        either = " or ".join(f"`{tool}`" for tool in tools)
        if len(clear) > most:
            first, *later = dict.fromkeys(clear[most:])
            related = tuple(Related(place, "and here") for place in later[:MOST_RELATED])
            message = f"This plan uses {either} {len(clear)} times, and the policy allows {most}: leave some out."
            identity = names.identity(first.step) if first.step is not None else None
            yield Finding(first, message, identity, related=related)
        elif len(found) > most:
            message = f"This plan may use {either} {len(found)} times, and the policy allows {most}: leave some out."
            yield Unchecked(RULE.name, found[most].place, Reason.NOT_UNDERSTOOD, message)


RULE = Rule(
    "too_many_uses",
    Severity.ERROR,
    Category.POLICY,
    __doc__,
    bad="""\
[
  {"tool_name": "db.write", "args": {"row": 1}},
  {"tool_name": "db.write", "args": {"row": 2}}
]
""",
    good="""\
[
  {"tool_name": "db.write", "args": {"row": 1}}
]
""",
    policy="gate:\n  at_most: [{tools: [db.write], count: 1}]\n",
    is_enforced=True,
    checks=(whole_plan(check, POLICY, NAMES, TOOL_USES, only_if=HAS_POLICY),),
    since="0.2",
    tags=("CWE-770",),
)
