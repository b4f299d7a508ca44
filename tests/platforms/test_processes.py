"""Streams and processes as other systems have them, as far as Linux can show it: each in a process of its own."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from cli.command import EXAMPLES, FAULTY, environment, plancheck, plant
from plancheck.cli import terminal
from plancheck.workspace.rego.engine import EngineFault
from plancheck.workspace.rego.locate import find_engine
from plancheck.workspace.rego.opa import Opa

AS_ON_WINDOWS = """
import io, sys
sys.stdout = io.TextIOWrapper(sys.stdout.detach(), encoding="cp1252", newline="\\r\\n")
from plancheck.cli.main import run
sys.exit(run(sys.argv[1:]))
"""
NAMED = '{"nodes": [{"idx": 0, "agent": "Ž→é", "kind": "tool_call", "writes": ["ledger→"]}]}\n'
REGO = 'package plancheck\n\nimport rego.v1\n\ndeny contains "never" if input\n'


@pytest.mark.parametrize("style", ["json", "junit", "sarif", "text"])
def test_what_goes_into_a_file_is_utf8_with_line_feeds(style: str, tmp_path: Path) -> None:
    plant(tmp_path, {"é→.plan.json": NAMED})
    arguments = ["check", "--no-cache", "--fail-on", "never", "--format", style, "."]
    done = subprocess.run(
        [sys.executable, "-c", AS_ON_WINDOWS, *arguments], cwd=tmp_path, capture_output=True, env=environment({})
    )
    assert done.returncode == 0, done.stderr
    assert b"\r" not in done.stdout
    assert done.stdout.decode("utf-8") == plancheck(*arguments, cwd=tmp_path).out


def test_a_diff_keeps_the_line_ends_of_the_file(tmp_path: Path) -> None:
    text = '{"nodes": [\r\n  {"idx": 0, "agent": "a", "kind": "decision", "reads": ["x", "x"]}\r\n]}\r\n'
    (tmp_path / "a.plan.json").write_bytes(text.encode())
    arguments = ["check", "--diff", "--unsafe", "a.plan.json"]
    done = subprocess.run(
        [sys.executable, "-c", AS_ON_WINDOWS, *arguments], cwd=tmp_path, capture_output=True, env=environment({})
    )
    assert b"\r\n" in done.stdout
    assert b"\r\r\n" not in done.stdout
    subprocess.run(["git", "init", "--quiet", "."], cwd=tmp_path, check=True)
    subprocess.run(["git", "apply", "-"], cwd=tmp_path, input=done.stdout, check=True)


class Nul(io.TextIOWrapper):
    """Windows calls NUL a terminal, and does not know how wide it is."""

    def isatty(self) -> bool:
        return True


def test_what_is_called_a_terminal_and_is_none_has_a_width() -> None:
    with Nul(Path(os.devnull).open("wb")) as stream:
        assert terminal.columns_of(stream) == terminal.COLUMNS


@pytest.mark.parametrize(
    ("variables", "understood"), [({}, False), ({"WT_SESSION": "1"}, True), ({"TERM": "xterm"}, True)]
)
def test_an_old_console_of_windows_gets_no_escape_sequences(
    variables: dict[str, str], understood: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Nul(Path(os.devnull).open("wb")) as stream, monkeypatch.context() as patched:
        for name in ("TERM", "NO_COLOR", "FORCE_COLOR", "WT_SESSION"):
            patched.delenv(name, raising=False)
        for name, value in variables.items():
            patched.setenv(name, value)
        assert terminal.wants_colour("auto", stream)
        patched.setattr("plancheck.cli.terminal.sys.platform", "win32")
        assert terminal.wants_colour("auto", stream) is understood


def test_a_stream_that_cannot_be_read_ends_the_server(tmp_path: Path) -> None:
    """As a terminal that hung up, or a pipe of Windows that broke: one that is open for writing alone."""
    with (tmp_path / "input").open("wb") as stream:
        done = subprocess.run(
            [sys.executable, "-m", "plancheck", "lsp"],
            stdin=stream,
            capture_output=True,
            env=environment({"PYTHONWARNINGS": "ignore"}),
            timeout=60,
            check=False,
        )
    assert done.stderr == b""
    assert done.returncode == 1  # it was not told to exit


SPAWNED = """
import multiprocessing, sys
from plancheck.cli.main import run
if __name__ == "__main__":
    multiprocessing.set_start_method("spawn")
    sys.exit(run(sys.argv[1:]))
"""


def test_processes_that_are_spawned_find_the_same(tmp_path: Path) -> None:
    """As macOS and Windows start them: afresh, with everything handed over."""
    script = tmp_path / "spawned.py"
    script.write_text(SPAWNED, encoding="utf-8")
    arguments = ["check", "--no-cache", "--fail-on", "never", "--format", "json"]
    folders = [str(EXAMPLES / name) for name in ("steps", "tools", "gate")]
    done = subprocess.run(
        [sys.executable, str(script), *arguments, "--jobs", "2", *folders],
        cwd=tmp_path,
        capture_output=True,
        env=environment({}),
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == plancheck(*arguments, "--jobs", "1", *folders, cwd=tmp_path).json


WITHOUT_TIMER = """
import signal, sys
del signal.setitimer
import runpy
runpy.run_path(sys.argv.pop(1), run_name="__main__")
"""


def test_a_pattern_without_end_is_stopped_where_there_is_no_timer() -> None:
    """Windows has none: the process is ended from outside."""
    script = f"""
import subprocess, sys
from plancheck.policy.regexes import Outcome
from plancheck.workspace import regex_process
start = subprocess.Popen
def without_timer(command, **more):
    return start([command[0], "-c", {WITHOUT_TIMER!r}, command[-1]], **more)
regex_process.subprocess.Popen = without_timer
process = regex_process.RegexProcess()
assert process("b", "abc") and not process._has_timer
assert process("(a+)+$", "a" * 40 + "b") is Outcome.STOPPED
assert process("c", "abc") is not Outcome.STOPPED
process.close()
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, env=environment({}), check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr.decode()


def test_a_program_in_the_working_directory_is_not_run(tmp_path: Path) -> None:
    """Windows looks there first: a repository that somebody only checks must not bring its own opa."""
    plant(tmp_path, {"a.plan.json": FAULTY, "plan-policy.rego": REGO})
    planted = tmp_path / "opa"
    planted.write_text("#!/bin/sh\ntouch was-run\n", encoding="utf-8")
    planted.chmod(0o755)
    for path in (".", f".{os.pathsep}{os.environ['PATH']}", f"{os.pathsep}{os.environ['PATH']}"):
        plancheck("check", "--no-cache", ".", cwd=tmp_path, env={"PATH": path})
        assert not (tmp_path / "was-run").exists()


def test_opa_takes_files_whose_folder_has_a_colon(tmp_path: Path) -> None:
    """As every path of Windows has: opa cuts there what it is given."""
    own = Path(__file__).resolve().parents[2] / ".cache" / "opa" / "opa"
    engine = find_engine(str(own)) if own.exists() else find_engine()
    if isinstance(engine, EngineFault) or not isinstance(engine, Opa):
        pytest.skip("there is no opa, and no Go to build one")
    folder = tmp_path / "c:temp"
    folder.mkdir()
    plant(tmp_path, {"a.plan.json": '[{"tool_name": "pay", "args": {}}]', "plan-policy.rego": REGO})
    ran = plancheck("gate", "--opa", engine.program, "a.plan.json", cwd=tmp_path, env={"TMPDIR": str(folder)})
    assert (ran.code, "never" in ran.out) == (1, True), ran
