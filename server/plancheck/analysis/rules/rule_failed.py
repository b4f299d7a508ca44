"""A rule broke down on this plan.

## What it does
Says that a rule could not finish. Its findings are missing; those of all other rules are there.

## Why is this bad?
It is a mistake in plancheck, not in the plan. Please report it, with the plan if you can.

## Fix safety
There is no fix.
"""

from plancheck.analysis.finding import Severity
from plancheck.analysis.rule import Rule

RULE = Rule("rule_failed", Severity.WARNING, __doc__, bad="", good="")
