"""Tool catalogues: which tools there are, and what each may be called with. Frozen values, without a file or a disk."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from plancheck.cached import cached_property
from plancheck.frozen import Frozen
from plancheck.plan.dialects.keys import nearest
from plancheck.policy.families import Family, ToolWords, Trait
from plancheck.policy.showing import shortened
from plancheck.syntax.tree import Part, Path, Tree
from plancheck.text import LineIndex, Position, Span
from plancheck.tuples import NamedTuple
from plancheck.unknown import Reason, Unknown

if TYPE_CHECKING:
    from plancheck.catalogue.schema import Schema

_SEPARATORS = ("/", ".", ":")
_MCP = "mcp__"


class Annotations(NamedTuple):
    """What a server says about a tool's nature. None is what it does not say, which means nothing here."""

    read_only: bool | None = None
    destructive: bool | None = None
    idempotent: bool | None = None
    open_world: bool | None = None


NO_ANNOTATIONS = Annotations()


class Tool(NamedTuple):
    """One tool of a catalogue. Paths lead from the root of the file; that of something absent is empty."""

    name: str
    file: str
    """The file that it is in."""
    path: Path
    """The object that describes it."""
    name_path: Path
    title: str | None = None
    description: str | None = None
    arguments: Schema | None = None
    """None where nothing is known about its arguments."""
    arguments_path: Path = ()
    result: Schema | None = None
    result_path: Path = ()
    annotations: Annotations = NO_ANNOTATIONS
    is_sound: bool = True
    """Whether nothing is wrong with what is said about it, so that all of it can be checked."""


class ToolSite(NamedTuple):
    """A place in a catalogue file that a finding has to do with."""

    path: str
    span: Span
    message: str
    start: Position
    """The same, in lines and characters, as editors count them by default."""
    end: Position

    @property
    def line(self) -> int:
        """Counted from 1."""
        return self.start.line + 1


class CatalogueProblem(NamedTuple):
    """One mistake in a catalogue file."""

    rule: str
    message: str
    span: Span
    pointer: str = ""
    site: ToolSite | None = None
    """Another place that is involved, in this file or in another one."""
    reason: Reason | None = None
    """Why not all of the file could be read, where that is so; None where the file is read all the same."""


class CatalogueFile:
    """What was read from one file."""

    def __init__(self, path: str, tree: Tree, tools: tuple[Tool, ...], problems: tuple[CatalogueProblem, ...]) -> None:
        self.path = path
        self.tree = tree
        self.tools = tools
        self.problems = problems
        """What is wrong with the file by itself, in the order of the text."""

    @cached_property
    def lines(self) -> LineIndex:
        return LineIndex(self.tree.text)

    def site(self, path: Path, message: str, part: Part = Part.VALUE) -> ToolSite:
        span, lines = self.tree.span(path, part), self.lines
        return ToolSite(self.path, span, message, lines.position(span.start), lines.position(span.end))

    @property
    def unread(self) -> list[CatalogueProblem]:
        """Why not all of it could be read."""
        return [problem for problem in self.problems if problem.reason is not None]


LARGE = 200_000
"""Characters of a text that takes so long to read that a server should not do it while others wait."""


class CatalogueSource(Frozen):
    """The text of a catalogue and the file that it is in. It is read when somebody asks, once."""

    __slots__ = ("__dict__",)

    path: str
    text: str

    @cached_property
    def file(self) -> CatalogueFile:
        from plancheck.catalogue.shapes import read_catalogue

        return read_catalogue(self.text, self.path)

    @property
    def is_slow(self) -> bool:
        """Whether it takes long to say what is in it: it is large, and was not read."""
        return len(self.text) > LARGE and "file" not in self.__dict__


