"""A policy has no rules.

## What it does
Reports a policy file without a single rule in it: it is empty, has nothing but comments, or its keys have nothing
behind them.

## Why is this bad?
Whoever put it there expects something of it, and only what holds without any policy is in force.

## Fix safety
There is no fix: only the author knows what the policy was to say.
"""

from plancheck.analysis.finding import Severity
from plancheck.analysis.rule import Category, Rule

RULE = Rule(
    "policy_empty",
    Severity.WARNING,
    Category.FILES,
    __doc__,
    bad="",
    good="",
    is_about_policy=True,
    since="0.2",
)
