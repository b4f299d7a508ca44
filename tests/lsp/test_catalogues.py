"""Catalogues of tools in the editor: in force as they are typed, watched, their mistakes shown in them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lsp.test_policies import rules, until_published
from lsp.test_workspace import ACCEPTING
from lsp.wire import PULL, Wire

TOOLS = (
    '{"tools": [\n  {"name": "look", "inputSchema": {"type": "object", "properties": {"x": {"type": "integer"}}}}\n]}\n'
)
OTHER = TOOLS.replace("look", "watch")
PLAN = '{"goal": "g", "steps": [\n  {"id": "a", "tool": "look", "args": {"x": "é1"}}\n]}\n'
FINE = PLAN.replace('"é1"', "1")


@pytest.fixture
def wire() -> Iterator[Wire]:
    with Wire(answers=ACCEPTING) as connected:
        yield connected


def test_a_catalogue_on_disk_is_in_force_and_checked_itself(tmp_path: Path, wire: Wire) -> None:
    (tmp_path / "plancheck.toml").write_text('tools = ["t/*.json", "none/*.json"]\n')
    (tmp_path / "t").mkdir()
    (tmp_path / "t" / "a.json").write_text(TOOLS)
    (tmp_path / "t" / "b.json").write_text(TOOLS)
    (tmp_path / "a.plan.json").write_text(PLAN, encoding="utf-8")
    wire.start({"textDocument": {"publishDiagnostics": {"relatedInformation": True}}}, root=tmp_path)
    plan, first, second = (tmp_path / name for name in ("a.plan.json", "t/a.json", "t/b.json"))
    items = until_published(wire, plan.as_uri(), ["catalogue_fault", "wrong_argument"])
    assert items[1]["range"]["start"] == {"line": 1, "character": 44}
    (related,) = items[1]["relatedInformation"]
    where = {"start": {"line": 1, "character": 74}, "end": {"line": 1, "character": 80}}
    assert related["location"] == {"uri": first.as_uri(), "range": where}
    toml = wire.published((tmp_path / "plancheck.toml").as_uri())
    assert [item["message"] for item in toml] == [
        "No file matches `none/*.json`: name a file that is there, or remove this entry."
    ]
    (item,) = until_published(wire, second.as_uri(), ["duplicate_tool"])
    assert item["relatedInformation"][0]["location"]["uri"] == first.as_uri()


def test_a_catalogue_that_changes_on_disk_checks_open_plans_again(tmp_path: Path, wire: Wire) -> None:
    (tmp_path / "plancheck.toml").write_text('tools = ["tools.json"]\n')
    path = tmp_path / "tools.json"
    path.write_text(TOOLS)
    wire.start(root=tmp_path)
    plan = (tmp_path / "a.plan.json").as_uri()
    wire.open(plan, FINE)
    assert rules(wire.published(plan, 1)) == []
    path.write_text(OTHER)
    wire.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": path.as_uri(), "type": 2}]})
    until_published(wire, plan, ["unknown_tool"])
    path.unlink()
    wire.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": path.as_uri(), "type": 3}]})
    until_published(wire, plan, ["catalogue_fault"])


def test_a_catalogue_is_in_force_while_it_is_typed(tmp_path: Path, wire: Wire) -> None:
    (tmp_path / "plancheck.toml").write_text('tools = ["tools.json"]\n')
    path = tmp_path / "tools.json"
    path.write_text(TOOLS)
    wire.start(root=tmp_path)
    plan, tools = (tmp_path / "a.plan.json").as_uri(), path.as_uri()
    wire.open(plan, FINE)
    assert rules(wire.published(plan, 1)) == []
    wire.open(tools, TOOLS)
    wire.change(tools, 2, {"text": OTHER.replace('"integer"', '"int3ger"')})
    until_published(wire, tools, ["catalogue_bad_tool"])
    until_published(wire, plan, ["unknown_tool"])
    wire.change(tools, 3, {"text": OTHER[:40]})
    until_published(wire, plan, ["catalogue_fault"])
    wire.notify("textDocument/didClose", {"textDocument": {"uri": tools}})
    until_published(wire, plan, [])


def test_an_editor_that_asks(tmp_path: Path, wire: Wire) -> None:
    (tmp_path / "plancheck.toml").write_text('tools = ["tools.json"]\n')
    path = tmp_path / "tools.json"
    path.write_text("5\n")
    wire.start({**PULL, "workspace": {"diagnostics": {"refreshSupport": True}}}, root=tmp_path)
    wire.open(path.as_uri(), "5\n")
    report = wire.pull(path.as_uri())
    assert rules(report["items"]) == ["catalogue_shape"]
    assert wire.pull(path.as_uri(), report["resultId"])["kind"] == "unchanged"
    wire.change(path.as_uri(), 2, {"text": TOOLS})
    assert wire.pull(path.as_uri(), report["resultId"])["items"] == []
    plan = (tmp_path / "a.plan.json").as_uri()
    wire.open(plan, PLAN)
    wire.until(lambda message: message.get("method") == "workspace/diagnostic/refresh")
    assert rules(wire.pull(plan)["items"]) == ["wrong_argument"]


def test_the_editors_settings_name_catalogues(tmp_path: Path, wire: Wire) -> None:
    (tmp_path / "plancheck.toml").write_text('tools = ["tools.json"]\n')
    (tmp_path / "tools.json").write_text(TOOLS)
    (tmp_path / "mine.json").write_text(OTHER)
    wire.start(root=tmp_path, options={"tools": ["mine.json"]})
    plan = (tmp_path / "a.plan.json").as_uri()
    wire.open(plan, FINE)
    until_published(wire, plan, ["unknown_tool"])


def test_another_json_file_is_nobodys_business(tmp_path: Path, wire: Wire) -> None:
    (tmp_path / "plancheck.toml").write_text('tools = ["tools.json"]\n')
    (tmp_path / "tools.json").write_text(TOOLS)
    wire.start(root=tmp_path)
    other = (tmp_path / "package.json").as_uri()
    wire.open(other, json.dumps({"tools": [5]}))
    assert wire.published(other, 1) == []


# ---- ways between plans and catalogues -------------------------------------------------------------------------------

CAPABLE = {
    "textDocument": {
        "signatureHelp": {"signatureInformation": {"parameterInformation": {"labelOffsetSupport": True}}},
        "completion": {"completionItem": {"snippetSupport": True}},
    }
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "plancheck.toml").write_text('tools = ["tools.json"]\n')
    (tmp_path / "tools.json").write_text(TOOLS)
    (tmp_path / "a.plan.json").write_text(FINE)
    (tmp_path / "b.plan.json").write_text(FINE.replace('"look"', '"mcp__eyes__look"'))
    (tmp_path / "c.plan.json").write_text(FINE.replace('"look"', '"other"'))
    return tmp_path


def asked(wire: Wire, method: str, path: Path, line: int, character: int, **more: object) -> Any:
    at = {"line": line, "character": character}
    return wire.request(f"textDocument/{method}", {"textDocument": {"uri": path.as_uri()}, "position": at, **more})


def place(path: Path, line: int, start: int, end: int) -> dict[str, Any]:
    ends = {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}}
    return {"uri": path.as_uri(), "range": ends}


def test_from_a_plan_into_its_catalogue_and_back(folder: Path, wire: Wire) -> None:
    wire.start(CAPABLE, root=folder)
    plan, other, tools = (folder / name for name in ("a.plan.json", "b.plan.json", "tools.json"))
    wire.open(plan.as_uri(), f"\n{FINE}")
    name = place(tools, 1, 11, 17)
    assert asked(wire, "definition", plan, 2, 24) == [name]
    assert asked(wire, "definition", plan, 2, 41) == [place(tools, 1, 68, 71)]
    calls = [place(plan, 2, 22, 28), place(other, 1, 22, 39)]
    with_it, without = ({"includeDeclaration": word} for word in (True, False))
    assert asked(wire, "references", plan, 2, 24, context=with_it) == [name, *calls]
    assert asked(wire, "references", plan, 2, 24, context=without) == calls
    wire.open(tools.as_uri(), TOOLS)
    assert asked(wire, "references", tools, 1, 13, context=with_it) == [name, *calls]
    assert asked(wire, "definition", tools, 1, 13) == [name]
    assert asked(wire, "references", tools, 0, 1, context=with_it) is None


def test_a_lens_above_each_tool_counts_the_plans(folder: Path, wire: Wire) -> None:
    wire.start(CAPABLE, root=folder)
    tools, plan = folder / "tools.json", folder / "c.plan.json"
    wire.open(tools.as_uri(), TOOLS)

    def lenses() -> list[tuple[str, Any]]:
        found = wire.request("textDocument/codeLens", {"textDocument": {"uri": tools.as_uri()}})
        return [(lens["command"]["title"], lens["command"]["arguments"]) for lens in found]

    name = {"line": 1, "character": 11}
    assert lenses() == [("used by 2 plans", [tools.as_uri(), name])]
    wire.open(plan.as_uri(), FINE)
    assert lenses() == [("used by 3 plans", [tools.as_uri(), name])]
    wire.change(tools.as_uri(), 2, {"text": OTHER})
    assert lenses() == [("not used by any plan", [tools.as_uri(), name])]


def test_what_a_tool_takes_while_it_is_typed(folder: Path, wire: Wire) -> None:
    wire.start(CAPABLE, root=folder)
    plan = folder / "a.plan.json"
    wire.open(plan.as_uri(), FINE)
    assert asked(wire, "signatureHelp", plan, 1, 39) == {
        "signatures": [{"label": "look(x?: integer)", "parameters": [{"label": [5, 16]}]}],
        "activeSignature": 0,
    }
    help_in_value = asked(wire, "signatureHelp", plan, 1, 44)
    assert (help_in_value["activeParameter"], help_in_value["signatures"][0]["activeParameter"]) == (0, 0)
    assert asked(wire, "signatureHelp", plan, 1, 3) is None
    wire.change(plan.as_uri(), 2, {"text": FINE.replace('"x": 1', "")})
    (item,) = asked(wire, "completion", plan, 1, 39)["items"]
    assert (item["label"], item["detail"], item["textEdit"]["newText"]) == ("x", "integer", '"x": ${1:0}')
    assert "| `x` | integer |  |" in asked(wire, "hover", plan, 1, 24)["contents"]["value"]


def test_parameters_by_their_text_for_an_editor_that_wants_that(folder: Path, wire: Wire) -> None:
    wire.start(root=folder)
    plan = folder / "a.plan.json"
    wire.open(plan.as_uri(), FINE)
    found = asked(wire, "signatureHelp", plan, 1, 44)
    assert found["signatures"][0]["parameters"] == [{"label": "x?: integer"}]
