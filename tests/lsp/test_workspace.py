"""Folders, files and settings: what is not open, what changes on disk, what the user sets."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lsp.plans import FAULTY, HEALTHY
from lsp.wire import PULL, Wire

CONFIGURABLE: dict[str, Any] = {
    **PULL,
    "workspace": {
        "configuration": True,
        "didChangeConfiguration": {"dynamicRegistration": True},
        "didChangeWatchedFiles": {"dynamicRegistration": True},
        "diagnostics": {"refreshSupport": True},
        "inlayHint": {"refreshSupport": True},
        "codeLens": {"refreshSupport": True},
        "applyEdit": True,
        "workspaceEdit": {"documentChanges": True},
    },
    "window": {"workDoneProgress": True},
}


def nothing(_: Any) -> None:
    return None


ACCEPTING: dict[str, Callable[[Any], Any]] = dict.fromkeys(
    (
        "client/registerCapability",
        "client/unregisterCapability",
        "workspace/diagnostic/refresh",
        "workspace/inlayHint/refresh",
        "workspace/codeLens/refresh",
        "window/workDoneProgress/create",
    ),
    nothing,
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A workspace with a faulty plan, a healthy one, one that git ignores, and one that is not UTF-8."""
    (tmp_path / "plans").mkdir()
    (tmp_path / "plans" / "bad.plan.json").write_text(FAULTY)
    (tmp_path / "plans" / "good.plan.json").write_text(HEALTHY)
    (tmp_path / "plans" / "broken.plan.json").write_bytes(b'{"nodes": ["\xff\xfe"]}')
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "old.plan.json").write_text(FAULTY)
    (tmp_path / ".gitignore").write_text("build/\n")
    return tmp_path


def uri(folder: Path, name: str) -> str:
    return (folder / "plans" / f"{name}.plan.json").as_uri()


def pull_workspace(wire: Wire, previous: dict[str, str] | None = None) -> dict[str, dict[str, Any]]:
    ids = [{"uri": uri, "value": value} for uri, value in (previous or {}).items()]
    report = wire.request("workspace/diagnostic", {"previousResultIds": ids})
    return {item["uri"]: item for item in report["items"]}


def changed(wire: Wire, path: Path, kind: int) -> None:
    wire.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": path.as_uri(), "type": kind}]})


# ---- plans that are not open


def test_unopened_plans_are_reported_to_those_who_ask(folder: Path) -> None:
    with Wire() as wire:
        wire.start(PULL, folder)
        reports = pull_workspace(wire)
        assert reports.keys() == {uri(folder, "bad"), uri(folder, "good"), uri(folder, "broken")}
        assert {item["code"] for item in reports[uri(folder, "bad")]["items"]} >= {"scope_vs_snapshot"}
        assert reports[uri(folder, "good")]["items"] == []
        (unreadable,) = reports[uri(folder, "broken")]["items"]
        assert "not UTF-8" in unreadable["message"]


def test_only_what_changed_is_reported_again(folder: Path) -> None:
    with Wire() as wire:
        wire.start(PULL, folder)
        ids = {uri: report["resultId"] for uri, report in pull_workspace(wire).items()}
        assert {report["kind"] for report in pull_workspace(wire, ids).values()} == {"unchanged"}
        (folder / "plans" / "bad.plan.json").write_text(HEALTHY)
        changed(wire, folder / "plans" / "bad.plan.json", 2)
        reports = pull_workspace(wire, ids)
        assert reports[uri(folder, "bad")]["items"] == []
        assert reports[uri(folder, "good")]["kind"] == "unchanged"


def test_a_deleted_plan_takes_its_diagnostics_along(folder: Path) -> None:
    with Wire() as wire:
        wire.start(PULL, folder)
        ids = {uri: report["resultId"] for uri, report in pull_workspace(wire).items()}
        (folder / "plans" / "bad.plan.json").rename(folder / "plans" / "new.plan.json")
        changed(wire, folder / "plans" / "bad.plan.json", 3)
        changed(wire, folder / "plans" / "new.plan.json", 1)
        reports = pull_workspace(wire, ids)
        assert reports[uri(folder, "bad")]["items"] == []
        assert reports[uri(folder, "new")]["items"]


def test_an_open_plan_is_reported_as_it_is_in_the_editor(folder: Path) -> None:
    with Wire() as wire:
        wire.start(PULL, folder)
        wire.open(uri(folder, "bad"), HEALTHY, version=4)
        report = pull_workspace(wire)[uri(folder, "bad")]
        assert (report["version"], report["items"]) == (4, [])


