"""Folders with files in them, and git to ask about them."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path


def plant(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def git(root: Path, *args: str, stdin: str = "") -> str:
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    done = subprocess.run(
        ["git", *args], cwd=root, input=stdin, capture_output=True, text=True, env=environment, check=False
    )
    assert done.returncode in (0, 1), done.stderr
    return done.stdout
