"""Interpreters of this machine, environments made with them, and packages made of this checkout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from shutil import which
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
VERSIONS = ("3.10", "3.11", "3.12", "3.13", "3.14")
"""The versions of Python that plancheck runs on."""

_CAN_MAKE_ENVIRONMENTS = "import ensurepip, venv, sys; print('%d.%d' % sys.version_info[:2])"


@cache
def interpreters() -> dict[str, str]:
    """For each version that is there, one interpreter that can make environments."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    candidates = [sys.executable, *filter(None, (which(f"python{version}") for version in VERSIONS))]
    candidates += map(str, sorted(pyenv.glob("3.*/bin/python")))
    found: dict[str, str] = {}
    for candidate in candidates:
        asked = subprocess.run([candidate, "-c", _CAN_MAKE_ENVIRONMENTS], capture_output=True, text=True, check=False)
        if asked.returncode == 0 and asked.stdout.strip() in VERSIONS:  # a shim of pyenv may lead nowhere
            found.setdefault(asked.stdout.strip(), candidate)
    return found


def clean() -> dict[str, str]:
    """The environment of somebody who has never seen this checkout."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}


def run(*command: str | Path, cwd: Path, code: int = 0, stdin: str = "") -> str:
    done = subprocess.run(
        list(map(str, command)), cwd=cwd, input=stdin, capture_output=True, encoding="utf-8", env=clean(), check=False
    )
    assert done.returncode == code, f"{command}: {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def make_environment(folder: Path, interpreter: str, *what: str | Path) -> Path:
    """A fresh environment with some packages; the folder of its programs."""
    run(interpreter, "-m", "venv", folder, cwd=folder.parent)
    programs = folder / ("Scripts" if sys.platform == "win32" else "bin")
    install(programs, *what)
    return programs


def install(programs: Path, *what: str | Path) -> None:
    """Put packages into an environment."""
    quiet = ("--quiet", "--disable-pip-version-check", "--no-compile")
    run(programs / "python", "-m", "pip", "install", *quiet, *what, cwd=programs.parent)


def framed(message: dict[str, Any]) -> str:
    body = json.dumps({"jsonrpc": "2.0", **message})
    return f"Content-Length: {len(body)}\r\n\r\n{body}"
