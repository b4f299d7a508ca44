"""Catalogues of every shape, what is wrong with broken ones, and how a tool is found in several."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from plancheck.catalogue.model import Annotations, Catalogue, CatalogueSource
from plancheck.catalogue.schema import property_schemas
from plancheck.catalogue.shapes import MOST_TOOLS, read_catalogue
from plancheck.policy.families import Family, Trait
from plancheck.text import Span
from plancheck.unknown import Reason

CITY = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
MCP = {"name": "weather", "title": "Weather", "description": "What it is like.", "inputSchema": CITY}
CHAT = {"type": "function", "function": {"name": "weather", "description": "What it is like.", "parameters": CITY}}
RESPONSES = {"type": "function", "name": "weather", "description": "What it is like.", "parameters": CITY}
ANTHROPIC = {"name": "weather", "description": "What it is like.", "input_schema": CITY}
GEMINI = {
    "name": "weather",
    "description": "What it is like.",
    "parameters": {"type": "OBJECT", "properties": {"city": {"type": "STRING"}}, "required": ["city"]},
}
PLAIN = {
    "name": "weather",
    "description": "What it is like.",
    "parameters": {"type": "dict", "properties": {"city": {"type": "str"}}, "required": ["city"]},
}

SHAPES: list[tuple[str, Any, tuple[str | int, ...]]] = [
    ("a result of tools/list", {"tools": [MCP], "nextCursor": "x"}, ("tools", 0)),
    ("a result of 2026", {"resultType": "complete", "ttlMs": 1, "tools": [MCP], "_meta": {}}, ("tools", 0)),
    ("a response", {"jsonrpc": "2.0", "id": 1, "result": {"tools": [MCP]}}, ("result", "tools", 0)),
    ("a bare list", [MCP], (0,)),
    ("pages of a result", [{"tools": [MCP]}, {"tools": []}], (0, "tools", 0)),
    ("OpenAI, chat", [CHAT], (0, "function")),
    ("OpenAI, chat, under a key", {"model": "m", "tools": [CHAT]}, ("tools", 0, "function")),
    ("OpenAI, responses", [RESPONSES], (0,)),
    ("OpenAI, the first interface", {"functions": [RESPONSES]}, ("functions", 0)),
    ("Anthropic", {"tools": [ANTHROPIC]}, ("tools", 0)),
    ("Gemini", {"functionDeclarations": [GEMINI]}, ("functionDeclarations", 0)),
    ("Gemini, snake case", [{"function_declarations": [GEMINI]}], (0, "function_declarations", 0)),
    (
        "Gemini, a request",
        {"tools": [{"googleSearch": {}}, {"functionDeclarations": [GEMINI]}]},
        ("tools", 1, "functionDeclarations", 0),
    ),
    ("plain functions", [PLAIN], (0,)),
    ("one tool", MCP, ()),
]


@pytest.mark.parametrize(("document", "path"), [shape[1:] for shape in SHAPES], ids=[shape[0] for shape in SHAPES])
def test_a_shape_is_known_by_its_content(document: Any, path: tuple[str | int, ...]) -> None:
    file = read_catalogue(json.dumps(document, indent=1), "tools.json")
    assert file.problems == ()
    (tool,) = file.tools
    assert (tool.name, tool.description, tool.path, tool.name_path) == (
        "weather",
        "What it is like.",
        path,
        (*path, "name"),
    )
    assert tool.arguments is not None
    assert {name: info.is_required for name, info in property_schemas(tool.arguments).items()} == {"city": True}
    text = file.tree.text
    assert text[slice(*file.tree.span(tool.name_path))] == '"weather"'
    assert text[file.tree.span(tool.arguments_path).start] == "{"
    assert file.site(tool.name_path, "").line == text[: text.index('"weather"')].count("\n") + 1


def test_shapes_may_be_mixed() -> None:
    others = [{**MCP, "name": "a"}, {"type": "function", "function": {"name": "b"}}, {**ANTHROPIC, "name": "c"}]
    hosted = [{"type": "web_search"}, {"type": "web_search_20250305", "name": "search"}]
    file = read_catalogue(json.dumps({"tools": [*others, *hosted]}))
    assert [tool.name for tool in file.tools] == ["a", "b", "c", "web_search", "search"]
    assert file.problems == ()


def test_all_that_is_said_about_a_tool_is_kept() -> None:
    hints = {"title": "T", "readOnlyHint": True, "openWorldHint": False}
    (tool,) = read_catalogue(json.dumps([{**MCP, "title": None, "outputSchema": CITY, "annotations": hints}])).tools
    assert (tool.title, tool.annotations) == ("T", Annotations(read_only=True, open_world=False))
    assert tool.result is not None
    assert tool.result_path == (0, "outputSchema")


@pytest.mark.parametrize(
    "document",
    [
        5,
        "tools",
        None,
        {},
        {"steps": []},
        {"tools": {"a": {}}},
        ["a"],
        [[]],
        [{"tool_name": "a", "args": {}}],
        [{"name": "a", "args": {}, "id": "1"}],
        [{"id": "1", "type": "function", "function": {"name": "a", "arguments": "{}"}}],
        [{"role": "user", "name": "a", "content": "hi"}],
        [{"type": "text", "text": "hi"}],
        {"jsonrpc": "2.0", "id": 1, "error": {"code": 1}},
    ],
    ids=repr,
)
def test_an_unknown_shape_is_reported_once(document: Any) -> None:
    file = read_catalogue(json.dumps(document))
    assert file.tools == ()
    ((rule, message, span, _, _, reason),) = file.problems
    assert (rule, span.start, reason) == ("catalogue_shape", 0, Reason.FAILURE)
    assert 'expected `{"tools": […]}`' in message
    assert len(message) <= 140


def marked(text: str) -> list[tuple[str, str, str, bool]]:
    """What is wrong with a text: the rule, the token, the message, and whether something could not be read."""
    file = read_catalogue(text)
    return [(p.rule, text[slice(*p.span)], p.message, p.reason is not None) for p in file.problems]


@pytest.mark.parametrize(
    ("text", "rule", "token", "message", "is_unread"),
    [
        ('{"tools": [5]}', "catalogue_bad_tool", "5", "Each tool must be an object with a `name`.", True),
        (
            '{"tools": [{}]}',
            "catalogue_bad_tool",
            "{",
            "This tool has no `name`: give the name by which plans call it.",
            True,
        ),
        (
            '{"tools": [{"name": 5}]}',
            "catalogue_bad_tool",
            "5",
            "The `name` of a tool must be a text: give the name by which plans call it.",
            True,
        ),
        (
            '{"tools": [{"name": " "}]}',
            "catalogue_bad_tool",
            '" "',
            "The `name` of a tool must be a text: give the name by which plans call it.",
            True,
        ),
        (
            '{"tools": [{"function": 5}]}',
            "catalogue_bad_tool",
            "5",
            "`function` must be an object with a `name`.",
            True,
        ),
        (
            '[{"name": "a", "description": 5}]',
            "catalogue_bad_tool",
            "5",
            "The `description` of a tool must be a text.",
            False,
        ),
        (
            '[{"name": "a", "inputSchema": []}]',
            "catalogue_bad_tool",
            "[",
            "`inputSchema` must be a JSON Schema, which is an object.",
            False,
        ),
        (
            '[{"name": "a", "annotations": 1}]',
            "catalogue_bad_tool",
            "1",
            "The `annotations` of a tool must be an object.",
            False,
        ),
        (
            '[{"name": "a", "annotations": {"readOnlyHint": "yes"}}]',
            "catalogue_bad_tool",
            '"yes"',
            "`readOnlyHint` must be true or false.",
            False,
        ),
        (
            '[{"name": "a"}, {"name": "a"}]',
            "duplicate_tool",
            '"a"',
            "The tool `a` is already described in line 1, and that one is used: remove one of the two.",
            False,
        ),
        (
            '[{"name": "a", "name": "b"}]',
            "duplicate_key",
            '"name"',
            "`name` is given more than once, and only the last one is used: remove the others.",
            False,
        ),
    ],
)
def test_a_mistake_is_reported_at_its_token(text: str, rule: str, token: str, message: str, is_unread: bool) -> None:
    assert marked(text) == [(rule, token, message, is_unread)]


def test_a_mistake_in_a_schema_is_reported_in_it_and_the_tool_is_not_sound() -> None:
    text = '[{"name": "a", "parameters": {"properties": {"x": {"minimum": "1"}}}}, {"name": "b"}]'
    ((rule, token, _, is_unread),) = marked(text)
    assert (rule, token, is_unread) == ("catalogue_bad_tool", '"1"', False)
    assert [tool.is_sound for tool in read_catalogue(text).tools] == [False, True]


@pytest.mark.parametrize("end", range(1, 90))
def test_a_half_typed_catalogue_is_read_as_far_as_it_goes(end: int) -> None:
    text = '{"tools": [{"name": "a", "inputSchema": {"type": "object"}}, {"name": "b", "inputSchema": {}}]}'[:end]
    file = read_catalogue(text)
    assert file.unread
    assert {problem.rule for problem in file.problems} <= {"syntax_error", "catalogue_shape", "catalogue_bad_tool"}
    assert [tool.name for tool in file.tools] == ["a", "b"][: len(file.tools)]


def test_a_catalogue_past_a_limit_is_not_read_completely() -> None:
    deep = '{"tools": [{"name": "a", "inputSchema": ' + '{"not": ' * 600 + "{}" + "}" * 600 + "}]}"
    assert [(p.rule, p.reason) for p in read_catalogue(deep).problems] == [("catalogue_shape", Reason.LIMIT)]
    many = json.dumps([{"name": f"t{i}"} for i in range(MOST_TOOLS + 1)])
    file = read_catalogue(many)
    assert len(file.tools) == MOST_TOOLS
    assert [(p.rule, p.reason) for p in file.problems] == [("catalogue_shape", Reason.LIMIT)]


def test_a_hostile_catalogue_takes_no_time() -> None:
    start = time.monotonic()
    for text in ("[" * 100_000, '{"tools": ' * 50_000, '[{"name": "a"},' * 20_000, '{"a":1,' * 50_000):
        read_catalogue(text)
    assert time.monotonic() - start < 20


# ---- several files ---------------------------------------------------------------------------------------------------


def catalogue(*documents: Any) -> Catalogue:
    sources = (CatalogueSource(f"/c/{i}.json", json.dumps(document)) for i, document in enumerate(documents))
    return Catalogue(tuple(sources))


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("search", "search"),
        ("mcp__web__search", "search"),
        ("mcp__web__deep__search", "deep__search"),
        ("web.search", "search"),
        ("web/search", "search"),
        ("functions.search", "search"),
        ("db.query", "db.query"),
        ("pg.db.query", "db.query"),
        ("a.b.search", None),
        ("research", None),
        ("search.", None),
        (".search", None),
        ("mcp__search", None),
        ("Search", None),
        ("", None),
    ],
)
def test_a_tool_is_found_by_its_name_with_or_without_a_prefix(name: str, found: str | None) -> None:
    tool = catalogue([{"name": "search"}, {"name": "db.query"}, {"name": "query"}, {"name": "deep__search"}]).find(name)
    assert (tool.name if tool is not None else None) == found


def test_a_misspelt_name_keeps_its_prefix() -> None:
    known = catalogue([{"name": "get_weather"}])
    assert [known.nearest(name) for name in ("get_wether", "mcp__x__get_wether", "x.getWeather", "pay")] == [
        "get_weather",
        "mcp__x__get_weather",
        "x.get_weather",
        None,
    ]


def test_a_tool_of_two_files_is_reported_in_the_second() -> None:
    known = catalogue([{"name": "a"}], [{"name": "b"}, {"name": "a", "title": "other"}])
    first, second = known.files
    assert known.problems_of(first) == []
    ((rule, message, span, _, site, _),) = known.problems_of(second)
    assert (rule, message) == (
        "duplicate_tool",
        "The tool `a` is already described in `0.json`, and that one is used: remove one of the two.",
    )
    assert second.tree.text[slice(*span)] == '"a"'
    assert site is not None
    assert (site.path, site.span) == ("/c/0.json", Span(10, 13))
    found = known.find("a")
    assert found is not None
    assert found.title is None


def test_catalogues_are_equal_by_their_texts() -> None:
    one, other = catalogue([{"name": "a"}]), catalogue([{"name": "a"}])
    assert (one, hash(one), one.digest) == (other, hash(other), other.digest)
    assert one != catalogue([{"name": "b"}])
    assert one.digest != catalogue([{"name": "b"}]).digest
    moved = Catalogue((CatalogueSource("/d/0.json", one.sources[0].text),))
    assert moved.digest != one.digest  # results point into the files


@pytest.mark.parametrize(
    ("annotations", "words"),
    [
        (None, ()),
        ({}, ()),
        ({"readOnlyHint": True}, (Family.READ,)),
        ({"readOnlyHint": True, "destructiveHint": True}, (Family.READ,)),
        ({"readOnlyHint": True, "openWorldHint": True}, (Family.READ, Trait.UNTRUSTED)),
        ({"openWorldHint": True}, ()),
        ({"readOnlyHint": False}, ()),
        ({"destructiveHint": True}, (Family.DESTRUCTIVE,)),
        ({"destructiveHint": False}, ()),
    ],
)
def test_annotations_say_what_a_tool_does_and_absent_ones_nothing(annotations: Any, words: tuple[Any, ...]) -> None:
    assert catalogue([{"name": "a", "annotations": annotations}]).hints("x.a") == words
