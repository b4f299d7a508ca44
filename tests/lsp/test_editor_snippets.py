"""What docs/editors.md has for editors does what it says: in a real Emacs with each client, in a real Neovim."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from lsp.plans import FAULTY
from lsp.wire import SERVER_PATH
from plancheck import check_text

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
NEOVIM = ROOT / ".cache" / "neovim" / "bin" / "nvim"
WITH_EMOJI = FAULTY.replace('"agent": "', '"agent": "😀 ')
"""An emoji before every finding on its line: columns are right only where both sides count alike."""
PLANS = {"eglot": WITH_EMOJI, "lsp-mode": FAULTY}  # which counts an emoji as one, see docs/editors.md


def snippet(language: str, part: str) -> str:
    page = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")
    (found,) = (block for block in re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL) if part in block)
    return str(found)


def shown_by(command: list[str], text: str, plan: str, folder: Path, **more: str) -> list[tuple[int, str, str]]:
    """What an editor shows for the plan: lines, the texts that are underlined, messages."""
    (folder / "snippet").write_text(text, encoding="utf-8")
    (folder / "refund.plan.json").write_text(plan, encoding="utf-8")
    (folder / "plancheck.toml").touch()
    environment = {
        **os.environ,
        **more,
        "PATH": f"{command_folder(folder)}:{os.environ['PATH']}",
        "PYTHONPATH": SERVER_PATH,
        "SNIPPET": str(folder / "snippet"),
        "PLAN": str(folder / "refund.plan.json"),
        "WANTED": str(len(check_text(plan).findings)),
        "OUT": str(folder / "out"),
        "HOME": str(folder),
        "XDG_STATE_HOME": str(folder),
        "XDG_CACHE_HOME": str(folder),
        "LC_ALL": "C.UTF-8",
    }
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, timeout=120, check=False)
    assert (folder / "out").exists(), done.stderr.decode()
    lines = (folder / "out").read_text(encoding="utf-8").splitlines()
    return sorted((int(line), text, message) for line, text, message in (one.split("\t") for one in lines))


def command_folder(folder: Path) -> Path:
    """A folder with `plancheck` in it, as it is after an installation."""
    programs = folder / "bin"
    programs.mkdir()
    command = programs / "plancheck"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m plancheck "$@"\n')
    command.chmod(0o755)
    return programs


def assert_all_is_shown(shown: list[tuple[int, str, str]], plan: str) -> None:
    findings = check_text(plan).findings
    assert findings
    expected = sorted((f.range.start.line + 1, plan[f.start : f.end], f.message) for f in findings)
    assert [(line, text) for line, text, _ in shown] == [(line, text) for line, text, _ in expected]
    for (_, _, message), (_, _, wanted) in zip(shown, expected, strict=True):
        assert wanted in message


@pytest.mark.parametrize("client", ["eglot", "lsp-mode"])
def test_emacs_shows_the_findings(client: str, tmp_path: Path) -> None:
    emacs = shutil.which("emacs")
    assert emacs is not None, "Emacs is needed: scripts/set-up-emacs.sh"
    command = [emacs, "--batch", "--load", str(HERE / "emacs.el")]
    shown = shown_by(command, snippet("elisp", f";; {client}\n"), PLANS[client], tmp_path, CLIENT=client)
    assert_all_is_shown(shown, PLANS[client])


@pytest.mark.parametrize("api", ["vim.lsp.enable", "vim.lsp.start("])
def test_neovim_shows_the_findings(api: str, tmp_path: Path) -> None:
    if not NEOVIM.exists():
        pytest.skip("no newer Neovim for this machine: see scripts/set-up-neovim.sh")
    command = [str(NEOVIM), "--headless", "-n", "-u", "NONE", "-c", f"luafile {HERE / 'neovim_snippet.lua'}"]
    assert_all_is_shown(shown_by(command, snippet("lua", api), WITH_EMOJI, tmp_path), WITH_EMOJI)
