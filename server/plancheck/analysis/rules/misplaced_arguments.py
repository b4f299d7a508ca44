"""Arguments are given under a key or in a place where they do not belong.

## What it does
Reports a step that gives arguments under another name than its format has (`arguments`, `params`, `input`, `kwargs` or
a misspelt `args`), and one that has an argument with a limit in the policy beside `args`, at any depth and also as JSON
text. The values are checked as arguments all the same. What says the same as the arguments do may be repeated.

## Why is this bad?
A runner that is strict calls the tool without them; one that is lenient calls it with values that were not checked.

## Fix safety
Unsafe: the tool is then called with arguments that it was not called with before.
"""

from collections.abc import Iterable, Iterator

from plancheck.analysis.calls import TopMember
from plancheck.analysis.facts import HAS_POLICY, POLICY
from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.fix.change import Change, FixView, Proposal, Remedy, RemoveMember, RenameKey, SetMember
from plancheck.analysis.rule import Category, Rule, each_member, each_step
from plancheck.analysis.subjects import Subject
from plancheck.plan.model import Identity, Place, dotted
from plancheck.policy.checks import Judged, judged_calls
from plancheck.policy.limits import misplaced_limited
from plancheck.policy.model import Policy
from plancheck.syntax.tree import Part, Path


def check(steps: Iterable[Subject], policy: Policy) -> Iterator[Finding]:
    for position, step in steps if policy.limits_arguments else ():
        reported = {fault.path[:1] for fault in step.faults if fault.rule == RULE.name}
        for path in _misplaced(judged_calls(step), policy):
            if path[:1] not in reported:
                yield _finding(Place(position, path, Part.KEY), f" of step {step.name}", step.outline.identity)


def check_beside(members: Iterable[TopMember], policy: Policy) -> Iterator[Finding]:
    for member in members if policy.limits_arguments else ():
        for path in _misplaced(member.judged, policy):
            yield _finding(Place(None, path, Part.KEY), "", None)


def _misplaced(calls: Iterable[Judged], policy: Policy) -> dict[Path, None]:
    return {found.place: None for judged in calls for found in misplaced_limited(judged, policy)}


def _finding(place: Place, of: str, identity: Identity | None) -> Finding:
    name = dotted(place.path)
    message = f"`{name}`{of} has a limit in the policy, but is not among the arguments: move it there."
    return Finding(place, message, identity)


def _rename(view: FixView, finding: Finding) -> Iterator[Proposal]:
    position, right = finding.place.step, view.plan.dialect.arguments_key
    call = view.plan.steps[position].call if position is not None else None
    is_free = call is not None and not call.arguments_path
    if right and is_free and _is_object(view, finding) and isinstance(view.value(finding.place), dict):
        yield Proposal(f"Rename it to `{right}`", (RenameKey(finding.place, right),))


def _move(view: FixView, finding: Finding) -> Iterator[Proposal]:
    """Put what is beside the arguments among them, where nothing of the same name is there."""
    position, right = finding.place.step, view.plan.dialect.arguments_key
    call = view.plan.steps[position].call if position is not None else None
    if call is None or right is None or len(finding.place.path) != 1:
        return
    value = view.value(finding.place)
    if _is_object(view, finding):
        if not call.arguments_path:
            return
        moved = value
    else:
        moved = {str(finding.place.path[0]): value}
    place = Place(position, call.arguments_path or (right,))
    present = view.value(place) if call.arguments_path else None
    if not isinstance(moved, dict) or not (present is None or isinstance(present, dict)):
        return
    if moved.keys() & (present or {}).keys():
        return
    changes: tuple[Change, ...] = (SetMember(Place(position), str(place.path[0]), moved),)
    if present:
        changes = tuple(SetMember(place, key, member) for key, member in moved.items())
    yield Proposal(f"Move it into `{place.path[0]}`", (*changes, RemoveMember(finding.place)))


def _is_object(view: FixView, finding: Finding) -> bool:
    """Whether all arguments are under another name; else it is one argument that is beside them."""
    step = view.plan.steps[finding.place.step] if finding.place.step is not None else None
    return step is not None and any(
        fault.rule == RULE.name and fault.path == finding.place.path for fault in step.faults
    )


RULE = Rule(
    "misplaced_arguments",
    Severity.ERROR,
    Category.DOCUMENT,
    __doc__,
    bad="""\
[
  {"tool_name": "crm.find", "arguments": {"name": "Ada"}},
  {"tool_name": "crm.find", "args": {"name": "Bob"}, "limit": 50}
]
""",
    good="""\
[
  {"tool_name": "crm.find", "args": {"name": "Ada"}},
  {"tool_name": "crm.find", "args": {"name": "Bob", "limit": 50}}
]
""",
    policy="bounds:\n  crm.find.limit: [1, 100]\n",
    remedies=(
        Remedy("rename the key to `args`", False, _rename),
        Remedy("move it into `args`, if nothing there has the same name", False, _move),
    ),
    is_enforced=True,
    checks=(each_step(check, POLICY, only_if=HAS_POLICY), each_member(check_beside, POLICY, only_if=HAS_POLICY)),
    since="0.2",
)
