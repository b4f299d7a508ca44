"""A pattern of a policy took too long and was stopped.

## What it does
Reports an entry of `deny_tokens_regex` that was stopped on a value of a plan, because it took more than a quarter of a
second of the processor. The value itself is reported as not checked. A pattern that was stopped on 20 values is not run
any more.

## Why is this bad?
What it was to forbid may be in that value. A pattern such as `(a+)+$` tries out so many ways to match that some values
take it for ever, and whoever can put text into a plan can have it stopped.

## Fix safety
There is no fix: rewrite the pattern without a repetition inside another one.
"""

from plancheck.analysis.finding import Severity
from plancheck.analysis.rule import Category, Rule

RULE = Rule(
    "policy_regex_timeout",
    Severity.WARNING,
    Category.FILES,
    __doc__,
    bad="",
    good="",
    is_about_policy=True,
)
