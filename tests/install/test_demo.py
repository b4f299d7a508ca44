"""`make demo`: one screen, the commands that it shows, what to try next; the package is all that it needs."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from install.environments import ROOT, clean


def demo() -> str:
    command = [str(ROOT / "scripts" / "demo.sh"), str(Path(sys.executable).parent)]
    done = subprocess.run(command, cwd="/", capture_output=True, encoding="utf-8", env=clean(), check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_it_fits_on_a_page_and_ends_with_what_comes_next() -> None:
    shown = demo()
    assert len(shown.splitlines()) < 70
    assert "error[unknown_tool]" in shown
    assert re.search(r"^deny: .*missing_verification", shown, re.MULTILINE)
    assert re.search(r"^\d+ files checked: \d+ errors", shown, re.MULTILINE)
    assert shown.rpartition("\nNext:\n")[2].count("\n") < 10


def test_what_it_names_is_there() -> None:
    script = (ROOT / "scripts" / "demo.sh").read_text(encoding="utf-8")
    named = re.findall(r"examples/[\w/.-]+", script)
    assert len(named) > 4
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_it_installs_no_tools_for_developing() -> None:
    shown = subprocess.run(
        ["make", "--dry-run", "--always-make", "demo"], cwd=ROOT, capture_output=True, encoding="utf-8", check=True
    ).stdout
    assert "--editable ." in shown
    assert "--group" not in shown
    assert "npm" not in shown
