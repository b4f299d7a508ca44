"""A step calls a tool that no plan may use.

## What it does
Reports each use of a blocked tool: `execute_shell`, `run_command`, `drop_database`, `delete_all` and those that the
policy's `gate` adds under `blocked_tools`; `unblock_tools` takes some away. A name is blocked in every spelling:
capitals, blanks, invisible or full-width characters, look-alike letters, prefixes such as `functions.` and what is
behind it (`run_command(ls)`, `run_command:0`) make no difference. Calls inside arguments count too, also as JSON text.
A name of more than 1,000 letters, or of more than 16 parts, is reported as not checked. Plans of calls are always
looked at, plans of steps where a policy is in force.

## Why is this bad?
The plan gate refuses such a plan as a whole.

## Fix safety
There is no fix: only the author knows how else to do it.
"""

from collections.abc import Iterable, Iterator

from plancheck.analysis.facts import GATED, POLICY, Subject, TopMember
from plancheck.analysis.finding import Finding, Severity, Unchecked
from plancheck.analysis.rule import Rule, each_member, each_step
from plancheck.plan.carried import carried_calls
from plancheck.plan.model import Carried, Identity, Place
from plancheck.policy.checks import judged_calls
from plancheck.policy.model import Policy
from plancheck.policy.names import is_too_long
from plancheck.policy.showing import shortened
from plancheck.unknown import Reason


def check(steps: Iterable[Subject], policy: Policy, is_gated: bool) -> Iterator[Finding | Unchecked]:
    for position, step in steps if is_gated else ():
        identity = step.outline.identity
        for judged in judged_calls(step):
            tool = judged.call.tool
            if tool is None or judged.is_misplaced:
                continue
            subject = f"Step {step.name} calls" if judged.call is step.call else f"Step {step.name} carries a call of"
            yield from _blocked(tool, Place(position, judged.place(judged.call.tool_path)), subject, identity, policy)
        for carried in step.carried:
            yield from _unread(carried, Place(position))


def check_beside(members: Iterable[TopMember], policy: Policy, is_gated: bool) -> Iterator[Finding | Unchecked]:
    for path, chunk in members if is_gated else ():
        for carried in carried_calls(((str(path[0]), chunk.value),)):
            yield from _unread(carried, Place(None, path))
            call = carried.call
            if call is not None and call.tool is not None:
                where = carried.within if carried.within is not None else call.tool_path
                place = Place(None, (*path, *where[1:]))
                yield from _blocked(call.tool, place, "The plan carries a call of", None, policy)


def _blocked(
    tool: str, place: Place, subject: str, identity: Identity | None, policy: Policy
) -> Iterator[Finding | Unchecked]:
    if policy.blocks(tool):
        message = f"{subject} `{shortened(tool)}`, which no plan may use: find another way."
        yield Finding(place, message, identity, tool)
    elif is_too_long(tool):
        message = f"The tool's name `{shortened(tool)}` is too long to be compared with other names: shorten it."
        yield Unchecked(RULE.name, place, Reason.LIMIT, message, identity, tool)


def _unread(carried: Carried, place: Place) -> Iterator[Unchecked]:
    if carried.call is None:
        message = "This text is wrapped or nested too often, so nobody can say which calls it holds: unwrap it."
        where = place._replace(path=(*place.path, *(carried.within or ())[len(place.path) :]))
        yield Unchecked(RULE.name, where, Reason.LIMIT, message)


RULE = Rule(
    "blocked_tool",
    Severity.ERROR,
    __doc__,
    bad="""\
[
  {"tool_name": "execute_shell", "args": {"command": "rm -r /tmp/report"}}
]
""",
    good="""\
[
  {"tool_name": "files.remove", "args": {"path": "/tmp/report"}}
]
""",
    checks=(each_step(check, POLICY, GATED, only_if=GATED), each_member(check_beside, POLICY, GATED, only_if=GATED)),
    is_enforced=True,
)
