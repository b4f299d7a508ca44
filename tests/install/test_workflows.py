"""The files by which GitHub works for the project: sound by the linters there are, and right where they can be run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from shutil import which
from typing import Any

import pytest
import yaml

import plancheck
from install.environments import ROOT

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("[0-9]*.yml"))
YAML = [*WORKFLOWS, *FORMS, ROOT / "action.yml", ROOT / ".pre-commit-hooks.yaml", ROOT / ".github" / "dependabot.yml"]


def loaded(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return found


def lint(*command: str | Path) -> str:
    """What a linter says against the files; nothing where it is content."""
    done = subprocess.run(list(map(str, command)), cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    return "" if done.returncode == 0 else f"{done.stdout}{done.stderr}" or f"exit code {done.returncode}"


def test_yamllint_is_content() -> None:
    assert lint(sys.executable, "-m", "yamllint", "--strict", *YAML) == ""


def test_zizmor_finds_no_way_in() -> None:
    assert (
        lint(Path(sys.executable).parent / "zizmor", "--offline", "--no-progress", "--quiet", ".github", "action.yml")
        == ""
    )


def test_actionlint_is_content() -> None:
    own = ROOT / ".cache" / "actionlint" / "actionlint"
    program = str(own) if own.exists() else which("actionlint")
    if program is None:
        pytest.skip("there is no actionlint, and no Go to build one")
    assert lint(program, *WORKFLOWS) == ""


def test_every_python_is_tried_on_every_system() -> None:
    matrix = loaded(ROOT / ".github" / "workflows" / "ci.yml")["jobs"]["package"]["strategy"]["matrix"]
    assert matrix["python"] == ["3.10", "3.11", "3.12", "3.13", "3.14"]
    assert [name.partition("-")[0] for name in matrix["os"]] == ["ubuntu", "macos", "windows"]


def test_the_files_that_a_workflow_names_are_there() -> None:
    for path in WORKFLOWS:
        named = re.findall(r"(?<![\w/.])(?:tests|scripts|examples|\.ci)/[\w/.-]+", path.read_text(encoding="utf-8"))
        assert [name for name in named if not (ROOT / name).exists()] == []


@pytest.mark.parametrize(("tag", "code"), [(f"v{plancheck.__version__}", 0), ("v9.9.9", 1), (plancheck.__version__, 1)])
def test_only_the_tag_of_the_version_is_released(tag: str, code: int) -> None:
    steps = loaded(ROOT / ".github" / "workflows" / "release.yml")["jobs"]["build"]["steps"]
    (guard,) = [step["run"] for step in steps if step.get("name") == "The tag is the version"]
    done = subprocess.run(
        ["bash", "-eo", "pipefail", "-c", guard], cwd=ROOT, env={**os.environ, "GITHUB_REF_NAME": tag}, check=False
    )
    assert done.returncode == code


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.name)
def test_a_form_asks_for_something(path: Path) -> None:
    form = loaded(path)
    assert form["name"]
    assert form["description"]
    ids = [field["id"] for field in form["body"]]
    assert len(ids) == len(set(ids)) >= 2
    assert any(field.get("validations", {}).get("required") for field in form["body"])
