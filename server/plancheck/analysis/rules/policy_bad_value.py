"""A value of a policy is not what its key needs.

## What it does
Reports a value of the wrong type or outside of what makes sense, such as a `max_steps` that is not a whole number.

## Why is this bad?
It is ignored, and what holds without it is in force instead.

## Fix safety
In an editor a quick fix writes the word that was probably meant, where it is a misspelt one. `--fix` changes plans, and
no policies.
"""

from plancheck.analysis.finding import Severity
from plancheck.analysis.rule import Category, Rule

RULE = Rule(
    "policy_bad_value",
    Severity.ERROR,
    Category.FILES,
    __doc__,
    bad="""\
max_steps: many
""",
    good="""\
max_steps: 10
""",
    is_about_policy=True,
)
