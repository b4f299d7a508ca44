"""Calls against a catalogue: what is wrong with the arguments of a call, and what a reference leads to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from plancheck.catalogue.model import Catalogue, Tool
from plancheck.catalogue.schema import Schema, SchemaDoubt, SchemaFault, faults, member, property_schemas, type_names
from plancheck.plan.dialects.keys import nearest
from plancheck.plan.model import Call, Clarity, Read, Step
from plancheck.policy.regexes import Ask
from plancheck.policy.secrets import has_placeholder
from plancheck.syntax.tree import MISSING, Path, Within
from plancheck.tuples import NamedTuple

EXTRA = frozenset({"additionalProperties", "false"})
LACKING = frozenset({"required", "dependentRequired", "dependencies"})


class KnownCall(NamedTuple):
    """A call of a tool that is in the catalogue."""

    call: Call
    tool: Tool
    within: Path | None = None
    """The string that holds it as JSON text."""

    def place(self, path: Path) -> Path:
        """Where to show what is at a path inside the arguments: nothing inside a string has a place of its own."""
        return self.within if self.within is not None else (*self.call.arguments_path, *path)

    def object_place(self, path: Path) -> Path:
        """Where to show what an object lacks: of the arguments as a whole, where the tool is named."""
        return self.place(path) if path or self.within is not None else self.call.tool_path


def known_calls(step: Step, catalogue: Catalogue) -> Iterator[KnownCall]:
    """The calls that a step makes, and those that it clearly carries, of tools that are in the catalogue."""
    call = step.call
    is_misplaced = any(fault.rule == "misplaced_arguments" for fault in step.faults)
    if call is not None and call.tool is not None and not (is_misplaced and not call.arguments_path):
        tool = catalogue.find(call.tool)
        if tool is not None:
            yield KnownCall(call, tool)
    for found in step.carried:
        carried = found.call
        if carried is None or carried.tool is None or found.clarity is not Clarity.CLEAR or found.is_unread:
            continue
        tool = catalogue.find(carried.tool)
        if tool is not None:
            yield KnownCall(carried, tool, found.within)


def fits_anything(value: Any) -> bool:
    """Whether only the run can tell what a value will be."""
    return isinstance(value, str) and has_placeholder(value)


def faults_of(known: KnownCall, ask: Ask) -> Iterator[SchemaFault | SchemaDoubt]:
    """What is wrong with the arguments of a call. Absent arguments are an empty object; those that are none at all are
    the business of other rules."""
    arguments = known.call.arguments
    value: Any = () if arguments is None else arguments
    if known.tool.arguments is not None and isinstance(value, tuple):
        yield from faults(known.tool.arguments, value, fits=fits_anything, ask=ask)


def is_extra(fault: SchemaFault) -> bool:
    """Whether a fault is a member that the schema does not know."""
    return fault.name is not None and fault.keyword in EXTRA


def is_lacking(fault: SchemaFault) -> bool:
    """Whether a fault is a member that is not there."""
    return fault.name is not None and fault.keyword in LACKING


def right_name(known: KnownCall, fault: SchemaFault) -> str | None:
    """The name of a member that an extra one is a misspelling of, and that is not there yet."""
    if known.tool.arguments is None or fault.name is None:
        return None
    around, value = fault.path[:-1], known.call.arguments
    taken = {name for name, _ in value_at(value, around) or ()}
    names = [name for name in member_names(known.tool.arguments, around) if name not in taken]
    return nearest(fault.name, names)


def misspelt(known: KnownCall, found: list[SchemaFault | SchemaDoubt]) -> dict[tuple[Path, str], SchemaFault]:
    """The members that seem to be missing, and are there under a wrong name: by object and name, what is wrong."""
    extras = [fault for fault in found if isinstance(fault, SchemaFault) and is_extra(fault)]
    lacking = {(fault.path, fault.name) for fault in found if isinstance(fault, SchemaFault) and is_lacking(fault)}
    meant: dict[tuple[Path, str], SchemaFault] = {}
    for fault in extras if lacking else ():
        right = right_name(known, fault)
        if right is not None and (fault.path[:-1], right) in lacking:
            meant[fault.path[:-1], right] = fault
    return meant


def member_names(schema: Schema, path: Path) -> list[str]:
    """The members that an object at a path inside a schema's values may have."""
    inside = member(schema, path) if path else schema
    return list(property_schemas(inside)) if isinstance(inside, Schema) else []


