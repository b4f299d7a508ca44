"""`plancheck doctor`: what runs, what is in force for a file, and what is wrong."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from cli.command import CLEAN, FAULTY, plancheck, plant

NO_PROGRAMS = {"PATH": "/nowhere"}
"""No opa by accident."""


def diagnosed(folder: Path, *arguments: str, **env: str) -> tuple[int, Any]:
    ran = plancheck("doctor", "--format", "json", *arguments, cwd=folder, env={**NO_PROGRAMS, **env})
    assert ran.err == ""
    return ran.code, ran.json


def problems(folder: Path, *arguments: str, **env: str) -> list[str]:
    code, found = diagnosed(folder, *arguments, **env)
    wrong = [*found["problems"], *(problem for file in found["files"] for problem in file["problems"])]
    assert code in ({1, 2} if wrong else {0})
    return wrong


def program(path: Path, script: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def test_a_sound_plan(tmp_path: Path) -> None:
    plant(tmp_path, {"a.plan.json": CLEAN})
    code, found = diagnosed(tmp_path, "a.plan.json")
    assert code == 0
    assert found["plancheck"]["origin"] == "environment"
    assert found["patterns"] is True
    assert found["files"] == [
        {
            "path": str(tmp_path / "a.plan.json"),
            "configuration": None,
            "settings": {},
            "include": ["**/*.plan.json", "**/*.calls.json", "**/*.trace.json"],
            "is_plan": True,
            "format": "declared",
            "policies": [],
            "catalogues": [],
            "problems": [],
        }
    ]


def test_what_is_in_force(tmp_path: Path) -> None:
    configuration = """\
include = ["runs/*.json"]
profile = "strict"
max-findings = 5
policy = ["limits.yaml"]
tools = ["shop.json"]

[rules]
unknown_key = "off"

