"""The last line of defence: a mistake of our own is one line and exit code 2, never a traceback."""

from __future__ import annotations

import os
import subprocess
import sys

SCRIPT = """
import sys
import plancheck.analysis.engine as engine
def broken(*args, **kwargs):
    raise ZeroDivisionError("by design")
engine._snapshot = broken
sys.argv = ["plancheck", "check", "-"]
from plancheck.__main__ import main
sys.exit(main())
"""


def run(**environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", SCRIPT],
        input="{}",
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )


def test_a_mistake_of_our_own_is_one_line() -> None:
    result = run()
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert "ZeroDivisionError: by design" in result.stderr


def test_the_traceback_can_be_asked_for() -> None:
    result = run(PLANCHECK_DEBUG="1")
    assert result.returncode == 2
    assert "Traceback" in result.stderr
