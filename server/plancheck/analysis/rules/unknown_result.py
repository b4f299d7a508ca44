"""A reference takes something from a result that the result does not have.

## What it does
Where a catalogue of tools is in force and describes what the tool of the referenced step gives (`outputSchema`):
reports a reference such as `{{find.result.emial}}` that names a member which is not in it.

## Why is this bad?
In the run, the reference leads to nothing: the step behind it gets an empty value, or the text of the reference.

## Fix safety
Unsafe: only the author knows which member was meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from plancheck.analysis.facts import CATALOGUE, HAS_CATALOGUE, TOOLS_CALLED, ToolsCalled
from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.fix.change import FixView, Proposal, Remedy, SetValue
from plancheck.analysis.rule import Category, Rule, each_step
from plancheck.analysis.subjects import Subject
from plancheck.plan.dialects.keys import nearest
from plancheck.plan.model import Place
from plancheck.policy.showing import shortened
from plancheck.syntax.tree import MISSING, Path, Within

if TYPE_CHECKING:
    from plancheck.catalogue.calls import ResultPath
    from plancheck.catalogue.model import Catalogue, Tool, ToolSite
    from plancheck.catalogue.schema import Schema

MOST_LISTED = 5


def check(steps: Iterable[Subject], catalogue: Catalogue, called: ToolsCalled) -> Iterator[Finding]:
    from plancheck.catalogue.calls import result_paths

    for position, step in steps:
        for found in result_paths(step) if any(read.is_reference for read in step.outline.reads) else ():
            tool = catalogue.find(called.by(found.producer) or "")
            if tool is None or tool.result is None:
                continue
            for number, names in _astray(tool.result, found):
                word, where = found.segments[number]
                right = nearest(str(word), names)
                message = (
                    f"The result of `{shortened(tool.name)}` has no `{shortened(str(word))}`: {_hint(right, names)}"
                )
                yield Finding(
                    Place(position, (*found.place, where)),
                    message,
                    step.outline.identity,
                    str(word),
                    tool_site=_site(catalogue, tool),
                )


def _site(catalogue: Catalogue, tool: Tool) -> ToolSite:
    return catalogue.site(tool, f"what `{shortened(tool.name)}` gives", tool.result_path)


def _hint(right: str | None, names: list[str]) -> str:
    if right is not None:
        return f"did you mean `{right}`?"
    listed = ", ".join(f"`{name}`" for name in names[:MOST_LISTED])
    return f"it has {listed}{' …' if len(names) > MOST_LISTED else '.'}" if names else "take something else from it."


def _astray(schema: Schema, found: ResultPath) -> Iterator[tuple[int, list[str]]]:
    """The first name of a reference that leads nowhere, by its number, and the names that would lead somewhere."""
    from plancheck.catalogue.calls import led_to
    from plancheck.catalogue.schema import Schema, property_schemas

    path: Path = tuple(name for name, _ in found.segments)
    for number in range(len(path)):
        if led_to(schema, path[: number + 1]) is MISSING:
            around = led_to(schema, path[:number])
            yield number, list(property_schemas(around)) if isinstance(around, Schema) else []
            return


def _nearest(view: FixView, finding: Finding) -> Iterator[Proposal]:
    from plancheck.catalogue.calls import result_paths

    position, catalogue = finding.place.step, view.catalogue
    if position is None or catalogue is None or not isinstance(finding.place.path[-1], Within):
        return
    for found in result_paths(view.plan.steps[position]):
        producer = view.graph.position_of.get(found.producer)
        call = view.plan.steps[producer].call if producer is not None else None
        tool = catalogue.find(call.tool or "") if call is not None else None
        if tool is None or tool.result is None:
            continue
        for number, names in _astray(tool.result, found):
            word, where = found.segments[number]
            right = nearest(str(word), names)
            if (*found.place, where) == finding.place.path and right is not None:
                yield Proposal(f"Take `{right}`", (SetValue(finding.place, right),))


RULE = Rule(
    "unknown_result",
    Severity.WARNING,
    Category.TOOLS,
    __doc__,
    bad="""\
{"goal": "write to Ada", "steps": [
  {"id": "find", "tool": "crm.find", "args": {"name": "Ada"}},
  {"id": "mail", "tool": "mail.send", "args": {"to": "{{find.result.emial}}"}, "depends_on": ["find"]}
]}
""",
    good="""\
{"goal": "write to Ada", "steps": [
  {"id": "find", "tool": "crm.find", "args": {"name": "Ada"}},
  {"id": "mail", "tool": "mail.send", "args": {"to": "{{find.result.email}}"}, "depends_on": ["find"]}
]}
""",
    catalogue="""\
{"tools": [
  {"name": "crm.find",
   "inputSchema": {"type": "object", "properties": {"name": {"type": "string"}}},
   "outputSchema": {"type": "object", "properties": {"email": {"type": "string"}, "phone": {"type": "string"}}}},
  {"name": "mail.send", "inputSchema": {"type": "object", "properties": {"to": {"type": "string"}}}}
]}
""",
    checks=(each_step(check, CATALOGUE, TOOLS_CALLED, only_if=HAS_CATALOGUE),),
    remedies=(Remedy("take the member of nearly the same name", False, _nearest),),
    since="0.2",
)
