"""The same thing is done twice.

## What it does
Reports a step that calls the same tool with equal arguments as an earlier step, where the tool is known to pay, send,
write or delete: by the policy, the catalogue, its name, or its SQL. The order of the arguments does not matter. Two
steps on different ways out of one decision are not reported, for only one of them runs.

## Why is this bad?
A payment or a message goes out twice. It mostly comes from a plan that was put together twice, or from a model that
repeats itself.

## What it cannot know
Whether the repetition is meant, for instance because something is put back in between, and whether the tool notices
it. Tools of which nothing is known (`wait`, `screenshot`, `next_page`) may be called again and again. Calls that steps
carry in their arguments, or that are beside the steps, are not compared.

## Fix safety
There is no fix: only the author knows whether it is meant.
"""

from collections.abc import Iterable, Iterator

from plancheck.analysis.effects import DUPLICATES, Duplicates
from plancheck.analysis.facts import HAS_TOOLS, NAMES, Names
from plancheck.analysis.finding import Finding, Related, Severity
from plancheck.analysis.rule import Category, Rule, each_link
from plancheck.analysis.subjects import Link
from plancheck.policy.showing import shortened


def check(links: Iterable[Link], duplicates: Duplicates, names: Names) -> Iterator[Finding]:
    for position, outline in links:
        first = duplicates.first(position)
        if first is not None:
            tool = shortened(duplicates.tool(position))
            message = f"Step {names[position]} does the same as step {names[first]} (`{tool}`): leave one of them out."
            related = (Related(duplicates.place(first), f"Step {names[first]} makes the same call."),)
            yield Finding(duplicates.place(position), message, outline.identity, related=related)


RULE = Rule(
    "duplicate_effect",
    Severity.WARNING,
    Category.SECURITY,
    __doc__,
    bad="""\
[
  {"tool_name": "payments.transfer", "args": {"to": "ACME", "amount": 40}},
  {"tool_name": "payments.transfer", "args": {"amount": 40, "to": "ACME"}}
]
""",
    good="""\
[
  {"tool_name": "payments.transfer", "args": {"to": "ACME", "amount": 40}}
]
""",
    checks=(each_link(check, DUPLICATES, NAMES, only_if=HAS_TOOLS),),
    since="0.2",
    tags=("CWE-841",),
    security_severity=5.0,
)
