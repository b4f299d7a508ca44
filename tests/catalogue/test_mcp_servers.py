"""Real servers of the Model Context Protocol: their own lists of tools, as they send them, and plans against these."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from plancheck import check_text
from plancheck.catalogue.model import Catalogue, CatalogueSource

SERVERS = Path(__file__).parents[2] / ".cache/mcp/node_modules/.bin"
ARGUMENTS = {"filesystem": ["."], "memory": [], "everything": []}
HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "plancheck-tests", "version": "0"},
}


def listed_tools(server: str) -> str:
    """The answer to `tools/list`, as it came."""
    command = SERVERS / f"mcp-server-{server}"
    assert command.exists(), "run `make mcp`"
    with subprocess.Popen(
        [command, *ARGUMENTS[server]],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for message in (
            {"id": 1, "method": "initialize", "params": HELLO},
            {"method": "notifications/initialized"},
            {"id": 2, "method": "tools/list"},
        ):
            process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        process.stdin.flush()
        try:
            return next(line for line in process.stdout if json.loads(line).get("id") == 2)
        finally:
            process.terminate()


@cache
def catalogue_of(server: str) -> Catalogue:
    return Catalogue((CatalogueSource(f"/{server}.tools.json", listed_tools(server)),))


CASES: dict[str, list[tuple[str, str | None, list[tuple[str, str]]]]] = {
    "filesystem": [
        ("read_text_file", '{"path": "a.txt"}', []),
        ("read_text_file", '{"path": "a.txt", "head": 5}', []),
        ("read_text_file", '{"path": "a.txt", "head": 5.0, "tail": 1}', []),
        ("read_text_file", '{"path": "a.txt", "head": "5"}', [("wrong_argument", '"5"')]),
        ("read_text_file", '{"path": ["a.txt"]}', [("wrong_argument", "[")]),
        ("read_text_file", '{"path": null}', [("wrong_argument", "null")]),
        ("read_text_file", "{}", [("missing_argument", '"read_text_file"')]),
        ("read_text_file", None, [("missing_argument", '"read_text_file"')]),
        ("read_text_file", '{"pth": "a.txt"}', [("unknown_argument", '"pth"')]),
        ("read_text_file", '{"path": "a.txt", "encoding": "utf-8"}', [("unknown_argument", '"encoding"')]),
        ("read_txt_file", '{"path": "a.txt"}', [("unknown_tool", '"read_txt_file"')]),
        ("delete_everything", "{}", [("unknown_tool", '"delete_everything"')]),
        ("mcp__files__read_text_file", '{"path": "a.txt"}', []),
        ("files.read_text_file", '{"path": 7}', [("wrong_argument", "7")]),
        ("functions.read_text_file", '{"path": "a"}', []),
        ("read_multiple_files", '{"paths": ["a", "b"]}', []),
        ("read_multiple_files", '{"paths": []}', [("wrong_argument", "[")]),
        ("read_multiple_files", '{"paths": "a"}', [("wrong_argument", '"a"')]),
        ("read_multiple_files", '{"paths": ["a", 2]}', [("wrong_argument", "2")]),
        ("write_file", '{"path": "a", "content": "b"}', []),
        ("write_file", '{"path": "a"}', [("missing_argument", '"write_file"')]),
        ("write_file", '{"path": "a", "content": {"b": 1}}', [("wrong_argument", "{")]),
        ("edit_file", '{"path": "a", "edits": [{"oldText": "x", "newText": "y"}]}', []),
        ("edit_file", '{"path": "a", "edits": [{"oldText": "x"}]}', [("missing_argument", "{")]),
        ("edit_file", '{"path": "a", "edits": [], "dryRun": "yes"}', [("wrong_argument", '"yes"')]),
        ("list_directory_with_sizes", '{"path": ".", "sortBy": "size"}', []),
        ("list_directory_with_sizes", '{"path": ".", "sortBy": "date"}', [("wrong_argument", '"date"')]),
        ("move_file", '{"source": "a", "destination": "b"}', []),
        (
            "move_file",
            '{"source": "a", "target": "b"}',
            [("missing_argument", '"move_file"'), ("unknown_argument", '"target"')],
        ),
        ("list_allowed_directories", None, []),
    ],
    "memory": [
        ("read_graph", None, []),
        ("read_graph", "{}", []),
        ("read_graph", '{"depth": 2}', [("unknown_argument", '"depth"')]),
        ("read_grph", None, [("unknown_tool", '"read_grph"')]),
        ("search_nodes", '{"query": "Ada"}', []),
        ("search_nodes", '{"query": ""}', []),
        ("search_nodes", '{"query": 5}', [("wrong_argument", "5")]),
        ("search_nodes", '{"q": "Ada"}', [("missing_argument", '"search_nodes"'), ("unknown_argument", '"q"')]),
        ("search_nodes", "{}", [("missing_argument", '"search_nodes"')]),
        ("open_nodes", '{"names": ["Ada"]}', []),
        ("open_nodes", '{"names": "Ada"}', [("wrong_argument", '"Ada"')]),
        ("open_nodes", '{"names": ["Ada", null]}', [("wrong_argument", "null")]),
        ("open_nodes", '{"name": ["Ada"]}', [("unknown_argument", '"name"')]),
        ("create_entities", '{"entities": []}', []),
        ("create_entities", '{"entities": [{"name": "Ada", "entityType": "person", "observations": []}]}', []),
        ("create_entities", '{"entities": [{"name": "Ada", "entityType": "person"}]}', [("missing_argument", "{")]),
        (
            "create_entities",
            '{"entities": [{"name": 1, "entityType": "person", "observations": []}]}',
            [("wrong_argument", "1")],
        ),
        ("create_entities", '{"entities": ["Ada"]}', [("wrong_argument", '"Ada"')]),
        ("create_entities", '{"entities": {}}', [("wrong_argument", "{")]),
        ("create_entities", "{}", [("missing_argument", '"create_entities"')]),
        ("create_relations", '{"relations": [{"from": "a", "to": "b", "relationType": "knows"}]}', []),
        ("create_relations", '{"relations": [{"from": "a", "to": "b"}]}', [("missing_argument", "{")]),
        (
            "create_relations",
            '{"relations": [{"from": "a", "to": "b", "relationtype": "knows"}]}',
            [("unknown_argument", '"relationtype"')],
        ),
        ("add_observations", '{"observations": [{"entityName": "a", "contents": ["x"]}]}', []),
        ("add_observations", '{"observations": [{"entityName": "a", "contents": "x"}]}', [("wrong_argument", '"x"')]),
        ("delete_entities", '{"entityNames": ["a"]}', []),
        ("delete_entities", '{"entitynames": ["a"]}', [("unknown_argument", '"entitynames"')]),
        ("delete_entities", '{"entityNames": [["a"]]}', [("wrong_argument", "[")]),
        ("delete_relations", '{"relations": [5]}', [("wrong_argument", "5")]),
        ("memory/delete_relations", '{"relations": []}', []),
    ],
    "everything": [
        ("echo", '{"message": "hi"}', []),
        ("echo", '{"message": 5}', [("wrong_argument", "5")]),
        ("echo", '{"mesage": "hi"}', [("unknown_argument", '"mesage"')]),
        ("echo", "{}", [("missing_argument", '"echo"')]),
        ("ehco", '{"message": "hi"}', [("unknown_tool", '"ehco"')]),
        ("get-annotated-message", '{"messageType": "error"}', []),
        ("get-annotated-message", '{"messageType": "warning"}', [("wrong_argument", '"warning"')]),
        ("get-annotated-message", '{"messageType": "error", "includeImage": true}', []),
        (
            "get-annotated-message",
            '{"messageType": "error", "includeImage": "true"}',
            [("wrong_argument", '"true"')],
        ),
        ("get-annotated-message", '{"includeImage": false}', [("missing_argument", '"get-annotated-message"')]),
        ("get-env", None, []),
        ("get-env", '{"name": "HOME"}', [("unknown_argument", '"name"')]),
        ("get-resource-links", None, []),
        ("get-resource-links", '{"count": 3}', []),
        ("get-resource-links", '{"count": 0}', [("wrong_argument", "0")]),
        ("get-resource-links", '{"count": 11}', [("wrong_argument", "11")]),
        ("get-resource-links", '{"count": "3"}', [("wrong_argument", '"3"')]),
        ("get-resource-reference", '{"resourceType": "Blob", "resourceId": 1}', []),
        ("get-resource-reference", '{"resourceType": "blob"}', [("wrong_argument", '"blob"')]),
        ("get-structured-content", '{"location": "Chicago"}', []),
        ("get-structured-content", '{"location": "Bern"}', [("wrong_argument", '"Bern"')]),
        ("get-sum", '{"a": 1, "b": 2.5}', []),
        ("get-sum", '{"a": 1}', [("missing_argument", '"get-sum"')]),
        ("get-sum", '{"a": true, "b": 2}', [("wrong_argument", "true")]),
        ("get-sum", '{"a": 1, "b": 2, "c": 3}', [("unknown_argument", '"c"')]),
        ("get-tiny-image", None, []),
        ("trigger-long-running-operation", '{"duration": 1, "steps": 2}', []),
        ("trigger-long-running-operation", '{"duration": [1]}', [("wrong_argument", "[")]),
        ("simulate-research-query", '{"topic": "tides", "ambiguous": 1}', [("wrong_argument", "1")]),
        ("mcp__everything__get-sum", '{"a": "1", "b": 2}', [("wrong_argument", '"1"')]),
    ],
}


def cases() -> Iterator[Any]:
    for server, plans in CASES.items():
        for number, (tool, arguments, expected) in enumerate(plans):
            yield pytest.param(server, tool, arguments, expected, id=f"{server} {number} {tool}")


def test_there_are_thirty_plans_for_each_server() -> None:
    assert {server: len(plans) for server, plans in CASES.items()} == dict.fromkeys(ARGUMENTS, 30)


@pytest.mark.parametrize("server", ARGUMENTS)
def test_the_list_of_a_server_is_read_without_a_complaint(server: str) -> None:
    catalogue = catalogue_of(server)
    (file,) = catalogue.files
    assert catalogue.problems_of(file) == []
    sent = json.loads(catalogue.sources[0].text)["result"]["tools"]
    assert list(catalogue.tools) == [tool["name"] for tool in sent]


@pytest.mark.parametrize(("server", "tool", "arguments", "expected"), [*cases()])
def test_a_plan_against_the_tools_of_a_server(
    server: str, tool: str, arguments: str | None, expected: list[tuple[str, str]]
) -> None:
    given = "" if arguments is None else f', "args": {arguments}'
    text = f'[{{"tool_name": {json.dumps(tool)}{given}}}]'
    result = check_text(text, tools=catalogue_of(server), fixes=False)
    found = [(finding.rule, text[finding.start : finding.end]) for finding in result.findings]
    assert sorted(found) == sorted(expected)
    assert result.unchecked == ()
