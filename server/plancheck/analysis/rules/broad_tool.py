"""A tool that may write is called to read.

## What it does
Reports a `db.query` or `sql.query` whose SQL only reads: the read-only variant of the tool is enough.

## Why is this bad?
A mistake in the SQL, or something slipped into it, could change data. Through the read-only tool it could not.

## Fix safety
Unsafe: the read-only tool may not exist where the plan runs.
"""

from collections.abc import Iterable, Iterator

from plancheck.analysis.facts import CLASSES, HAS_TOOLS
from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.fix.change import FixView, Proposal, Remedy, SetValue
from plancheck.analysis.rule import Category, Rule, each_step
from plancheck.analysis.subjects import Subject
from plancheck.plan.model import Place
from plancheck.policy.checks import read_only_variant
from plancheck.policy.classes import ToolClasses


def check(steps: Iterable[Subject], classes: ToolClasses) -> Iterator[Finding]:
    for position, step in steps:
        call = step.call
        narrow = read_only_variant(call, classes) if call is not None and call.tool is not None else None
        if call is not None and narrow is not None:
            yield Finding(
                Place(position, call.tool_path),
                f"Step {step.name} only reads, and `{call.tool}` may also write: call `{narrow}`.",
                step.outline.identity,
                call.tool,
            )


def _narrow(view: FixView, finding: Finding) -> Iterator[Proposal]:
    position = finding.place.step
    call = view.plan.steps[position].call if position is not None else None
    narrow = read_only_variant(call, view.classes) if call is not None else None
    if narrow is not None and view.policy.allows(narrow):
        yield Proposal(f"Call `{narrow}`", (SetValue(finding.place, narrow),))


RULE = Rule(
    "broad_tool",
    Severity.HINT,
    Category.TOOLS,
    __doc__,
    bad="""\
{"goal": "count the orders", "steps": [
  {"id": "count", "tool": "db.query", "args": {"query": "SELECT count(*) FROM orders"}}
]}
""",
    good="""\
{"goal": "count the orders", "steps": [
  {"id": "count", "tool": "db.query_ro", "args": {"query": "SELECT count(*) FROM orders"}}
]}
""",
    checks=(each_step(check, CLASSES, only_if=HAS_TOOLS),),
    remedies=(Remedy("call the read-only variant", False, _narrow),),
)
