"""Something that cannot be undone is done without an approval.

## What it does
Reports a step that no approval or verification comes before on some path, and shows the path. Steps count whose tool
the policy calls `irreversible` or `destructive`; and, where the policy or the catalogue has a tool that approves, those
that pay or delete, or that the catalogue calls destructive, too. A step approves if its tool does so by the policy or
the catalogue, or the policy's `gate` requires it before others, and if the plan ends when it fails. Where no tool is
known to approve, a tool's name is enough. Tools before which the policy's `gate` requires others are left to
`missing_verification`.

## Why is this bad?
A mistake or an injected instruction cannot be taken back once the step has run.

## What it cannot know
Whether the approval is about this step, and whether the tool asks by itself. Calls that steps carry in their arguments,
or that are beside the steps, are not looked at: `required` of the policy's `gate` is held against these, too.

## Fix safety
Unsafe: the new step calls the tool without arguments, and only the author knows what has to be approved.
"""

from collections.abc import Iterable, Iterator

from plancheck.analysis.effects import APPROVALS, Approvals
from plancheck.analysis.facts import HAS_TOOLS, NAMES, Names
from plancheck.analysis.finding import Finding, Related, Severity
from plancheck.analysis.fix.build import insert_call
from plancheck.analysis.fix.change import FixView, Proposal, Remedy
from plancheck.analysis.rule import Category, Rule, each_link
from plancheck.analysis.subjects import Link
from plancheck.policy.classes import ClassSource, ToolClass
from plancheck.policy.families import Family, Trait
from plancheck.policy.showing import shortened

_MOST_SHOWN = 6
_WITH_APPROVAL = frozenset({Family.PAY, Family.DELETE, Family.DESTRUCTIVE})
"""What wants an approval where there is somebody to ask."""


def check(links: Iterable[Link], approvals: Approvals, names: Names) -> Iterator[Finding]:
    tools = approvals.tools(lambda known: _needs_approval(known, approvals)) - approvals.required
    for position, outline in links:
        is_meant = approvals.tool(position) in tools and position not in approvals.checks
        path = approvals.path_without(position) if is_meant else None
        if path is None:
            continue
        shown = " -> ".join(names[step] for step in path[-_MOST_SHOWN:])
        what = f"calls `{shortened(approvals.tool(position))}`, which cannot be undone"
        message = f"Step {names[position]} {what}, and nothing approves it on the path {shown}."
        related = tuple(
            Related(approvals.place(step), f"Step {names[step]} is on the path without an approval.")
            for step in path[:-1]
        )
        yield Finding(approvals.place(position), message, outline.identity, related=related)


def _needs_approval(known: ToolClass, approvals: Approvals) -> bool:
    is_stated = known.source is ClassSource.POLICY and Family.DESTRUCTIVE in known.families
    if is_stated or Trait.IRREVERSIBLE in known.traits:
        return True
    return approvals.are_named and not known.families.isdisjoint(_WITH_APPROVAL)


def _insert_approval(view: FixView, finding: Finding) -> Iterator[Proposal]:
    position, tool = finding.place.step, next(iter(view.classes.checks), None)
    if position is not None and tool is not None:
        yield Proposal(f"Insert a call of `{shortened(tool)}` before it", tuple(insert_call(view, position, tool)))


RULE = Rule(
    "unapproved_irreversible_step",
    Severity.WARNING,
    Category.SECURITY,
    __doc__,
    bad="""\
{"goal": "close the account", "steps": [
  {"id": "find", "tool": "crm.find", "args": {"name": "Ada"}},
  {"id": "close", "tool": "crm.close_account", "args": {"name": "Ada"}, "depends_on": ["find"]}
]}
""",
    good="""\
{"goal": "close the account", "steps": [
  {"id": "find", "tool": "crm.find", "args": {"name": "Ada"}},
  {"id": "ask", "tool": "ask_manager", "args": {"about": "Ada"}, "depends_on": ["find"]},
  {"id": "close", "tool": "crm.close_account", "args": {"name": "Ada"}, "depends_on": ["ask"]}
]}
""",
    policy="tools:\n  crm.close_account: {does: write, irreversible: true}\n  ask_manager: approval\n",
    checks=(each_link(check, APPROVALS, NAMES, only_if=HAS_TOOLS),),
    remedies=(Remedy("insert an approval before the step", False, _insert_approval),),
    since="0.2",
    tags=("ASI09", "ASI02", "CWE-841"),
    security_severity=6.5,
)