[[overrides]]
files = ["runs/b*"]
rules = { unknown_kind = "warning" }
"""
    files = {"plancheck.toml": configuration, "limits.yaml": "max_steps: 5\n", "shop.json": "[]", "runs/b.json": FAULTY}
    plant(tmp_path, files)
    code, found = diagnosed(tmp_path, "runs/b.json")
    (file,) = found["files"]
    assert file["configuration"] == str(tmp_path / "plancheck.toml")
    assert file["settings"] == {
        "include": ["runs/*.json"],
        "policy": ["limits.yaml"],
        "tools": ["shop.json"],
        "profile": "strict",
        "max-findings": 5,
        "rules.unknown_key": "off",
        "rules.unknown_kind": "warning",
    }
    assert (file["is_plan"], file["format"]) == (True, "declared")
    assert file["policies"] == [str(tmp_path / "limits.yaml")]
    assert file["catalogues"] == [str(tmp_path / "shop.json")]
    assert (code, file["problems"]) == (0, [])


def test_as_text(tmp_path: Path) -> None:
    plant(tmp_path, {"plancheck.toml": "[rules]\nunknown_key = 'off'\n", "loose.json": CLEAN})
    ran = plancheck("doctor", "loose.json", cwd=tmp_path, env=NO_PROGRAMS)
    assert ran.code == 1
    of_file, wrong = ran.out.split("\n\n")[1:]
    assert of_file.splitlines() == [
        f"{tmp_path}/loose.json",
        f"  configuration: {tmp_path}/plancheck.toml",
        "    rules.unknown_key: off",
        "  plans are files named: **/*.plan.json, **/*.calls.json, **/*.trace.json",
        "  counts as a plan: no; its format: declared",
        "  policies: none",
        "  catalogues of tools: none",
    ]
    better = "name it loose.plan.json, or add a glob to `include`."
    assert wrong == f"Wrong:\n- loose.json is a plan, and `include` does not match it: {better}\n"


def test_without_a_file_it_is_about_the_folder(tmp_path: Path) -> None:
    plant(tmp_path, {"plancheck.toml": 'profile = "security"\n'})
    code, found = diagnosed(tmp_path)
    (folder,) = found["files"]
    assert (code, folder["path"], folder["settings"]) == (0, str(tmp_path), {"profile": "security"})
    assert (folder["is_plan"], folder["format"]) == (None, None)


@pytest.mark.parametrize(
    ("files", "wrong"),
    [
        ({"plancheck.toml": "rules = [\n"}, "plancheck.toml:"),
        ({"plancheck.toml": "[rules]\nno_such = 'off'\n"}, "plancheck.toml:2:1: "),
        ({"plancheck.toml": "policy = ['gone.yaml']\n"}, "The policy gone.yaml cannot be read"),
        (
            {"plancheck.toml": "tools = ['gone.json']\n"},
            "{folder}/gone.json: there is no such file or folder. Correct the entry in `tools`.",
        ),
        ({"plancheck.toml": "tools = ['*.tools']\n"}, "plancheck.toml:1:10: No file matches `*.tools`"),
        ({"plan-policy.yaml": "max_stepz: 3\n"}, "The policy plan-policy.yaml has a mistake in line 1"),
        ({"plancheck.toml": "exclude = ['a.*']\n"}, "a.plan.json is a plan, and `exclude` leaves it out"),
    ],
)
def test_what_is_wrong_around_a_plan(tmp_path: Path, files: dict[str, str], wrong: str) -> None:
    plant(tmp_path, {"a.plan.json": CLEAN, **files})
    (found,) = problems(tmp_path, "a.plan.json")
    assert found.startswith(wrong.format(folder=tmp_path))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    code, found = diagnosed(tmp_path, "gone.plan.json")
    assert code == 2
    assert found["files"][0]["problems"] == [f"{tmp_path}/gone.plan.json: there is no such file or folder."]


def test_a_policy_that_is_a_pipe(tmp_path: Path) -> None:
    plant(tmp_path, {"a.plan.json": CLEAN})
    os.mkfifo(tmp_path / "plan-policy.yaml")
    (found,) = problems(tmp_path, "a.plan.json")
    assert found.endswith("this is a pipe, not a file.")


@pytest.mark.parametrize("text", ["", "{", "[1, 2", '{"nodes": 3}', "\x00", '{"name": "some package"}'])
def test_text_that_is_no_plan(tmp_path: Path, text: str) -> None:
    plant(tmp_path, {"a.plan.json": text})
    code, found = diagnosed(tmp_path, "a.plan.json")
    assert code == 0
    assert found["files"][0]["is_plan"] is True


def test_an_opa_with_its_version(tmp_path: Path) -> None:
    opa = program(tmp_path / "bin/opa", "printf 'Version: 1.2.3\\nBuild Commit: x\\n'")
    code, found = diagnosed(tmp_path, PATH=str(opa.parent))
    assert (code, found["rego"]) == (0, {"engine": "opa 1.2.3", "path": str(opa)})


@pytest.mark.parametrize(
    ("script", "wrong"),
    [
        ("exec /bin/sleep 60", "`{opa}` did not answer within 5 seconds: install another opa"),
        ("echo hello", "`{opa}` is not a working opa: install another opa"),
        ("exit 3", "`{opa}` is not a working opa: install another opa"),
    ],
)
def test_an_opa_that_does_not_work(tmp_path: Path, script: str, wrong: str) -> None:
    opa = program(tmp_path / "bin/opa", script)
    (found,) = problems(tmp_path, "--opa", str(opa))
    assert found.startswith(wrong.format(opa=opa))


def test_an_opa_that_is_not_there(tmp_path: Path) -> None:
    assert problems(tmp_path, "--opa", "/nowhere/opa") == ["There is no opa at `/nowhere/opa`: correct the path."]


def test_a_policy_in_rego_that_nothing_evaluates(tmp_path: Path) -> None:
    plant(tmp_path, {"a.plan.json": CLEAN, "plan-policy.rego": "package planlint\n"})
    found = problems(tmp_path, "a.plan.json", "--opa", "/nowhere/opa")
    assert any(each.startswith("The policy plan-policy.rego cannot be evaluated.") for each in found)


def test_what_is_wrong_in_an_extended_configuration_is_said(tmp_path: Path) -> None:
    plant(tmp_path, {"plancheck.toml": 'extend = "base.toml"\n', "base.toml": 'profil = "strict"\nfail-on = "info"\n'})
    plant(tmp_path, {"a.plan.json": CLEAN})
    ran = plancheck("doctor", "a.plan.json", cwd=tmp_path)
    assert ran.code == 1
    assert "- base.toml:1:1: `profil` is not a setting of plancheck: did you mean `profile`?" in ran.out.splitlines()
    assert "    extend: base.toml" in ran.out.splitlines()
    assert "    fail-on: info" in ran.out.splitlines()
