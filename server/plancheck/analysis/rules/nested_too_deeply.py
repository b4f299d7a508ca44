"""The document is nested too deeply to be analysed.

## What it does
Says that only the JSON text itself was checked, because its values are nested more than 500 levels deep.
It is reported as not checked, whatever the settings say: in the editor as a warning, by `plancheck check` as an error
with exit code 2.

## Why is this bad?
What is wrong with the plan is not shown. No plan that somebody wrote is nested like that.

## Fix safety
There is no fix: write the plan with fewer levels.
"""

from plancheck.analysis.finding import Severity
from plancheck.analysis.rule import Category, Rule

RULE = Rule(
    "nested_too_deeply",
    Severity.INFO,
    Category.RUN,
    __doc__,
    bad="",
    good="",
    since="0.2",
)
