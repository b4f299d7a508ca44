"""A log as a table: what it shows, on what width, and that neither a long log nor a hostile one is in the way."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import struct
import subprocess
import sys
import termios
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from cli.command import Ran, environment

SHOW = "import sys; from plancheck.cli.gate_log import show; raise SystemExit(show(sys.argv[1]))"


def shown(path: Path | str, **env: str) -> Ran:
    """The table as a pipe gets it."""
    command = [sys.executable, "-c", SHOW, str(path)]
    where = environment({"TZ": "UTC", "PYTHONUTF8": "1", **env})
    done = subprocess.run(command, capture_output=True, env=where, check=False, timeout=60)
    assert b"Traceback" not in done.stderr, done.stderr.decode()
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


def shown_on_terminal(path: Path, columns: int) -> list[str]:
    """The lines of the table as a terminal of that width gets them."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    where = environment({"TZ": "UTC", "PYTHONUTF8": "1", "TERM": "xterm"})
    where.pop("COLUMNS", None)
    command = [sys.executable, "-c", SHOW, str(path)]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=where) as process:
        os.close(theirs)
        output = b"".join(iter(lambda: _read(ours), b""))
        assert process.wait(timeout=60) == 0
    os.close(ours)
    return output.decode().replace("\r\n", "\n").splitlines()


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # on Linux the end of a terminal is an error
        return b""


def decided(word: str, *tools: str | None, blamed: Iterable[int] = (), **more: Any) -> dict[str, Any]:
    """A record, as the log has it."""
    return {
        "event_type": "agent.plan",
        "steps": [{"tool": tool} for tool in tools],
        "allow": word == "allow",
        "deny": word == "deny",
        "requires_hitl": word == "requires_hitl",
        "undecided": word == "undecided",
        "rule_matched": "gate_rule",
        "blamed_steps": list(blamed),
        "policy_version": "sha256:0123456789abcdef0123",
        "time": "2026-11-16T21:44:22.123456+00:00",
        **more,
    }


def log_of(folder: Path, *records: Mapping[str, Any] | str) -> Path:
    path = folder / "decisions.jsonl"
    lines = (record if isinstance(record, str) else json.dumps(record) for record in records)
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


FOUR = (
    decided("allow", "crm.find", "mail.send", rule_matched="all_rules"),
    decided("deny", "crm.find", "delete_all", blamed=[1], rule_matched="blocked_tool"),
    decided("requires_hitl", "pay", blamed=[0], rule_matched="needs_human"),
    decided("undecided", *["a"] * 6, blamed=range(5), rule_matched="no_rule", policy_version="rules:mine"),
)


def test_the_table(tmp_path: Path) -> None:
    path = log_of(tmp_path, *FOUR, '{"event_type": "agent.plan", "al', {"event_type": "agent.start"})
    ran = shown(path)
    assert (ran.code, ran.err) == (0, "")
    assert (
        ran.out
        == """\
TIME                 DECISION       RULE          STEPS            TOOLS                 POLICY
2026-11-16T21:44:22  allow          all_rules     2                crm.find, mail.send   0123456789ab
2026-11-16T21:44:22  deny           blocked_tool  2 of 2           crm.find, delete_all  0123456789ab
2026-11-16T21:44:22  needs a human  needs_human   1 of 1           pay                   0123456789ab
2026-11-16T21:44:22  undecided      no_rule       1, 2, 3, … of 6  a, a, a, a, a, a      rules:mine

4 decisions: 1 allow, 1 deny, 1 needs a human, 1 undecided; 1 torn line and 1 record of another kind left out
"""
    )


def test_times_are_those_of_the_reader(tmp_path: Path) -> None:
    assert "2026-11-17T05:44:22  allow" in shown(log_of(tmp_path, decided("allow")), TZ="CST-8").out


def test_records_of_older_versions_are_read(tmp_path: Path) -> None:
    old = {
        "event_type": "agent.plan",
        "plan_digest": "sha256:00",
        "steps": ["a", None, "delete_all"],
        "decision": "deny",
        "rule_matched": "blocked_tool",
        "reason": "No.",
        "blamed_steps": [2],
        "policy_version": "sha256:0123456789abcdef0123",
        "time": "2026-11-16T21:44:22.123456+00:00",
    }
    words = ("allow", "requires_hitl", "undecided", "perhaps")
    lines = shown(log_of(tmp_path, old, *({**old, "decision": word} for word in words))).out.splitlines()
    assert lines[1].split(None, 1)[1] == "deny           blocked_tool  3 of 3  a, -, delete_all  0123456789ab"
    assert lines[-1] == "5 decisions: 1 allow, 1 deny, 1 needs a human, 2 undecided"


