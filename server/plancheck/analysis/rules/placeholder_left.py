"""A value was never filled in.

## What it does
Reports an argument that is nothing but a sign that a value belongs there: `<INSERT NAME>`, `[Your company]`,
`YOUR_API_KEY`, `REPLACE_ME`, `changeme`, `TODO`, `xxx`, also behind `Bearer`. A text that has such a sign among other
things is not reported, nor is `TODO` where it may be meant: as a title, a status, a list or what is searched for.

## Why is this bad?
The step fails, or it is carried out with the sign for a value: a mail goes to `<INSERT ADDRESS>`, and a record gets the
name `TODO`.

## What it cannot know
Whether the tool fills in such signs itself: a template for a mail merge may want `<your name>`.

## Fix safety
There is no fix: only the author knows the value.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from plancheck.analysis.call_texts import CallTexts, MadeCall, each_once
from plancheck.analysis.calls import TopMember
from plancheck.analysis.facts import CALL_TEXTS, HAS_TOOLS
from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.rule import Category, Precision, Rule, each_member, each_step
from plancheck.analysis.subjects import Subject
from plancheck.policy.showing import shortened
from plancheck.policy.stand_ins import SIGNS, is_stand_in_value


def check(subjects: Iterable[Subject | TopMember], texts: CallTexts) -> Iterator[Finding]:
    calls = (made for subject in subjects for made in texts.of(subject) if made.is_plain)
    yield from each_once(finding for made in calls for finding in _found(made))


def _found(made: MadeCall) -> Iterator[Finding]:
    for text in made.texts if any(sign in made.lower for sign in SIGNS) else ():
        if is_stand_in_value(text.text, text.key, made.tool):
            message = f"`{shortened(text.key)}` is still the placeholder `{shortened(text.text)}`: write the value."
            yield Finding(made.where(text.path), message, made.identity, made.tool)


RULE = Rule(
    "placeholder_left",
    Severity.WARNING,
    Category.SECURITY,
    __doc__,
    bad="""\
{"goal": "say hello", "steps": [
  {"id": "send", "tool": "notify.mail", "args": {"to": "<INSERT ADDRESS>", "text": "hello"}, "on_fail": "abort"}
]}
""",
    good="""\
{"goal": "say hello", "steps": [
  {"id": "send", "tool": "notify.mail", "args": {"to": "ann@example.com", "text": "hello"}, "on_fail": "abort"}
]}
""",
    checks=(each_step(check, CALL_TEXTS, only_if=HAS_TOOLS), each_member(check, CALL_TEXTS, only_if=HAS_TOOLS)),
    since="0.2",
    precision=Precision.HIGH,
    security_severity=4.0,
)
