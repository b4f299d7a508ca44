"""A step calls a tool that the policy does not allow.

## What it does
Reports a tool that is not in `allow_tools` of the policy, and SQL that writes through a tool that only reads
(`db.query_ro`, `sql.query_ro`, and those that the policy's `tools` call `read`). What SQL does is decided by parsing
it: a column named `updated_at` is not an UPDATE. What cannot be shown to read only, through such a tool, is reported as
not checked: SQL that cannot be parsed, `CALL` and the like, SQL that is put together at run time.

## Why is this bad?
The plan will be refused when it runs, or, where nobody checks again, do what it must not.

## Fix safety
Unsafe: the nearest allowed tool is a guess, and a tool that may write is granted more than one that only reads.
"""

from collections.abc import Iterable, Iterator
from difflib import get_close_matches

from plancheck.analysis.facts import POLICY, Subject
from plancheck.analysis.finding import Finding, Severity, Unchecked
from plancheck.analysis.fix.change import FixView, Proposal, Remedy, SetValue
from plancheck.analysis.rule import Rule, each_step
from plancheck.plan.dialects.keys import nearest
from plancheck.plan.model import Place
from plancheck.policy.checks import is_allowed, writes_through
from plancheck.policy.model import Policy


def check(steps: Iterable[Subject], policy: Policy) -> Iterator[Finding | Unchecked]:
    for position, step in steps:
        call, identity = step.call, step.outline.identity
        if call is None or call.tool is None:
            continue
        if not is_allowed(call.tool, policy):
            right = nearest(call.tool, policy.allow_tools)
            hint = f"did you mean `{right}`?" if right else f"there are {_listed(policy.allow_tools)}."
            yield Finding(
                Place(position, call.tool_path),
                f"Step {step.name} calls `{call.tool}`, which the policy does not allow: {hint}",
                identity,
                call.tool,
            )
        for path, why in writes_through(call, policy):
            if why is not None:
                yield Unchecked(RULE.name, Place(position, path), why.reason, why.message, identity, call.tool)
                continue
            yield Finding(
                Place(position, path),
                f"Step {step.name} writes by SQL through `{call.tool}`, which only reads: call a tool that may write, "
                "or only read here.",
                identity,
                call.tool,
            )


def _listed(tools: tuple[str, ...]) -> str:
    shown = ", ".join(f"`{tool}`" for tool in tools[:5])
    return shown if len(tools) <= 5 else f"{shown} and {len(tools) - 5} more"


def _nearest(view: FixView, finding: Finding) -> Iterator[Proposal]:
    tool, allowed = view.value(finding.place), view.policy.allow_tools
    if isinstance(tool, str) and allowed and tool not in allowed:
        alike = get_close_matches(tool, allowed, n=1, cutoff=0.6)
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
    if (
        call is not None
        and call.tool_path
        and finding.place.path != call.tool_path
        and is_allowed(writing, view.policy)
    ):
        yield Proposal(f"Call `{writing}`, which may write", (SetValue(Place(step, call.tool_path), writing),))


RULE = Rule(
    "tool_deny",
    Severity.ERROR,
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
    checks=(each_step(check, POLICY),),
)
