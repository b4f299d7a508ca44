"""The commands that the server executes, and what it tells about the workspace, over a real pipe."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lsp.test_workspace import ACCEPTING, CONFIGURABLE
from lsp.wire import PULL, Wire

KINDS = """{"nodes": [
  {"idx": 0, "agent": "a", "kind": "tool-call", "reads": ["x"]},
  {"idx": 1, "agent": "b", "kind": "Decision", "reads": ["x"], "write": ["x"]}
]}
"""
UNSAFE = '{"nodes": [{"idx": 0, "agent": "a", "kind": "decision", "reads": ["x"], "write": ["x"]}]}'
RUNS = '{"nodes": [{"idx": 0, "agent": "a", "kind": "decision", "reads": ["x"], "plancheck-ignore": "x"}]}'


class Editor(Wire):
    """Takes every edit, and keeps it."""

    def __enter__(self) -> Editor:
        return self

    def __init__(
        self, folder: Path, capabilities: dict[str, Any], takes_edits: bool = True, **settings: object
    ) -> None:
        def take(params: dict[str, Any]) -> dict[str, bool]:
            self.edits.append(params["edit"]["documentChanges"])
            return {"applied": takes_edits}

        self.edits: list[list[dict[str, Any]]] = []
        super().__init__(
            answers={
                **ACCEPTING,
                "workspace/applyEdit": take,
                "workspace/configuration": lambda params: [settings] * len(params["items"]),
                "window/showDocument": lambda _: {"success": True},
            }
        )
        self.request(
            "initialize",
            {"processId": None, "rootUri": folder.as_uri(), "capabilities": capabilities},
        )
        self.notify("initialized", {})

    def did_open(self, uri: str, text: str) -> None:
        document = {"uri": uri, "languageId": "json", "version": 7, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})

    def execute(self, command: str, *arguments: object) -> Any:
        return self.request("workspace/executeCommand", {"command": command, "arguments": list(arguments)})

    def rules(self, uri: str) -> list[str]:
        answer = self.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
        return [item["code"] for item in answer["items"]]


SHOWING = {**CONFIGURABLE, "window": {"workDoneProgress": True, "showDocument": {"support": True}}}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.plan.json").write_text(KINDS)
    (tmp_path / "b.plan.json").write_text(KINDS)
    (tmp_path / "c.plan.json").write_text(UNSAFE)
    return tmp_path


@pytest.fixture
def editor(folder: Path) -> Iterator[Editor]:
    with Editor(folder, SHOWING) as editor:
        yield editor


def uri(folder: Path, name: str) -> str:
    return (folder / name).as_uri()


def test_the_workspace_is_checked_and_counted(folder: Path, editor: Editor) -> None:
    editor.did_open(uri(folder, "a.plan.json"), KINDS.replace("tool-call", "tool_call"))
    counts = editor.request("plancheck/checkWorkspace", {"workDoneToken": "mine"})
    assert counts == {
        "plans": 3,
        "error": 3,
        "warning": 3,
        "info": 0,
        "hint": 0,
        "unchecked": 0,
        "cancelled": False,
    }
    kinds = [m["params"]["value"]["kind"] for m in editor.log if m.get("method") == "$/progress"]
    assert kinds == ["begin", "report", "end"]


def test_plans_that_came_since_are_counted_too(folder: Path, editor: Editor) -> None:
    assert editor.request("plancheck/checkWorkspace", {})["plans"] == 3
    (folder / "d.plan.json").write_text("{")
    (folder / "c.plan.json").unlink()
    assert editor.request("plancheck/checkWorkspace", None)["plans"] == 3


def test_plans_are_counted_although_unopened_ones_are_not_shown(folder: Path) -> None:
    with Editor(folder, SHOWING, workspaceDiagnostics=False) as editor:
        assert editor.request("plancheck/checkWorkspace", {})["error"] == 4


def test_what_was_not_checked_is_counted_apart(folder: Path) -> None:
    with Editor(folder, SHOWING, maxFileSize=20) as editor:
        counts = editor.request("plancheck/checkWorkspace", {})
    assert (counts["error"], counts["unchecked"]) == (0, 3)


def test_all_safe_fixes_of_a_file(folder: Path, editor: Editor) -> None:
    editor.did_open(uri(folder, "a.plan.json"), KINDS)
    answer = editor.execute("plancheck.applyFixes", uri(folder, "a.plan.json"), "", "file")
    assert answer == {"applied": True, "fixed": 2, "files": 1, "unsafe": 1}
    ((change,),) = editor.edits
    assert change["textDocument"] == {"uri": uri(folder, "a.plan.json"), "version": 7}


def test_nothing_safe_to_fix(folder: Path, editor: Editor) -> None:
    answer = editor.execute("plancheck.applyFixes", uri(folder, "c.plan.json"), "", "file", "safe")
    assert answer == {"applied": False, "fixed": 0, "files": 0, "unsafe": 1}
    assert editor.edits == []
    answer = editor.execute("plancheck.applyFixes", uri(folder, "c.plan.json"), "", "file", "unsafe")
    assert answer == {"applied": True, "fixed": 1, "files": 1, "unsafe": 0}


def test_one_rule_in_the_workspace(folder: Path, editor: Editor) -> None:
    editor.did_open(uri(folder, "a.plan.json"), KINDS)
    answer = editor.execute("plancheck.applyFixes", uri(folder, "a.plan.json"), "unknown_kind", "workspace")
    assert answer == {"applied": True, "fixed": 4, "files": 2, "unsafe": 0}
    (changes,) = editor.edits
    versions = {Path(change["textDocument"]["uri"]).name: change["textDocument"]["version"] for change in changes}
    assert versions == {"a.plan.json": 7, "b.plan.json": None}
    assert "writes" not in json.dumps(changes)


def test_an_editor_that_refuses_the_edit(folder: Path) -> None:
    with Editor(folder, SHOWING, takes_edits=False) as editor:
        answer = editor.execute("plancheck.applyFixes", uri(folder, "a.plan.json"), "", "file")
    assert (answer["applied"], answer["fixed"]) == (False, 2)


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["file:///a", "", "everywhere"],
        ["file:///a", "no_such_rule", "file"],
        ["file:///a", "", "file", "quick"],
        [1, 2, 3],
    ],
)
def test_arguments_that_are_none(editor: Editor, arguments: list[object]) -> None:
    error = editor.error("workspace/executeCommand", {"command": "plancheck.applyFixes", "arguments": arguments})
    assert error["message"].startswith("The arguments must be a URI, a rule")


def test_switching_a_rule_off_shows_what_was_written(folder: Path, editor: Editor) -> None:
    (folder / "plancheck.toml").write_text('profile = "strict"\n\n[rules]\nsyntax_error = "off"\n')
    answer = editor.execute("plancheck.ignoreInConfiguration", uri(folder, "a.plan.json"), "unknown_kind")
    configuration = uri(folder, "plancheck.toml")
    assert answer == {"rule": "unknown_kind", "uri": configuration, "applied": True, "written": 'unknown_kind = "off"'}
    editor.request("plancheck/checkWorkspace", {})  # whatever was sent before has arrived now
    (shown,) = [message["params"] for message in editor.log if message.get("method") == "window/showDocument"]
    assert (shown["uri"], shown["selection"]["start"]["line"]) == (configuration, 3)


# ---- which files are plans


def test_an_editor_that_asks_is_told_which_files_the_configuration_names(folder: Path) -> None:
    (folder / "plancheck.toml").write_text(
        'include = ["*.flow", "runs/**/*.json"]\npolicy = ["rules/limits[1].yaml"]\n'
    )
    with Editor(folder, {**SHOWING, "experimental": {"plancheckServed": True}}) as editor:
        editor.request("plancheck/checkWorkspace", {})
        (told,) = [message["params"] for message in editor.log if message.get("method") == "plancheck/served"]
        assert told == {
            "plans": [
                {"baseUri": folder.as_uri(), "pattern": "**/*.flow"},
                {"baseUri": folder.as_uri(), "pattern": "runs/**/*.json"},
            ],
            "policies": [{"baseUri": uri(folder, "rules"), "pattern": "limits[[]1].yaml"}],
        }
        (folder / "plancheck.toml").unlink()
        editor.notify(
            "workspace/didChangeWatchedFiles", {"changes": [{"uri": uri(folder, "plancheck.toml"), "type": 3}]}
        )
        editor.request("plancheck/checkWorkspace", {})
        told = [message["params"] for message in editor.log if message.get("method") == "plancheck/served"][-1]
        assert told == {"plans": [], "policies": []}


def test_no_other_editor_is_told(folder: Path) -> None:
    (folder / "plancheck.toml").write_text('include = ["*.flow"]\n')
    with Editor(folder, SHOWING) as editor:
        editor.request("plancheck/checkWorkspace", {})
        assert [message for message in editor.log if message.get("method") == "plancheck/served"] == []


def test_a_document_is_a_plan_because_the_user_says_so(folder: Path) -> None:
    marked = [uri(folder, "loose.json"), "untitled:Untitled-1"]
    with Editor(folder, {**PULL, **SHOWING}, plans=marked) as editor:
        others = [uri(folder, "other.json"), "untitled:Untitled-2"]
        named = "untitled:/w/first%20one.plan.json"
        for each in (*marked, *others, named):
            editor.did_open(each, KINDS)
        found = {each: len(editor.rules(each)) for each in (*marked, *others, named)}
    assert found == {**dict.fromkeys(marked, 3), **dict.fromkeys(others, 0), named: 3}


def test_without_a_word_of_the_user_each_unsaved_document_is_a_plan(folder: Path) -> None:
    with Editor(folder, {**PULL, **SHOWING}) as editor:
        editor.did_open("untitled:Untitled-1", KINDS)
        assert len(editor.rules("untitled:Untitled-1")) == 3


# ---- what an editor shows besides


def test_a_rule_page_says_how_to_switch_the_rule_off(folder: Path, editor: Editor) -> None:
    page = editor.execute("plancheck.showRule", uri(folder, "a.plan.json"), "unknown_key")
    assert page["severity"] == "warning"
    assert "## Example" in page["markdown"]
    assert "(safe)" in page["markdown"]
    assert page["markdown"].endswith('- at one step: `"plancheck-ignore": ["unknown_key"]` in the step')


def test_the_doctor_knows_the_settings_of_the_editor(folder: Path) -> None:
    with Editor(folder, SHOWING, include=["*.flow"], tools=["gone.json"], opa="/nowhere/opa") as editor:
        found = editor.request("plancheck/doctor", {"textDocument": {"uri": uri(folder, "a.plan.json")}})
    (file,) = found["files"]
    assert file["path"] == str(folder / "a.plan.json")
    assert file["include"][-1] == "*.flow"
    assert (file["is_plan"], file["format"]) == (True, "declared")
    missing = f"{folder}/gone.json: there is no such file or folder. Correct the entry in `tools`."
    assert file["problems"] == [missing]
    assert found["problems"] == ["There is no opa at `/nowhere/opa`: correct the path."]
    assert found["text"].endswith(f"Wrong:\n- {found['problems'][0]}\n- {missing}\n")


@pytest.mark.parametrize("params", [None, {}, {"textDocument": 3}, {"textDocument": {"uri": "untitled:a"}}])
def test_the_doctor_without_a_file_is_about_the_folder(folder: Path, editor: Editor, params: object) -> None:
    (found,) = editor.request("plancheck/doctor", params)["files"]
    assert (found["path"], found["is_plan"]) == (str(folder), None)


def test_there_is_a_starter_for_each_format(editor: Editor) -> None:
    starters = editor.request("plancheck/starters")
    assert [(each["name"], each["suffix"]) for each in starters] == [
        ("declared", "plan"),
        ("steps", "plan"),
        ("trace", "trace"),
        ("calls", "calls"),
    ]
    assert all(each["snippet"].startswith("{\n\t") for each in starters)
