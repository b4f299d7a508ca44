"""The decision log: whole lines under many writers, and after one of them was killed half-way."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import re
import signal
import socket
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from plancheck.gate import DecisionLog, PolicyGate, evaluate_plan
from plancheck.gate.log import record_of

WRITER = """
import sys
from plancheck.gate import evaluate_plan
for number in range(500):
    tool = f"{sys.argv[2]}.{number}." + "x" * 9000
    evaluate_plan([{"tool_name": tool}], log=sys.argv[1])
"""


def test_a_record_says_what_was_decided(tmp_path: Path) -> None:
    log = DecisionLog(tmp_path / "decisions.jsonl")
    decision = evaluate_plan([{"tool_name": "a", "args": {"secret": "hunter2"}}, {"tool_name": "delete_all"}], log=log)
    evaluate_plan([{"tool_name": "b"}], log=str(tmp_path / "decisions.jsonl"))
    first, second = log.records()
    assert {**first, "time": "", "plan_digest": ""} == {
        "event_type": "agent.plan",
        "plan_digest": "",
        "steps": [{"tool": "a"}, {"tool": "delete_all"}],
        "decision": "deny",
        "allow": False,
        "deny": True,
        "requires_hitl": False,
        "undecided": False,
        "rule_matched": "blocked_tool",
        "reason": decision.reason,
        "blamed_steps": [1],
        "policy_version": decision.policy_version,
        "time": "",
    }
    assert first["time"].endswith("+00:00")
    assert first["plan_digest"] != second["plan_digest"]
    assert second["decision"] == "allow"
    assert "hunter2" not in Path(log.path).read_text()


def test_two_processes_write_whole_lines(tmp_path: Path) -> None:
    """Records are longer than a page and a pipe's buffer, so that half a record would be seen."""
    path = tmp_path / "decisions.jsonl"
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(path), f"w{n}"]) for n in range(2)]
    assert [writer.wait(timeout=120) for writer in writers] == [0, 0]
    tools = [json.loads(line)["steps"][0]["tool"].rpartition(".")[0] for line in path.read_text().splitlines()]
    for writer in ("w0", "w1"):
        assert [tool for tool in tools if tool.startswith(writer)] == [f"{writer}.{number}" for number in range(500)]
    assert len(tools) == 1000


ONE_RECORD = """
import sys
from plancheck.gate import DecisionLog
print("about to write", flush=True)
DecisionLog(sys.argv[1]).append({"n": 1})
"""


def test_a_writer_waits_while_another_process_holds_the_lock(tmp_path: Path) -> None:
    path = tmp_path / "decisions.jsonl"
    with path.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        with subprocess.Popen([sys.executable, "-c", ONE_RECORD, path], stdout=subprocess.PIPE) as writer:
            assert writer.stdout is not None
            try:
                assert writer.stdout.readline() == b"about to write\n"
                with pytest.raises(subprocess.TimeoutExpired):
                    writer.wait(timeout=0.5)
                assert path.read_bytes() == b""
                fcntl.flock(file, fcntl.LOCK_UN)
                assert writer.wait(timeout=30) == 0
            finally:
                writer.kill()
    assert [record["n"] for record in DecisionLog(path).records()] == [1]


