"""A Rego policy denies the plan.

## What it does
Reports what the rules `deny`, `violations` and `allow` of a Rego policy say against a plan, in the policy's own words,
at the last of the steps that alone make the rule fire; the others are related places, and so is the rule. Where no
steps do, because the plan lacks something, it is reported on the plan. What keeps a policy from being evaluated is
reported as not checked.

## Why is this bad?
The plan gate refuses such a plan as a whole.

## Fix safety
There is no fix: only the author knows what the plan should do instead. The fixes of other rules are tried without Rego
policies.
"""

from collections.abc import Iterator, Sequence

from plancheck.analysis.facts import NAMES, Names
from plancheck.analysis.finding import Severity
from plancheck.analysis.rego import HAS_REGO, REGO, RegoOpinion, reported
from plancheck.analysis.rule import Category, Item, Rule, whole_plan


def check(opinions: Sequence[RegoOpinion], names: Names) -> Iterator[Item]:
    return reported(opinions, names, is_human=False)


RULE = Rule(
    "rego_deny",
    Severity.ERROR,
    Category.POLICY,
    __doc__,
    bad="""\
[
  {"tool_name": "crm.find", "args": {"name": "Ada"}},
  {"tool_name": "payments.send", "args": {"account": "A1", "amount": 10}}
]
""",
    good="""\
[
  {"tool_name": "approvals.request", "args": {"reason": "payment"}},
  {"tool_name": "payments.send", "args": {"account": "A1", "amount": 10}}
]
""",
    rego="""\
package plancheck

# A payment needs an approval before it.
deny if {
	some position, step in input.steps
	startswith(step.tool_name, "payments.")
	not approved_before(position)
}

approved_before(position) if {
	some earlier, step in input.steps
	earlier < position
	step.tool_name == "approvals.request"
}
""",
    is_enforced=True,
    checks=(whole_plan(check, REGO, NAMES, only_if=HAS_REGO),),
    since="0.2",
)
