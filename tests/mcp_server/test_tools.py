"""Each tool and resource, asked by the official client over a real pipe. Every answer is compared with the schema that
the tool has for it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from mcp import MCPError

from cli.command import EXAMPLES
from mcp_server.server import BLOCKED, STEPS, agent
from plancheck import __version__, check_text, fix_text
from plancheck.analysis.rule_page import whole_page
from plancheck.analysis.rules import RULES
from plancheck.gate import PolicyGate, load_policy

WRONG = '{"nodes": [{"idx": "0", "agent": "payer", "kind": "tool_call", "writes": ["ledger.entry"]}]}'
TOOLS = ["check_plan", "fix_plan", "gate_plan", "explain_rule", "plan_graph"]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_the_server_says_who_it_is_and_what_it_can_do(tmp_path: Path, mode: str) -> None:
    """To clients of the protocol of 2026, and to those that begin with a handshake."""
    async with agent(tmp_path, mode=mode) as asked:
        server = asked.client.server_info
        assert server is not None
        assert (server.name, server.version) == ("plancheck", __version__)
        assert "gate_plan" in (asked.client.instructions or "")
        found = await asked.client.list_tools()
        assert [tool.name for tool in found.tools] == TOOLS
        for tool in found.tools:
            assert tool.annotations is not None
            assert tool.annotations.model_dump(exclude_none=True) == {
                "read_only_hint": True,
                "destructive_hint": False,
                "idempotent_hint": True,
                "open_world_hint": False,
            }
        assert (await asked.result("check_plan", plan=STEPS))["clean"] is True


async def test_check_plan_answers_as_the_api_does(tmp_path: Path) -> None:
    async with agent(tmp_path) as asked:
        found = await asked.result("check_plan", plan=WRONG)
        expected = check_text(WRONG)
        assert found["dialect"] == expected.dialect == "declared"
        assert found["findings"] == [finding.to_dict() for finding in expected.findings] != []
        assert found["summary"] == {"error": 1, "warning": 0, "info": 1, "hint": 0, "unchecked": 0}
        assert found["clean"] is False
        assert (await asked.result("check_plan", plan=STEPS))["clean"] is True


@pytest.mark.parametrize("plan", [STEPS, BLOCKED, WRONG])
async def test_a_plan_may_be_given_as_a_text_or_as_values(tmp_path: Path, plan: str) -> None:
    async with agent(tmp_path) as asked:
        as_text = await asked.result("check_plan", plan=plan)
        as_values = await asked.result("check_plan", plan=json.loads(plan))
        told_apart = ("rule", "message", "pointer", "step")
        assert [[f[name] for name in told_apart] for f in as_text["findings"]] == [
            [f[name] for name in told_apart] for f in as_values["findings"]
        ]
        assert await asked.result("gate_plan", plan=json.loads(plan)) != {}


async def test_fix_plan_applies_safe_fixes_and_unsafe_ones_where_it_is_asked_to(tmp_path: Path) -> None:
    plan = (EXAMPLES / "steps/refund-faulty.plan.json").read_text()
    async with agent(tmp_path) as asked:
        for text in (WRONG, plan):
            for unsafe in (False, True):
                found = await asked.result("fix_plan", plan=text, unsafe=unsafe)
                expected = fix_text(text, unsafe=unsafe)
                assert found["text"] == expected.text
                assert found["changed"] is (expected.text != text)
                assert [fix["title"] for fix in found["applied"]] == [fix.title for fix in expected.applied]
                assert all(fix["safe"] for fix in found["applied"]) or unsafe
                assert [each["rule"] for each in found["findings"]] == [each.rule for each in expected.findings]
        safe, unsafe_too = [await asked.result("fix_plan", plan=plan, unsafe=unsafe) for unsafe in (False, True)]
        assert len(unsafe_too["applied"]) > len(safe["applied"]) > 0


async def test_gate_plan_decides_as_the_gate_does(tmp_path: Path) -> None:
    (tmp_path / "plan-policy.yaml").write_text(
        "bounds: {pay.amount: [0, 100]}\ngate: {needs_human: {pay.amount: 10}}\n"
    )
    gate = PolicyGate(load_policy(tmp_path / "plan-policy.yaml"))
    plans = {
        "allow": '[{"tool_name": "pay", "args": {"amount": 5}}]',
        "deny": '[{"tool_name": "pay", "args": {"amount": 500}}]',
        "requires_hitl": '[{"tool_name": "pay", "args": {"amount": 50}}]',
        "undecided": '[{"tool_name": "pay", ',
    }
    async with agent(tmp_path) as asked:
        for verdict, plan in plans.items():
            found = await asked.result("gate_plan", plan=plan)
            assert found["decision"] == verdict
            assert found["allow"] is (verdict == "allow")
            assert found == gate.evaluate_plan(plan).to_dict()


async def test_explain_rule_has_the_page(tmp_path: Path) -> None:
    async with agent(tmp_path) as asked:
        found = await asked.result("explain_rule", rule="raw_secret")
        assert found["page"] == whole_page(RULES["raw_secret"])
        assert found["severity"] == "error"
        assert await asked.error("explain_rule", rule="raw_secre") == (
            "Unknown rule `raw_secre`: did you mean `raw_secret`?"
        )
        assert "`check_plan`" in await asked.error("explain_rule", rule="nothing like it at all")


async def test_plan_graph_draws(tmp_path: Path) -> None:
    async with agent(tmp_path) as asked:
        drawn = await asked.result("plan_graph", plan=STEPS)
        assert drawn["drawing"].startswith("flowchart TD\n")
        assert (drawn["format"], drawn["graph"], drawn["errors"]) == ("mermaid", None, 0)
        assert (await asked.result("plan_graph", plan=STEPS, format="dot"))["drawing"].startswith("digraph")
        data = await asked.result("plan_graph", plan=STEPS, format="json")
        assert data["drawing"] is None
        assert [node["tool"] for node in data["graph"]["nodes"]] == ["crm.find"]
        assert (await asked.result("plan_graph", plan=WRONG))["errors"] == 1
        assert await asked.error("plan_graph", plan='{"a": 1}') == check_text('{"a": 1}').findings[0].message


BAD_CALLS: list[tuple[str, dict[str, Any], str]] = [
    ("check_plan", {}, "`plan` is missing: it must be the plan as JSON text, as an object or as a list."),
    ("check_plan", {"plan": 7}, "`plan` must be the plan as JSON text, as an object or as a list, not 7."),
    ("check_plan", {"plan": None}, "`plan` must be the plan as JSON text, as an object or as a list, not null."),
    ("check_plan", {"plans": STEPS}, "`plans` is not an argument of `check_plan`: did you mean `plan`?"),
    ("check_plan", {"plan": STEPS, "path": "/etc/passwd"}, "`path` is not an argument of `check_plan`: it has `plan`."),
    ("fix_plan", {"plan": STEPS, "unsafe": "yes"}, '`unsafe` must be true or false, not "yes".'),
    ("fix_plan", {"plan": STEPS, "unsafe": 1}, "`unsafe` must be true or false, not 1."),
    ("gate_plan", {"plan": True}, "`plan` must be the plan as JSON text, as an object or as a list, not true."),
    ("explain_rule", {"rule": ["raw_secret"]}, "`rule` must be the name of a rule, not a list."),
    ("plan_graph", {"plan": STEPS, "format": "png"}, "`format` must be mermaid, dot or json, not `png`."),
]


async def test_a_call_that_is_wrong_is_answered_in_plain_words(tmp_path: Path) -> None:
    async with agent(tmp_path) as asked:
        for tool, arguments, message in BAD_CALLS:
            assert await asked.error(tool, **arguments) == message
            assert len(message) <= 120
        with pytest.raises(MCPError, match="Unknown tool: there are check_plan, fix_plan"):
            await asked.client.call_tool("delete_all", {})
        assert (await asked.result("check_plan", plan=STEPS))["clean"] is True


async def test_resources(tmp_path: Path) -> None:
    (tmp_path / "plan-policy.yaml").write_text("allow_tools: [crm.find]\n")
    async with agent(tmp_path) as asked:
        listed = (await asked.client.list_resources()).resources
        assert {str(one.uri) for one in listed} == {
            "plancheck://policy",
            "plancheck://rules",
            *(f"plancheck://rules/{name}" for name in RULES),
        }
        [template] = (await asked.client.list_resource_templates()).resource_templates
        assert template.uri_template == "plancheck://rules/{name}"
        assert await asked.text("plancheck://rules/raw_secret") == whole_page(RULES["raw_secret"])
        assert set(RULES) <= set(re.findall(r"\w+", await asked.text("plancheck://rules")))
        policy = await asked.text("plancheck://policy")
        assert load_policy(policy) == load_policy("allow_tools: [crm.find]")
        for uri, hint in [
            ("plancheck://rules/raw_secre", "did you mean plancheck://rules/raw_secret?"),
            ("plancheck://rules/", "there are plancheck://policy, plancheck://rules"),
            ("file:///etc/passwd", "there are plancheck://policy, plancheck://rules"),
            ("plancheck://rules/../policy", "there are plancheck://policy, plancheck://rules"),
        ]:
            with pytest.raises(MCPError) as raised:
                await asked.client.read_resource(uri)
            assert hint in str(raised.value)


async def test_a_rego_policy_is_in_force_and_can_be_read(tmp_path: Path) -> None:
    rego = (EXAMPLES / "rego/large-amount.rego").read_text()
    (tmp_path / "own.rego").write_text(rego)
    denied = (EXAMPLES / "rego/large-amount-denied.plan.json").read_text()
    async with agent(tmp_path, "--policy", "own.rego") as asked:
        decision = await asked.result("gate_plan", plan=denied)
        assert decision == PolicyGate(tmp_path / "own.rego").evaluate_plan(denied).to_dict()
        assert decision["allow"] is False
        read = (await asked.client.read_resource("plancheck://policy")).contents
        assert [str(content.uri) for content in read] == ["plancheck://policy", "plancheck://policy#1.rego"]
        assert rego in await asked.text("plancheck://policy")
        checked = await asked.result("check_plan", plan=denied)
        assert any(finding["rule"].startswith("rego_") for finding in checked["findings"])
