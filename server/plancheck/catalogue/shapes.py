"""From the text of a catalogue to its tools, whichever of the usual shapes it has.

A shape is told by what is in the file: the result or the response of MCP's `tools/list`, the tools of OpenAI's, of
Anthropic's and of Gemini's interfaces, or a plain list of functions. One list may have tools of several shapes. Reading
never fails: what is wrong becomes a problem at its token, and the rest is read.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from plancheck.catalogue.model import (
    NO_ANNOTATIONS,
    Annotations,
    CatalogueFile,
    CatalogueProblem,
    Tool,
    duplicate,
    pointer,
)
from plancheck.catalogue.schema import Schema, schema_problems
from plancheck.policy.showing import shortened
from plancheck.syntax.json import read
from plancheck.syntax.tree import MISSING, Chunk, Part, Path, Spine, Tree
from plancheck.syntax.values import repeated_keys
from plancheck.text import Span
from plancheck.tuples import NamedTuple
from plancheck.unknown import Reason

MOST_TOOLS = 10_000
DEEPEST = 500
MOST_PROBLEMS = 200
"""Of one file; what else is wrong with it is shown when these are mended."""

SHAPE = "catalogue_shape"
BAD_TOOL = "catalogue_bad_tool"

EXPECTED = 'expected `{"tools": […]}`, or a list of tools, each with a `name` and an argument schema.'

_ARGUMENTS = ("inputSchema", "input_schema", "parameters", "parametersJsonSchema", "parameters_json_schema")
_RESULTS = ("outputSchema", "output_schema", "responseJsonSchema", "response_json_schema", "response")
_DECLARATIONS = ("functionDeclarations", "function_declarations")
_LISTS = ("tools", "functions", *_DECLARATIONS)
_HINTS = {
    "readOnlyHint": "read_only",
    "destructiveHint": "destructive",
    "idempotentHint": "idempotent",
    "openWorldHint": "open_world",
}
_OF_OTHERS = ("args", "arguments", "input", "tool_name", "role", "content")
"""What calls and messages have, and no tool."""
_HOSTED = frozenset(
    {
        *("googleSearch", "google_search", "googleSearchRetrieval", "google_search_retrieval", "codeExecution"),
        *("code_execution", "urlContext", "url_context", "googleMaps", "google_maps", "retrieval", "computerUse"),
        *("computer_use", "fileSearch", "file_search", "enterpriseWebSearch", "enterprise_web_search"),
    }
)
"""What Gemini has beside functions in a list of tools: each is done by the service and called by nobody."""


class _Entry(NamedTuple):
    """Something in the place of a tool."""

    value: Any
    path: Path


def read_catalogue(text: str, path: str = "") -> CatalogueFile:
    """The tools in a text. `path` is the file that it is in, for whoever points into it."""
    tree = read(text)
    reader = _Reader(tree, path)
    reader.read()
    file = CatalogueFile(path, tree, tuple(reader.tools), ())
    problems = [*reader.problems, *_repeated(file)]
    file.problems = tuple(sorted(problems, key=lambda problem: problem.span))
    return file


def whole_value(tree: Tree) -> Any:
    """The document as one value, objects as pairs; MISSING where there is none."""
    root = tree.root
    if isinstance(root, list):
        return tuple((top.key, _of_part(top.value)) for top in root)
    return MISSING if root is None else _of_part(root)


def _of_part(part: Spine | Chunk) -> Any:
    return [chunk.value for chunk in part.chunks] if isinstance(part, Spine) else part.value


def _repeated(file: CatalogueFile) -> Iterator[CatalogueProblem]:
    first: dict[str, Tool] = {}
    for tool in file.tools:
        known = first.setdefault(tool.name, tool)
        if known is not tool:
            site = file.site(known.name_path, "the tool that is used")
            yield duplicate(file, tool, f"in line {site.line}", site)


class _Reader:
    def __init__(self, tree: Tree, path: str) -> None:
        self.tools: list[Tool] = []
        self.problems: list[CatalogueProblem] = []
        self._tree = tree
        self._path = path

    # ---- problems

    def _problem(
        self, rule: str, message: str, path: Path, part: Part = Part.VALUE, reason: Reason | None = None
    ) -> None:
        if len(self.problems) < MOST_PROBLEMS:
            span = self._tree.span(path, part)
            self.problems.append(CatalogueProblem(rule, message, span, pointer(path), reason=reason))

    def _bad(self, message: str, path: Path, part: Part = Part.VALUE, *, is_unread: bool = False) -> None:
        self._problem(BAD_TOOL, message, path, part, Reason.FAILURE if is_unread else None)

    # ---- the document

    def read(self) -> None:
        tree = self._tree
        for start, end, message in tree.problems[:MOST_PROBLEMS]:
            self.problems.append(CatalogueProblem("syntax_error", message, Span(start, end), reason=Reason.FAILURE))
        if tree.depth > DEEPEST:
            message = f"This is nested {tree.depth:,} levels deep, and at most {DEEPEST} are read."
            self._problem(SHAPE, message, (), reason=Reason.LIMIT)
            return
        value = whole_value(tree)
        for path in repeated_keys(value):
            name = shortened(str(path[-1]))
            message = f"`{name}` is given more than once, and only the last one is used: remove the others."
            self._problem("duplicate_key", message, path, Part.KEY)
        entries = _entries(value)
        if entries is None:
            if value is not MISSING or not tree.problems:
                self._problem(SHAPE, f"{_what_it_is(value)}: {EXPECTED}", (), reason=Reason.FAILURE)
            return
        for number, entry in enumerate(entries):
            if number == MOST_TOOLS:
                message = f"Only the first {MOST_TOOLS:,} tools are read: split the file."
                self._problem(SHAPE, message, entry.path, reason=Reason.LIMIT)
                break
            self._entry(entry)

    # ---- one tool

    def _entry(self, entry: _Entry) -> None:
        value, path = entry
        if value is MISSING:
            return
        if not isinstance(value, tuple):
            self._bad("Each tool must be an object with a `name`.", path, is_unread=True)
            return
        members = dict(value)
        inner = members.get("function")
        if isinstance(inner, tuple):
            members, path = dict(inner), (*path, "function")
        elif "function" in members and "name" not in members:
            if inner is not MISSING:
                self._bad("`function` must be an object with a `name`.", (*path, "function"), is_unread=True)
            return
        if "name" not in members and (_is_hosted(members) or (members and members.keys() <= _HOSTED)):
            if isinstance(members.get("type"), str):
                self.tools.append(Tool(members["type"], self._path, path, (*path, "type")))
            return
        name = members.get("name")
        if name is MISSING:
            return
        if not isinstance(name, str) or not name.strip():
            where = (*path, "name") if "name" in members else path
            what = "The `name` of a tool must be a text" if "name" in members else "This tool has no `name`"
            self._bad(f"{what}: give the name by which plans call it.", where, is_unread=True)
            return
        self.tools.append(self._tool(name, members, path))

    def _tool(self, name: str, members: dict[str, Any], path: Path) -> Tool:
        before = len(self.problems)
        annotations, title = self._annotations(members.get("annotations"), (*path, "annotations"))
        title = self._text(members, "title", path) or title
        description = self._text(members, "description", path)
        arguments, arguments_path = self._schema(members, _ARGUMENTS, path)
        result, result_path = self._schema(members, _RESULTS, path)
        return Tool(
            name,
            self._path,
            path,
            (*path, "name"),
            title,
            description,
            arguments,
            arguments_path,
            result,
            result_path,
            annotations,
            len(self.problems) == before < MOST_PROBLEMS,
        )

    def _text(self, members: dict[str, Any], key: str, path: Path) -> str | None:
        text = members.get(key)
        if text is None or text is MISSING or isinstance(text, str):
            return text if isinstance(text, str) else None
        self._bad(f"The `{key}` of a tool must be a text.", (*path, key))
        return None

    def _schema(self, members: dict[str, Any], keys: tuple[str, ...], path: Path) -> tuple[Schema | None, Path]:
        key = next((key for key in keys if members.get(key) is not None), None)
        if key is None or members[key] is MISSING:
            return None, ()
        value, where = members[key], (*path, key)
        if not isinstance(value, (tuple, bool)):
            self._bad(f"`{key}` must be a JSON Schema, which is an object.", where)
            return None, ()
        schema = Schema(value)
        for inside, part, message in schema_problems(schema):
            self._bad(message, (*where, *inside), part)
        return schema, where

    def _annotations(self, value: Any, path: Path) -> tuple[Annotations, str | None]:
        if value is None or value is MISSING:
            return NO_ANNOTATIONS, None
        if not isinstance(value, tuple):
            self._bad("The `annotations` of a tool must be an object.", path)
            return NO_ANNOTATIONS, None
        members = dict(value)
        hints: dict[str, bool] = {}
        for key, field in _HINTS.items():
            hint = members.get(key)
            if isinstance(hint, bool):
                hints[field] = hint
            elif hint is not None and hint is not MISSING:
                self._bad(f"`{key}` must be true or false.", (*path, key))
        return Annotations(**hints), self._text(members, "title", path)


# ---- shapes ----------------------------------------------------------------------------------------------------------


def _entries(value: Any) -> list[_Entry] | None:
    """What stands in the place of tools; None where the shape is none of those that are known."""
    if isinstance(value, list):
        return _in_bare_list(value)
    if not isinstance(value, tuple):
        return None
    members = dict(value)
    result = members.get("result")
    path: Path = ()
    if isinstance(result, tuple) and "tools" not in members:
        members, path = dict(result), ("result",)
    for key in _LISTS:
        if isinstance(members.get(key), list):
            return list(_in_list(members[key], (*path, key)))
    return [_Entry(value, ())] if _looks_like_tool(dict(value)) and not path else None


def _in_bare_list(items: list[Any]) -> list[_Entry] | None:
    objects = [dict(item) for item in items if isinstance(item, tuple)]
    if items and not any(_looks_like_tool(members) or _inner_list(members) is not None for members in objects):
        return None
    return list(_in_list(items, ()))


def _in_list(items: list[Any], path: Path) -> Iterator[_Entry]:
    """The tools of a list. An element may itself hold a list of them: Gemini's declarations, or a page of a result."""
    for number, item in enumerate(items):
        members = dict(item) if isinstance(item, tuple) else {}
        inner = None if "name" in members else _inner_list(members)
        if inner is None:
            yield _Entry(item, (*path, number))
        else:
            yield from (_Entry(each, (*path, number, inner, i)) for i, each in enumerate(members[inner]))


def _inner_list(members: dict[str, Any]) -> str | None:
    return next((key for key in (*_DECLARATIONS, "tools") if isinstance(members.get(key), list)), None)


def _looks_like_tool(members: dict[str, Any]) -> bool:
    if isinstance(members.get("function"), tuple) and isinstance(dict(members["function"]).get("name"), str):
        return "arguments" not in dict(members["function"])
    return isinstance(members.get("name"), str) and not any(key in members for key in _OF_OTHERS)


def _is_hosted(members: dict[str, Any]) -> bool:
    """Whether something is a tool that the service itself has, which is known by its type: `{"type": "web_search"}`."""
    kind = members.get("type")
    return isinstance(kind, str) and bool(kind) and kind not in ("function", "custom", "object")


def _what_it_is(value: Any) -> str:
    if isinstance(value, tuple):
        members = dict(value)
        if "error" in members and ("jsonrpc" in members or "result" not in members):
            return "This is the response of a call that failed"
    return "This is not a list of tools"
