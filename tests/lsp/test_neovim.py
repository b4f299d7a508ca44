"""Real Neovims, without a screen: diagnostics stand at the right columns; hover, lenses, rename and actions work.

Debian's waits for diagnostics to be sent, the newer one of `scripts/set-up-neovim.sh` asks for them.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from lsp.plans import FAULTY
from lsp.wire import SERVER_PATH
from plancheck import check_text

ROOT = Path(__file__).parents[2]
NEWER = ROOT / ".cache" / "neovim" / "bin" / "nvim"
FIRST_THAT_PULLS = (0, 10)


def program(which: str) -> str:
    if which == "newer":
        if not NEWER.exists():
            pytest.skip("no newer Neovim for this machine: see scripts/set-up-neovim.sh")
        return str(NEWER)
    nvim = shutil.which("nvim")
    assert nvim is not None, "Neovim is needed: apt-get install neovim"
    return nvim


def documented_command() -> str:
    """What docs/editors.md has for lenses in Neovim."""
    page = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")
    (command,) = (block for block in re.findall(r"```lua\n(.*?)```", page, re.DOTALL) if "showSteps" in block)
    return str(command)


@pytest.fixture(scope="module", params=["Debian's", "newer"])
def seen(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What Neovim saw and did with a plan that has an emoji before every finding on its line."""
    nvim = program(request.param)
    folder = tmp_path_factory.mktemp("neovim")
    (folder / "refund.plan.json").write_text(plan(), encoding="utf-8")
    environment = {
        **os.environ,
        "PYTHONPATH": SERVER_PATH,
        "PYTHON": sys.executable,
        "PLAN": str(folder / "refund.plan.json"),
        "LENS_COMMAND": documented_command(),
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


def test_which_neovim_asks_for_diagnostics_and_chooses_the_encoding(seen: dict[str, Any]) -> None:
    is_new = tuple(seen["version"]) >= FIRST_THAT_PULLS
    assert (seen["pulls"], seen["encoding"]) == (is_new, "utf-8" if is_new else "utf-16")


def test_lenses_are_shown_and_run(seen: dict[str, Any]) -> None:
    lines = plan().splitlines()
    above_steps = [lens for lens in seen["lenses"] if lens["command"] == "plancheck.showSteps"]
    assert above_steps[0]["title"].startswith("8 followers")
    assert all('"idx"' in lines[lens["line"]] for lens in above_steps)
    followers = range(5, 13)  # all steps but the first, each at its idx
    assert seen["listed"] == [{"line": at + 1, "column": lines[at].index('"idx": ') + 8} for at in followers]


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
