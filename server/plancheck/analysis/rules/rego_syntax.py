"""The policy file is not Rego.

## What it does
Reports each place at which a Rego file cannot be read.

## Why is this bad?
Nothing of a policy with such a mistake is evaluated, so no plan is allowed by it.

## Fix safety
There is no fix: only the author knows what was meant.
"""

from plancheck.analysis.finding import Severity
from plancheck.analysis.rule import Category, Rule

RULE = Rule(
    "rego_syntax",
    Severity.ERROR,
    Category.FILES,
    __doc__,
    bad="""\
package plancheck

deny contains "no payments" if {
	some step in input.steps
	step.tool_name ==
}
""",
    good="""\
package plancheck

deny contains "no payments" if {
	some step in input.steps
	step.tool_name == "payments.send"
}
""",
    is_about_policy=True,
    is_about_rego=True,
    since="0.2",
)
