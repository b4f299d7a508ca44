"""There are more findings than are shown.

## What it does
Says how many findings of which rules were left out, once a file has more than `max-findings` (200 by default).
Errors are shown before warnings, warnings before hints.

## Why is this bad?
A thousand findings are not read. `plancheck report` has them all.

## Fix safety
There is no fix: repair some of the findings, or raise `max-findings`.
"""

from plancheck.analysis.finding import Severity
from plancheck.analysis.rule import Category, Rule

RULE = Rule(
    "more_findings",
    Severity.INFO,
    Category.RUN,
    __doc__,
    bad="",
    good="",
)
