"""What the catalogue in force says about a place in a plan: the tool that is called there, an argument of it, or what a
reference takes from a result."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from plancheck.analysis.snapshot import Snapshot
from plancheck.catalogue.calls import led_to, result_path, value_at
from plancheck.catalogue.model import Catalogue, CatalogueFile, Tool, ToolSite
from plancheck.catalogue.schema import PropertyInfo, Schema, member, member_path, property_schemas
from plancheck.ide.commands import SHOW_USES, Command
from plancheck.ide.cursor import Cursor, Role, cursor_at
from plancheck.ide.lens import Lens
from plancheck.ide.words import count
from plancheck.plan.model import Call, Clarity, Place, Read
from plancheck.syntax.tree import MISSING, Part, Path
from plancheck.text import Span
from plancheck.tuples import NamedTuple

_BEGUN_PATH = re.compile(r"(?P<name>.+?)\.result(?P<path>(?:\.[^.\[\]{}]+|\[\d{1,9}\])*)\.(?P<last>[^.\[\]{}]*)")
_SEGMENT = re.compile(r"\.(?P<name>[^.\[\]]+)|\[(?P<index>\d+)\]")


class CalledTool(NamedTuple):
    """A tool of the catalogue that a step calls."""

    call: Call
    tool: Tool
    catalogue: Catalogue

    def inside(self, path: Path) -> Path | None:
        """A path inside the step as one inside the arguments; None if it leads elsewhere."""
        around = self.call.arguments_path
        return path[len(around) :] if around and path[: len(around)] == around else None

    def schema(self, path: Path) -> Schema | None:
        """What the arguments must be at a path inside of them; None if nothing is known about that."""
        found = member(self.tool.arguments, path) if self.tool.arguments is not None else None
        return found if isinstance(found, Schema) else None

    def members(self, path: Path) -> dict[str, PropertyInfo]:
        """What the object at a path inside the arguments may have, the required ones first."""
        schema, value = self.schema(path), value_at(self.call.arguments, path)
        if schema is None:
            return {}
        found = property_schemas(schema, value if isinstance(value, tuple) else MISSING)
        return dict(sorted(found.items(), key=lambda named: not named[1].is_required))


def called_tool(snapshot: Snapshot, position: int | None) -> CalledTool | None:
    """The tool of the catalogue that the step at a position calls."""
    catalogue, steps = snapshot.settings.catalogue, snapshot.plan.steps
    if catalogue is None or position is None or position >= len(steps):
        return None
    call = steps[position].call
    tool = catalogue.find(call.tool) if call is not None and call.tool is not None else None
    return None if call is None or tool is None else CalledTool(call, tool, catalogue)


class ArgumentAt(NamedTuple):
    """An argument, or a value inside of one, that a token belongs to."""

    called: CalledTool
    path: Path
    """Inside the arguments; never empty."""

    @property
    def schema(self) -> Schema | None:
        return self.called.schema(self.path)

    @property
    def is_required(self) -> bool:
        info = self.called.members(self.path[:-1]).get(str(self.path[-1]))
        return info is not None and info.is_required

    @property
    def site(self) -> ToolSite | None:
        """Where the catalogue describes it."""
        tool = self.called.tool
        path = member_path(tool.arguments, self.path) if tool.arguments is not None else None
        if not path:
            return None
        return self.called.catalogue.site(tool, "", (*tool.arguments_path, *path), Part.KEY)


def argument_at(snapshot: Snapshot, cursor: Cursor) -> ArgumentAt | None:
    called = called_tool(snapshot, cursor.step)
    path = called.inside(cursor.path) if called is not None else None
    return ArgumentAt(called, path) if called is not None and path else None


def named_tool(snapshot: Snapshot, cursor: Cursor) -> str | None:
    """The name of the tool that a step calls, if that is the token."""
    call = snapshot.plan.steps[cursor.step].call if cursor.step is not None else None
    is_there = call is not None and cursor.part is Part.VALUE and call.tool_path == cursor.path
    return call.tool if call is not None and is_there else None


# ---- results ---------------------------------------------------------------------------------------------------------


def result_of(snapshot: Snapshot, name: int | str) -> Schema | None:
    """What the step of that name gives, as far as its tool says so."""
    called = called_tool(snapshot, snapshot.graph.position_of.get(name))
    return called.tool.result if called is not None else None


def result_at(snapshot: Snapshot, cursor: Cursor) -> Schema | None:
    """What the reference under the cursor takes from a result, as far as that is known."""
    read = cursor.element
    if cursor.role is not Role.PRODUCER or cursor.step is None or not isinstance(read, Read) or read.producer is None:
        return None
    schema = result_of(snapshot, read.producer)
    if schema is None or not read.is_reference:
        return schema
    found = result_path(snapshot.plan.steps[cursor.step], read)
    inside = led_to(schema, tuple(name for name, _ in found.segments)) if found is not None else None
    return inside if isinstance(inside, Schema) else None


class BegunPath(NamedTuple):
    """A reference that is being typed, up to the member of a result that comes next."""

    typed: str
    """What there is of its name."""
    members: dict[str, PropertyInfo]


def begun_path(snapshot: Snapshot, expression: str) -> BegunPath | None:
    """What may follow `find.result.items[0].` in a reference; None if nothing of that kind was begun."""
    match = _BEGUN_PATH.fullmatch(expression.lstrip())
    if match is None:
        return None
    schema = result_of(snapshot, match["name"])
    path = tuple(int(part["index"]) if part["index"] else part["name"] for part in _SEGMENT.finditer(match["path"]))
    inside = led_to(schema, path) if schema is not None else None
    return BegunPath(match["last"], property_schemas(inside) if isinstance(inside, Schema) else {})


# ---- from one file to another ----------------------------------------------------------------------------------------


class DescribedThing(NamedTuple):
    """Where the catalogue describes what is under the cursor."""

    origin: Span
    tool: Tool
    catalogue: Catalogue
    site: ToolSite


def described_at(snapshot: Snapshot, offset: int) -> DescribedThing | None:
    """The tool or the argument under the cursor, in the catalogue."""
    cursor = cursor_at(snapshot, offset)
    if cursor is None or snapshot.settings.catalogue is None:
        return None
    called = called_tool(snapshot, cursor.step)
    if called is None:
        return None
    if named_tool(snapshot, cursor) is not None:
        return DescribedThing(cursor.span, called.tool, called.catalogue, called.catalogue.site(called.tool, ""))
    argument = argument_at(snapshot, cursor) if cursor.part is Part.KEY else None
    site = argument.site if argument is not None else None
    return None if site is None else DescribedThing(cursor.span, called.tool, called.catalogue, site)


def tool_at(snapshot: Snapshot, offset: int) -> Tool | None:
    """The tool whose name is under the cursor, if it is in the catalogue."""
    cursor = cursor_at(snapshot, offset)
    is_named = cursor is not None and named_tool(snapshot, cursor) is not None
    called = called_tool(snapshot, cursor.step) if cursor is not None and is_named else None
    return called.tool if called is not None else None


def uses_of(snapshot: Snapshot, tool: Tool) -> list[Span]:
    """Where the steps of a plan call a tool, in the order of the text."""
    return sorted(snapshot.place_span(place) for place in _use_places(snapshot, tool))


def _use_places(snapshot: Snapshot, tool: Tool) -> Iterator[Place]:
    catalogue = snapshot.settings.catalogue
    for position, step in enumerate(snapshot.plan.steps if catalogue is not None else ()):
        carried = ((found.call, found.within) for found in step.carried if found.clarity is Clarity.CLEAR)
        for call, within in ((step.call, None), *carried):
            name = call.tool if call is not None else None
            meant = catalogue.find(name) if catalogue is not None and name is not None else None
            if call is not None and meant is not None and key_of_tool(meant) == key_of_tool(tool):
                yield Place(position, within if within is not None else call.tool_path)


ToolKey: TypeAlias = tuple[str, str]


def key_of_tool(tool: Tool) -> ToolKey:
    """By what a tool is known: the file that describes it, and its name."""
    return tool.file, tool.name


# ---- in the catalogue's own file -------------------------------------------------------------------------------------


def named_at(file: CatalogueFile, offset: int) -> Tool | None:
    """The tool whose name is at an offset of a catalogue file."""
    for tool in file.tools:
        span = file.tree.span(tool.name_path)
        if span.start <= offset <= span.end:
            return tool
    return None


def tool_lenses(file: CatalogueFile, counts: Mapping[ToolKey, int]) -> list[Lens]:
    """Above each tool: how many plans use it."""
    found: list[Lens] = []
    for tool in file.tools:
        span, number = file.tree.span(tool.name_path), counts.get(key_of_tool(tool), 0)
        title = f"used by {count(number, 'plan')}" if number else "not used by any plan"
        found.append(Lens(span, Command(title, SHOW_USES, (span.start,))))
    return found
