"""A real Neovim, without a screen: the diagnostics stand at the right columns, hover, rename and actions work."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from lsp.plans import FAULTY
from lsp.wire import SERVER_PATH
from plancheck import check_text


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What Neovim saw and did with a plan that has an emoji before every finding on its line."""
    nvim = shutil.which("nvim")
    assert nvim is not None, "Neovim is needed: apt-get install neovim"
    folder = tmp_path_factory.mktemp("neovim")
    (folder / "refund.plan.json").write_text(plan(), encoding="utf-8")
    environment = {
        **os.environ,
        "PYTHONPATH": SERVER_PATH,
        "PYTHON": sys.executable,
        "PLAN": str(folder / "refund.plan.json"),
        "OUT": str(folder / "out.json"),
        "HOME": str(folder),
        "XDG_STATE_HOME": str(folder),
        "XDG_CACHE_HOME": str(folder),
    }
    script = Path(__file__).parent / "neovim.lua"
    done = subprocess.run(
        [nvim, "--headless", "-n", "-u", "NONE", "-c", f"luafile {script}"],
        env=environment,
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert (folder / "out.json").exists(), done.stderr.decode()
    found: dict[str, Any] = json.loads((folder / "out.json").read_text(encoding="utf-8"))
    assert found.get("problem") is None, found["problem"]
    return found


def plan() -> str:
    return FAULTY.replace('"agent": "', '"agent": "😀 ')


def test_diagnostics_stand_under_the_right_words(seen: dict[str, Any]) -> None:
    expected = [(f.rule, f.range.start.line, plan()[f.start : f.end]) for f in check_text(plan()).findings]
    assert sorted((item["code"], item["line"], item["text"]) for item in seen["diagnostics"]) == sorted(expected)
    assert seen["encoding"] == "utf-16"


def test_hover(seen: dict[str, Any]) -> None:
    assert "8 of 8 other steps follow this one" in seen["hover"]


def test_rename(seen: dict[str, Any]) -> None:
    assert seen["renamed"].count('"producer": 70}') == plan().count('"producer": 0}')
    assert '"idx": 70' in seen["renamed"]
    assert '"producer": 0}' not in seen["renamed"]


def test_a_chosen_action_makes_its_finding_go(seen: dict[str, Any]) -> None:
    assert seen["action"] == f"Ignore `{seen['suppressed']}` in this file"
    assert seen["after"]
    assert not any(item["code"] == seen["suppressed"] for item in seen["after"])
