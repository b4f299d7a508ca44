"""The recipes of docs/ci.md, as far as they can be run without the services: read as the services read them, and their
commands executed in a folder with plans."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
FAULTY = '{"nodes": [{"idx": 0, "agent": "a", "kind": "decide"}]}\n'
GOOD = '{"nodes": [{"idx": 0, "agent": "a", "kind": "decision", "reads": ["order"]}]}\n'
INSTALLS = re.compile(r"^(pipx?|uv) install ")


def section(heading: str) -> str:
    (text,) = re.findall(rf"^## {heading}[^\n]*\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    return str(text)


def recipe(heading: str) -> Any:
    (block,) = re.findall(r"^```yaml\n(.*?)^```$", section(heading), re.MULTILINE | re.DOTALL)
    return yaml.safe_load(block)


@pytest.fixture(params=[(FAULTY, 1), (GOOD, 0)], ids=["faulty", "good"])
def repository(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, int]:
    text, code = request.param
    (tmp_path / "a.plan.json").write_text(text, encoding="utf-8")
    return tmp_path, code


def run(command: str, folder: Path) -> int:
    """As a runner does, with the `plancheck` of this environment."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    shell = ["bash", "-eo", "pipefail", "-c", command]
    return subprocess.run(shell, cwd=folder, env={**os.environ, "PATH": path}, check=False).returncode


def test_code_scanning(repository: tuple[Path, int]) -> None:
    folder, code = repository
    job = recipe("GitHub: code scanning")["jobs"]["plans"]
    (command,) = [step["run"] for step in job["steps"] if "run" in step and not INSTALLS.match(step["run"])]
    assert run(command, folder) == code
    upload = job["steps"][-1]
    assert upload["if"] == "always()"
    log = json.loads((folder / upload["with"]["sarif_file"]).read_text(encoding="utf-8"))
    assert len(log["runs"][0]["results"]) == code


def test_gitlab(repository: tuple[Path, int]) -> None:
    folder, code = repository
    job = recipe("GitLab")["plans"]
    commands = [command for command in job["script"] if not INSTALLS.match(command)]
    assert len(commands) == 2
    assert [run(command, folder) for command in commands] == [0, code]
    reports = job["artifacts"]["reports"]
    assert len(json.loads((folder / reports["codequality"]).read_text(encoding="utf-8"))) == code
    assert ET.parse(folder / reports["junit"]).getroot().tag == "testsuites"


def test_jenkins(repository: tuple[Path, int]) -> None:
    folder, code = repository
    (command,) = re.findall(r"\bsh '([^']*)'", section("Jenkins"))
    (pattern,) = re.findall(r"\bjunit '([^']*)'", section("Jenkins"))
    assert run(command, folder) == code
    suites = ET.parse(folder / pattern).getroot()
    assert sum(int(suite.get("failures", "0")) for suite in suites) == code


def test_the_action_has_the_inputs_and_outputs_that_the_page_names() -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    text = section("GitHub: the action")
    assert re.findall(r"^\| `([\w-]+)` \|", text, re.MULTILINE) == list(action["inputs"])
    (outputs,) = re.findall(r"Its outputs are (.*?)\. ", text)
    assert re.findall(r"`([\w-]+)`", outputs) == list(action["outputs"])
    step = recipe("GitHub: the action")["jobs"]["plans"]["steps"][-1]
    assert step["with"].keys() <= action["inputs"].keys()


def test_the_hooks_of_the_page_are_those_that_there_are() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    (repo,) = recipe("pre-commit")["repos"]
    assert [hook["id"] for hook in repo["hooks"]] == [hook["id"] for hook in hooks]


def test_the_page_names_the_version_that_there_is() -> None:
    from plancheck import __version__

    assert set(re.findall(r"\bv(\d+\.\d+\.\d+)", PAGE)) == {__version__}
