"""A Rego policy cannot be evaluated.

## What it does
Reports what an engine cannot compile, a package whose rules decide nothing, calls that a policy may not make
(`http.send`, clocks, random numbers), and a policy that took too long or is too large.

## Why is this bad?
Nothing of such a policy is evaluated, so no plan is allowed by it.

## Fix safety
There is no fix: only the author knows what was meant.
"""

from plancheck.analysis.finding import Severity
from plancheck.analysis.rule import Category, Rule

RULE = Rule(
    "rego_error",
    Severity.ERROR,
    Category.FILES,
    __doc__,
    bad="""\
package plancheck

deny contains "somebody else says so" if {
	http.send({"method": "get", "url": "https://example.com"}).status_code == 200
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
