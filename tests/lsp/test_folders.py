"""Several folders in one workspace, each with the settings that the editor has for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lsp.plans import FAULTY
from lsp.test_workspace import ACCEPTING, CONFIGURABLE, pull_workspace
from lsp.wire import Wire

SEVERITIES = {"error": 1, "warning": 2, "info": 3, "hint": 4}


class Editor:
    """An editor with several folders, which answers for each of them what the user set there."""

    def __init__(self, folders: list[Path], settings: dict[str, Any]) -> None:
        self.folders = [{"uri": folder.as_uri(), "name": folder.name} for folder in folders]
        self.settings = settings
        """By the URI of a folder; under the empty one for what lies outside of all."""
        self.wire = Wire(answers={**ACCEPTING, "workspace/configuration": self._configuration})

    def _configuration(self, params: Any) -> list[Any]:
        return [self.settings.get(item.get("scopeUri") or "", {}) for item in params["items"]]

    def start(self) -> Wire:
        params = {"processId": None, "rootUri": None, "capabilities": CONFIGURABLE, "workspaceFolders": self.folders}
        self.wire.request("initialize", params, timeout=60)
        self.wire.notify("initialized", {})
        return self.wire


def severities(items: list[dict[str, Any]]) -> set[int]:
    return {item["severity"] for item in items if item["code"] == "scope_vs_snapshot"}


@pytest.fixture
def places(tmp_path: Path) -> dict[str, Path]:
    """Two folders, one inside the second, and one that belongs to no workspace: each with a plan that is not open."""
    found = {name: tmp_path / name for name in ("one", "two", "outside")} | {"inner": tmp_path / "two" / "inner"}
    for folder in found.values():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "disk.plan.json").write_text(FAULTY)
    return found


def rule(severity: str) -> dict[str, Any]:
    return {"rules": {"scope_vs_snapshot": severity}}


def test_each_folder_has_its_own_settings(places: dict[str, Path]) -> None:
    words = {"one": "error", "two": "off", "inner": "info", "outside": "hint"}
    settings = {places[name].as_uri(): rule(word) for name, word in words.items() if name != "outside"}
    editor = Editor([places["one"], places["two"], places["inner"]], {**settings, "": rule(words["outside"])})
    with editor.wire:
        wire = editor.start()
        on_disk = pull_workspace(wire)
        for name, word in words.items():
            expected = {SEVERITIES[word]} if word != "off" else set()
            uri = (places[name] / "open.plan.json").as_uri()
            wire.open(uri, FAULTY)
            assert severities(wire.pull(uri)["items"]) == expected, name
            if name != "outside":
                assert severities(on_disk[(places[name] / "disk.plan.json").as_uri()]["items"]) == expected, name


def test_settings_that_change_in_one_folder_leave_the_other_as_it_is(places: dict[str, Path]) -> None:
    one, two = places["one"], places["two"]
    editor = Editor([one, two], {one.as_uri(): rule("error"), two.as_uri(): rule("hint")})
    uris = [(folder / "open.plan.json").as_uri() for folder in (one, two)]
    with editor.wire:
        wire = editor.start()
        for uri in uris:
            wire.open(uri, FAULTY)
        assert [severities(wire.pull(uri)["items"]) for uri in uris] == [{1}, {4}]
        editor.settings[two.as_uri()] = rule("off")
        wire.notify("workspace/didChangeConfiguration", {"settings": None})
        wire.until(lambda m: m.get("method") == "workspace/diagnostic/refresh")
        assert [severities(wire.pull(uri)["items"]) for uri in uris] == [{1}, set()]


def test_which_files_are_plans_is_set_for_each_folder(places: dict[str, Path]) -> None:
    one, two = places["one"], places["two"]
    for folder in (one, two):
        (folder / "flow.agent.json").write_text(FAULTY)
    editor = Editor([one, two], {one.as_uri(): {"include": ["**/*.agent.json"]}})
    with editor.wire:
        reports = pull_workspace(editor.start())
        assert reports[(one / "flow.agent.json").as_uri()]["items"]
        assert (two / "flow.agent.json").as_uri() not in reports


def test_a_folder_that_is_added_brings_its_settings_and_takes_them_along(places: dict[str, Path]) -> None:
    one, two = places["one"], places["two"]
    editor = Editor([one], {one.as_uri(): rule("error"), two.as_uri(): rule("off"), "": rule("hint")})
    uri = (two / "open.plan.json").as_uri()
    added = [{"uri": two.as_uri(), "name": "two"}]
    with editor.wire:
        wire = editor.start()
        wire.open(uri, FAULTY)
        assert severities(wire.pull(uri)["items"]) == {4}
        wire.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": added, "removed": []}})
        wire.until(lambda m: m.get("method") == "workspace/diagnostic/refresh")
        assert severities(wire.pull(uri)["items"]) == set()
        wire.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": added}})
        wire.until(lambda m: m.get("method") == "workspace/diagnostic/refresh")
        assert severities(wire.pull(uri)["items"]) == {4}
