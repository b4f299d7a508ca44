"""A pattern of a policy took too long and was stopped.

## What it does
Reports an entry of `deny_tokens_regex` that did not come to an end in time on a value of a plan.

## Why is this bad?
It denies nothing any more. A pattern such as `(a+)+$` tries out so many ways to fit that some values take it for ever;
an attacker who can put text into a plan can switch such a pattern off.

## Fix safety
There is no fix: rewrite the pattern so that no repetition stands inside another one.
"""

from plancheck.analysis.finding import Severity
from plancheck.analysis.rule import Rule

RULE = Rule(
    "policy_regex_timeout",
    Severity.WARNING,
    __doc__,
    bad="",
    good="",
    is_about_policy=True,
)