def test_unopened_plans_are_published_to_those_who_do_not_ask(folder: Path) -> None:
    with Wire() as wire:
        wire.start({}, folder)
        assert wire.published(uri(folder, "bad"))
        (folder / "plans" / "bad.plan.json").unlink()
        changed(wire, folder / "plans" / "bad.plan.json", 3)
        assert wire.published(uri(folder, "bad")) == []


def test_what_did_not_change_is_not_published_again(folder: Path) -> None:
    with Wire() as wire:
        wire.start({}, folder)
        wire.quiet(1)
        before = len(wire.log)
        changed(wire, folder / "plans" / "good.plan.json", 2)
        wire.quiet(1)
        assert not [m for m in wire.log[before:] if m.get("method") == "textDocument/publishDiagnostics"]


def test_a_closed_plan_shows_what_is_on_disk_again(folder: Path) -> None:
    with Wire() as wire:
        wire.start({}, folder)
        wire.published(uri(folder, "bad"))
        wire.open(uri(folder, "bad"), HEALTHY, version=1)
        assert wire.published(uri(folder, "bad"), 1) == []
        wire.notify("textDocument/didClose", {"textDocument": {"uri": uri(folder, "bad")}})
        assert wire.published(uri(folder, "bad")) == []
        assert wire.published(uri(folder, "bad"))


def test_a_scan_shows_its_progress_and_can_be_cancelled(tmp_path: Path) -> None:
    for number in range(300):
        (tmp_path / f"{number:03}.plan.json").write_text(FAULTY)
    with Wire(answers=ACCEPTING) as wire:
        wire.start({"window": {"workDoneProgress": True}}, tmp_path)
        begin = wire.until(lambda m: m.get("method") == "$/progress")
        assert begin["params"]["value"]["kind"] == "begin"
        assert begin["params"]["value"]["cancellable"] is True
        wire.notify("window/workDoneProgress/cancel", {"token": begin["params"]["token"]})
        wire.until(lambda m: m.get("method") == "$/progress" and m["params"]["value"]["kind"] == "end")
        wire.quiet()
        published = {m["params"]["uri"] for m in wire.log if m.get("method") == "textDocument/publishDiagnostics"}
        assert len(published) < 300


def test_a_workspace_pull_reports_its_progress(tmp_path: Path) -> None:
    (tmp_path / "a.plan.json").write_text(FAULTY)
    with Wire() as wire:
        wire.start(PULL, tmp_path)
        wire.request("workspace/diagnostic", {"previousResultIds": [], "workDoneToken": "mine"})
        kinds = [m["params"]["value"]["kind"] for m in wire.log if m.get("method") == "$/progress"]
        assert (kinds[0], kinds[-1]) == ("begin", "end")


def test_workspace_symbols_cover_open_and_unopened_plans(folder: Path) -> None:
    with Wire() as wire:
        wire.start(PULL, folder)
        wire.open(uri(folder, "good"), HEALTHY)
        found = wire.request("workspace/symbol", {"query": "fraud"})
        assert {symbol["location"]["uri"] for symbol in found} == {uri(folder, "bad"), uri(folder, "good")}


def test_several_folders_each_with_its_own_configuration(tmp_path: Path) -> None:
    for name, severity in (("one", "off"), ("two", "error")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "x.plan.json").write_text(FAULTY)
        (tmp_path / name / "plancheck.toml").write_text(f'[rules]\nscope_vs_snapshot = "{severity}"\n')
    with Wire() as wire:
        wire.start(PULL, tmp_path / "one")
        added = [{"uri": (tmp_path / "two").as_uri(), "name": "two"}]
        wire.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": added, "removed": []}})
        reports = pull_workspace(wire)

        def severities(name: str) -> set[int]:
            items = reports[(tmp_path / name / "x.plan.json").as_uri()]["items"]
            return {item["severity"] for item in items if item["code"] == "scope_vs_snapshot"}

        assert (severities("one"), severities("two")) == (set(), {1})
        wire.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": added}})
        assert pull_workspace(wire)[(tmp_path / "two" / "x.plan.json").as_uri()]["items"] == []
        assert (tmp_path / "two" / "x.plan.json").as_uri() not in pull_workspace(wire)


# ---- configuration files


