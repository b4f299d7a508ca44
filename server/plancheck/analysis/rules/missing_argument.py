"""A tool is called without an argument that it requires.

## What it does
Where a catalogue of tools is in force: reports a call that lacks what the tool's schema requires, at any depth. A step
without arguments calls its tool with none. An argument that is there under a misspelt name is reported as
`unknown_argument`.

## Why is this bad?
The tool refuses the call, in the middle of the plan, when the steps before it have been carried out.

## Fix safety
Unsafe: the value that is put in is only a beginning.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from plancheck.analysis.facts import CATALOGUE, HAS_CATALOGUE, MATCHER
from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.fix.change import Change, FixView, Proposal, Remedy, SetMember
from plancheck.analysis.rule import Category, Rule, each_step
from plancheck.analysis.subjects import Subject
from plancheck.plan.model import Place
from plancheck.policy.regexes import Ask, refusing_matcher
from plancheck.policy.showing import shortened
from plancheck.syntax.tree import Part, Path

if TYPE_CHECKING:
    from plancheck.catalogue.calls import KnownCall
    from plancheck.catalogue.model import Catalogue
    from plancheck.catalogue.schema import SchemaFault


def check(steps: Iterable[Subject], catalogue: Catalogue, ask: Ask) -> Iterator[Finding]:
    from plancheck.catalogue.calls import dotted, is_unfinished, known_calls

    for position, step in steps:
        for known in known_calls(step, catalogue):
            lacking = _lacking(known, ask)
            if lacking and is_unfinished(step.value):
                continue
            for path, faults in lacking.items():
                names = [dotted((*path, str(fault.name))) for fault in faults]
                listed = " and ".join(f"`{shortened(name)}`" for name in names)
                what = "it" if len(names) == 1 else "them"
                message = f"Step {step.name} calls `{shortened(known.tool.name)}` without {listed}: add {what}."
                part = Part.KEY if path and known.within is None and isinstance(path[-1], str) else Part.VALUE
                place = Place(position, known.object_place(path), part)
                where = (*known.tool.arguments_path, *faults[0].schema_path)
                site = catalogue.site(known.tool, "what the tool requires", where, Part.KEY)
                resource = dotted((*path, str(faults[0].name)))
                yield Finding(place, message, step.outline.identity, resource, tool_site=site)


def _lacking(known: KnownCall, ask: Ask) -> dict[Path, list[SchemaFault]]:
    """What is missing, by the object that lacks it."""
    from plancheck.catalogue.calls import faults_of, is_lacking, misspelt
    from plancheck.catalogue.schema import SchemaFault

    found = list(faults_of(known, ask))
    meant = misspelt(known, found)
    lacking: dict[Path, list[SchemaFault]] = {}
    for fault in found:
        if isinstance(fault, SchemaFault) and is_lacking(fault) and (fault.path, fault.name) not in meant:
            lacking.setdefault(fault.path, []).append(fault)
    return lacking


def _add(view: FixView, finding: Finding) -> Iterator[Proposal]:
    from plancheck.catalogue.calls import dotted, known_calls

    position = finding.place.step
    if position is None or view.catalogue is None:
        return
    for known in known_calls(view.plan.steps[position], view.catalogue):
        if known.within is not None:
            continue
        for path, faults in _lacking(known, refusing_matcher).items():
            is_meant = dotted((*path, str(faults[0].name))) == finding.resource
            if is_meant and known.object_place(path) == finding.place.path:
                names = [str(fault.name) for fault in faults]
                changes = tuple(_additions(view, known, Place(position), path, names))
                yield Proposal(f"Add {' and '.join(f'`{name}`' for name in names)}", changes)


def _additions(view: FixView, known: KnownCall, step: Place, path: Path, names: list[str]) -> Iterator[Change]:
    values = {name: _beginning(known, (*path, name)) for name in names}
    call, key = known.call, view.plan.dialect.arguments_key
    if call.arguments is not None:
        place = step._replace(path=(*call.arguments_path, *path))
        yield from (SetMember(place, name, value) for name, value in values.items())
    elif call.arguments_path:
        yield SetMember(step._replace(path=call.arguments_path[:-1]), str(call.arguments_path[-1]), values)
    elif key is not None and len(call.tool_path) == 1:
        yield SetMember(step, key, values)


def _beginning(known: KnownCall, path: Path) -> Any:
    """A value to begin with."""
    from plancheck.catalogue.schema import Schema, member, placeholder

    found = member(known.tool.arguments, path) if known.tool.arguments is not None else None
    return placeholder(found) if isinstance(found, Schema) else ""


RULE = Rule(
    "missing_argument",
    Severity.ERROR,
    Category.TOOLS,
    __doc__,
    bad="""\
[
  {"tool_name": "get_weather", "args": {"units": "C"}}
]
""",
    good="""\
[
  {"tool_name": "get_weather", "args": {"city": "Bern", "units": "C"}}
]
""",
    catalogue="""\
{"tools": [
  {"name": "get_weather", "inputSchema": {"type": "object", "required": ["city"], "properties": {
    "city": {"type": "string"}, "units": {"enum": ["C", "F"]}}}}
]}
""",
    checks=(each_step(check, CATALOGUE, MATCHER, only_if=HAS_CATALOGUE),),
    remedies=(Remedy("add what is missing, with a value to begin with", False, _add),),
    since="0.2",
)
