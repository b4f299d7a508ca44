"""The command as a process: a terminal, a pipe that closes, Ctrl-C, and what it imports."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4

import pytest

from cli.command import CLEAN, EXAMPLES, FAULTY, environment, plancheck, plant

COMMAND = [sys.executable, "-m", "plancheck"]


@contextmanager
def in_a_group_of_its_own(args: list[str], cwd: Path) -> Iterator[subprocess.Popen[bytes]]:
    """The command with its children, which Ctrl-C reaches and of which none is left in the end.

    A process that was started in the background (`make test &`) ignores interrupts, and hands that on: so it is undone.
    """
    process = subprocess.Popen(
        [*COMMAND, *args],
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment({}),
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    with process:
        try:
            yield process
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def on_a_terminal(args: list[str], cwd: Path) -> tuple[int, str]:
    """Run with standard output and standard error on one pseudo terminal."""
    outer, inner = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, *args], cwd=cwd, stdout=inner, stderr=inner, env=environment({"TERM": "xterm"})
    )
    os.close(inner)
    chunks = []
    while True:
        try:
            chunk = os.read(outer, 65536)
        except OSError:  # Linux says so when the other end is closed
            break
        if not chunk:
            break
        chunks.append(chunk)
    os.close(outer)
    return process.wait(timeout=60), b"".join(chunks).decode()


def test_a_terminal_gets_colours_and_for_many_files_a_progress_bar(tmp_path: Path) -> None:
    steps = ",\n".join(
        f'{{"idx": {n}, "agent": "a", "kind": "tool_call", "reads": ["r{n}"], "writes": ["r{n}"]}}' for n in range(300)
    )
    large = f'{{"nodes": [{steps}]}}'
    plant(tmp_path, {f"{number:03}.plan.json": large for number in range(150)})
    plant(tmp_path, {"z.plan.json": FAULTY})
    code, out = on_a_terminal(["check", "--jobs", "1", "."], tmp_path)
    assert code == 0
    assert " of 151 files" in out
    assert "\x1b[33;1mwarning[write_with_no_prior_read]\x1b[0m" in out
    after_bar = out.rpartition("files\x1b[K")[2]
    assert after_bar.startswith("\r\x1b[K")
    assert "151 files checked: \x1b[33;1m1 warning\x1b[0m." in after_bar
    code, out = on_a_terminal(["check", "--jobs", "1", "-q", "."], tmp_path)
    assert " of 151 files" not in out


def test_few_files_have_no_progress_bar(tmp_path: Path) -> None:
    plant(tmp_path, {"a.plan.json": CLEAN})
    assert on_a_terminal(["check", "."], tmp_path) == (0, "1 file checked: no findings.\r\n")


@pytest.mark.parametrize("args", [["check", "--format", "text"], ["check", "--format", "json"], ["check", "-j", "2"]])
def test_a_pipe_that_closes_is_no_traceback(tmp_path: Path, args: list[str]) -> None:
    plant(tmp_path, {f"{number}.plan.json": FAULTY.replace("ledger", "x" * 5000) for number in range(60)})
    with in_a_group_of_its_own([*args, "."], tmp_path) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(100)
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=60) == 141


def test_a_full_disk_is_one_line(tmp_path: Path) -> None:
    plant(tmp_path, {"a.plan.json": FAULTY})
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*COMMAND, "check", "."],
            cwd=tmp_path,
            stdout=full,
            stderr=subprocess.PIPE,
            env=environment({}),
            check=False,
        )
    assert (done.returncode, done.stderr) == (2, b"plancheck: No space left on device.\n")


def _members_of(group: int) -> list[str]:
    """The processes of a group, those left out that are dead and only not asked about yet."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            state, _, process_group, *_ = (process / "stat").read_text().rpartition(")")[2].split()
            if int(process_group) == group and state != "Z":
                found.append(process.name)
    return found


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupt_is_no_traceback(tmp_path: Path, jobs: str) -> None:
    """It comes once the findings of the first file are there, with minutes of work ahead."""
    plant(tmp_path, {"a.plan.json": _plan_of(200)})
    large = {f"b{number:02}.plan.json": _plan_of(20_000) for number in range(8)}
    plant(tmp_path, large)
    with in_a_group_of_its_own(["check", "-j", jobs, "a.plan.json", *large], tmp_path) as process:
        assert process.stdout is not None
        assert process.stdout.read(1)
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=60)
        assert (process.returncode, err) == (130, b"")
        assert _members_of(process.pid) == []


def _plan_of(steps: int) -> str:
    """A plan with a finding for every step, and unlike any that was checked before."""
    nodes = [
        {"idx": idx, "agent": "a", "kind": "tool_call", "reads": ["order"], "writes": [f"ledger{idx}"]}
        for idx in range(steps)
    ]
    return json.dumps({"plan_id": str(uuid4()), "nodes": nodes})


def test_checking_a_plan_imports_nothing_that_it_does_not_need() -> None:
    plan = EXAMPLES / "declared" / "refund.plan.json"
    program = (
        "import sys\nfrom plancheck.cli.main import run\n"
        f"run(['check', {str(plan)!r}])\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=environment({}), check=True
    )
    modules = set(done.stderr.split())
    assert "plancheck.analysis.engine" in modules
    heavy = {"pygls", "lsprotocol", "networkx", "asyncio", "multiprocessing", "inspect", "dataclasses", "tomllib"}
    assert modules & heavy == set()
    assert not [module for module in modules if module.startswith(("plancheck.lsp", "plancheck.ide", "plancheck.pre"))]


def test_the_language_server_is_reached_through_the_command() -> None:
    ran = plancheck("lsp", "--help")
    assert ran.code == 0
    assert "--tcp" in ran.out