def test_a_configuration_file_is_applied_at_once(folder: Path) -> None:
    with Wire(answers={**ACCEPTING, "workspace/configuration": lambda p: [None] * len(p["items"])}) as wire:
        wire.start(CONFIGURABLE, folder)
        wire.open(uri(folder, "bad"), FAULTY)
        before = wire.pull(uri(folder, "bad"))
        assert any(item["code"] == "scope_vs_snapshot" for item in before["items"])
        (folder / "plancheck.toml").write_text('[rules]\nscope_vs_snapshot = "off"\n')
        changed(wire, folder / "plancheck.toml", 1)
        for method in ("workspace/diagnostic/refresh", "workspace/inlayHint/refresh", "workspace/codeLens/refresh"):
            wire.until(lambda m, method=method: m.get("method") == method)  # type: ignore[misc]
        after = wire.pull(uri(folder, "bad"), before["resultId"])
        assert after["kind"] == "full"
        assert not any(item["code"] == "scope_vs_snapshot" for item in after["items"])
        watched = [
            watcher["globPattern"]
            for message in wire.log
            if message.get("method") == "client/registerCapability"
            for registration in message["params"]["registrations"]
            for watcher in registration["registerOptions"].get("watchers", ())
        ]
        assert {"**/plancheck.toml", "**/pyproject.toml", "**/*.plan.json"} <= set(watched)


def test_a_configuration_saved_in_an_editor_without_watchers_is_applied_too(folder: Path) -> None:
    with Wire() as wire:
        wire.start({}, folder)
        wire.open(uri(folder, "bad"), FAULTY)
        assert any(item["code"] == "scope_vs_snapshot" for item in wire.published(uri(folder, "bad"), 1))
        (folder / "plancheck.toml").write_text('[rules]\nscope_vs_snapshot = "off"\n')
        wire.notify("textDocument/didSave", {"textDocument": {"uri": (folder / "plancheck.toml").as_uri()}})
        assert not any(item["code"] == "scope_vs_snapshot" for item in wire.published(uri(folder, "bad"), 1))


BROKEN = '[rules]\nscope_vs_snapshot = "off"\nscope_vs_snapsht = "off"\nunknown_kind = "loud"\n'


def test_a_broken_configuration_is_shown_in_its_file_and_the_rest_applies(folder: Path) -> None:
    (folder / "plancheck.toml").write_text(BROKEN)
    config = (folder / "plancheck.toml").as_uri()
    with Wire() as wire:
        wire.start(PULL, folder)
        reports = pull_workspace(wire)
        places = [(item["range"]["start"], item["range"]["end"]) for item in reports[config]["items"]]
        assert places == [
            ({"line": 2, "character": 0}, {"line": 2, "character": 16}),
            ({"line": 3, "character": 15}, {"line": 3, "character": 21}),
        ]
        codes = {item["code"] for item in reports[uri(folder, "bad")]["items"]}
        assert "scope_vs_snapshot" not in codes
        assert codes
        (folder / "plancheck.toml").write_text('[rules]\nunknown_kind = "hint"\n')
        changed(wire, folder / "plancheck.toml", 2)
        assert pull_workspace(wire)[config]["items"] == []


def test_a_broken_configuration_is_published_and_taken_back(folder: Path) -> None:
    (folder / "plancheck.toml").write_text(BROKEN)
    config = (folder / "plancheck.toml").as_uri()
    with Wire() as wire:
        wire.start({}, folder)
        assert len(wire.published(config)) == 2
        (folder / "plancheck.toml").unlink()
        changed(wire, folder / "plancheck.toml", 3)
        assert wire.published(config) == []


def test_an_open_configuration_file_shows_the_problems_of_its_text(folder: Path) -> None:
    config = (folder / "plancheck.toml").as_uri()
    with Wire() as wire:
        wire.start(PULL, folder)
        wire.open(config, BROKEN)
        assert len(wire.pull(config)["items"]) == 2
        wire.change(config, 2, {"text": ""})
        assert wire.pull(config)["items"] == []


# ---- settings of the editor


