"""Every `--help` ends with command lines that work as they are."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cli.command import EXAMPLES, environment, plancheck, plant
from plancheck.cli.main import COMMANDS

POLICY = "max_steps: 20\n"
CALLS = '[{"tool_name": "crm.find", "args": {}}]'
CASES = """\
cases:
  - name: looking somebody up
    plan: [{tool_name: crm.find, args: {}}]
    verdict: allow
"""
SUBCOMMANDS = {"policy": ["policy test", "policy diff", "policy check"]}
HELPS = [line for name in COMMANDS for line in SUBCOMMANDS.get(name, [name])]


def examples(command: str) -> list[str]:
    shown = plancheck(*command.split(), "--help", env={"COLUMNS": "100"}).out
    _, _, listed = shown.partition("\nexamples:\n")
    return [line.strip() for line in listed.splitlines()]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files = {"plan-policy.yaml": POLICY, "stricter.yaml": "max_steps: 0\n", "plans/a.calls.json": CALLS}
    plant(tmp_path, {**files, "calls.json": CALLS})
    plant(tmp_path, {"policies/plan-policy.yaml": POLICY})
    shutil.copy(EXAMPLES / "tools" / "refund.plan.json", tmp_path / "refund.plan.json")
    shutil.copy(EXAMPLES / "tools" / "shop.tools.json", tmp_path / "tools.json")
    plant(tmp_path, {"policies/plan-policy.test.yaml": CASES})
    return tmp_path


@pytest.mark.parametrize("command", HELPS)
def test_the_examples_of_a_help_work(command: str, folder: Path) -> None:
    lines = examples(command)
    assert 1 <= len(lines) <= 4
    for line in lines:
        assert f"plancheck {command}" in line
        real = re.sub(r"\bplancheck (?=[a-z])", f"{sys.executable} -m plancheck ", line, count=1)
        ran = subprocess.run(
            real,
            shell=True,
            cwd=folder,
            env=environment({"PYTHONWARNINGS": ""}),
            input="",
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert ran.returncode in (0, 1), f"{line}\n{ran.stdout}{ran.stderr}"
        assert "usage" not in ran.stderr
        assert ran.stderr == "", line
