"""Catalogues of tools on the command line, in the gate and in Python; `plancheck tools`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.command import Ran, plancheck, plant
from plancheck import check_file, check_text
from plancheck.catalogue.model import Catalogue, CatalogueSource
from plancheck.gate import PolicyGate, evaluate_plan
from plancheck.plan_lint import validate_plan

TOOLS = """\
{"tools": [
  {"name": "look", "inputSchema": {"type": "object", "required": ["x"], "properties": {
    "x": {"type": "integer"}, "y": {}}}, "annotations": {"readOnlyHint": true, "openWorldHint": false}},
  {"name": "pay"}
]}
"""
GOOD = '[{"tool_name": "look", "args": {"x": 1}}]\n'
BAD = '[{"tool_name": "look", "args": {"x": "a"}}]\n'
UNKNOWN = '[{"tool_name": "lok", "args": {"x": 1}}, {"tool_name": "pay"}]\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    plant(tmp_path, {"tools.json": TOOLS, "good.plan.json": GOOD, "bad.plan.json": BAD, "unknown.plan.json": UNKNOWN})
    return tmp_path


def check(folder: Path, *args: str) -> Ran:
    return plancheck("check", "--quiet", *args, cwd=folder)


def test_nothing_is_guessed_by_the_name_of_a_file(folder: Path) -> None:
    assert check(folder, ".") == Ran(0, "", "")


@pytest.mark.parametrize("entry", ['"tools.json"', '"*.json", "**/tools.json"', '"./tools.json"', '"too{l,x}s.json"'])
def test_a_configuration_names_catalogues(folder: Path, entry: str) -> None:
    plant(folder, {"plancheck.toml": f"tools = [{entry}]\ninclude = ['*.plan.json']\n", "sub/plancheck.toml": ""})
    plant(folder, {"sub/bad.plan.json": BAD})
    found = check(folder, "bad.plan.json", "good.plan.json", "unknown.plan.json", "sub/bad.plan.json")
    if "*" in entry:  # the plans are no catalogues
        assert found.code == 2
        return
    assert found.code == 1
    assert found.out.splitlines() == [
        "bad.plan.json:1:38: error[wrong_argument] `x` must be an integer, not a string: see the arguments of `look`.",
        "unknown.plan.json:1:16: error[unknown_tool] Step 0 calls `lok`, which is not in the catalogue of tools: "
        "did you mean `look`?",
    ]


def test_the_command_line_counts_before_the_configuration(folder: Path) -> None:
    plant(folder, {"plancheck.toml": 'tools = ["none.json"]\n'})
    assert check(folder, "--tools", "tools.json", "good.plan.json") == Ran(0, "", "")
    assert check(folder, "--tools", "tools.json", "bad.plan.json").code == 1


@pytest.mark.parametrize(
    ("files", "code", "place"),
    [
        ({"plancheck.toml": 'tools = ["none.json"]\n'}, 2, "plancheck: none.json: there is no such file or folder."),
        ({"plancheck.toml": 'tools = ["n*.json"]\n'}, 2, "plancheck.toml:1:10: No file matches `n*.json`"),
        ({"plancheck.toml": 'tools = "x"\n'}, 2, "plancheck.toml:1:9: `tools` must be a list"),
        ({"plancheck.toml": 'tools = ["tools.json", ""]\n'}, 2, "plancheck.toml:1:24: An entry of `tools` is empty"),
        ({"plancheck.toml": 'tools = ["t.json"]\n', "t.json": "5"}, 2, "t.json:1:1: error[catalogue_shape] "),
        ({"plancheck.toml": 'tools = ["t.json"]\n', "t.json": "[{"}, 2, "t.json:1:2: error[syntax_error] "),
        (
            {"plancheck.toml": 'tools = ["t.json"]\n', "t.json": '[{"name": "look"}, 5]'},
            2,
            "t.json:1:20: error[catalogue_bad_tool] ",
        ),
        (
            {"plancheck.toml": 'tools = ["tools.json", "t.json"]\n', "t.json": '[{"name": "pay"}]'},
            0,
            "t.json:1:11: warning[duplicate_tool] ",
        ),
    ],
)
def test_a_catalogue_or_configuration_with_a_mistake(
    folder: Path, files: dict[str, str], code: int, place: str
) -> None:
    plant(folder, files)
    found = check(folder, "good.plan.json")
    assert found.code == code, found
    assert place in f"{found.out}\n{found.err}"


def test_more_files_than_are_read_are_not_all_checked(folder: Path) -> None:
    plant(folder, {f"t/{i}.json": "[]" for i in range(201)} | {"plancheck.toml": 'tools = ["t/*.json"]\n'})
    found = check(folder, "good.plan.json")
    assert found.code == 2
    assert "not checked: `t/*.json` matches more files than are read" in found.out


def test_another_catalogue_is_another_result(folder: Path) -> None:
    """Results are kept from run to run."""
    plant(folder, {"plancheck.toml": 'tools = ["tools.json"]\n'})
    assert check(folder, "good.plan.json").code == 0
    plant(folder, {"tools.json": TOOLS.replace("integer", "string")})
    assert check(folder, "good.plan.json").code == 1
    assert check(folder, "good.plan.json").code == 1
    plant(folder, {"tools.json": TOOLS})
    assert check(folder, "good.plan.json").code == 0


def test_many_plans_are_checked_by_several_processes(folder: Path) -> None:
    plant(folder, {f"p{i}.plan.json": BAD for i in range(30)} | {"plancheck.toml": 'tools = ["tools.json"]\n'})
    found = plancheck("check", "--no-cache", "--jobs", "2", "--format", "json", ".", cwd=folder).json
    related = [
        item["related"] for file in found["files"] for item in file["findings"] if item["rule"] == "wrong_argument"
    ]
    assert len(related) == 31
    assert {(place["path"], place["range"]["start"]["line"]) for (place,) in related} == {
        (str(folder / "tools.json"), 2)
    }


# ---- the gate --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("plan", "code"), [("good", 0), ("bad", 1), ("unknown", 1)])
def test_the_gate_denies_what_does_not_fit(folder: Path, plan: str, code: int) -> None:
    assert plancheck("gate", f"{plan}.plan.json", cwd=folder).code == 0
    assert plancheck("gate", f"{plan}.plan.json", "--tools", "tools.json", cwd=folder).code == code
    plant(folder, {"plancheck.toml": 'tools = ["tools.json"]\n'})
    assert plancheck("gate", f"{plan}.plan.json", cwd=folder).code == code


@pytest.mark.parametrize("tools", ["5", "[{]", None])
def test_the_gate_decides_nothing_by_a_broken_catalogue(folder: Path, tools: str | None) -> None:
    plant(folder, {"t.json": tools} if tools is not None else {})
    assert plancheck("gate", "good.plan.json", "--tools", "t.json", cwd=folder).code == 2


def test_a_catalogue_beside_the_plan_does_not_count(folder: Path) -> None:
    plant(
        folder,
        {"plans/plancheck.toml": 'tools = ["t.json"]\n', "plans/t.json": '[{"name": "x"}]', "plans/a.json": GOOD},
    )
    assert plancheck("gate", "plans/a.json", cwd=folder).code == 0
    assert plancheck("gate", "plans/a.json", "--tools", "tools.json", cwd=folder).code == 0


def test_plans_without_a_known_tool_are_denied() -> None:
    catalogue = Catalogue((CatalogueSource("t", TOOLS),))
    decision = evaluate_plan([{"tool_name": "beam"}, {"tool_name": "teleport"}], tools=catalogue)
    assert (decision.deny, decision.rule_matched) == (True, "unknown_tool")


# ---- Python ----------------------------------------------------------------------------------------------------------


def test_in_python(folder: Path) -> None:
    path = folder / "tools.json"
    catalogue = Catalogue((CatalogueSource("tools.json", TOOLS),))
    for tools in (path, str(path), [path], (str(path),), catalogue):
        assert check_text(GOOD, tools=tools).is_clean
        assert [finding.rule for finding in check_text(BAD, tools=tools).findings] == ["wrong_argument"]
        assert [finding.rule for finding in check_file(folder / "bad.plan.json", tools=tools).findings] == [
            "wrong_argument"
        ]
        assert not evaluate_plan(BAD, tools=tools).allow
        assert PolicyGate(tools=tools).evaluate_plan(json.loads(GOOD)).allow
        assert validate_plan(GOOD, tools=tools).valid
        assert not validate_plan(BAD, tools=tools).valid
    missing = check_text(GOOD, tools=folder / "none.json")
    assert [(place.rule, place.reason) for place in missing.unchecked] == [("catalogue_fault", "failure")]
    assert not validate_plan(GOOD, tools=folder / "none.json").valid
    plant(folder, {"plancheck.toml": 'tools = ["n*.json"]\n'})
    assert {place.rule for place in check_file(folder / "good.plan.json").unchecked} == {
        "configuration_fault",
        "catalogue_fault",
    }


# ---- plancheck tools -------------------------------------------------------------------------------------------------


def test_what_was_read_is_listed(folder: Path) -> None:
    found = plancheck("tools", "tools.json", cwd=folder)
    assert (found.code, found.err) == (0, "")
    assert [line.split() for line in found.out.splitlines()] == [
        ["tool", "required", "optional", "annotations", "where"],
        ["look", "x", "y", "read-only,", "not", "open-world", "tools.json:2"],
        ["pay", "?", "?", "–", "tools.json:4"],
    ]
    listed = plancheck("tools", "--format", "json", "tools.json", cwd=folder).json["tools"]
    assert listed[0] == {
        "name": "look",
        "title": None,
        "description": None,
        "required": ["x"],
        "optional": ["y"],
        "knowsArguments": True,
        "hasResultSchema": False,
        "annotations": {"read_only": True, "open_world": False},
        "path": "tools.json",
        "line": 2,
    }


def test_what_a_plan_uses(folder: Path) -> None:
    found = plancheck("tools", "--plan", "unknown.plan.json", "tools.json", cwd=folder)
    assert found.code == 1
    assert [line.split() for line in found.out.splitlines()] == [
        ["tool", "uses", "where"],
        ["unknown", "lok", "1", "–"],
        ["used", "pay", "1", "tools.json:4"],
        ["unused", "look", "–", "tools.json:2"],
    ]
    plant(folder, {"plancheck.toml": 'tools = ["tools.json"]\n'})
    used = plancheck("tools", "--plan", "good.plan.json", "--format", "json", cwd=folder)
    assert used.code == 0
    assert [(tool["name"], tool["standing"], tool["positions"]) for tool in used.json["tools"]] == [
        ("look", "used", [0]),
        ("pay", "unused", []),
    ]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ((), "a catalogue is needed"),
        (("none.json",), "none.json: there is no such file"),
        (("bad.plan.json",), "bad.plan.json:1:1: This is not a list of tools"),
        (("--plan", "good.plan.json"), "no catalogue is in force"),
        (("--plan", "none.json", "tools.json"), "none.json: there is no such file"),
        (("--plan", "good.plan.json", "none.json"), "none.json: there is no such file"),
        (("--plan", "good.plan.json", "bad.plan.json"), "This is not a list of tools"),
    ],
)
def test_what_cannot_be_listed(folder: Path, args: tuple[str, ...], message: str) -> None:
    found = plancheck("tools", *args, cwd=folder)
    assert (found.code, found.out.strip() in ("", '{"tools": []}')) == (2, True)
    assert message in found.err
