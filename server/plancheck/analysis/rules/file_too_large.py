"""The file is too large to be analysed.

## What it does
Says that only the JSON text itself was checked, because the file is larger than `max-file-size` (20,000,000 characters
by default). It is reported as not checked, whatever the settings say: in the editor as a warning, by `plancheck check`
as an error with exit code 2.

## Why is this bad?
What is wrong with the plan is not shown. An editor that analysed such a file at every keystroke would be unusable.

## Fix safety
There is no fix: split the plan, or raise `max-file-size`.
"""

from plancheck.analysis.finding import Severity
from plancheck.analysis.rule import Category, Rule

RULE = Rule(
    "file_too_large",
    Severity.INFO,
    Category.RUN,
    __doc__,
    bad="",
    good="",
)
