"""`plancheck check --watch`, as a process over a pipe and on a terminal."""

from __future__ import annotations

import os
import pty
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from cli.command import BROKEN, CLEAN, FAULTY, environment, plancheck, plant

COMMAND = [sys.executable, "-m", "plancheck", "check", "--watch"]
WAITING = "Waiting for changes, until Ctrl-C.\n"
PATIENCE = 60


class Watching:
    """The process, and what it has written so far, read as it comes."""

    def __init__(self, process: subprocess.Popen[bytes], output: int) -> None:
        self.process = process
        self._output = output
        self.last = ""
        """What the last round showed."""
        self._text = b""
        self._grown = threading.Condition()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        while True:
            try:
                chunk = os.read(self._output, 65536)
            except OSError:  # Linux says so when the other end of a terminal is closed
                chunk = b""
            with self._grown:
                self._text += chunk
                self._grown.notify_all()
            if not chunk:
                return

    def round(self) -> str:
        """The output up to the end of the next round, without what came before."""
        end = WAITING.encode()
        with self._grown:
            assert self._grown.wait_for(lambda: end in self._text.replace(b"\r\n", b"\n"), PATIENCE), self._text
            text = self._text.replace(b"\r\n", b"\n")
            shown, _, self._text = text.partition(end)
        self.last = shown.decode()
        return self.last

    def round_with(self, words: str) -> str:
        """The next round that says so: there may be one while a file is half written, or a folder half removed."""
        while words not in (text := self.round()):
            pass
        return text

    def is_quiet(self, seconds: float) -> bool:
        time.sleep(seconds)
        assert self._text == b""
        return True

    def settles(self, words: str) -> bool:
        """Whether nothing comes any more; on a machine so busy that a file was seen half written, one round may."""
        time.sleep(1.5)
        if self._text:
            assert words in self.round()
        return self.is_quiet(1.5)

    def interrupt(self) -> int:
        os.killpg(self.process.pid, signal.SIGINT)
        return self.process.wait(PATIENCE)


