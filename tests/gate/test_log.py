"""The decision log: whole lines under many writers, and after one of them was killed half-way."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from plancheck.gate import DecisionLog, evaluate_plan

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
        "steps": ["a", "delete_all"],
        "decision": "deny",
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
    tools = [json.loads(line)["steps"][0].rpartition(".")[0] for line in path.read_text().splitlines()]
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
    fcntl = pytest.importorskip("fcntl")
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


@pytest.mark.skipif(os.name == "nt", reason="Windows knows no such permissions")
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


@pytest.mark.skipif(os.name == "nt", reason="Windows knows no such permissions")
def test_a_log_that_was_there_keeps_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "decisions.jsonl"
    path.touch()
    path.chmod(0o640)
    DecisionLog(path).append({"n": 1})
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


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