@pytest.mark.parametrize(
    ("flags", "word"),
    [
        ({"allow": True, "deny": True}, "deny"),
        ({"allow": True, "undecided": True}, "undecided"),
        ({"allow": "true"}, "undecided"),
        ({"allow": False, "decision": "allow"}, "undecided"),
    ],
)
def test_a_record_that_contradicts_itself_never_shows_as_allow(
    tmp_path: Path, flags: dict[str, Any], word: str
) -> None:
    path = log_of(tmp_path, {"event_type": "agent.plan", **flags})
    assert shown(path).out.splitlines()[1].split() == ["-", word, "-", "?", "-", "-"]


def test_an_empty_log(tmp_path: Path) -> None:
    ran = shown(log_of(tmp_path))
    assert (ran.code, ran.out) == (0, "0 decisions: 0 allow, 0 deny, 0 needs a human, 0 undecided\n")


def test_what_cannot_be_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name, reason in (
        ("nothing", "there is no such file or folder."),
        (".", "this is a folder, not a file."),
        ("pipe", "it cannot be read: it is a pipe or a device: a log must be a regular file."),
    ):
        path = f"{tmp_path}/{name}"
        assert shown(path) == Ran(2, "", f"plancheck: {path}: {reason}\n")


def test_nothing_in_a_record_takes_the_terminal_over(tmp_path: Path) -> None:
    bad = "\x1b]0;owned\x07\x1b[2J\u202e\r\n\x9b\ud800"
    path = log_of(tmp_path, decided("allow", bad, rule_matched=bad, policy_version=bad, time=bad))
    out = shown(path).out
    assert len(out.splitlines()) == 4
    assert all(char.isprintable() for line in out.splitlines() for char in line)
    assert r"\x1b]0;owned\x07\x1b[2J\u202e\x0d\x0a\x9b\ud800" in out


@pytest.mark.parametrize("value", [None, 7, True, "", [], [None, [], {}, 1e300], {"a": 1}, "x" * 5000], ids=repr)
def test_whatever_a_member_holds(tmp_path: Path, value: Any) -> None:
    record = decided("allow", "a")
    records = [{**record, name: value} for name in record if name != "event_type"]
    ran = shown(log_of(tmp_path, *records))
    assert ran.code == 0
    assert len(ran.out.splitlines()) == len(records) + 3
    assert max(map(len, ran.out.splitlines())) <= 200


def test_a_pipe_gets_200_columns_whatever_the_terminal_is(tmp_path: Path) -> None:
    tools = [f"tool_{number:02}" for number in range(14)]
    path = log_of(tmp_path, decided("allow", *tools), decided("allow", *tools * 9))
    first, second = shown(path, COLUMNS="40").out.splitlines()[1:3]
    assert ", ".join(tools) + "  " in first
    assert len(second) == 200
    assert "…  0123456789ab" in second


@pytest.mark.parametrize("columns", [1, 2, 5, 10, 20, 30, 40, 60, 80, 100, 120])
def test_no_line_is_wider_than_the_terminal(tmp_path: Path, columns: int) -> None:
    path = log_of(tmp_path, *FOUR, decided("deny", "查询数据库", "e\u0301" * 50, "x" * 9000, rule_matched="y" * 90))
    lines = shown_on_terminal(path, columns)
    widths = [sum(2 if "\u4e00" <= char <= "\u9fff" else char != "\u0301" for char in line) for line in lines[:6]]
    assert max(widths) <= columns
    assert lines[6] == ""
    assert " ".join(lines[7:]).replace(" ", "") == "5decisions:1allow,2deny,1needsahuman,1undecided"


def test_a_narrow_terminal_keeps_what_matters(tmp_path: Path) -> None:
    path = log_of(tmp_path, *FOUR[:2])
    assert shown_on_terminal(path, 76)[:3] == [
        "TIME                 DECISION  RULE          STEPS   TOOLS",
        "2026-11-16T21:44:22  allow     all_rules     2       crm.find, mail.send",
        "2026-11-16T21:44:22  deny      blocked_tool  2 of 2  crm.find, delete_all",
    ]
    assert shown_on_terminal(path, 67)[2] == "2026-11-16T21:44:22  deny      blocked_tool  2 of 2  crm.find, del…"
    assert shown_on_terminal(path, 55)[2] == "2026-11-16T21:44:22  deny      blocked_tool  2 of 2"
    assert shown_on_terminal(path, 30)[2] == "deny      blocked_tool"


LIMITED = """
import resource, sys
from plancheck.cli.gate_log import show
resource.setrlimit(resource.RLIMIT_AS, (300_000_000, 300_000_000))
raise SystemExit(show(sys.argv[1]))
"""


def test_a_long_log_is_never_in_memory(tmp_path: Path) -> None:
    """Thirty megabytes of records would be 400 as Python objects."""
    path = tmp_path / "decisions.jsonl"
    line = json.dumps(decided("allow", *(f"t{number}" for number in range(1000)))) + "\n"
    path.write_text(line * (30_000_000 // len(line)))
    command = [sys.executable, "-c", LIMITED, str(path)]
    done = subprocess.run(command, capture_output=True, env=environment({"PYTHONUTF8": "1"}), check=False, timeout=120)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.count(b"\n") == 30_000_000 // len(line) + 3
