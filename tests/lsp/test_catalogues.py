"""Catalogues of tools in the editor: in force as they are typed, watched, their mistakes shown in them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

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
        "No file fits `none/*.json`: name a file that is there, or remove this entry."
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
