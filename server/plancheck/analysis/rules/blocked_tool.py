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

from plancheck.analysis.calls import TopMember
from plancheck.analysis.facts import GATED, POLICY
from plancheck.analysis.finding import Finding, Severity, Unchecked
from plancheck.analysis.rule import Category, Rule, each_member, each_step
from plancheck.analysis.subjects import Subject
from plancheck.plan.model import Carried, Identity, Place
from plancheck.policy.checks import Concern, Judged, judged_calls
from plancheck.policy.model import Policy
from plancheck.policy.names import is_too_long
from plancheck.policy.showing import shortened
from plancheck.syntax.tree import Path
from plancheck.unknown import Reason


def check(steps: Iterable[Subject], policy: Policy, is_gated: bool) -> Iterator[Finding | Unchecked]:
    concern = Concern(policy.blocks)
    for position, step in steps if is_gated else ():
        for judged in _each_once(judged_calls(step, concern)):
            does = f"Step {step.name} calls" if judged.call is step.call else f"Step {step.name} contains a call of"
            yield from _blocked(judged, Place(position), does, step.outline.identity, policy)
        yield from _unread(step.carried, Place(position))


def check_beside(members: Iterable[TopMember], policy: Policy, is_gated: bool) -> Iterator[Finding | Unchecked]:
    concern = Concern(policy.blocks)
    for member in members if is_gated else ():
        for judged in _each_once(member.judged_for(concern)):
            yield from _blocked(judged, Place(None), "The plan contains a call of", None, policy)
        yield from _unread(member.carried, Place(None))


def _each_once(calls: Iterable[Judged]) -> Iterator[Judged]:
    """What a tool is called with does not matter here."""
    seen: set[tuple[Path, Path | None]] = set()
    for judged in calls:
        where = judged.call.tool_path, judged.within
        if not judged.is_misplaced and where not in seen:
            seen.add(where)
            yield judged


def _blocked(
    judged: Judged, place: Place, does: str, identity: Identity | None, policy: Policy
) -> Iterator[Finding | Unchecked]:
    tool = judged.call.tool
    if tool is None:
        return
    where = place._replace(path=judged.place(judged.call.tool_path))
    if policy.blocks(tool):
        message = f"{does} `{shortened(tool)}`, which no plan may use: find another way."
        yield Finding(where, message, identity, tool)
    elif is_too_long(tool):
        message = f"The tool's name `{shortened(tool)}` is too long to be compared with other names: shorten it."
        yield Unchecked(RULE.name, where, Reason.LIMIT, message, identity, tool)


def _unread(carried: Iterable[Carried], place: Place) -> Iterator[Unchecked]:
    for found in carried:
        if found.call is None:
            message = "This text is wrapped or nested too often, so it is not known which calls it holds: unwrap it."
            yield Unchecked(RULE.name, place._replace(path=found.within or ()), Reason.LIMIT, message)


RULE = Rule(
    "blocked_tool",
    Severity.ERROR,
    Category.POLICY,
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
    tags=("ASI02",),
)
