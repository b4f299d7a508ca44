"""Files that are made from the code are what the code makes of them now."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
LIST = (ROOT / "scripts" / "generated.py").read_text(encoding="utf-8")
SCRIPTS = dict(re.findall(r'^    "(\S+)": "(\S+)",$', LIST, re.MULTILINE))


@pytest.mark.parametrize("file", SCRIPTS)
def test_a_generated_file_is_current(file: str) -> None:
    if "plan_lint" in SCRIPTS[file]:
        pytest.importorskip("plan_lint.core", reason="plan-lint needs Python 3.11")
    before = (ROOT / file).read_bytes()
    command = [sys.executable, str(ROOT / SCRIPTS[file]), "--check"]
    path = os.pathsep.join((str(ROOT / "server"), str(ROOT / "tests")))
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": path}, capture_output=True, check=False)
    assert done.returncode == 0, f"{file}: run `make generated`"
    assert (ROOT / file).read_bytes() == before


def test_every_script_that_writes_a_file_is_known() -> None:
    """Whoever adds a script that knows `--check` adds it to the one list."""
    writers = [path for path in (ROOT / "scripts").glob("*.py") if '"--check" in sys.argv' in path.read_text("utf-8")]
    assert {f"scripts/{path.name}" for path in writers} <= set(SCRIPTS.values())
    assert len(SCRIPTS) >= 4
