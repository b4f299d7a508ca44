"""An argument is not what its tool takes.

## What it does
Where a catalogue of tools is in force: reports an argument that the tool's schema does not allow, at any depth: by its
type, by a list of allowed values, by bounds, lengths or a pattern. `format` is left alone. A value that is or contains
a reference (`{{id.result}}`, `${NAME}`) fits anything, unless the referenced step's tool has an `outputSchema` that
says otherwise. What takes too long to check, and what is said about a tool in a way that cannot be understood, is
reported as not checked.

## Why is this bad?
The tool refuses the call, in the middle of the plan, or makes something else of the value than its author meant.

## Fix safety
Turning `"5"` into `5`, `5` into `"5"` or `"true"` into `true` is safe: the tool takes nothing else, and the value says
the same. The nearest of the allowed values is unsafe: only the author knows which one was meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from plancheck.analysis.facts import CATALOGUE, HAS_CATALOGUE, MATCHER, TOOLS_CALLED, ToolsCalled
from plancheck.analysis.finding import Finding, Pending, Severity, Unchecked
from plancheck.analysis.fix.change import FixView, Proposal, Remedy, SetValue
from plancheck.analysis.rule import Category, Item, Rule, each_step
from plancheck.analysis.subjects import Subject
from plancheck.plan.dialects.keys import nearest
from plancheck.plan.model import Place, Step
from plancheck.policy.regexes import Ask, NotingMatcher
from plancheck.policy.showing import shortened
from plancheck.unknown import Reason

if TYPE_CHECKING:
    from plancheck.catalogue.calls import KnownCall
    from plancheck.catalogue.model import Catalogue
    from plancheck.catalogue.schema import Schema


def check(steps: Iterable[Subject], catalogue: Catalogue, ask: Ask) -> Iterator[Item]:
    from plancheck.catalogue.calls import known_calls

    for position, step in steps:
        noting = NotingMatcher(ask)
        for known in known_calls(step, catalogue):
            if not known.tool.is_sound:
                message = (
                    f"What the catalogue says about `{shortened(known.tool.name)}` has a mistake: correct it there."
                )
                place = Place(position, known.within or known.call.tool_path)
                yield Unchecked(RULE.name, place, Reason.NOT_UNDERSTOOD, message, step.outline.identity)
            yield from _faults(known, step, Place(position), catalogue, noting)
        if noting.is_pending:
            yield Pending(Place(position))


def _faults(
    known: KnownCall, step: Step, place: Place, catalogue: Catalogue, ask: Ask
) -> Iterator[Finding | Unchecked]:
    from plancheck.catalogue.calls import dotted, faults_of, is_extra, is_lacking
    from plancheck.catalogue.schema import SchemaDoubt
    from plancheck.syntax.tree import Part

    identity, tool = step.outline.identity, known.tool
    for fault in faults_of(known, ask):
        where = place._replace(path=known.object_place(fault.path))
        if isinstance(fault, SchemaDoubt):
            yield Unchecked(RULE.name, where, fault.reason, f"{fault.message.rstrip('.')}.", identity)
        elif not (is_extra(fault) or is_lacking(fault)):
            message = f"{fault.message}: see the arguments of `{shortened(tool.name)}`."
            site = catalogue.site(tool, "what the tool takes", (*tool.arguments_path, *fault.schema_path), Part.KEY)
            where = where._replace(part=fault.part if known.within is None else Part.VALUE)
            yield Finding(where, message, identity, dotted(fault.path) or tool.name, tool_site=site)


def check_references(steps: Iterable[Subject], catalogue: Catalogue, called: ToolsCalled) -> Iterator[Finding]:
    from plancheck.catalogue.calls import known_calls, result_paths

    for position, step in steps:
        known = next((found for found in known_calls(step, catalogue) if found.call is step.call), None)
        if known is None or known.tool.arguments is None or not any(read.is_reference for read in step.outline.reads):
            continue
        size = len(known.call.arguments_path)
        for found in result_paths(step):
            if not found.is_whole or not size or found.place[:size] != known.call.arguments_path:
                continue
            tool = catalogue.find(called.by(found.producer) or "")
            if tool is not None and tool.result is not None:
                path = tuple(name for name, _ in found.segments)
                words = _disagreement(known.tool.arguments, found.place[size:], tool.result, path)
                if words is not None:
                    name = shortened(".".join(map(str, found.place[size:])))
                    message = (
                        f"`{name}` must be {words[0]}, and step {found.producer} gives {words[1]}: take another value."
                    )
                    site = catalogue.site(tool, f"what `{shortened(tool.name)}` gives", tool.result_path)
                    yield Finding(Place(position, found.place), message, step.outline.identity, name, tool_site=site)


def _disagreement(wanted: Schema, place: Any, given: Schema, path: Any) -> tuple[str, str] | None:
    """What an argument must be, and what a reference gives instead, in words; None where these may be the same."""
    from plancheck.catalogue.calls import led_to, types_disagree
    from plancheck.catalogue.schema import Schema, describe, member

    one, other = member(wanted, place), led_to(given, path)
    if not isinstance(one, Schema) or not isinstance(other, Schema) or not types_disagree(other, one):
        return None
    return describe(one), describe(other)


# ---- fixes -----------------------------------------------------------------------------------------------------------


def _wanted(view: FixView, finding: Finding) -> Iterator[tuple[Any, Schema]]:
    """The value that a finding is about, and what the tool takes there."""
    from plancheck.catalogue.calls import known_calls
    from plancheck.catalogue.schema import Schema, member

    position, path = finding.place.step, finding.place.path
    if position is None or view.catalogue is None:
        return
    for known in known_calls(view.plan.steps[position], view.catalogue):
        size = len(known.call.arguments_path)
        if known.within is not None or known.tool.arguments is None or path[:size] != known.call.arguments_path:
            continue
        inside = member(known.tool.arguments, path[size:])
        if size and isinstance(inside, Schema):
            yield view.value(finding.place), inside


def _convert(view: FixView, finding: Finding) -> Iterator[Proposal]:
    from plancheck.catalogue.schema import choices, type_names

    for value, schema in _wanted(view, finding):
        types = {*type_names(schema), *(_type_of(choice) for choice in choices(schema))}
        for other in _same_in_another_type(value, types):
            shown = f'"{other}"' if isinstance(other, str) else str(other).lower()
            yield Proposal(f"Change it to {shown}", (SetValue(finding.place, other),))


def _same_in_another_type(value: Any, types: set[str]) -> Iterator[Any]:
    if isinstance(value, str):
        if value in ("true", "false") and "boolean" in types:
            yield value == "true"
        if not types.isdisjoint({"integer", "number"}):
            for kind in (int, float):
                try:
                    number: int | float = kind(value)
                except (ValueError, OverflowError):
                    continue
                if str(number) == value and number == number and abs(number) != float("inf"):
                    yield number
                    return
    elif isinstance(value, bool) and "string" in types:
        yield "true" if value else "false"
    elif isinstance(value, (int, float)) and "string" in types:
        yield str(value)


def _type_of(value: Any) -> str:
    if isinstance(value, bool):
        return "boolean"
    return "string" if isinstance(value, str) else "number" if isinstance(value, (int, float)) else ""


def _nearest(view: FixView, finding: Finding) -> Iterator[Proposal]:
    from plancheck.catalogue.schema import choices

    for value, schema in _wanted(view, finding):
        words = [choice for choice in choices(schema) if isinstance(choice, str)]
        right = nearest(value, words) if isinstance(value, str) else None
        if right is not None and right != value:
            yield Proposal(f"Change it to `{right}`", (SetValue(finding.place, right),))


RULE = Rule(
    "wrong_argument",
    Severity.ERROR,
    Category.TOOLS,
    __doc__,
    bad="""\
[
  {"tool_name": "get_weather", "args": {"city": "Bern", "days": "5"}},
  {"tool_name": "get_weather", "args": {"city": "Bern", "units": "celsious"}}
]
""",
    good="""\
[
  {"tool_name": "get_weather", "args": {"city": "Bern", "days": 5}},
  {"tool_name": "get_weather", "args": {"city": "Bern", "units": "celsius"}}
]
""",
    catalogue="""\
{"tools": [
  {"name": "get_weather", "inputSchema": {"type": "object", "required": ["city"], "properties": {
    "city": {"type": "string"},
    "days": {"type": "integer", "minimum": 1, "maximum": 14},
    "units": {"enum": ["celsius", "fahrenheit"]}}}}
]}
""",
    checks=(
        each_step(check, CATALOGUE, MATCHER, only_if=HAS_CATALOGUE),
        each_step(check_references, CATALOGUE, TOOLS_CALLED, only_if=HAS_CATALOGUE),
    ),
    remedies=(
        Remedy("write the same value in the right type", True, _convert),
        Remedy("change it to the nearest of the allowed values", False, _nearest),
    ),
    since="0.2",
)
