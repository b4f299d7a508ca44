"""Tools of a set are used more often than the policy allows.

## What it does
Reports the first step that uses one of a set of tools once more than `at_most` of the policy's `gate` allows, with the
later ones as related places. Calls inside arguments count; other spellings of a name are the same tool.

## Why is this bad?
The plan gate refuses such a plan as a whole.

## Fix safety
There is no fix: only the author knows which of the uses can be left out.
"""

from collections.abc import Iterator

from plancheck.analysis.facts import HAS_POLICY, NAMES, POLICY, TOOL_USES, Names, ToolUses
from plancheck.analysis.finding import Finding, Related, Severity
from plancheck.analysis.rule import Rule, whole_plan
from plancheck.policy.model import Policy
from plancheck.policy.names import folded, spellings

MOST_RELATED = 20


def check(policy: Policy, names: Names, uses: ToolUses) -> Iterator[Finding]:
    for tools, most in policy.gate.at_most:
        wanted = {folded(tool) for tool in tools}
        steps = [i for i in range(len(uses)) for tool in uses.all(i) if not wanted.isdisjoint(spellings(tool))]
        if len(steps) > most:
            first, *later = dict.fromkeys(steps[most:])
            related = [Related(uses.place(i), "and here") for i in later[:MOST_RELATED]]
            either = " or ".join(f"`{tool}`" for tool in tools)
            message = f"This plan uses {either} {len(steps)} times, and the policy allows {most}: leave some out."
            yield Finding(uses.place(first), message, names.identity(first), related=tuple(related))


RULE = Rule(
    "too_many_uses",
    Severity.ERROR,
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
)