def test_settings_are_asked_for_and_win_over_the_file(folder: Path) -> None:
    (folder / "plancheck.toml").write_text('[rules]\nscope_vs_snapshot = "error"\n')
    rules = {"scope_vs_snapshot": "hint"}

    def configuration(params: Any) -> list[Any]:
        return [{"rules": dict(rules), "maxFindings": 100} for _ in params["items"]]

    with Wire(answers={**ACCEPTING, "workspace/configuration": configuration}) as wire:
        wire.start(CONFIGURABLE, folder)
        wire.open(uri(folder, "bad"), FAULTY)
        items = wire.pull(uri(folder, "bad"))["items"]
        assert {item["severity"] for item in items if item["code"] == "scope_vs_snapshot"} == {4}
        rules["scope_vs_snapshot"] = "off"
        wire.notify("workspace/didChangeConfiguration", {"settings": None})
        wire.until(lambda m: m.get("method") == "workspace/diagnostic/refresh")
        items = wire.pull(uri(folder, "bad"))["items"]
        assert not any(item["code"] == "scope_vs_snapshot" for item in items)


def test_settings_that_are_sent_along_apply_at_once(folder: Path) -> None:
    with Wire() as wire:
        wire.start({}, folder)
        broken = uri(folder, "open")
        wire.open(broken, FAULTY + "]")
        assert any(item["code"] == "scope_vs_snapshot" for item in wire.published(broken, 1))
        settings = {"plancheck": {"rules": {"scope_vs_snapshot": "off"}}}
        wire.notify("workspace/didChangeConfiguration", {"settings": settings})
        items = wire.published(broken, 1)
        assert items
        assert not any(item["code"] == "scope_vs_snapshot" for item in items)


def test_nonsense_in_the_settings_leaves_the_rest_in_force(folder: Path) -> None:
    nonsense = {"rules": {"no_such_rule": "off", "scope_vs_snapshot": "off", "unknown_kind": 7}, "maxFindings": "many"}
    with Wire() as wire:
        wire.start(PULL, folder, options=nonsense)
        wire.open(uri(folder, "bad"), FAULTY)
        items = wire.pull(uri(folder, "bad"))["items"]
        assert items
        assert not any(item["code"] == "scope_vs_snapshot" for item in items)
        logged = [m["params"]["message"] for m in wire.log if m.get("method") == "window/logMessage"]
        for name in ("no_such_rule", "unknown_kind", "maxFindings"):
            assert any(name in message for message in logged)


def test_more_globs_make_more_plans(folder: Path) -> None:
    (folder / "flow.agent.json").write_text(FAULTY)
    with Wire() as wire:
        wire.start(PULL, folder, options={"include": ["**/*.agent.json"]})
        reports = pull_workspace(wire)
        assert reports[(folder / "flow.agent.json").as_uri()]["items"]
        assert uri(folder, "bad") in reports


def test_unopened_plans_can_be_left_alone(folder: Path) -> None:
    with Wire() as wire:
        wire.start(PULL, folder, options={"workspaceDiagnostics": False})
        assert pull_workspace(wire) == {}


def test_lenses_are_on_and_hints_are_off_unless_the_settings_say_otherwise(folder: Path) -> None:
    everything = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
    document = {"textDocument": {"uri": uri(folder, "bad")}}
    with Wire() as wire:
        wire.start(PULL, folder)
        wire.open(uri(folder, "bad"), FAULTY)
        assert wire.request("textDocument/inlayHint", {**document, "range": everything}) == []
        assert wire.request("textDocument/codeLens", document)
    with Wire() as wire:
        wire.start(PULL, folder, options={"inlayHints": True, "codeLens": False})
        wire.open(uri(folder, "bad"), FAULTY)
        assert wire.request("textDocument/inlayHint", {**document, "range": everything})
        assert wire.request("textDocument/codeLens", document) == []


def test_an_editor_that_never_tells_its_settings_is_not_waited_for_long(folder: Path) -> None:
    capabilities = {"workspace": {"configuration": True}}
    with Wire(answers={"workspace/configuration": lambda _: "nonsense"}) as wire:
        wire.start(capabilities, folder)
        wire.open(uri(folder, "bad"), FAULTY)
        assert wire.published(uri(folder, "bad"), 1, timeout=10)


def test_a_file_that_was_replaced_with_its_time_kept_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "a.plan.json"
    path.write_text('{"nodes": 1}', encoding="utf-8")
    times = path.stat().st_atime_ns, path.stat().st_mtime_ns
    with Wire() as wire:
        wire.start(PULL, tmp_path)
        (before,) = wire.pull(path.as_uri())["items"]
        path.write_text('{"nodes": [}', encoding="utf-8")
        os.utime(path, ns=times)
        assert [item["code"] for item in wire.pull(path.as_uri())["items"]] != [before["code"]]