def test_a_record_is_on_the_disk_before_the_decision_is_handed_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "decisions.jsonl"
    synced: list[tuple[int, bytes]] = []
    fsync = os.fsync

    def recording(file: int) -> None:
        synced.append((os.fstat(file).st_ino, path.read_bytes()))
        fsync(file)

    monkeypatch.setattr(os, "fsync", recording)
    for _ in range(2):
        evaluate_plan([{"tool_name": "a"}], log=str(path))
        assert synced[-1] == (path.stat().st_ino, path.read_bytes())
    assert len(synced) == 2


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077, 0o277, 0o777])
def test_only_the_owner_may_read_the_log_whatever_the_umask(tmp_path: Path, umask: int) -> None:
    log = DecisionLog(tmp_path / "decisions.jsonl")
    before = os.umask(umask)
    try:
        log.append({"n": 1})
        log.append({"n": 2})
    finally:
        os.umask(before)
    assert stat.S_IMODE(Path(log.path).stat().st_mode) == 0o600
    assert [record["n"] for record in log.records()] == [1, 2]


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o666, 0o777])
def test_a_log_that_others_may_read_is_closed_to_them(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "decisions.jsonl"
    path.touch()
    path.chmod(mode)
    DecisionLog(path).append({"n": 1})
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to somebody else")
def test_a_log_of_another_user_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "decisions.jsonl"
    path.touch()
    os.chown(path, 12345, 12345)
    with pytest.raises(PermissionError, match="belongs to another user"):
        DecisionLog(path).append({"n": 1})
    assert path.read_bytes() == b""


def test_many_threads_write_whole_lines(tmp_path: Path) -> None:
    log = DecisionLog(tmp_path / "decisions.jsonl")

    def write() -> None:
        for number in range(20):
            log.append({"n": number})

    threads = [threading.Thread(target=write) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(record["n"] for record in log.records()) == sorted([*range(20)] * 8)


def test_a_torn_line_costs_no_other(tmp_path: Path) -> None:
    log = DecisionLog(tmp_path / "decisions.jsonl")
    log.append({"n": 1})
    with Path(log.path).open("a") as file:
        file.write('{"n": 2, "decision": "al')
    log.append({"n": 3})
    log.append({"n": 4})
    assert [record["n"] for record in log.records()] == [1, 3, 4]
    assert Path(log.path).read_text().count("\n") == 4


def test_a_decision_that_cannot_be_recorded_is_none(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="decisions"):
        evaluate_plan([{"tool_name": "a"}], log=str(tmp_path / "no" / "decisions.jsonl"))


# ---- several writers, one of them killed -----------------------------------------------------------------------------

NUMBERED = """
import sys
from plancheck.gate import DecisionLog
log = DecisionLog(sys.argv[1])
for number in range(200):
    log.append({"writer": sys.argv[2], "n": number, "text": "x" * 9000})
    print(number, flush=True)
"""


def test_no_record_is_lost_when_one_of_four_writers_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "decisions.jsonl"
    command = [sys.executable, "-c", NUMBERED, str(path)]
    writers = [subprocess.Popen([*command, f"w{n}"], stdout=subprocess.PIPE) for n in range(4)]
    victim = writers[0]
    assert victim.stdout is not None
    while victim.stdout.readline() != b"99\n":
        pass
    victim.send_signal(signal.SIGKILL)
    written_by_victim = 100 + len(victim.communicate(timeout=120)[0].splitlines())
    for writer in writers[1:]:
        writer.communicate(timeout=120)
        assert writer.returncode == 0
    assert victim.returncode == -signal.SIGKILL
    DecisionLog(path).append({"writer": "after", "n": 0})  # the victim may have been the last of the four

    entries = list(DecisionLog(path).entries())
    assert entries.count(None) <= 1  # the line that the victim was at
    records = [entry for entry in entries if entry is not None]
    assert records[-1]["writer"] == "after"
    for name in ("w1", "w2", "w3"):
        assert [record["n"] for record in records if record["writer"] == name] == list(range(200))
    of_victim = [record["n"] for record in records if record["writer"] == "w0"]
    assert of_victim in ([*range(written_by_victim)], [*range(written_by_victim + 1)])
    assert path.read_bytes().endswith(b"}\n")


HOLDER = """
import fcntl, sys, time
with open(sys.argv[1], "a") as file:
    fcntl.flock(file, fcntl.LOCK_EX)
    print("locked", flush=True)
    time.sleep(600)
"""


def test_a_lock_that_a_stopped_process_holds_is_not_waited_for_for_ever(tmp_path: Path) -> None:
    path = tmp_path / "decisions.jsonl"
    with subprocess.Popen([sys.executable, "-c", HOLDER, str(path)], stdout=subprocess.PIPE) as holder:
        try:
            assert holder.stdout is not None
            assert holder.stdout.readline() == b"locked\n"
            holder.send_signal(signal.SIGSTOP)
            with pytest.raises(TimeoutError, match=r"kept it locked for 0\.2 seconds"):
                DecisionLog(path, lock_timeout=0.2).append({"n": 1})
        finally:
            holder.kill()
    DecisionLog(path).append({"n": 2})  # the lock has gone with its holder
    assert [record["n"] for record in DecisionLog(path).records()] == [2]


# ---- what can be in the place of the log -----------------------------------------------------------------------------


def a_link(path: Path) -> None:
    (path.parent / "profile").write_text("mine\n")
    path.symlink_to("profile")


def a_link_that_leads_nowhere(path: Path) -> None:
    path.symlink_to("not-there-yet")


def a_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        before = Path.cwd()
        os.chdir(path.parent)  # the name of a socket must be short
        try:
            server.bind(path.name)
        finally:
            os.chdir(before)


@pytest.mark.parametrize(
    ("plant", "reason"),
    [
        (a_link, "it is a symbolic link, which could lead anywhere: name the file that it leads to"),
        (a_link_that_leads_nowhere, "it is a symbolic link, which could lead anywhere: name the file that it leads to"),
        (Path.mkdir, os.strerror(errno.EISDIR)),
        (os.mkfifo, "it is a pipe or a device: a log must be a regular file"),
        (a_socket, os.strerror(errno.ENXIO)),
    ],
)
def test_what_is_no_file_is_refused_with_the_reason(tmp_path: Path, plant: Callable[[Path], None], reason: str) -> None:
    path = tmp_path / "decisions.jsonl"
    plant(path)
    before = {entry.name: entry.lstat().st_size for entry in tmp_path.iterdir()}
    with pytest.raises(OSError, match=r"decisions\.jsonl") as raised:
        DecisionLog(path).append({"n": 1})
    assert raised.value.strerror == reason
    assert {entry.name: entry.lstat().st_size for entry in tmp_path.iterdir()} == before


@pytest.mark.parametrize("device", ["/dev/null", "/dev/full", "/dev/zero"])
def test_a_device_is_refused(device: str) -> None:
    with pytest.raises(OSError, match=r"a log must be a regular file|Permission denied"):
        DecisionLog(device).append({"n": 1})


@pytest.mark.parametrize("name", ["a\0b", "half\ud800"])
def test_a_name_that_no_file_can_have(tmp_path: Path, name: str) -> None:
    log = DecisionLog(f"{tmp_path}/{name}")
    with pytest.raises(OSError, match="no file can have this name"):
        log.append({"n": 1})
    with pytest.raises(OSError, match="no file can have this name"):
        list(log.records())


def test_reading_a_pipe_does_not_wait_for_a_writer(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="a log must be a regular file"):
        list(DecisionLog(tmp_path / "pipe").records())


ON_A_FULL_DISK = """
import resource, sys
from plancheck.gate import DecisionLog
log = DecisionLog(sys.argv[1])
log.append({"n": 1})
resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))
try:
    log.append({"n": 2, "text": "x" * 9000})
except OSError as error:
    print(error.strerror)
log.append({"n": 3})
"""


def test_what_a_full_disk_took_of_a_record_is_taken_back(tmp_path: Path) -> None:
    """A limit on the size of a file is met as a full disk is: part of the line is written, then none."""
    path = tmp_path / "decisions.jsonl"
    command = [sys.executable, "-c", ON_A_FULL_DISK, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == f"{os.strerror(errno.EFBIG)}\n"
    assert [json.loads(line)["n"] for line in path.read_text().splitlines()] == [1, 3]


# ---- records ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Decided:
    allow: bool = False
    deny: bool = False
    requires_hitl: bool = False
    undecided: bool = False
    reason: str = "Because."
    rule_matched: str = "blocked_tool"
    policy_version: str = "sha256:abc"
    steps: tuple[int, ...] = ()


KEY = "AKIA" + "QWERTYUIOP123456"


def args_in_log(arguments: Any) -> Any:
    record = record_of("[]", [("a", arguments)], Decided(allow=True), log_arguments=True)
    return json.loads(json.dumps(record, allow_nan=False, default=str))["steps"][0]["args"]


def test_the_record_of_a_decision() -> None:
    decision = Decided(deny=True, steps=(1,))
    steps = [("a", {"secret": "hunter2"}), (None, None), ("delete_all", {})]
    assert record_of("[…]", steps, decision, log_arguments=False) == {
        "event_type": "agent.plan",
        "plan_digest": "sha256:b94f345ea5affa7e142e643b8126fe247c9c63bd7242bdd33d9231123deede9b",
        "steps": [{"tool": "a"}, {"tool": None}, {"tool": "delete_all"}],
        "decision": "deny",
        "allow": False,
        "deny": True,
        "requires_hitl": False,
        "undecided": False,
        "rule_matched": "blocked_tool",
        "reason": "Because.",
        "blamed_steps": [1],
        "policy_version": "sha256:abc",
    }


@pytest.mark.parametrize(
    ("decision", "word"),
    [
        (Decided(allow=True), "allow"),
        (Decided(requires_hitl=True), "requires_hitl"),
        (Decided(undecided=True), "undecided"),
        (Decided(), "undecided"),
        (Decided(allow=True, deny=True), "deny"),
    ],
)
def test_a_decision_in_one_word(decision: Decided, word: str) -> None:
    assert record_of("", [], decision, log_arguments=False)["decision"] == word


def test_half_a_character_in_a_plan_has_a_digest() -> None:
    first, second = (record_of(text, [], Decided(), log_arguments=False) for text in ("\ud800", "\udfff"))
    assert first["plan_digest"] != second["plan_digest"]


@pytest.mark.parametrize(
    ("arguments", "logged"),
    [
        ({"n": 1, "x": [True, None, 2.5, "a"]}, {"n": 1, "x": [True, None, 2.5, "a"]}),
        ({"key": KEY}, {"key": "***"}),
        ({"text": f"use {KEY}, then {KEY}."}, {"text": "use ***, then ***."}),
        ({"deep": [{"er": [f"{{{{{KEY}}}}}"]}]}, {"deep": [{"er": ["{{***}}"]}]}),
        ({KEY: 1, KEY.replace("Q", "Z"): 2}, {"***": 1, "***'": 2}),
        ({"aws_secret_access_key": "0123456789abcdefghij0123456789ABCDEFGHIJ"}, {"aws_secret_access_key": "***"}),
        ({"url": "postgres://ada:s3cr3t@db/x"}, {"url": "postgres://ada:***@db/x"}),
        ({"bad": [float("nan"), float("-inf"), Decimal("1.50")]}, {"bad": ["nan", "-inf", "1.50"]}),
        (KEY, "***"),
    ],
)
def test_arguments_in_the_log(arguments: Any, logged: Any) -> None:
    assert args_in_log(arguments) == logged


def test_a_secret_in_the_name_of_a_tool_or_in_the_reason_is_masked() -> None:
    record = record_of("", [(KEY, None)], Decided(reason=f"Not {KEY}."), log_arguments=False)
    assert (record["steps"], record["reason"]) == ([{"tool": "***"}], "Not ***.")


def test_arguments_that_cannot_be_written_as_they_are(tmp_path: Path) -> None:
    deep: Any = 1
    for _ in range(100_000):
        deep = [deep]
    log = DecisionLog(tmp_path / "decisions.jsonl", log_arguments=True)
    steps = [("a", {"deep": deep, "long": 16**20_000})]
    log.append(record_of("", steps, Decided(), log_arguments=log.log_arguments))
    (record,) = log.records()
    arguments = record["steps"][0]["args"]
    assert json.dumps(arguments["deep"]) == "[" * 99 + '"\\u2026"' + "]" * 99
    assert arguments["long"] == "0x1" + "0" * 20_000


def test_a_line_too_deep_to_read_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "decisions.jsonl"
    path.write_text("[" * 100_000 + "\n\n" + '{"n": 1}\n7\n' + '{"n": ' + "9" * 10_000 + "}\n")
    assert list(DecisionLog(path).entries()) == [None, {"n": 1}, None, None]


def test_a_line_without_end_is_not_loaded_and_costs_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plancheck.gate.log._LONGEST_LINE", 20)
    path = tmp_path / "decisions.jsonl"
    path.write_text('{"n": 1}\n{"n": "' + "x" * 100 + '"}\n{"n": 2}\n{"n": "20 long now"}\n{"n": 3}\n' + "x" * 20)
    assert list(DecisionLog(path).entries()) == [{"n": 1}, None, {"n": 2}, {"n": "20 long now"}, {"n": 3}, None]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"note": "ask hunter2", "n": 1}, {"note": "***", "n": 1}),
        ({"deep": [{"x": "hunter7"}, "fine"]}, {"deep": [{"x": "***"}, "fine"]}),
        ({"deep": {"hunter7": 1}, "n": 1}, {"deep": "***", "n": 1}),
        ({"hunter7": 1}, "***"),
    ],
)
def test_what_the_policy_denies_is_in_no_record(tmp_path: Path, arguments: Any, expected: Any) -> None:
    path = tmp_path / "decisions.jsonl"
    gate = PolicyGate({"deny_tokens_regex": ["hunter[0-9]"]}, log=DecisionLog(path, log_arguments=True))
    assert gate.evaluate_plan([{"tool_name": "crm.find", "args": arguments}]).deny
    assert re.search("hunter[0-9]", path.read_text().replace("hunter[0-9]", "")) is None
    (record,) = DecisionLog(path).entries()
    assert record is not None
    assert record["steps"] == [{"tool": "crm.find", "args": expected}]


def test_a_tool_that_the_policy_denies_is_in_no_record(tmp_path: Path) -> None:
    path = tmp_path / "decisions.jsonl"
    gate = PolicyGate({"deny_tokens_regex": ["hunter[0-9]"]}, log=path)
    assert gate.evaluate_plan([{"tool_name": "ask_hunter2", "args": {}}]).deny
    (record,) = DecisionLog(path).entries()
    assert record is not None
    assert record["steps"][0]["tool"] == "***"
