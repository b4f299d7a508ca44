"""A URL is not encrypted on its way.

## What it does
Reports a URL with `http`, `ftp` or `ws` whose host is not local. Local are this machine, private addresses, names
without a dot, and names that end in `.local`, `.internal`, `.test` and the like. A value counts that is a URL as a
whole; a text that mentions one does not, nor does a value that is known to be the name of something or a fact about
somebody (`$schema`, `namespace`, `website`, `license`), nor the addresses of XML namespaces and JSON schemas.

## Why is this bad?
Everybody on the way can read what is sent, and change what comes back: data that the next steps act on.

## What it cannot know
Whether the other side answers `https`, and whether a URL is asked at all or only stored somewhere.

## Fix safety
Unsafe: the other side may not answer `https`. With a port of its own it hardly does, and there is no fix; nor is there
one for `ftp`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from plancheck.analysis.call_texts import CallTexts, MadeCall, each_once
from plancheck.analysis.calls import TopMember
from plancheck.analysis.facts import CALL_TEXTS, HAS_TOOLS
from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.fix.change import FixView, Proposal, Remedy, SetValue
from plancheck.analysis.rule import Category, Precision, Rule, each_member, each_step
from plancheck.analysis.subjects import Subject
from plancheck.policy.endpoints import encrypted, is_cleartext, is_no_endpoint, url_of


def check(subjects: Iterable[Subject | TopMember], texts: CallTexts) -> Iterator[Finding]:
    calls = (made for subject in subjects for made in texts.of(subject) if made.is_plain)
    yield from each_once(finding for made in calls for finding in _found(made))


def _found(made: MadeCall) -> Iterator[Finding]:
    for text in made.texts if ":" in made.lower else ():
        url = url_of(text.text) if ":" in text.text else None
        if url is not None and is_cleartext(url) and not is_no_endpoint(text.key, url.host):
            way = f"use `{encrypted(url.scheme)}`."
            message = f"{made.subject} uses `{url.scheme}`, which anybody on the way can read and change: {way}"
            yield Finding(made.where(text.path), message, made.identity, made.tool)


def _encrypt(view: FixView, finding: Finding) -> Iterator[Proposal]:
    text = view.value(finding.place)
    url = url_of(text) if isinstance(text, str) else None
    if isinstance(text, str) and url is not None and not url.has_port and url.scheme in ("http", "ws"):
        right = encrypted(url.scheme)
        start = len(text) - len(text.lstrip())
        encrypted_url = f"{text[:start]}{right}{text[start + len(url.scheme) :]}"
        yield Proposal(f"Use `{right}`", (SetValue(finding.place, encrypted_url),))


RULE = Rule(
    "cleartext_endpoint",
    Severity.WARNING,
    Category.SECURITY,
    __doc__,
    bad="""\
{"goal": "look at the rates", "steps": [
  {"id": "get", "tool": "http.get", "args": {"url": "http://rates.example.com/today"}}
]}
""",
    good="""\
{"goal": "look at the rates", "steps": [
  {"id": "get", "tool": "http.get", "args": {"url": "https://rates.example.com/today"}}
]}
""",
    checks=(each_step(check, CALL_TEXTS, only_if=HAS_TOOLS), each_member(check, CALL_TEXTS, only_if=HAS_TOOLS)),
    remedies=(Remedy("use the encrypted scheme", False, _encrypt),),
    tags=("CWE-319",),
    since="0.2",
    precision=Precision.MEDIUM,
    security_severity=4.8,
)
