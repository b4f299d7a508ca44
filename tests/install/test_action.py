"""The GitHub action, run the way a runner runs it: its script with the inputs and the files of a job."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from install.environments import ROOT, clean

FAULTY = '{"nodes": [{"idx": 0, "agent": "a", "kind": "decide"}]}\n'
WARNED = '[{"tool_name": "pay", "args": {"amount": 5}, "writes": ["ledger"], "reads": ["order"]}]\n'


def action() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    return loaded


class Job(NamedTuple):
    code: int
    log: str
    outputs: dict[str, str]
    summary: str


@pytest.fixture(scope="module")
def runner_temp(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of all jobs of this module, so that plancheck is installed once."""
    return tmp_path_factory.mktemp("runner")


def run_action(folder: Path, runner_temp: Path, **inputs: str) -> Job:
    """The one step of action.yml in bash, with `inputs` over the defaults."""
    (step,) = action()["runs"]["steps"]
    given = {name: str(known["default"]) for name, known in action()["inputs"].items()}
    given |= {name.replace("_", "-"): value for name, value in inputs.items()}
    assert given.keys() == action()["inputs"].keys()
    environment = {
        name: re.sub(r"^\$\{\{ inputs\.([\w-]+) \}\}$", lambda found: given[found[1]], value)
        for name, value in step["env"].items()
    }
    output, summary = folder / "output.txt", folder / "summary.md"
    for file in (output, summary):
        file.unlink(missing_ok=True)
    environment |= {"GITHUB_ACTION_PATH": str(ROOT), "RUNNER_TEMP": str(runner_temp)}
    environment |= {"GITHUB_OUTPUT": str(output), "GITHUB_STEP_SUMMARY": str(summary)}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=folder,
        env={**clean(), "PATH": path, **environment},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert "Traceback" not in done.stderr, done.stderr
    lines = output.read_text(encoding="utf-8").splitlines() if output.exists() else []
    outputs = dict(line.split("=", 1) for line in lines)
    return Job(
        done.returncode,
        done.stdout + done.stderr,
        outputs,
        summary.read_text(encoding="utf-8") if summary.exists() else "",
    )


def test_findings_are_annotations_outputs_and_a_summary(tmp_path: Path, runner_temp: Path) -> None:
    (tmp_path / "a.plan.json").write_text(FAULTY, encoding="utf-8")
    job = run_action(tmp_path, runner_temp, sarif_file="found.sarif")
    assert job.code == 1, job.log
    assert "::error file=a.plan.json,line=1,col=45," in job.log
    assert job.outputs == {"exit-code": "1", "errors": "1", "warnings": "0", "unchecked": "0"}
    assert "unknown_kind" in job.summary
    sarif = json.loads((tmp_path / "found.sarif").read_text(encoding="utf-8"))
    assert [result["ruleId"] for result in sarif["runs"][0]["results"]] == ["unknown_kind"]


def test_a_clean_plan_passes_and_a_warning_does_unless_it_shall_not(tmp_path: Path, runner_temp: Path) -> None:
    (tmp_path / "a b.plan.json").write_text(WARNED, encoding="utf-8")
    job = run_action(tmp_path, runner_temp, paths="'a b.plan.json'")
    assert (job.code, job.outputs["errors"], job.outputs["exit-code"]) == (0, "0", "0"), job.log
    assert int(job.outputs["warnings"]) > 0
    strict = run_action(tmp_path, runner_temp, paths="'a b.plan.json'", fail_on="warning")
    assert (strict.code, strict.outputs["exit-code"]) == (1, "1")


@pytest.mark.parametrize(
    ("inputs", "words"),
    [
        ({"paths": "'a"}, "::error title=plancheck::`paths` cannot be split"),
        ({"version": "0.2.0; touch hacked"}, "::error title=plancheck::`version` is '0.2.0; touch hacked'"),
        ({"paths": "nowhere"}, "there is no such file or folder"),
        ({"arguments": "--select nothing"}, "unknown rule 'nothing'"),
        ({"paths": "--fix $(touch hacked)"}, "--fix"),
    ],
)
def test_bad_inputs_mean_2_and_one_line(inputs: dict[str, str], words: str, tmp_path: Path, runner_temp: Path) -> None:
    job = run_action(tmp_path, runner_temp, **inputs)
    assert job.code == 2, job.log
    assert words in job.log
    assert not (tmp_path / "hacked").exists()


def test_every_input_reaches_the_script_and_every_output_is_written() -> None:
    (step,) = action()["runs"]["steps"]
    script = (ROOT / "scripts" / "action.py").read_text(encoding="utf-8")
    assert sorted(step["env"]) == sorted(f"INPUT_{name.upper().replace('-', '_')}" for name in action()["inputs"])
    assert [name for name in step["env"] if name not in script] == []
    assert [name for name in action()["outputs"] if f'"{name}"' not in script] == []
