"""The server's own list of tools as a catalogue: plans of calls to plancheck are checked by plancheck."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from cli.command import EXAMPLES, ROOT, plancheck
from mcp_server.server import agent
from plancheck import check_file
from plancheck.gate import PolicyGate

CATALOGUE = EXAMPLES / "mcp/plancheck.tools.json"


async def test_the_saved_catalogue_is_what_the_server_lists(tmp_path: Path) -> None:
    async with agent(tmp_path) as asked:
        listed = (await asked.client.list_tools()).tools
    tools = [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in listed]
    assert json.loads(CATALOGUE.read_text()) == {"tools": tools}, "run scripts/save_own_tools.py"


def test_the_catalogue_has_no_mistake() -> None:
    ran = plancheck("tools", CATALOGUE, cwd=ROOT)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.count("read-only, not destructive, idempotent, not open-world") == 5


def test_a_healthy_plan_of_calls_to_plancheck() -> None:
    assert check_file(EXAMPLES / "mcp/ask-before-run.plan.json").is_clean
    gate = PolicyGate(tools=CATALOGUE)
    assert gate.evaluate_plan((EXAMPLES / "mcp/ask-before-run.plan.json").read_text()).allow


def test_a_faulty_one() -> None:
    found = check_file(EXAMPLES / "mcp/ask-before-run-faulty.plan.json").findings
    assert [(finding.rule, finding.step) for finding in found] == [
        ("unknown_argument", "check"),
        ("wrong_argument", "fix"),
        ("unknown_result", "gate"),
        ("unknown_argument", "gate"),
        ("wrong_argument", "draw"),
        ("unknown_tool", "why"),
    ]


async def test_what_the_catalogue_says_of_arguments_is_what_the_server_says(tmp_path: Path) -> None:
    """For the same calls: an error in the plan is an error when it runs, and none is none."""
    calls: list[tuple[str, dict[str, Any]]] = [
        ("check_plan", {"plan": "[]"}),
        ("check_plan", {"plan": []}),
        ("check_plan", {"plan": {}}),
        ("check_plan", {"plan": 1}),
        ("check_plan", {}),
        ("fix_plan", {"plan": "[]", "unsafe": True}),
        ("fix_plan", {"plan": "[]", "unsafe": 1}),
        ("gate_plan", {"plan": "[]", "policy": "{}"}),
        ("explain_rule", {"rule": "raw_secret"}),
        ("explain_rule", {"rule": None}),
        ("plan_graph", {"plan": "[]", "format": "dot"}),
        ("plan_graph", {"plan": "[]", "format": "DOT"}),
    ]
    gate = PolicyGate(tools=CATALOGUE)
    async with agent(tmp_path) as asked:
        for tool, arguments in calls:
            planned = gate.evaluate_plan([{"tool_name": tool, "args": arguments}])
            answered = await asked.ask(tool, **arguments)
            assert planned.allow is (answered.result is not None), (tool, arguments, answered.error)