def value_at(value: Any, path: Path) -> Any:
    """What a path leads to inside a value; None where it leads nowhere. Of repeated keys the last counts."""
    for name in path:
        if isinstance(value, tuple):
            value = dict(value).get(str(name))
        elif isinstance(value, list) and isinstance(name, int) and name < len(value):
            value = value[name]
        else:
            return None
    return value


def is_unfinished(value: Any) -> bool:
    """Whether something inside a value was not written yet."""
    todo = [value]
    while todo:
        item = todo.pop()
        if item is MISSING:
            return True
        if isinstance(item, tuple):
            todo += (child for _, child in item)
        elif isinstance(item, list):
            todo += item
    return False


def dotted(path: Path) -> str:
    """A path as messages show it: `filter.tags[0]`."""
    words = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return words.removeprefix(".")


# ---- references ------------------------------------------------------------------------------------------------------

_SEGMENT = re.compile(r"\.(?P<name>[^.\[\]]+)|\[\s*(?P<index>[^\]]*?)\s*\]")
_OPENING = ("{{", "${", "${{")
_OF_MCP = ("structuredContent", "content", "isError", "_meta")
"""What the result of an MCP tool has around what its schema describes."""


class ResultPath(NamedTuple):
    """What a reference takes from the result of a step."""

    producer: int | str
    place: Path
    """The string, inside the step."""
    segments: tuple[tuple[str | int, Within], ...]
    """The members and positions that it names, each with the characters of the string where it does."""
    is_whole: bool
    """Whether the string is nothing but this reference."""


def result_paths(step: Step) -> Iterator[ResultPath]:
    """The references in a step's strings."""
    return filter(None, (result_path(step, read) for read in step.outline.reads))


def result_path(step: Step, read: Read) -> ResultPath | None:
    """What a read of a step takes from a result; None if it is no reference in a string."""
    text = value_at(step.value, read.path[:-1]) if read.is_reference and read.producer is not None else None
    return _result_path(read, read.producer, text) if isinstance(text, str) and read.producer is not None else None


def _result_path(read: Read, producer: int | str, text: str) -> ResultPath:
    place, within, identity = read.path[:-1], read.path[-1], read.producer_path[-1]
    assert isinstance(within, Within)
    assert isinstance(identity, Within)
    start, end = within
    first = identity.end + len(".result")
    segments: list[tuple[str | int, Within]] = []
    for match in _SEGMENT.finditer(text, first, end):
        word, where = (match["name"], match.span("name")) if match["name"] else (match["index"], match.span("index"))
        bare = word.strip("\"'")
        segments.append((int(bare) if bare.isdecimal() and len(bare) < 10 else bare, Within(*where)))
    before, behind = text[:start].strip().replace(" ", ""), text[end:].strip().replace(" ", "")
    return ResultPath(producer, place, tuple(segments), before in _OPENING and behind in ("}}", "}"))


def led_to(schema: Schema, path: Path) -> Schema | Any | None:
    """What a schema says about a member of a result: None for nothing, MISSING where there is no such member. Servers
    that put a result into an object of its own, `{"result": …}`, are read with and without it."""
    members = property_schemas(schema)
    if path and path[0] in _OF_MCP and path[0] not in members:
        return led_to(schema, path[1:]) if path[0] == "structuredContent" and path[1:] else None
    if path[:1] != ("result",) and list(members) == ["result"]:
        return member(schema, ("result", *path)) if path else None
    return member(schema, path) if path else schema


def types_disagree(given: Schema, wanted: Schema) -> bool:
    """Whether no value that one schema allows can be one that the other allows, by their types."""
    mine, theirs = set(type_names(given)), set(type_names(wanted))
    if not mine or not theirs:
        return False
    mine |= {"number"} if "integer" in mine else set()
    mine |= {"integer"} if "number" in mine else set()
    return mine.isdisjoint(theirs)
