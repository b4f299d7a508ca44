"""The result of another step is put into the text of a program.

## What it does
Reports a reference (`{{id.result}}`, `${id.result}`) inside code that a tool runs, also in quotes or in a comment, and
as the code itself. Which arguments are code: in a tool that runs commands or code (by the policy, or by its name:
`run_python`, `execute_code`, `notebook.exec`, `eval`) those called `code`, `snippet`, `expression` and the like, and
where its name means a language, those called `command` or `script`, too; in a list of words, what is behind
`python -c` and the like. Calls inside arguments and beside the steps count. Traces have no references.

## Why is this bad?
Whoever has a say in that result has a say in the program: a title such as `"); os.remove("data.csv"); ("` is code of
its own, wherever it was meant to be.

## What it cannot know
Whether the result can only be harmless, and whether the tool quotes what it puts in. Templates of the program itself
(`f"{name}"`) are none of the plan's references and are not reported.

## Fix safety
There is no fix: how a program gets its data depends on the tool. Often it takes variables, standard input or a file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from plancheck.analysis.call_texts import CallTexts, each_once
from plancheck.analysis.calls import TopMember
from plancheck.analysis.facts import CALL_TEXTS, HAS_TOOLS
from plancheck.analysis.finding import Finding, Related, Severity
from plancheck.analysis.rule import Category, Precision, Rule, each_member, each_step
from plancheck.analysis.subjects import Subject
from plancheck.policy.commands import Language


def check(subjects: Iterable[Subject | TopMember], texts: CallTexts) -> Iterator[Finding]:
    yield from each_once(_found(subjects, texts))


def _found(subjects: Iterable[Subject | TopMember], texts: CallTexts) -> Iterator[Finding]:
    for subject in subjects if texts.has_references else ():
        for made, places in texts.references_in_scripts(subject, Language.CODE):
            message = f"{made.subject} puts another step's result into the text of a program: pass it as data."
            related = tuple(Related(place, "And here.") for place in places[1:])
            yield Finding(places[0], message, made.identity, made.tool, related)


RULE = Rule(
    "code_interpolation",
    Severity.ERROR,
    Category.SECURITY,
    __doc__,
    bad="""\
{"goal": "count the words", "steps": [
  {"id": "get", "tool": "notes.read"},
  {"id": "count", "tool": "run_python", "depends_on": ["get"], "args": {"code": "print(len('{{get.result.body}}'))"}}
]}
""",
    good="""\
{"goal": "count the words", "steps": [
  {"id": "get", "tool": "notes.read"},
  {"id": "count", "tool": "run_python", "depends_on": ["get"],
   "args": {"code": "print(len(body))", "variables": {"body": "{{get.result.body}}"}}}
]}
""",
    is_enforced=True,
    checks=(each_step(check, CALL_TEXTS, only_if=HAS_TOOLS), each_member(check, CALL_TEXTS, only_if=HAS_TOOLS)),
    tags=("ASI02", "ASI05", "CWE-94"),
    since="0.2",
    precision=Precision.HIGH,
    security_severity=9.3,
)
