"""The decision log: whole lines under many writers, and after one of them was killed half-way."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from plancheck.gate import DecisionLog, evaluate_plan

WRITER = """
import sys
from plancheck.gate import evaluate_plan
for number in range(40):
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


def test_many_processes_write_whole_lines(tmp_path: Path) -> None:
    path = tmp_path / "decisions.jsonl"
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(path), f"w{n}"]) for n in range(4)]
    assert [writer.wait(timeout=60) for writer in writers] == [0, 0, 0, 0]
    lines = path.read_text().splitlines()
    tools = [json.loads(line)["steps"][0].rpartition(".")[0] for line in lines]
    assert sorted(tools) == sorted(f"w{writer}.{number}" for writer in range(4) for number in range(40))


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
