"""A step calls a tool that no catalogue has.

## What it does
Where a catalogue of tools is in force: reports a call of a tool that is not in it. A name with the prefix of a client
(`mcp__server__name`, `server.name`, `server/name`, `functions.name`) means `name`. If none of the tools of a plan is in
any catalogue, this is reported once, for the plan.

## Why is this bad?
The step cannot be carried out: the name is misspelt, the tool was renamed, or a model made it up.

## Fix safety
Unsafe: only the author knows which tool was meant.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from plancheck.analysis.calls import ToolUses
from plancheck.analysis.facts import CATALOGUE, GATED, HAS_CATALOGUE, NAMES, TOOL_USES, Names
from plancheck.analysis.finding import Finding, Severity, Unchecked
from plancheck.analysis.fix.change import FixView, Proposal, Remedy, SetValue
from plancheck.analysis.rule import Category, Rule, whole_plan
from plancheck.plan.model import Place
from plancheck.policy.secrets import has_placeholder
from plancheck.policy.showing import shortened
from plancheck.unknown import Reason

if TYPE_CHECKING:
    from plancheck.catalogue.model import Catalogue

MOST_LISTED = 3


def check(catalogue: Catalogue, uses: ToolUses, names: Names, is_gated: bool) -> Iterator[Finding | Unchecked]:
    if catalogue.unread:
        return  # the tool may be in what could not be read, which is reported
    used = {use.tool: None for position in range(len(uses)) for use in uses.of_step(position) if use.is_clear}
    unknown = {tool: catalogue.nearest(tool) for tool in used if _is_unknown(tool, catalogue)}
    if 1 < len(used) == len(unknown) and not any(unknown.values()):
        listed = ", ".join(f"`{shortened(tool)}`" for tool in list(used)[:MOST_LISTED])
        more = f" and {len(used) - MOST_LISTED} more" if len(used) > MOST_LISTED else ""
        message = f"None of this plan's tools is in the catalogue ({listed}{more}): is it the right catalogue?"
        yield Finding(Place(None), message)
        return
    for position in range(len(uses)) if unknown or not is_gated else ():
        seen: set[str] = set()
        for use in uses.of_step(position):
            if not use.is_clear or use.tool in seen:
                continue
            seen.add(use.tool)
            if use.tool in unknown:
                yield _finding(use.tool, use.place, names, unknown[use.tool], catalogue)
            elif has_placeholder(use.tool) and not is_gated:
                message = f"Which tool `{shortened(use.tool)}` is cannot be known before the run: name the tool."
                identity = names.identity(position)
                yield Unchecked(RULE.name, use.place, Reason.RUNTIME, message, identity, use.tool)


def _is_unknown(tool: str, catalogue: Catalogue) -> bool:
    return catalogue.find(tool) is None and not has_placeholder(tool)


def _finding(tool: str, place: Place, names: Names, right: str | None, catalogue: Catalogue) -> Finding:
    assert place.step is not None
    hint = f"did you mean `{right}`?" if right is not None else "correct the name, or add the tool to the catalogue."
    message = f"Step {names[place.step]} calls `{shortened(tool)}`, which is not in the catalogue of tools: {hint}"
    meant = catalogue.find(right) if right is not None else None
    site = catalogue.site(meant, "the tool that may be meant") if meant is not None else None
    return Finding(place, message, names.identity(place.step), tool, tool_site=site)


def _nearest(view: FixView, finding: Finding) -> Iterator[Proposal]:
    tool = view.value(finding.place)
    if view.catalogue is not None and isinstance(tool, str) and tool == finding.resource:
        right = view.catalogue.nearest(tool)
        if right is not None:
            yield Proposal(f"Call `{right}`", (SetValue(finding.place, right),))


RULE = Rule(
    "unknown_tool",
    Severity.ERROR,
    Category.TOOLS,
    __doc__,
    bad="""\
{"goal": "tell the weather", "steps": [
  {"id": "find", "tool": "geo.find_city", "args": {"name": "Bern"}},
  {"id": "ask", "tool": "get_wether", "args": {"city": "{{find.result.id}}"}, "depends_on": ["find"]}
]}
""",
    good="""\
{"goal": "tell the weather", "steps": [
  {"id": "find", "tool": "geo.find_city", "args": {"name": "Bern"}},
  {"id": "ask", "tool": "get_weather", "args": {"city": "{{find.result.id}}"}, "depends_on": ["find"]}
]}
""",
    catalogue="""\
{"tools": [
  {"name": "find_city", "inputSchema": {"type": "object", "properties": {"name": {"type": "string"}}}},
  {"name": "get_weather", "inputSchema": {"type": "object", "properties": {"city": {"type": "string"}}}}
]}
""",
    checks=(whole_plan(check, CATALOGUE, TOOL_USES, NAMES, GATED, only_if=HAS_CATALOGUE),),
    remedies=(Remedy("call the tool of nearly the same name", False, _nearest),),
    since="0.2",
)
