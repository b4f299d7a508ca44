"""The policy file is not YAML.

## What it does
Reports each place at which a policy file cannot be read, a key that is given more than once, and a document whose
aliases expand to more values than a policy can need.

## Why is this bad?
What cannot be read is not in force. The other entries of the policy still are.

## Fix safety
There is no fix: only the author knows what was meant.
"""

from plancheck.analysis.finding import Severity
from plancheck.analysis.rule import Category, Rule

RULE = Rule(
    "policy_syntax",
    Severity.ERROR,
    Category.FILES,
    __doc__,
    bad="""\
allow_tools: [db.query_ro
max_steps: 10
""",
    good="""\
allow_tools: [db.query_ro]
max_steps: 10
""",
    is_about_policy=True,
)
