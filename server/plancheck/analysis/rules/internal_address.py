"""A URL leads to the metadata service of a cloud.

## What it does
Reports a URL whose host is a link-local address (`169.254.169.254` and its neighbours, `fe80::…`), one of the other
addresses or names of metadata services (`100.100.100.200`, `fd00:ec2::254`, `metadata.google.internal`), in every
spelling: decimal, octal, hexadecimal, shortened, inside an IPv6 address, with percent signs or wide characters, behind
a user name, and by a name such as `169.254.169.254.nip.io`. A value counts that is a URL as a whole, an address in the
`url`, `host` or the like of a tool that makes HTTP requests, and a URL anywhere in a command that a tool runs. A text
that mentions such a URL does not.

## Why is this bad?
Such a service gives whoever asks from inside the credentials of the machine. No task needs that by way of a plan.

## What it cannot know
Where a name leads to that is not one of these, where a redirection leads to, and a URL that is put together by the run.

## Fix safety
There is no fix: the request has to go.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from plancheck.analysis.call_texts import CallTexts, MadeCall, each_once
from plancheck.analysis.calls import TopMember
from plancheck.analysis.facts import CALL_TEXTS, HAS_TOOLS
from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.rule import Category, Precision, Rule, each_member, each_step
from plancheck.analysis.subjects import Subject
from plancheck.policy.commands import command_lines
from plancheck.policy.endpoints import ADDRESS_SIGNS, is_address_name, is_metadata_service, url_of, urls_in
from plancheck.policy.families import Family
from plancheck.syntax.tree import Path


def check(subjects: Iterable[Subject | TopMember], texts: CallTexts) -> Iterator[Finding]:
    calls = (made for subject in subjects for made in texts.of(subject) if made.is_plain)
    yield from each_once(_finding(made, path) for made in calls for path in (*_endpoints(made), *_in_commands(made)))


def _finding(made: MadeCall, path: Path) -> Finding:
    message = f"{made.subject} asks the metadata service of a cloud, which hands out credentials: remove the address."
    return Finding(made.where(path), message, made.identity, made.tool)


def _endpoints(made: MadeCall) -> Iterator[Path]:
    is_http = made.is_any_of(Family.HTTP)
    for text in made.texts if is_http or ":" in made.lower else ():
        is_address = is_http and is_address_name(text.key)
        if is_address or ":" in text.text:
            url = url_of(text.text, is_address=is_address)
            if url is not None and is_metadata_service(url.host):
                yield text.path


def _in_commands(made: MadeCall) -> Iterator[Path]:
    if made.is_any_of(Family.EXEC) and any(sign in made.lower for sign in ADDRESS_SIGNS):
        for line in command_lines(made.judged.call):
            for path, text in line.words:
                if any(is_metadata_service(url.host) for url in urls_in(text)):
                    yield path


RULE = Rule(
    "internal_address",
    Severity.WARNING,
    Category.SECURITY,
    __doc__,
    bad="""\
{"goal": "look at the page", "steps": [
  {"id": "get", "tool": "http.get", "args": {"url": "http://0xa9fea9fe/latest/meta-data/iam/security-credentials/"}}
]}
""",
    good="""\
{"goal": "look at the page", "steps": [
  {"id": "get", "tool": "http.get", "args": {"url": "https://www.example.com/latest/"}}
]}
""",
    checks=(each_step(check, CALL_TEXTS, only_if=HAS_TOOLS), each_member(check, CALL_TEXTS, only_if=HAS_TOOLS)),
    tags=("ASI02", "CWE-918"),
    since="0.2",
    precision=Precision.VERY_HIGH,
    security_severity=7.5,
)
