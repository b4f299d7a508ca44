"""Configurations that extend another file, in the editor: watched, read again, their mistakes shown where they are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lsp.plans import FAULTY
from lsp.test_workspace import ACCEPTING, CONFIGURABLE, changed
from lsp.wire import Wire

WATCHING = {**CONFIGURABLE, "workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}}


@pytest.fixture
def wire() -> Iterator[Wire]:
    with Wire(answers=ACCEPTING) as connected:
        yield connected


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A workspace whose configuration extends one outside of it."""
    root = tmp_path / "root"
    root.mkdir()
    (tmp_path / "base.toml").write_text('[rules]\nscope_vs_snapshot = "off"\n')
    (root / "plancheck.toml").write_text('extend = "../base.toml"\n')
    return root


def codes(items: list[dict[str, Any]]) -> set[str]:
    return {str(item.get("code")) for item in items}


def until(wire: Wire, uri: str, has: bool) -> None:
    """Until the plan's diagnostics have the rule that the other file switches off, or have it not."""
    while ("scope_vs_snapshot" in codes(wire.published(uri))) is not has:
        pass


def test_plans_are_checked_again_when_the_extended_file_changes(folder: Path, wire: Wire) -> None:
    base, plan = folder.parent / "base.toml", (folder / "a.plan.json").as_uri()
    wire.start({}, folder)
    wire.open(plan, FAULTY)
    assert "scope_vs_snapshot" not in codes(wire.published(plan, 1))
    base.write_text('[rules]\nscope_vs_snapshot = "warning"\n')
    changed(wire, base, 2)
    until(wire, plan, True)
    base.unlink()
    changed(wire, base, 3)
    own = (folder / "plancheck.toml").as_uri()
    while not (problems := wire.published(own)):
        pass
    assert [problem["message"] for problem in problems] == [
        "`extend` cannot be followed: there is no such file or folder."
    ]
    base.write_text('[rules]\nscope_vs_snapshot = "off"\n')
    changed(wire, base, 1)
    until(wire, plan, False)


def test_a_file_that_is_saved_in_an_editor_without_watchers_is_read_again(folder: Path, wire: Wire) -> None:
    base, plan = folder.parent / "base.toml", (folder / "a.plan.json").as_uri()
    wire.start({}, folder)
    wire.open(plan, FAULTY)
    assert "scope_vs_snapshot" not in codes(wire.published(plan, 1))
    base.write_text("")
    wire.notify("textDocument/didSave", {"textDocument": {"uri": base.as_uri()}})
    until(wire, plan, True)


def test_the_extended_file_is_watched(folder: Path, wire: Wire) -> None:
    wire.start(WATCHING, folder)
    asked = wire.until(lambda message: message.get("method") == "client/registerCapability")
    globs = [watcher["globPattern"] for watcher in asked["params"]["registrations"][0]["registerOptions"]["watchers"]]
    assert "**/base.toml" in globs


def test_mistakes_are_shown_in_the_file_that_has_them(folder: Path, wire: Wire) -> None:
    base = folder.parent / "base.toml"
    base.write_text('profil = "strict"\n')
    (folder / "a.plan.json").write_text(FAULTY)
    wire.start({}, folder)
    (problem,) = wire.published(base.as_uri())
    assert "did you mean `profile`?" in problem["message"]
    wire.open(base.as_uri(), 'profile = "loud"\n')
    (problem,) = wire.published(base.as_uri(), 1)
    assert '"recommended"' in problem["message"]


def test_where_it_leads_is_checked_while_it_is_typed(folder: Path, wire: Wire) -> None:
    own = folder / "plancheck.toml"
    wire.start({}, folder)
    wire.open(own.as_uri(), 'extend = "../base.toml"\n')
    assert wire.published(own.as_uri(), 1) == []
    wire.change(own.as_uri(), 2, {"text": 'extend = "../bas.toml"\n'})
    (problem,) = wire.published(own.as_uri(), 2)
    assert problem["range"] == {"start": {"line": 0, "character": 9}, "end": {"line": 0, "character": 22}}


def test_the_extended_file_is_completed_and_explained_like_any_other(folder: Path, wire: Wire) -> None:
    base = (folder.parent / "base.toml").as_uri()
    (folder / "a.plan.json").write_text(FAULTY)
    wire.start({}, folder)
    wire.published((folder / "a.plan.json").as_uri())
    wire.open(base, 'fail-on = "warning"\next')
    place = {"textDocument": {"uri": base}, "position": {"line": 1, "character": 3}}
    items = wire.request("textDocument/completion", place)
    assert "extend" in [item["label"] for item in (items["items"] if isinstance(items, dict) else items)]
    wire.change(base, 2, {"text": 'fail-on = "warning"\n'})
    hover = wire.request("textDocument/hover", {**place, "position": {"line": 0, "character": 2}})
    assert "From which severity on" in str(hover["contents"])
