"""Running the real command in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"

CLEAN = '{"nodes": [{"idx": 0, "agent": "clerk", "kind": "decision", "reads": ["order"]}]}\n'
FAULTY = """\
{"nodes": [
  {"idx": 0, "agent": "clerk", "kind": "tool_call", "reads": ["order"], "writes": ["ledger"]}
]}
"""
BROKEN = '{"nodes": [\n  {"idx": "0", "agent": "clerk", "kind": "decision"}\n]}\n'


class Ran(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def environment(more: dict[str, str]) -> dict[str, str]:
    """The environment of a user: nothing that changes how Python or a terminal behaves."""
    changes = ("PYTHON", "NO_COLOR", "FORCE_COLOR", "TERM")
    keep = {name: value for name, value in os.environ.items() if not name.startswith(changes)}
    return {**keep, "PYTHONPATH": str(ROOT / "server"), "PYTHONWARNINGS": "error", **more}


def plancheck(*args: str | Path, cwd: Path = ROOT, stdin: bytes = b"", env: dict[str, str] | None = None) -> Ran:
    done = subprocess.run(
        [sys.executable, "-m", "plancheck", *map(str, args)],
        cwd=cwd,
        input=stdin,
        capture_output=True,
        env=environment(env or {}),
        check=False,
        timeout=120,
    )
    ran = Ran(done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"))
    assert "Traceback" not in ran.err, ran.err
    return ran


def plant(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder
