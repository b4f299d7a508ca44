"""The rule of CONTRIBUTING.md is added to a copy of the project, by the page's own steps, and its tests pass."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"^`([\w./-]+)`:\n\n```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
LEFT_OUT = shutil.ignore_patterns("__pycache__", "node_modules", "libs", "*.vsix", "*.png")


def in_copy(copy: Path, *command: str) -> str:
    path = os.pathsep.join((str(copy / "server"), str(copy / "tests")))
    environment = {**os.environ, "PYTHONPATH": path, "PYTEST_ADDOPTS": ""}
    done = subprocess.run(
        [sys.executable, *command], cwd=copy, env=environment, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def test_a_rule_is_added_as_the_page_says(tmp_path: Path) -> None:
    copy = tmp_path / "plancheck"
    copy.mkdir()
    for folder in ("server", "tests", "docs", "scripts", "examples", "vscode-extension"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=LEFT_OUT)
    shutil.copy(ROOT / "pyproject.toml", copy)
    assert len(FILES) == 3
    for name, text in FILES.items():
        (copy / name).write_text(text, encoding="utf-8")
    in_copy(copy, "scripts/try.py")
    in_copy(copy, "scripts/generated.py")
    assert "repeated_grant" in (copy / "docs" / "rules.md").read_text(encoding="utf-8")
    (words,) = re.findall(r"^\.venv/bin/pytest -n auto (.*) -k \"(.*)\"$", PAGE, re.MULTILINE)
    shown = in_copy(copy, "-m", "pytest", "-n0", "-p", "no:cacheprovider", *words[0].split(), "-k", words[1], "-rA")
    assert int(re.findall(r"(\d+) passed", shown)[0]) > 8, shown
    assert re.search("^PASSED .*test_the_second_of_two_is_reported", shown, re.MULTILINE)
    assert "repeated_grant (warning)" in in_copy(copy, "-m", "plancheck", "explain", "repeated_grant")
