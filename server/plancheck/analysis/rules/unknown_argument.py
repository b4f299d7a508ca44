"""A tool is called with an argument that it does not have.

## What it does
Where a catalogue of tools is in force: reports an argument that the tool's schema does not name, at any depth. It is an
error where the schema says `additionalProperties: false`, or where it is a misspelling of an argument that is required;
a warning where the schema says nothing about other arguments; and it is fine where the schema allows others.

## Why is this bad?
The tool refuses the call, or drops the value without a word: a limit that was written down and is not in force.

## Fix safety
Unsafe: only the author knows whether another argument was meant, or none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from plancheck.analysis.facts import CATALOGUE, HAS_CATALOGUE, MATCHER
from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.fix.change import FixView, Proposal, Remedy, RemoveMember, RenameKey
from plancheck.analysis.rule import Category, Rule, each_step
from plancheck.analysis.subjects import Subject
from plancheck.plan.model import Identity, Place
from plancheck.policy.regexes import Ask
from plancheck.policy.showing import shortened
from plancheck.syntax.tree import Part

if TYPE_CHECKING:
    from plancheck.catalogue.calls import KnownCall
    from plancheck.catalogue.model import Catalogue
    from plancheck.catalogue.schema import SchemaFault

MOST_LISTED = 5


def check(steps: Iterable[Subject], catalogue: Catalogue, ask: Ask) -> Iterator[Finding]:
    from plancheck.catalogue.calls import faults_of, is_extra, known_calls, misspelt
    from plancheck.catalogue.schema import SchemaFault

    for position, step in steps:
        for known in known_calls(step, catalogue):
            found = list(faults_of(known, ask))
            meant = {id(fault) for fault in misspelt(known, found).values()}
            for fault in found:
                if isinstance(fault, SchemaFault) and is_extra(fault):
                    is_mild = fault.is_lenient and id(fault) not in meant
                    yield _finding(known, fault, position, step.outline.identity, catalogue, is_mild)


def _finding(
    known: KnownCall,
    fault: SchemaFault,
    position: int,
    identity: Identity | None,
    catalogue: Catalogue,
    is_mild: bool,
) -> Finding:
    from plancheck.catalogue.calls import dotted, member_names, right_name

    tool, right = known.tool, right_name(known, fault)
    names = member_names(tool.arguments, fault.path[:-1]) if tool.arguments is not None else []
    if right is not None:
        hint = f"did you mean `{right}`?"
    elif names:
        listed = ", ".join(f"`{name}`" for name in names[:MOST_LISTED])
        hint = f"it has {listed}{' …' if len(names) > MOST_LISTED else '.'}"
    else:
        hint = "it takes none here."
    name = dotted(fault.path)
    message = f"`{shortened(name)}` is not an argument of `{shortened(tool.name)}`: {hint}"
    place = Place(position, known.place(fault.path), Part.VALUE if known.within is not None else Part.KEY)
    site = catalogue.site(tool, "the tool's arguments", tool.arguments_path, Part.KEY)
    return Finding(place, message, identity, name, tool_site=site, at_most=Severity.WARNING if is_mild else None)


def _faults(view: FixView, finding: Finding) -> Iterator[tuple[KnownCall, SchemaFault]]:
    """What a finding is about."""
    from plancheck.catalogue.calls import dotted, faults_of, is_extra, known_calls
    from plancheck.catalogue.schema import SchemaFault
    from plancheck.policy.regexes import refusing_matcher

    position = finding.place.step
    if position is None or view.catalogue is None:
        return
    for known in known_calls(view.plan.steps[position], view.catalogue):
        for fault in faults_of(known, refusing_matcher) if known.within is None else ():
            is_meant = isinstance(fault, SchemaFault) and is_extra(fault) and dotted(fault.path) == finding.resource
            if is_meant and known.place(fault.path) == finding.place.path:
                assert isinstance(fault, SchemaFault)
                yield known, fault


def _rename(view: FixView, finding: Finding) -> Iterator[Proposal]:
    from plancheck.catalogue.calls import right_name

    for known, fault in _faults(view, finding):
        right = right_name(known, fault)
        if right is not None:
            yield Proposal(f"Rename it to `{right}`", (RenameKey(finding.place, right),))


def _remove(view: FixView, finding: Finding) -> Iterator[Proposal]:
    for _, fault in _faults(view, finding):
        yield Proposal(f"Remove `{fault.path[-1]}`", (RemoveMember(finding.place),))


RULE = Rule(
    "unknown_argument",
    Severity.ERROR,
    Category.TOOLS,
    __doc__,
    bad="""\
[
  {"tool_name": "crm.search", "args": {"name": "Ada", "limt": 5}},
  {"tool_name": "mail.send", "args": {"to": "ada@example.com", "text": "Hello", "priority": "high"}}
]
""",
    good="""\
[
  {"tool_name": "crm.search", "args": {"name": "Ada", "limit": 5}},
  {"tool_name": "mail.send", "args": {"to": "ada@example.com", "text": "Hello"}}
]
""",
    catalogue="""\
[
  {"name": "crm.search", "inputSchema": {"type": "object", "properties": {
    "name": {"type": "string"}, "limit": {"type": "integer"}}}},
  {"name": "mail.send", "inputSchema": {"type": "object", "additionalProperties": false, "properties": {
    "to": {"type": "string"}, "text": {"type": "string"}}}}
]
""",
    checks=(each_step(check, CATALOGUE, MATCHER, only_if=HAS_CATALOGUE),),
    remedies=(
        Remedy("rename it to the argument of nearly the same name", False, _rename),
        Remedy("remove the argument", False, _remove),
    ),
    since="0.2",
)
