"""What a step reads is used by nothing.

## What it does
Reports a step that only reads, by the policy or the catalogue, or because its tool's name ends in `_ro`, and whose
result no step uses, in a plan that uses references. A last step is not reported, for what it returns may be what the
plan is for; nor is one that another step waits for by its name, nor one before a last step that refers to no result:
that one may take all of them. Nothing is said while a reference of the plan leads nowhere.

## Why is this bad?
The step costs time and money for nothing, or its result was meant to be used and a literal took its place.

## What it cannot know
Whether somebody looks at the result besides the plan, and whether the step is there because it fails in some cases.

## Fix safety
There is no fix: only the author knows whether the step goes, or a reference is missing.
"""

from collections.abc import Iterator

from plancheck.analysis.facts import HAS_TOOLS, NAMES, Names
from plancheck.analysis.finding import Finding, Severity, Tag
from plancheck.analysis.flows import RESULTS, Results
from plancheck.analysis.rule import Category, Rule, whole_plan
from plancheck.policy.families import Family


def check(results: Results, names: Names) -> Iterator[Finding]:
    tools = results.tools(lambda known: known.family is Family.READ)
    for position in results.unused if tools else ():
        if results.tool(position) in tools:
            message = f"Step {names[position]} reads what nothing uses: refer to its result, or leave the step out."
            yield Finding(results.place(position), message, names.identity(position), tags=(Tag.UNNECESSARY,))


RULE = Rule(
    "unused_result",
    Severity.HINT,
    Category.SECURITY,
    __doc__,
    bad="""\
[
  {"tool_name": "query_ro", "args": {"table": "rates"}},
  {"tool_name": "query_ro", "args": {"table": "orders"}},
  {"tool_name": "report.write", "args": {"orders": "{{1.result}}"}}
]
""",
    good="""\
[
  {"tool_name": "query_ro", "args": {"table": "rates"}},
  {"tool_name": "query_ro", "args": {"table": "orders"}},
  {"tool_name": "report.write", "args": {"orders": "{{1.result}}", "rates": "{{0.result}}"}}
]
""",
    checks=(whole_plan(check, RESULTS, NAMES, only_if=HAS_TOOLS),),
    since="0.2",
    tags=("CWE-563",),
    security_severity=1.0,
)