@contextmanager
def watching(folder: Path, *args: str, terminal: bool = False) -> Iterator[Watching]:
    output, inner = pty.openpty() if terminal else os.pipe()
    process = subprocess.Popen(
        [*COMMAND, *args],
        cwd=folder,
        stdout=inner,
        stderr=inner,
        env=environment({"TERM": "xterm"} if terminal else {}),
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    os.close(inner)
    try:
        yield Watching(process, output)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(PATIENCE)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return plant(tmp_path, {"a.plan.json": CLEAN, "sub/b.plan.json": CLEAN})


def write(path: Path, text: str) -> None:
    """As most editors do: a new file takes the place of the old one."""
    new = path.with_name(f"{path.name}.new")
    new.write_text(text)
    new.replace(path)


def in_place(path: Path, text: str) -> None:
    path.write_text(text)


@pytest.mark.parametrize("save", [write, in_place])
def test_a_changed_plan_is_checked_again(project: Path, save: Callable[[Path, str], None]) -> None:
    with watching(project, ".") as shown:
        first = shown.round()
        assert first.startswith("2 files checked: no findings.\nChecked at ")
        save(project / "a.plan.json", FAULTY)
        second = shown.round_with("2 files checked: 1 warning.\nChecked at ")
        assert second.startswith("--- ")
        assert "a.plan.json:2:84: warning[write_with_no_prior_read]" in second
        save(project / "a.plan.json", CLEAN)
        shown.round_with("2 files checked: no findings.")
        assert shown.settles("2 files checked: no findings.")
        assert shown.interrupt() == 130
        assert shown.is_quiet(0.2)  # no word about it


def test_changes_that_come_together_are_one_round(project: Path) -> None:
    """As when another branch is checked out, or a file is emptied before it is written."""
    with watching(project, ".") as shown:
        shown.round()
        for number in range(40):
            plant(project, {f"{number}.plan.json": FAULTY})
            time.sleep(0.03)
        assert "42 files checked: 40 warnings." in shown.round()
        assert shown.settles("42 files checked: 40 warnings.")


def test_files_and_folders_come_and_go(project: Path) -> None:
    with watching(project, ".", "other") as shown:
        assert "plancheck: other: there is no such file or folder." in shown.round()
        plant(project, {"new/deep/c.plan.json": FAULTY})
        assert "3 files checked: 1 warning, 1 not checked." in shown.round()
        plant(project, {"other/d.plan.json": BROKEN})
        assert "4 files checked" in shown.round()
        (project / "a.plan.json").unlink()
        assert "3 files checked" in shown.round()
        shutil.rmtree(project / "other")
        assert "plancheck: other: there is no such file or folder." in shown.round()
        shutil.rmtree(project / "sub")
        shutil.rmtree(project / "new")
        shown.round_with("there are no plan files in this folder")
        plant(project, {"again.plan.json": CLEAN})
        assert "1 file checked: 1 not checked." in shown.round()


def test_settings_policies_and_catalogues_count(project: Path) -> None:
    calls = '[{"tool_name": "crm.find", "args": {}}]'
    plant(project, {"sub/b.calls.json": calls, "elsewhere/known.yaml": "max_steps: 5\n"})
    with watching(project, "sub") as shown:
        assert "2 files checked: no findings." in shown.round()
        plant(project, {"plancheck.toml": 'policy = ["elsewhere/known.yaml"]\n'})
        shown.round_with("2 files checked: no findings.")
        assert shown.settles("2 files checked: no findings.")
        write(project / "elsewhere" / "known.yaml", "allow_tools: []\n")
        assert "error[tool_deny]" in shown.round()
        plant(project, {"plancheck.toml": 'tools = ["elsewhere/tools.json"]\n'})
        shown.round_with("elsewhere/tools.json")
        plant(project, {"elsewhere/tools.json": '[{"name": "other.tool", "inputSchema": {"type": "object"}}]'})
        shown.round_with("unknown_tool")
        plant(project, {"plancheck.toml": "", "sub/.gitignore": "b.calls.json\n"})
        shown.round_with("1 file checked")
        plant(project, {"plan-policy.yaml": "allow_tols: []\n"})
        shown.round_with("policy_unknown_key")


def test_nothing_happens_without_a_change_that_matters(project: Path) -> None:
    """Nor is the processor busy: asking for times is all that is done."""
    with watching(project, "--cache-dir", "results", ".") as shown:
        shown.round()
        before = processor_time(shown.process.pid)
        plant(project, {"notes.md": "x", "data.json": "{}", "node_modules/x.plan.json": BROKEN, ".git/x": ""})
        assert shown.is_quiet(3)
        assert processor_time(shown.process.pid) - before < 0.6
        write(project / "a.plan.json", FAULTY)
        assert "1 warning" in shown.round()


def processor_time(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_a_terminal_is_cleared(project: Path) -> None:
    with watching(project, "a.plan.json", terminal=True) as shown:
        clear = "\x1b[2J\x1b[3J\x1b[H"
        assert shown.round().startswith(f"{clear}1 file checked: no findings.\n")
        write(project / "a.plan.json", FAULTY)
        second = shown.round()
        assert second.startswith(f"{clear}\x1b[1ma.plan.json:2:84:")
        assert "---" not in second
        assert shown.interrupt() == 130


def test_only_what_changed_is_checked_again(tmp_path: Path) -> None:
    """The cache has the rest: one result is added to it, and no other one is written again."""
    plant(tmp_path, {f"{number}.plan.json": FAULTY.replace("ledger", f"r{number}") for number in range(30)})
    with watching(tmp_path, "-j", "1", ".") as shown:
        shown.round()
        results = tmp_path / ".plancheck_cache" / "results"
        first = {path: path.stat().st_mtime_ns for path in results.iterdir()}
        write(tmp_path / "7.plan.json", CLEAN)
        assert "30 files checked: 29 warnings." in shown.round()
        second = {path: path.stat().st_mtime_ns for path in results.iterdir()}
        assert len(first) > 10
        assert len(second.items() - first.items()) == 1


def test_a_pipe_that_is_closed_ends_it(project: Path) -> None:
    process = subprocess.Popen(
        [*COMMAND, "."], cwd=project, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment({})
    )
    with process:
        assert process.stdout is not None
        assert process.stderr is not None
        while WAITING.encode() not in process.stdout.readline():
            pass
        process.stdout.close()
        write(project / "a.plan.json", FAULTY)
        assert process.wait(PATIENCE) == 141
        assert process.stderr.read() == b""


@pytest.mark.parametrize(
    "args",
    [
        ["-"],
        ["--fix", "."],
        ["--diff", "."],
        ["--add-ignores", "."],
        ["--write-baseline", "--", "."],
        ["--format", "json", "."],
    ],
)
def test_what_does_not_go_together_is_one_line(project: Path, args: list[str]) -> None:
    ran = plancheck("check", "--watch", *args, cwd=project)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert ran.err.startswith("plancheck check: --watch ")
