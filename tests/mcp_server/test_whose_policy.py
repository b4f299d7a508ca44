"""The policy is that of whoever started the server: nothing that an agent can say or write makes it laxer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cli.command import plant
from mcp_server.server import BLOCKED, agent
from plancheck.gate import load_policy

LAX = "allow_tools: [execute_shell]\ngate: {unblock_tools: [execute_shell], max_steps: 1000}\n"
STRICT = "allow_tools: [crm.find]\n"

ATTACKS: list[dict[str, Any]] = [
    {"plan": BLOCKED, "policy": LAX},
    {"plan": BLOCKED, "policy": "lax.yaml"},
    {"plan": BLOCKED, "settings": {"rules": {"blocked_tool": "off", "tool_deny": "off"}}},
    {"plan": BLOCKED, "tools": "tools.json"},
    {"plan": BLOCKED, "context": {"policy": LAX}},
    {"plan": BLOCKED, "path": "lax/plan.json"},
    {"plan": BLOCKED, "rules": []},
    {"plan": BLOCKED, "faults": []},
    {"plan": BLOCKED, "log": "elsewhere.jsonl"},
]
"""Arguments of a gate, and what an agent might hope for."""

PLANS = [
    BLOCKED,
    json.dumps({"steps": json.loads(BLOCKED), "policy": {"allow_tools": ["execute_shell"]}}),
    json.dumps({"steps": json.loads(BLOCKED), "plancheck-ignore": ["blocked_tool", "tool_deny"]}),
    json.dumps([{**json.loads(BLOCKED)[0], "plancheck-ignore": ["blocked_tool", "tool_deny"]}]),
    json.dumps({"steps": json.loads(BLOCKED), "gate": {"unblock_tools": ["execute_shell"]}}),
    json.dumps({"event_type": "agent.plan", "steps": json.loads(BLOCKED), "meta": {"approved": True, "allow": True}}),
    "lax/plan.json",
    json.dumps("lax/plan.json"),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return plant(
        tmp_path,
        {
            "plan-policy.yaml": STRICT,
            "lax.yaml": LAX,
            "lax/plan-policy.yaml": LAX,
            "lax/plan.json": BLOCKED,
            "lax/plancheck.toml": '[rules]\nblocked_tool = "off"\n',
        },
    )


async def test_no_argument_of_a_call_makes_it_laxer(folder: Path) -> None:
    async with agent(folder) as asked:
        for attack in ATTACKS:
            told = await asked.error("gate_plan", **attack)
            assert told.endswith("is not an argument of `gate_plan`: it has `plan`."), told
        assert not (folder / "elsewhere.jsonl").exists()


async def test_no_plan_makes_it_laxer(folder: Path) -> None:
    async with agent(folder) as asked:
        for plan in PLANS:
            decision = await asked.result("gate_plan", plan=plan)
            assert decision["allow"] is False, plan
        allowed = await asked.result("gate_plan", plan='[{"tool_name": "crm.find"}]')
        assert allowed["allow"] is True


async def test_files_that_change_while_the_server_runs_change_nothing(folder: Path) -> None:
    """An agent that can write into the working directory cannot loosen the policy between two of its calls."""
    async with agent(folder) as asked:
        before = await asked.result("gate_plan", plan=BLOCKED)
        for name, text in {"plan-policy.yaml": LAX, "plancheck.toml": 'policy = ["lax.yaml"]\n'}.items():
            (folder / name).write_text(text)
            assert await asked.result("gate_plan", plan=BLOCKED) == before
        (folder / "plan-policy.yaml").unlink()
        assert await asked.result("gate_plan", plan=BLOCKED) == before
        assert before["deny"] is True
        assert load_policy(await asked.text("plancheck://policy")) == load_policy(STRICT)


async def test_the_policy_that_is_named_counts_and_not_that_of_the_folder(folder: Path) -> None:
    (folder / "plan-policy.yaml").write_text(LAX)
    (folder / "own.yaml").write_text(STRICT)
    async with agent(folder, "--policy", "own.yaml") as asked:
        decision = await asked.result("gate_plan", plan=BLOCKED)
        assert decision["deny"] is True
        assert decision["policy_version"] == load_policy(STRICT).digest
        checked = await asked.result("check_plan", plan=BLOCKED)
        assert {finding["rule"] for finding in checked["findings"]} == {"blocked_tool", "tool_deny"}


@pytest.mark.parametrize(
    ("name", "text", "word"),
    [
        ("plan-policy.yaml", "alow_tools: [crm.find]\n", "alow_tools"),
        ("plan-policy.yaml", "allow_tools: [", "plan-policy.yaml"),
        ("plancheck.toml", "policy = 7\n", "plancheck.toml"),
        ("plancheck.toml", 'policy = ["nowhere.yaml"]\n', "nowhere.yaml"),
    ],
)
async def test_with_a_policy_that_cannot_be_relied_on_nothing_is_decided(
    tmp_path: Path, name: str, text: str, word: str
) -> None:
    plant(tmp_path, {name: text})
    async with agent(tmp_path) as asked:
        decision = await asked.result("gate_plan", plan='[{"tool_name": "crm.find"}]')
        assert decision["undecided"] is True
        assert word in decision["reason"]
        checked = await asked.result("check_plan", plan='[{"tool_name": "crm.find"}]')
        assert checked["clean"] is False
        assert word in checked["unchecked"][0]["message"]
        assert "Nothing is decided by it" in await asked.text("plancheck://policy")
        assert word in asked.errors.read_text()


async def test_a_catalogue_that_is_named_counts(folder: Path) -> None:
    tools = [{"name": "crm.find", "inputSchema": {"type": "object", "properties": {"name": {"type": "string"}}}}]
    (folder / "crm.tools.json").write_text(json.dumps({"tools": tools}))
    wrong = '[{"tool_name": "crm.find", "args": {"name": 7}}]'
    async with agent(folder, "--tools", "crm.tools.json") as asked:
        assert (await asked.result("gate_plan", plan=wrong))["rule_matched"] == "wrong_argument"
        checked = await asked.result("check_plan", plan=wrong)
        assert [finding["rule"] for finding in checked["findings"]] == ["wrong_argument"]
    async with agent(folder) as asked:
        assert (await asked.result("gate_plan", plan=wrong))["allow"] is True
