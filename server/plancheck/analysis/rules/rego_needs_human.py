"""A Rego policy asks for a human before the plan runs.

## What it does
Reports what the rule `requires_hitl` of a Rego policy says about a plan, in the policy's own words, at the last of the
steps that alone make the rule fire; the others are related places, and so is the rule. What keeps a policy from being
evaluated is reported as not checked.

## Why is this bad?
It is not: the plan may be right. It only is not for a program to say so.

## Fix safety
There is no fix: only the author knows what the plan should do instead.
"""

from collections.abc import Iterator, Sequence

from plancheck.analysis.facts import NAMES, Names
from plancheck.analysis.finding import Severity
from plancheck.analysis.rego import HAS_REGO, REGO, RegoOpinion, reported
from plancheck.analysis.rule import Category, Item, Rule, whole_plan


def check(opinions: Sequence[RegoOpinion], names: Names) -> Iterator[Item]:
    return reported(opinions, names, is_human=True)


RULE = Rule(
    "rego_needs_human",
    Severity.WARNING,
    Category.POLICY,
    __doc__,
    bad="""\
[
  {"tool_name": "payments.send", "args": {"account": "A1", "amount": 5000}}
]
""",
    good="""\
[
  {"tool_name": "payments.send", "args": {"account": "A1", "amount": 400}}
]
""",
    rego="""\
package plancheck

requires_hitl contains msg if {
	some step in input.steps
	step.args.amount > 1000
	msg := sprintf("A human must look at a payment of %v.", [step.args.amount])
}
""",
    is_enforced=True,
    checks=(whole_plan(check, REGO, NAMES, only_if=HAS_REGO),),
    since="0.2",
)
