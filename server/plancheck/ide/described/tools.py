"""The tools that a workspace is known to have: by its plans, and by its catalogues."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from plancheck.analysis.snapshot import Snapshot
from plancheck.catalogue.model import Catalogue, Tool
from plancheck.catalogue.schema import Schema, property_schemas
from plancheck.ide.described.file import DescribedFile, NamedThing
from plancheck.plan.model import Call, Clarity, Place, Plan
from plancheck.policy.applying import splits
from plancheck.policy.arguments import values_at
from plancheck.policy.described import Named
from plancheck.policy.model import Policy
from plancheck.syntax.tree import MISSING, Part
from plancheck.text import Span
from plancheck.tuples import NamedTuple

MOST_ARGUMENTS = 1_000
"""Arguments of one plan that are remembered."""
DEEPEST_ARGUMENT = 3
"""Names in a path of an argument that is proposed."""


class KnownTools(NamedTuple):
    uses: Mapping[str, int]
    """How many plans call each tool, by the name that they call it."""
    arguments: Mapping[str, frozenset[str]] = {}
    """The dotted paths of what plans call them with."""
    catalogues: tuple[Catalogue, ...] = ()
    is_complete: bool = True
    """Whether all plans were looked at."""

    def described(self, name: str) -> tuple[Tool, Catalogue] | None:
        """What a catalogue says about a tool."""
        for catalogue in self.catalogues:
            tool = catalogue.find(name)
            if tool is not None:
                return tool, catalogue
        return None

    def names(self) -> list[str]:
        """Those that plans use first."""
        described = (name for catalogue in self.catalogues for name in catalogue.tools)
        return list(dict.fromkeys((*sorted(self.uses), *described)))

    def arguments_of(self, name: str) -> list[str]:
        """The dotted paths of the arguments of a tool, those that its catalogue describes first."""
        found = self.described(name)
        schema = found[0].arguments if found is not None else None
        described = _paths_in_schema(schema) if schema is not None else ()
        return list(dict.fromkeys((*described, *sorted(self.arguments.get(name, ())))))

    def limited(self, key: str) -> Iterator[tuple[str, str]]:
        """The tools that the key of a bound may be about, each with the argument."""
        for tool, path in splits(key):
            if tool in self.uses or self.described(tool) is not None:
                yield tool, ".".join(path)


def _paths_in_schema(schema: Schema, above: str = "", depth: int = 1) -> Iterator[str]:
    for name, info in property_schemas(schema).items():
        if "." not in name:
            yield above + name
            if depth < DEEPEST_ARGUMENT:
                yield from _paths_in_schema(info.schema, f"{above}{name}.", depth + 1)


def arguments_in(plan: Plan) -> dict[str, frozenset[str]]:
    """What the steps of a plan call their tools with: the dotted paths of the arguments, by the tools."""
    found: dict[str, set[str]] = {}
    left = MOST_ARGUMENTS
    for step in plan.steps:
        if step.call is not None and step.call.tool is not None and left > 0:
            known = found.setdefault(step.call.tool, set())
            before = len(known)
            for path in _paths_in_value(step.call.arguments):
                known.add(path)
                if len(known) - before >= left:
                    break
            left -= len(known) - before
    return {tool: frozenset(paths) for tool, paths in found.items()}


def _paths_in_value(value: object, above: str = "", depth: int = 1) -> Iterator[str]:
    for member in value if isinstance(value, tuple) else ():
        name, child = member
        if "." not in name and name:
            yield above + name
            if depth < DEEPEST_ARGUMENT:
                yield from _paths_in_value(child, f"{above}{name}.", depth + 1)


# ---- where they are named --------------------------------------------------------------------------------------------


class ToolMention(NamedTuple):
    """A tool as a policy names it, by itself or in the key of a bound."""

    tool: str
    span: Span
    is_plain: bool
    """Whether the text at the span is the name, letter by letter."""
    thing: NamedThing


def mentions_of(file: DescribedFile, tool: str) -> Iterator[ToolMention]:
    """Where a policy names a tool, in the order of the text. The key of a bound is about every tool that it can be
    split into."""
    for thing in file.names():
        if thing.kind is Named.TOOL and thing.name == tool:
            yield ToolMention(tool, thing.span, thing.is_plain, thing)
        elif thing.kind is Named.ARGUMENT and thing.name.startswith(f"{tool}."):
            span = Span(thing.span.start, thing.span.start + len(tool)) if thing.is_plain else thing.span
            yield ToolMention(tool, span, thing.is_plain, thing)


def mention_at(file: DescribedFile, offset: int, known: KnownTools) -> ToolMention | None:
    """The tool that is named under the cursor. In the key of a bound it is the part before the argument: of the tools
    that are known, the one with the longest name that the cursor is in."""
    thing = file.name_at(offset)
    if thing is None or thing.kind is Named.RULE:
        return None
    if thing.kind is Named.TOOL:
        return ToolMention(thing.name, thing.span, thing.is_plain, thing)
    tools = [tool for tool, _ in known.limited(thing.name)] or [thing.name.rpartition(".")[0]]
    for tool in tools if thing.is_plain else ():
        span = Span(thing.span.start, thing.span.start + len(tool))
        if tool and span.start <= offset <= span.end:
            return ToolMention(tool, span, True, thing)
    return None


def calls_of(snapshot: Snapshot, tool: str) -> list[tuple[Place, Span]]:
    """Where a plan calls a tool by exactly this name, in the order of the text."""
    found: list[tuple[Place, Span]] = []
    for position, step in enumerate(snapshot.plan.steps):
        carried = ((each.call, each.within) for each in step.carried if each.clarity is Clarity.CLEAR)
        for call, within in ((step.call, None), *carried):
            if call is not None and call.tool == tool:
                place = Place(position, within if within is not None else call.tool_path)
                found.append((place, snapshot.place_span(place)))
    return sorted(found, key=lambda each: each[1])


def arguments_bounded_by(snapshot: Snapshot, key: str) -> list[Span]:
    """The arguments of a plan that the key of a bound is about: the tokens of their names, or of elements."""
    policy = Policy(bounds={key: (0, 0)})
    found: list[Span] = []
    for position, step in enumerate(snapshot.plan.steps):
        call = step.call
        if call is not None and call.tool is not None and call.arguments_path:
            paths = (applied.path for applied in policy.bounds_of(call.tool))
            found += (span for path in paths for span in _argument_spans(snapshot, position, call, path))
    return sorted(dict.fromkeys(found))


def _argument_spans(snapshot: Snapshot, position: int, call: Call, path: tuple[str, ...]) -> Iterator[Span]:
    for where, value in values_at(call.arguments, path, call.arguments_path):
        if value is not MISSING:
            part = Part.KEY if isinstance(where[-1], str) else Part.VALUE
            yield snapshot.place_span(Place(position, where, part))
