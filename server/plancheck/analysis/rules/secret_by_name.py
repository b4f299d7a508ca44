"""A text is written out under a name that means a secret.

## What it does
Reports a text that is written out under a name such as `password`, `api_key`, `client_secret`, `access_token`,
`authorization` or `private_key`. What has the shape of a secret is reported as `raw_secret` instead, whatever its name.

## Why is this bad?
Plans are logged, reviewed and given to models. A password in one of them is a secret no more.

## What it cannot know
Whether the text is a password: it may be the name of one, or an example.

## Fix safety
There is no fix: only the author knows where the secret is kept.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from plancheck.analysis.calls import TopMember
from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.rule import Category, Rule, each_member, each_step
from plancheck.analysis.subjects import Subject
from plancheck.plan.model import Identity, Place, dotted
from plancheck.policy.arguments import leaves
from plancheck.policy.secrets import find_secrets, has_names_of_secrets, is_literal_secret, names_a_secret


def check(steps: Iterable[Subject]) -> Iterator[Finding]:
    for position, step in steps:
        yield from _literals(Place(position), step.value, step.outline.identity)


def check_beside(members: Iterable[TopMember]) -> Iterator[Finding]:
    for member in members:
        yield from _literals(Place(None, member.path), member.value, None)


def _literals(place: Place, value: Any, identity: Identity | None) -> Iterator[Finding]:
    key = next((part for part in reversed(place.path) if isinstance(part, str)), "")
    if not names_a_secret(key) and not has_names_of_secrets(value):
        return
    for path, name, text, _ in leaves(value, place.path, key, with_names=False):
        if not names_a_secret(name) or not isinstance(text, str) or not is_literal_secret(text):
            continue
        if next(find_secrets(text, name), None) is None:
            where = dotted(path)
            message = f"`{where}` looks like a secret that is written out: refer to it, as in `${{NAME}}`."
            yield Finding(place._replace(path=path), message, identity)


RULE = Rule(
    "secret_by_name",
    Severity.INFO,
    Category.SECURITY,
    __doc__,
    bad="""\
{"goal": "sign in", "context": {"api_key": "hunter2"}, "steps": [
  {"id": "sign_in", "tool": "web.login", "args": {"user": "ada", "password": "hunter2"}}
]}
""",
    good="""\
{"goal": "sign in", "context": {"api_key": "${API_KEY}"}, "steps": [
  {"id": "sign_in", "tool": "web.login", "args": {"user": "ada", "password": "${PASSWORD}"}}
]}
""",
    checks=(each_step(check), each_member(check_beside)),
    since="0.2",
    tags=("ASI03", "CWE-798"),
    in_security_profile=Severity.WARNING,
    security_severity=4.0,
)
