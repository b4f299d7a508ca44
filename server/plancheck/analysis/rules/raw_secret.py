"""A secret stands in the plan.

## What it does
Reports a value that holds a secret which can be told by its shape (keys of cloud, payment, chat and AI services,
private keys, tokens, connection strings with a password), and one that a pattern of the policy's `deny_tokens_regex`
fits. The arguments of steps are looked at, and all that stands beside the steps, such as `goal`, `context` and `meta`.
The secret itself is never shown.

## Why is this bad?
Plans are logged, reviewed and handed on to models. A secret in one of them is a secret no more.

## What it cannot know
A password without a shape of its own looks like any other word. Identifiers, hashes and base64 text are not reported,
even though a secret may look like them. References such as `${ENV}` and `{{step.result}}` are no secrets.

## Fix safety
Unsafe: the environment must have the variable that the value is replaced by, and a secret that was in a file must be
changed anyway.
"""

from collections.abc import Iterator
from typing import Any

from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.fix.change import FixView, Proposal, Remedy, SetValue
from plancheck.analysis.rule import PartView, Rule
from plancheck.plan.model import Place
from plancheck.policy.checks import secrets_in
from plancheck.policy.model import NO_POLICY
from plancheck.syntax.tree import Path


def check(view: PartView) -> Iterator[Finding]:
    policy = view.policy or NO_POLICY
    for path, value in _parts(view):
        for secret in secrets_in(value, path, policy, view.matcher):
            where = ".".join(str(part) for part in secret.path)
            of = f" of step {view.step.name}" if view.step is not None else ""
            yield Finding(
                Place(None if view.step is None else 0, secret.path),
                f"`{where}`{of} holds {secret.name}: keep it out of the plan and write `${{{secret.variable}}}`.",
                resource=secret.variable,
            )


def _parts(view: PartView) -> Iterator[tuple[Path, Any]]:
    yield from view.values
    call = view.step.call if view.step is not None else None
    if call is not None and call.arguments_path:
        yield call.arguments_path, call.arguments


def _reference(view: FixView, finding: Finding) -> Iterator[Proposal]:
    value = view.value(finding.place)
    if not isinstance(value, str):
        return
    key = next((part for part in reversed(finding.place.path) if isinstance(part, str)), "")
    for secret in secrets_in(value, finding.place.path, NO_POLICY, _none):
        if secret.variable == finding.resource:
            reference = f"${{{secret.variable}}}"
            text = value[: secret.span.start] + reference + value[secret.span.end :]
            yield Proposal(f"Write `{reference}` instead", (SetValue(finding.place, text),))
            return
    variable = "".join(char if char.isalnum() and char.isascii() else "_" for char in key).upper().strip("_")
    reference = f"${{{variable or 'SECRET'}}}"
    yield Proposal(f"Write `{reference}` instead", (SetValue(finding.place, reference),))


def _none(_pattern: str, _value: str) -> tuple[()]:
    return ()


RULE = Rule(
    "raw_secret",
    Severity.ERROR,
    __doc__,
    bad="""\
{"goal": "list the invoices", "steps": [
  {"id": "list", "tool": "http.get", "args": {"url": "https://api.example.com", "key": "AKIAQ3EGRIRKL5Z7XW2M"}}
]}
""",
    good="""\
{"goal": "list the invoices", "steps": [
  {"id": "list", "tool": "http.get", "args": {"url": "https://api.example.com", "key": "${AWS_ACCESS_KEY_ID}"}}
]}
""",
    remedies=(Remedy("refer to an environment variable", False, _reference),),
    check_part=check,
)
