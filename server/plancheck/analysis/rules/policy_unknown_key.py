"""A policy has a key that means nothing.

## What it does
Reports a key that is not a key of a policy, with the one that was probably meant.

## Why is this bad?
It is ignored. What its author wanted to forbid stays allowed.

## Fix safety
In an editor a quick fix writes the key that was probably meant. `--fix` changes plans, and no policies.
"""

from plancheck.analysis.finding import Severity
from plancheck.analysis.rule import Category, Rule

RULE = Rule(
    "policy_unknown_key",
    Severity.ERROR,
    Category.FILES,
    __doc__,
    bad="""\
max_step: 10
""",
    good="""\
max_steps: 10
""",
    is_about_policy=True,
)
