"""A bound of a policy cannot be applied.

## What it does
Reports a bound that is not `[lowest, highest]`, is reversed, or whose key does not name an argument as
`tool.argument`.

## Why is this bad?
It bounds nothing.

## Fix safety
There is no fix: only the author knows what was meant.
"""

from plancheck.analysis.finding import Severity
from plancheck.analysis.rule import Category, Rule

RULE = Rule(
    "policy_bad_bound",
    Severity.ERROR,
    Category.FILES,
    __doc__,
    bad="""\
bounds:
  payments.transfer.amount: [1000, 1]
""",
    good="""\
bounds:
  payments.transfer.amount: [1, 1000]
""",
    is_about_policy=True,
)
