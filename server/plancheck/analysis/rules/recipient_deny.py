"""A recipient is not on the policy's list.

## What it does
Reports a text in an argument that has a list in the policy's `recipients`, such as `send_email.to: ["*@example.com"]`,
and that is not on it. Names are compared exactly, with capitals and blanks; `*` stands for letters, digits and `._+-`,
and behind a last `/` for the rest of an address on the web, but never for `..` or `@`. Several addresses in one text,
and an address with a name (`Bob <bob@example.com>`), are on no list. A reference is known at run time only, and what is
neither a text nor a list of texts names nobody: both are reported as not checked. Calls inside arguments and beside the
steps count, and arguments are looked for where a lenient runner would look, as in `bound_violation`. About an argument
that is absent the list says nothing.

## Why is this bad?
Whoever wrote the policy decided who may get messages, money or data.

## Fix safety
There is no fix: another recipient would be another plan.
"""

from collections.abc import Iterable, Iterator

from plancheck.analysis.calls import TopMember
from plancheck.analysis.facts import HAS_POLICY, POLICY
from plancheck.analysis.finding import Finding, Severity, Unchecked
from plancheck.analysis.rule import Category, Rule, each_member, each_step
from plancheck.analysis.subjects import Subject
from plancheck.plan.model import Identity, Place
from plancheck.policy.checks import Concern, judged_calls
from plancheck.policy.model import Policy
from plancheck.policy.recipients import Unclear, Unlisted, outside_recipients
from plancheck.policy.showing import shortened

_MOST_SHOWN = 3


def check(steps: Iterable[Subject], policy: Policy) -> Iterator[Finding | Unchecked]:
    concern = Concern(policy.recipients_of)
    for position, step in steps if policy.recipients else ():
        for judged in judged_calls(step, concern):
            for found in outside_recipients(judged, policy):
                yield _item(found, Place(position, found.path), step.outline.identity)


def check_beside(members: Iterable[TopMember], policy: Policy) -> Iterator[Finding | Unchecked]:
    concern = Concern(policy.recipients_of)
    for member in members if policy.recipients else ():
        for judged in member.judged_for(concern):
            for found in outside_recipients(judged, policy):
                yield _item(found, Place(None, found.path), None)


def _item(found: Unlisted | Unclear, place: Place, identity: Identity | None) -> Finding | Unchecked:
    key = found.recipients.key
    if isinstance(found, Unclear):
        return Unchecked(RULE.name, place, found.why.reason, found.why.message, identity, key)
    allowed = found.recipients.allowed
    shown = ", ".join(f"`{shortened(entry)}`" for entry in allowed[:_MOST_SHOWN])
    more = f" and {len(allowed) - _MOST_SHOWN} more" if allowed[_MOST_SHOWN:] else ""
    known = f"listed are {shown}{more}." if shown else "it lists nobody."
    message = f"`{shortened(found.recipient)}` is not a recipient that the policy lists for `{key}`: {known}"
    return Finding(place, message, identity, key)


RULE = Rule(
    "recipient_deny",
    Severity.ERROR,
    Category.POLICY,
    __doc__,
    bad="""\
[
  {"tool_name": "send_email", "args": {"to": ["jo@example.com", "jo@example.org"], "body": "Hello"}}
]
""",
    good="""\
[
  {"tool_name": "send_email", "args": {"to": ["jo@example.com"], "body": "Hello"}}
]
""",
    policy="recipients:\n  send_email.to: ['*@example.com']\n",
    is_enforced=True,
    checks=(each_step(check, POLICY, only_if=HAS_POLICY), each_member(check_beside, POLICY, only_if=HAS_POLICY)),
    since="0.2",
    tags=("ASI02", "CWE-183"),
)
