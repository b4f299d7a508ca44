"""The plan contains a secret.

## What it does
Reports a value that holds a secret that is recognised by its shape (keys of cloud, payment, chat and AI services,
private keys, tokens, connection strings with a password), and one that a pattern of the policy's `deny_tokens_regex`
matches. Everything is looked at, whole: values and names of members, in the steps and beside them, in every format.
The secret itself is never shown. A value on which a pattern was stopped, or that is too long to be searched by patterns
(1,000,000 characters), is reported as not checked.

## Why is this bad?
Plans are logged, reviewed and sent to models. A secret in one of them is no longer a secret.

## What it cannot know
A password without a shape of its own looks like any other word. Identifiers, hashes and base64 text are not reported,
even though a secret may look like them. `${NAME}`, `env:`, `vault:` and `secret:` and references to steps are not
secrets; a reference to a step that the plan does not have, and what is inside other brackets, is looked at like
anything else.

## Fix safety
Unsafe: the environment must have the variable that the value is replaced by, and a secret that was in a file must be
changed anyway.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from plancheck.analysis.calls import TopMember
from plancheck.analysis.facts import HAS_POLICY, IDENTITIES, MATCHER, MEMBER_NAMES, POLICY
from plancheck.analysis.finding import Finding, Pending, Severity, Unchecked
from plancheck.analysis.fix.change import FixView, Proposal, Remedy, SetValue
from plancheck.analysis.rule import Category, Item, Rule, each_member, each_step, whole_plan
from plancheck.analysis.subjects import Subject
from plancheck.plan.model import Identity, Place, Step, dotted
from plancheck.policy.checks import Found, Search, secrets_in
from plancheck.policy.model import NO_POLICY, Policy
from plancheck.policy.regexes import Ask
from plancheck.syntax.tree import Part


def check(steps: Iterable[Subject], policy: Policy, matcher: Ask) -> Iterator[Item]:
    """Where there are no patterns, steps can be looked at one by one."""
    if not policy.deny_tokens_regex:
        yield from _in_steps(steps, Search(policy, matcher))


def check_by_patterns(
    steps: Iterable[Subject], policy: Policy, matcher: Ask, identities: Mapping[Identity, int]
) -> Iterator[Item]:
    if policy.deny_tokens_regex:
        yield from _in_steps(steps, Search(policy, matcher, frozenset(map(str, identities))))


def _in_steps(steps: Iterable[Subject], search: Search) -> Iterator[Item]:
    clean: set[str] = set()
    for position, step in steps:
        yield from _secrets(Place(position), step.value, search, step, clean)


def check_beside(members: Iterable[TopMember], policy: Policy, matcher: Ask) -> Iterator[Item]:
    for member in members:
        yield from _secrets(Place(None, member.path), member.value, Search(policy, matcher))


def check_names(policy: Policy, matcher: Ask, names: tuple[str, ...]) -> Iterator[Item]:
    """The names of the members of the document, which stand in none of them."""
    for name in dict.fromkeys(names):
        yield from _secrets(Place(None), ((name, None),), Search(policy, matcher))


def _secrets(
    place: Place, value: Any, search: Search, step: Step | None = None, clean: set[str] | None = None
) -> Iterator[Item]:
    identity = step.outline.identity if step is not None else None
    for found in secrets_in(value, place.path, search, clean):
        there = place._replace(path=found.path)
        if isinstance(found, Found):
            there = there._replace(part=Part.KEY if found.is_key else Part.VALUE)
            of = f" of step {step.name}" if step is not None else ""
            yield Finding(there, _message(found, of), identity, found.variable)
        elif found.why is None:
            yield Pending(there)
        else:
            yield Unchecked(RULE.name, there, found.why.reason, found.why.message, identity)


def _message(secret: Found, of: str) -> str:
    where = dotted(secret.path[:-1] if secret.is_key else secret.path)
    place = f"The name of a member{f' of `{where}`' if where else ''}" if secret.is_key else f"`{where}`"
    if secret.is_denied:
        return f"{place}{of} contains text that the policy forbids: {secret.name}."
    return f"{place}{of} holds {secret.name}: keep it out of the plan and write `${{{secret.variable}}}`."


def _reference(view: FixView, finding: Finding) -> Iterator[Proposal]:
    value = view.value(finding.place)
    if not isinstance(value, str) or finding.place.part is Part.KEY:
        return
    key = next((part for part in reversed(finding.place.path) if isinstance(part, str)), "")
    for secret in secrets_in(value, finding.place.path, Search(NO_POLICY, _none)):
        if isinstance(secret, Found) and secret.variable == finding.resource:
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
    Category.SECURITY,
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
    is_enforced=True,
    checks=(
        each_step(check, POLICY, MATCHER),
        each_step(check_by_patterns, POLICY, MATCHER, IDENTITIES, only_if=HAS_POLICY),
        each_member(check_beside, POLICY, MATCHER),
        whole_plan(check_names, POLICY, MATCHER, MEMBER_NAMES),
    ),
    tags=("ASI03", "CWE-798"),
    security_severity=8.0,
)
