"""A pattern of a policy is not a valid regular expression.

## What it does
Reports an entry of `deny_tokens_regex` that Python cannot compile.

## Why is this bad?
It denies nothing. The other patterns are still in force.

## Fix safety
There is no fix: only the author knows what was meant.
"""

from plancheck.analysis.finding import Severity
from plancheck.analysis.rule import Category, Rule

RULE = Rule(
    "policy_bad_regex",
    Severity.ERROR,
    Category.FILES,
    __doc__,
    bad="""\
deny_tokens_regex:
  - 'token-[0-9'
""",
    good="""\
deny_tokens_regex:
  - 'token-[0-9]+'
""",
    is_about_policy=True,
)
