"""A step calls a tool that the policy does not allow.

## What it does
Reports a tool that is not in `allow_tools` of the policy, and SQL that writes through a tool that only reads
(`db.query_ro`, every other tool whose name ends in `_ro`, and those that the policy's `tools` or the annotations in a
catalogue of tools call read-only). An argument is SQL if its name says so (`sql`; in tools of databases also `query`
and the like) or if it begins like SQL. What SQL does is decided by parsing it: a column named `updated_at` is not an
UPDATE. What cannot be shown to read only, through such a tool, is reported as not checked: SQL that cannot be parsed,
`CALL` and the like, SQL that is put together at run time, and more SQL than can be parsed in time.
Calls inside arguments and beside the steps count, also as JSON text; what may be a call and may not, such as an object
with a `tool` and nothing else that a call has, is reported as not checked where it names a tool that is not allowed.

## Why is this bad?
The plan will be refused when it runs, or, where it is not checked again, do what it must not.

## Fix safety
Unsafe: the nearest allowed tool is a guess, and a tool that may write is granted more than one that only reads.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import get_close_matches

from plancheck.analysis.calls import TopMember
from plancheck.analysis.facts import CLASSES, GATED, HAS_TOOLS
from plancheck.analysis.finding import Finding, Severity, Unchecked
from plancheck.analysis.fix.change import FixView, Proposal, Remedy, SetValue
from plancheck.analysis.rule import Category, Rule, each_member, each_step
from plancheck.analysis.subjects import Subject
from plancheck.plan.dialects.keys import comparable, nearest
from plancheck.plan.model import Clarity, Identity, Place
from plancheck.policy.checks import Judged, SqlBudget, judged_calls, unknown_tool_name
from plancheck.policy.classes import ToolClasses
from plancheck.policy.model import Family, Policy
from plancheck.policy.showing import shortened
from plancheck.tuples import NamedTuple
from plancheck.unknown import Reason, Unknown


def check(steps: Iterable[Subject], classes: ToolClasses, is_gated: bool) -> Iterator[Finding | Unchecked]:
    budget = SqlBudget()
    for position, step in steps:
        for judged in judged_calls(step):
            about = _About(Place(position), f"Step {step.name}", step.outline.identity)
            yield from _call(judged, about, classes, is_gated, budget)


def check_beside(members: Iterable[TopMember], classes: ToolClasses, is_gated: bool) -> Iterator[Finding | Unchecked]:
    budget = SqlBudget()
    for member in members if is_gated else ():
        for judged in member.judged:
            yield from _call(judged, _About(Place(None), "The plan", None), classes, is_gated, budget)


class _About(NamedTuple):
    """What a call belongs to."""

    place: Place
    subject: str
    identity: Identity | None


def _call(
    judged: Judged, about: _About, classes: ToolClasses, is_gated: bool, budget: SqlBudget
) -> Iterator[Finding | Unchecked]:
    if judged.clarity is not Clarity.FAINT and not judged.is_misplaced:
        yield from _tool(judged, about, classes.policy, is_gated)
    yield from _sql(judged, about, classes, budget)


def _tool(judged: Judged, about: _About, policy: Policy, is_gated: bool) -> Iterator[Finding | Unchecked]:
    """What there is to say about the tool of a call."""
    tool = judged.call.tool
    if tool is None:
        return
    where = about.place._replace(path=judged.place(judged.call.tool_path))
    if not policy.allows(tool):
        if judged.clarity is Clarity.UNCLEAR:
            message = (
                f"This may be a call of `{tool}`, which the policy does not allow: leave it out, or make it a step."
            )
            yield Unchecked(RULE.name, where, Reason.NOT_UNDERSTOOD, message, about.identity, tool)
            return
        right = nearest(tool, policy.allow_tools or ())
        hint = f"did you mean `{right}`?" if right else _instead(policy.allow_tools or ())
        message = f"{about.subject} calls `{shortened(tool)}`, which the policy does not allow: {hint}"
        yield Finding(where, message, about.identity, tool)
    elif is_gated and (why := _unknown(tool, policy)) is not None:
        yield Unchecked(RULE.name, where, why.reason, why.message, about.identity, tool)


def _unknown(tool: str, policy: Policy) -> Unknown | None:
    """Why nobody can say which tool a name means. Of letters of several scripts that matters only where the name can be
    taken for one that a rule is about."""
    why = unknown_tool_name(tool, policy)
    return why if why is not None and (why.reason is Reason.RUNTIME or policy.is_doubtful(tool)) else None


def _sql(judged: Judged, about: _About, classes: ToolClasses, budget: SqlBudget) -> Iterator[Finding | Unchecked]:
    """What there is to say about the SQL of a call."""
    place, subject, identity = about
    tool = judged.call.tool or ""
    if classes.family(tool) is not Family.READ:
        return
    from plancheck.policy.sql_checks import writes_through  # takes long to be imported, and few plans need it

    if judged.is_unread:
        message = f"`{tool}` may only read, and what it is called with cannot be read here: write it as JSON."
        where = place._replace(path=judged.place(judged.call.tool_path))
        yield Unchecked(RULE.name, where, Reason.NOT_UNDERSTOOD, message, identity, tool)
    for path, why in writes_through(judged.call, classes, budget):
        where = place._replace(path=judged.place(path))
        if why is not None:
            yield Unchecked(RULE.name, where, why.reason, why.message, identity, tool)
            continue
        way = "call a tool that may write, or only read here."
        message = f"{subject} writes by SQL through `{shortened(tool)}`, which only reads: {way}"
        yield Finding(where, message, identity, tool)


def _instead(tools: tuple[str, ...]) -> str:
    return f"allowed are {_listed(tools)}." if tools else "it allows no tool at all."


def _listed(tools: tuple[str, ...]) -> str:
    shown = ", ".join(f"`{tool}`" for tool in tools[:5])
    return shown if len(tools) <= 5 else f"{shown} and {len(tools) - 5} more"


def _nearest(view: FixView, finding: Finding) -> Iterator[Proposal]:
    tool, allowed = view.value(finding.place), view.policy.allow_tools
    if isinstance(tool, str) and allowed and tool not in allowed:
        alike = get_close_matches(tool, comparable(tool, allowed, 0.6), n=1, cutoff=0.6)
        right = nearest(tool, allowed) or next((name for name in (*alike, *allowed) if _is_kin(name, tool)), None)
        right = right or next(iter(alike), None)
        if right is not None:
            yield Proposal(f"Call `{right}`", (SetValue(finding.place, right),))


def _is_kin(one: str, other: str) -> bool:
    """Whether two tools belong to the same namespace: `db.query` and `db.query_ro`."""
    return "." in one and one.rpartition(".")[0] == other.rpartition(".")[0]


def _writing(view: FixView, finding: Finding) -> Iterator[Proposal]:
    tool, step = finding.resource, finding.place.step
    if tool is None or step is None or not tool.endswith("_ro"):
        return
    call, writing = view.plan.steps[step].call, tool.removesuffix("_ro")
    if call is not None and call.tool_path and finding.place.path != call.tool_path and view.policy.allows(writing):
        yield Proposal(f"Call `{writing}`, which may write", (SetValue(Place(step, call.tool_path), writing),))


RULE = Rule(
    "tool_deny",
    Severity.ERROR,
    Category.POLICY,
    __doc__,
    bad="""\
{"goal": "tidy up", "steps": [
  {"id": "look", "tool": "db.query_ro", "args": {"query": "DELETE FROM orders WHERE updated_at < now()"}},
  {"id": "wipe", "tool": "shell.run", "args": {"command": "ls"}}
]}
""",
    good="""\
{"goal": "tidy up", "steps": [
  {"id": "look", "tool": "db.query_ro", "args": {"query": "SELECT id FROM orders WHERE updated_at < now()"}},
  {"id": "wipe", "tool": "files.list", "args": {"folder": "."}}
]}
""",
    policy="allow_tools: [db.query_ro, files.list]\n",
    remedies=(
        Remedy("call the nearest allowed tool", False, _nearest),
        Remedy("call the tool that may write", False, _writing),
    ),
    is_enforced=True,
    checks=(
        each_step(check, CLASSES, GATED, only_if=HAS_TOOLS),
        each_member(check_beside, CLASSES, GATED, only_if=HAS_TOOLS),
    ),
    tags=("ASI02",),
)
