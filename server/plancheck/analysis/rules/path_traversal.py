"""The path of a file may lead out of its folder.

## What it does
Looks at the paths that tools for files are given (by the policy, or by their names: `file.…`, `read_file`,
`write_file`): reports a segment `..`, also behind backslashes, percent signs and wide characters, and a path that
begins with a reference (`{{id.result}}/x`), so that what another step gives decides in which folder the file is. A path
with a fixed folder before the reference (`/data/reports/{{id.result}}.csv`) is not reported.

## Why is this bad?
`../` leads from a folder that is meant for such files to all others, and so does a reference to a result that is
`/etc/passwd`.

## What it cannot know
Where links lead to, and whether the tool keeps to a folder of its own. A reference behind a fixed folder may still hold
`../`.

## Fix safety
There is no fix: only the author knows which folder is meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from plancheck.analysis.call_texts import CallText, CallTexts, MadeCall, each_once
from plancheck.analysis.calls import TopMember
from plancheck.analysis.facts import CALL_TEXTS, HAS_TOOLS
from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.rule import Category, Precision, Rule, each_member, each_step
from plancheck.analysis.subjects import Subject
from plancheck.policy.families import Family
from plancheck.policy.file_paths import climbs, has_no_root, is_path_name


def check(subjects: Iterable[Subject | TopMember], texts: CallTexts) -> Iterator[Finding]:
    calls = (made for subject in subjects for made in texts.of(subject) if made.is_plain)
    about_files = (made for made in calls if made.is_any_of(Family.FILE))
    yield from each_once(finding for made in about_files for finding in _found(made, texts.has_references))


def _found(made: MadeCall, has_references: bool) -> Iterator[Finding]:
    for text in made.texts:
        message = _message(text, has_references) if is_path_name(text.key) else None
        if message is not None:
            yield Finding(made.where(text.path), message, made.identity, made.tool)


def _message(text: CallText, has_references: bool) -> str | None:
    if climbs(text.text):
        return f"`{text.key}` leads out of its folder by `..`: name the file by a path without it."
    if has_references and ".result" in text.text and has_no_root(text.text, text.key):
        return f"Another step's result decides in which folder `{text.key}` is: put a fixed folder before it."
    return None


RULE = Rule(
    "path_traversal",
    Severity.WARNING,
    Category.SECURITY,
    __doc__,
    bad="""\
{"goal": "read the reports", "steps": [
  {"id": "old", "tool": "file.read", "args": {"path": "reports/../../etc/passwd"}},
  {"id": "name", "tool": "mail.subject"},
  {"id": "new", "tool": "file.read", "depends_on": ["name"], "args": {"path": "{{name.result.path}}"}}
]}
""",
    good="""\
{"goal": "read the reports", "steps": [
  {"id": "old", "tool": "file.read", "args": {"path": "reports/2026.csv"}},
  {"id": "name", "tool": "mail.subject"},
  {"id": "new", "tool": "file.read", "depends_on": ["name"], "args": {"path": "reports/{{name.result.year}}.csv"}}
]}
""",
    checks=(each_step(check, CALL_TEXTS, only_if=HAS_TOOLS), each_member(check, CALL_TEXTS, only_if=HAS_TOOLS)),
    tags=("ASI02", "CWE-22", "CWE-73"),
    since="0.2",
    precision=Precision.MEDIUM,
    security_severity=6.5,
)
