"""A step declares a write that the policy does not allow.

## What it does
Reports an entry of `writes` that is not in `allow_writes` of the policy, or that is in `blocked_writes` of its `gate`.
In both lists `*` stands for any part of a name. Allowed names are compared exactly, and `*` stands for no `..`, no
blank and no placeholder; blocked names are compared as they look, as blocked tools are. An entry of the plan with a `*`
must be allowed with all that it can mean.
In a plan that names no tools, under a policy that has `allow_writes` or `allow_scope`, members that are not part of the
format, and those that hold a call, are reported as not checked, except labels such as `title`: whether
they mean a write is not known.

## Why is this bad?
The plan will be refused when it runs, or, where it is not checked again, change what it must not.

## Fix safety
There is no fix: only the author knows what the step is for.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from plancheck.analysis.calls import TopMember
from plancheck.analysis.facts import DIALECT, HAS_POLICY, POLICY
from plancheck.analysis.finding import Finding, Severity, Unchecked
from plancheck.analysis.rule import Category, Rule, each_member, each_step
from plancheck.analysis.subjects import Subject
from plancheck.plan.carried import carried_calls
from plancheck.plan.dialects.dialect import Dialect
from plancheck.plan.dialects.vocabulary import Vocabulary
from plancheck.plan.model import Place
from plancheck.policy.model import Policy
from plancheck.policy.names import is_too_long, mixes_scripts
from plancheck.policy.showing import shortened
from plancheck.syntax.tree import Part, Path
from plancheck.unknown import Reason

LABELS = frozenset({"$schema", "comment", "description", "goal", "label", "name", "note", "title", "version"})
"""Members that only tell people something, as long as they hold no list and no object."""


def check(steps: Iterable[Subject], policy: Policy, dialect: Dialect) -> Iterator[Finding | Unchecked]:
    if not policy.judges_resources and not policy.gate.blocked_writes:
        return
    is_judged = dialect.tool_key is None and policy.judges_resources
    for position, step in steps:
        for write in step.outline.writes:
            where, identity = Place(position, write.path), step.outline.identity
            message = _fault(write.resource, policy)
            if message is not None:
                yield Finding(where, f"Step {step.name} writes {message}", identity, write.resource)
            elif policy.gate.blocked_writes and _is_doubtful(write.resource):
                message = f"`{shortened(write.resource)}` can be taken for another name: respell it in Latin letters."
                yield Unchecked(RULE.name, where, Reason.NOT_UNDERSTOOD, message, identity, write.resource)
        if is_judged:
            for path in _unread(step.value, dialect.vocabulary):
                message = (
                    f"`{shortened(str(path[-1]))}` of step {step.name} is not part of a declared plan: leave it out."
                )
                yield Unchecked(RULE.name, Place(position, path, Part.KEY), Reason.NOT_UNDERSTOOD, message)


def check_beside(members: Iterable[TopMember], policy: Policy, dialect: Dialect) -> Iterator[Unchecked]:
    if dialect.tool_key is not None or not policy.judges_resources:
        return
    for member in members:
        key = member.path[0] if member.path else ""
        is_known = len(member.path) == 1 and dialect.vocabulary.expected(False, member.path) is not None
        if not (is_known or _is_label(key, member.value)) or next(iter(member.judged), None) is not None:
            message = f"`{shortened(str(key))}` beside the steps is not part of a declared plan: leave it out."
            yield Unchecked(RULE.name, Place(None, member.path, Part.KEY), Reason.NOT_UNDERSTOOD, message)


def _fault(resource: str, policy: Policy) -> str | None:
    """What is wrong with writing a resource, to be read after "Step 1 writes"."""
    name, blocked = shortened(resource), policy.blocked_write(resource)
    if blocked is not None:
        means = "" if name == blocked else f" (it can mean `{shortened(blocked)}`)"
        return f"`{name}`, which the policy blocks{means}: leave that write out."
    if policy.allows_write(resource):
        return None
    allowed = policy.allow_writes or ()
    shown = ", ".join(f"`{entry}`" for entry in allowed[:5]) + (f" and {len(allowed) - 5} more" if allowed[5:] else "")
    return f"`{name}`, which the policy does not allow: {f'allowed are {shown}.' if shown else 'it allows no write.'}"


def _is_doubtful(resource: str) -> bool:
    return mixes_scripts(resource) or is_too_long(resource)


def _unread(value: Any, vocabulary: Vocabulary) -> Iterator[Path]:
    """The members of a step, and of what it reads and writes, that its format does not have."""
    for key, held in value if isinstance(value, tuple) else ():
        is_known = vocabulary.expected(True, (key,)) is not None
        if not (is_known or _is_label(key, held)) or carried_calls(((key, held),)).calls:
            yield (key,)
            continue
        for number, item in enumerate(held) if isinstance(held, list) else ():
            names = (name for name, _ in item) if isinstance(item, tuple) else ()
            yield from ((key, number, name) for name in names if not vocabulary.expected(True, (key, number, name)))


def _is_label(key: object, value: Any) -> bool:
    return key in LABELS and not isinstance(value, (list, tuple))


RULE = Rule(
    "write_deny",
    Severity.ERROR,
    Category.POLICY,
    __doc__,
    bad="""\
{"nodes": [
  {"idx": 0, "agent": "clerk", "kind": "tool_call", "reads": ["orders/17", "ledger"], "writes": ["orders/17", "ledger"]}
]}
""",
    good="""\
{"nodes": [
  {"idx": 0, "agent": "clerk", "kind": "tool_call", "reads": ["orders/17", "ledger"], "writes": ["orders/17"]}
]}
""",
    policy="allow_writes: ['orders/*']\n",
    is_enforced=True,
    checks=(
        each_step(check, POLICY, DIALECT, only_if=HAS_POLICY),
        each_member(check_beside, POLICY, DIALECT, only_if=HAS_POLICY),
    ),
    since="0.2",
    tags=("ASI02",),
)
