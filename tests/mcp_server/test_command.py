"""`plancheck mcp` as a command: its options, its log, and what it says where it cannot serve."""

from __future__ import annotations

import json
import os
import pty
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from cli.command import environment, plancheck, plant
from mcp_server.server import BLOCKED, Pipes, agent
from plancheck.gate import DecisionLog

FOUND = '[{"tool_name": "crm.find", "args": {"name": "Ada", "token": "ghp_0123456789abcdefghijABCDEFGHIJ012345"}}]'


def records(log: Path) -> list[dict[str, object]]:
    return list(DecisionLog(log).records())


async def test_decisions_are_logged_where_a_log_is_asked_for(tmp_path: Path) -> None:
    log = tmp_path / "decisions.jsonl"
    async with agent(tmp_path, "--log", str(log)) as asked:
        hints = {tool.name: tool.annotations for tool in (await asked.client.list_tools()).tools}
        assert {name for name, hint in hints.items() if hint and not hint.read_only_hint} == {"gate_plan"}
        assert {name for name, hint in hints.items() if hint and not hint.idempotent_hint} == {"gate_plan"}
        await asked.result("check_plan", plan=BLOCKED)
        assert log.read_bytes() == b""
        for plan in ('[{"tool_name": "crm.find"}]', BLOCKED, "[", [1, 2], {"a": float("1e400")}):
            await asked.ask("gate_plan", plan=plan)
    found = records(log)
    assert [record["decision"] for record in found] == ["allow", "deny", "undecided", "deny", "undecided"]
    assert [step for record in found for step in record["steps"] if "args" in step] == []  # type: ignore[attr-defined]
    assert stat.S_IMODE(log.stat().st_mode) == 0o600


async def test_arguments_are_logged_where_that_is_asked_for_and_secrets_never(tmp_path: Path) -> None:
    async with agent(tmp_path, "--log", "log.jsonl", "--log-arguments") as asked:
        await asked.result("gate_plan", plan=FOUND)
    [record] = records(tmp_path / "log.jsonl")
    assert '"name": "Ada"' in json.dumps(record)
    assert "ghp_" not in json.dumps(record)


async def test_a_decision_that_cannot_be_recorded_is_none(tmp_path: Path) -> None:
    async with agent(tmp_path, "--log", "log.jsonl") as asked:
        (tmp_path / "log.jsonl").unlink()
        (tmp_path / "log.jsonl").symlink_to(tmp_path / "elsewhere.jsonl")
        told = await asked.error("gate_plan", plan='[{"tool_name": "crm.find"}]')
        assert told.startswith("The decision cannot be recorded, so there is none: it is a symbolic link")
        assert (await asked.result("check_plan", plan='[{"tool_name": "crm.find"}]'))["clean"] is True


async def test_without_a_log_nothing_is_written(tmp_path: Path) -> None:
    async with agent(tmp_path) as asked:
        for tool in ("check_plan", "fix_plan", "gate_plan", "plan_graph"):
            await asked.result(tool, plan=BLOCKED)
        await asked.text("plancheck://policy")
    assert [path.name for path in tmp_path.rglob("*")] == ["stderr.txt"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--log", "no/log.jsonl"], "decisions cannot be recorded here: No such file or directory"),
        (["--log", "."], "decisions cannot be recorded here: Is a directory"),
        (["--policy", "nowhere.yaml"], "nowhere.yaml"),
        (["--policy", "wrong.yaml"], "alow_tools"),
        (["--tools", "nowhere.json"], "nowhere.json"),
        (["--polcy", "x"], "unrecognized arguments"),
        (["plan.json"], "unrecognized arguments"),
    ],
)
def test_what_is_named_and_cannot_be_used_keeps_it_from_starting(
    tmp_path: Path, options: list[str], message: str
) -> None:
    plant(tmp_path, {"wrong.yaml": "alow_tools: [a]\n"})
    ran = plancheck("mcp", *options, cwd=tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
    assert ran.err.count("\n") == 1


def test_without_the_sdk_it_says_how_to_get_it(tmp_path: Path) -> None:
    """As where `plancheck` is installed without the extra: there is no `mcp` to be found."""
    hide = "import sys; sys.modules['mcp'] = None; from plancheck.cli.main import run; sys.exit(run(['mcp']))"
    done = subprocess.run(
        [sys.executable, "-c", hide], cwd=tmp_path, env=environment({}), capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "plancheck mcp needs the package `mcp`, version 2: pip install 'plancheck[mcp]'\n"


def test_no_other_command_imports_the_sdk(tmp_path: Path) -> None:
    (tmp_path / "a.plan.json").write_text(BLOCKED)
    look = "import sys; from plancheck.cli.main import run; run(['check', 'a.plan.json']); run(['gate', 'a.plan.json'])"
    look += "; print({'mcp', 'anyio', 'pydantic', 'plancheck.mcp_server'} & sys.modules.keys(), file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", look], cwd=tmp_path, env=environment({}), capture_output=True, text=True, check=False
    )
    assert done.stderr == "set()\n"


def test_whoever_starts_it_by_hand_learns_what_it_is_for(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "plancheck", "mcp"],
        cwd=tmp_path,
        env=environment({}),
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    os.close(theirs)
    assert process.stderr is not None
    assert "docs/mcp.md" in process.stderr.readline()
    os.close(ours)
    process.terminate()
    process.communicate(timeout=60)


def test_standard_input_that_is_closed_is_the_end(tmp_path: Path) -> None:
    assert plancheck("mcp", cwd=tmp_path) == (0, "", "")
    assert Pipes(tmp_path).end() == (0, "")
