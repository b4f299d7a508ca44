"""Arguments stand where nobody looks for them.

## What it does
Reports a step that gives arguments under another name than its format has (`arguments`, `params`, `input`, `kwargs` or
a misspelt `args`), and one that has an argument with a limit in the policy beside `args`. The values are checked as
arguments all the same.

## Why is this bad?
A runner that is strict calls the tool without them; one that is lenient calls it with values that nobody checked.

## Fix safety
Unsafe: the tool comes to be called with arguments that it was not called with before.
"""

from collections.abc import Iterable, Iterator

from plancheck.analysis.facts import HAS_POLICY, POLICY, Subject
from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.fix.change import FixView, Proposal, Remedy, RenameKey
from plancheck.analysis.rule import Rule, each_step
from plancheck.plan.model import Place
from plancheck.policy.arguments import values_at
from plancheck.policy.checks import judged_calls
from plancheck.policy.model import Policy
from plancheck.syntax.tree import Part, Path


def check(steps: Iterable[Subject], policy: Policy) -> Iterator[Finding]:
    for position, step in steps if policy.bounds or policy.gate.needs_human else ():
        reported = {fault.path[:1] for fault in step.faults if fault.rule == RULE.name}
        found: dict[Path, None] = {}
        for judged in judged_calls(step):
            call = judged.call
            if judged.is_misplaced and call.tool is not None:
                limited = [bound.path for bound in policy.bounds_of(call.tool)]
                limited += (limit.path for limit in policy.human_limits_of(call.tool))
                paths = (values_at(call.arguments, path, call.arguments_path) for path in limited)
                found.update(dict.fromkeys(path for several in paths for path, _ in several))
        for path in found:
            if path[:1] not in reported:
                name = ".".join(str(part) for part in path)
                message = f"`{name}` of step {step.name} has a limit and stands beside the arguments: move it there."
                yield Finding(Place(position, path, Part.KEY), message, step.outline.identity)


def _rename(view: FixView, finding: Finding) -> Iterator[Proposal]:
    position = finding.place.step
    call = view.plan.steps[position].call if position is not None else None
    is_free = call is not None and not call.arguments_path
    if is_free and len(finding.place.path) == 1 and isinstance(view.value(finding.place), dict):
        yield Proposal("Rename it to `args`", (RenameKey(finding.place, "args"),))


RULE = Rule(
    "misplaced_arguments",
    Severity.ERROR,
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
    remedies=(Remedy("rename the key to `args`", False, _rename),),
    is_enforced=True,
    checks=(each_step(check, POLICY, only_if=HAS_POLICY),),
)