class Catalogue(Frozen):
    """Several files in force together. It is made of their texts, by which two of them are compared; what these say is
    read when somebody asks."""

    __slots__ = ("__dict__",)

    sources: tuple[CatalogueSource, ...] = ()
    faults: tuple[Unknown, ...] = ()
    """Why the catalogue is not what its author meant, beyond what its texts tell: a file cannot be read."""

    @cached_property
    def digest(self) -> str:
        """Names this catalogue: two that differ in anything have different ones."""
        import hashlib
        import json

        found = hashlib.sha256(json.dumps(self.faults).encode())
        for source in self.sources:
            text = source.text.encode("utf-8", "surrogatepass")
            found.update(f"{len(source.path)} {len(text)} {source.path}".encode("utf-8", "surrogatepass"))
            found.update(text)
        return f"sha256:{found.hexdigest()}"

    @cached_property
    def files(self) -> tuple[CatalogueFile, ...]:
        return tuple(source.file for source in self.sources)

    @cached_property
    def tools(self) -> Mapping[str, Tool]:
        """The tools by their names, in the order of the files. Of two with one name the first counts."""
        found: dict[str, Tool] = {}
        for file in self.files:
            for tool in file.tools:
                found.setdefault(tool.name, tool)
        return found

    @cached_property
    def unread(self) -> tuple[Unknown, ...]:
        """Why not all of the tools are known."""
        return (*self.faults, *(fault for file in self.files for fault in _faults_of(file)))

    def find(self, name: str) -> Tool | None:
        """The tool of that name, or the one that a client means who puts a prefix before its name."""
        exact = self.tools.get(name)
        return exact if exact is not None else next(filter(None, map(self.tools.get, _without_prefix(name))), None)

    def hints(self, name: str) -> ToolWords:
        """What the annotations of a tool say about what it does. Those that are absent say nothing."""
        tool = self.find(name)
        given = NO_ANNOTATIONS if tool is None else tool.annotations
        if given.read_only:
            return (Family.READ, Trait.UNTRUSTED) if given.open_world else (Family.READ,)
        return (Family.DESTRUCTIVE,) if given.destructive else ()

    def nearest(self, name: str) -> str | None:
        """The name that an unknown one is a misspelling of, with the prefix that the unknown one has."""
        for rest in _without_prefix(name):
            if (right := nearest(rest, self.tools)) is not None:
                return name[: len(name) - len(rest)] + right
        return nearest(name, self.tools)

    def file(self, path: str) -> CatalogueFile:
        """The file that is known by that path."""
        return next(file for file in self.files if file.path == path)

    def site(self, tool: Tool, message: str, path: Path | None = None, part: Part = Part.VALUE) -> ToolSite:
        """A place in the file of a tool: its name, or what a path from the root of the file leads to."""
        return self.file(tool.file).site(tool.name_path if path is None else path, message, part)

    @property
    def is_slow(self) -> bool:
        """Whether it takes long to say what tools there are."""
        return any(source.is_slow for source in self.sources)

    def with_source(self, source: CatalogueSource) -> Catalogue:
        """The same with another text of one of the files."""
        if source in self.sources:
            return self
        sources = (source if known.path == source.path else known for known in self.sources)
        return Catalogue(tuple(sources), self.faults)

    def repeated(self, file: CatalogueFile) -> list[CatalogueProblem]:
        """The tools of a file that an earlier file of the catalogue has, too."""
        found: list[CatalogueProblem] = []
        for tool in file.tools:
            first = self.tools.get(tool.name)
            if first is not None and first.file != file.path:
                site = self.site(first, "the tool that is used")
                found.append(duplicate(file, tool, f"in `{base_name(first.file)}`", site))
        return found

    def problems_of(self, file: CatalogueFile) -> list[CatalogueProblem]:
        """What is wrong with a file, by itself and together with the others."""
        return sorted((*file.problems, *self.repeated(file)), key=lambda problem: problem.span)


NO_CATALOGUE = Catalogue()


def duplicate(file: CatalogueFile, tool: Tool, where: str, site: ToolSite) -> CatalogueProblem:
    message = (
        f"The tool `{shortened(tool.name)}` is already described {where}, and that one is used: remove one of the two."
    )
    return CatalogueProblem("duplicate_tool", message, file.tree.span(tool.name_path), pointer(tool.name_path), site)


def _faults_of(file: CatalogueFile) -> Iterator[Unknown]:
    for problem in file.unread[:1]:
        name = base_name(file.path) or "the catalogue"
        line = file.lines.line_of(problem.span.start) + 1
        message = f"The tools in {name} are not all known, because of a mistake in line {line}: {problem.message}"
        yield Unknown(problem.reason or Reason.FAILURE, message)


def base_name(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[2]


def _without_prefix(name: str) -> Iterator[str]:
    """What is left of a name without what clients put before it: the name of a server, or of a list of functions."""
    if name.startswith(_MCP):
        server, _, rest = name[len(_MCP) :].partition("__")
        if server and rest:
            yield rest
        return
    starts = [position for sign in _SEPARATORS if (position := name.find(sign)) > 0]
    if starts and (rest := name[min(starts) + 1 :]):
        yield rest


def pointer(path: Path) -> str:
    """A path as a JSON pointer (RFC 6901)."""
    return "".join(f"/{str(part).replace('~', '~0').replace('/', '~1')}" for part in path)
