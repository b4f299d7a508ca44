"""A bound is about a tool that no plan uses.

## What it does
Reports a bound whose key begins with the name of no tool that the checked plans use.

## Why is this bad?
Mostly the tool was renamed or misspelt, and what should be bounded is not.

## Fix safety
There is no fix: only the author knows which tool is meant.
"""

from plancheck.analysis.finding import Severity
from plancheck.analysis.rule import Category, Rule

RULE = Rule(
    "policy_unused_bound",
    Severity.HINT,
    Category.FILES,
    __doc__,
    bad="",
    good="",
    is_about_policy=True,
)
