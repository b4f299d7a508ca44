"""Many calls at once, large and hostile plans, half a plan, and clients that go away."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from pathlib import Path

import pytest

from cli.command import EXAMPLES
from mcp_server.server import BLOCKED, STEPS, Pipes, agent
from plancheck import check_text


def plan_of(size: int) -> str:
    """A plan of about so many characters, without a fault."""
    step = {"tool_name": "notes.save", "args": {"text": "x" * (size // 40)}}
    return json.dumps([step] * 40)


async def test_fifty_calls_at_once_are_each_answered_with_their_own_answer(tmp_path: Path) -> None:
    (tmp_path / "plan-policy.yaml").write_text("deny_tokens_regex: ['secret-[0-9]+']\nallow_tools: [notes.save]\n")
    plans = [json.dumps([{"tool_name": f"tool.n{number}", "args": {"t": f"secret-{number}"}}]) for number in range(50)]
    async with agent(tmp_path) as asked:
        calls = [asked.result(("check_plan", "gate_plan")[number % 2], plan=plan) for number, plan in enumerate(plans)]
        for number, found in enumerate(await asyncio.gather(*calls)):
            said = " ".join(finding.get("message", finding.get("reason")) for finding in found["findings"])
            assert f"`tool.n{number}`" in said
            assert {finding["rule"] for finding in found["findings"]} == {"raw_secret", "tool_deny"}


async def test_other_calls_are_answered_while_a_large_plan_is_looked_at(tmp_path: Path) -> None:
    async with agent(tmp_path) as asked:
        large = asyncio.create_task(
            asked.result("fix_plan", plan=json.dumps(json.loads(STEPS) | {"x": plan_of(5_000_000)}))
        )
        small = asyncio.create_task(asked.result("explain_rule", rule="raw_secret"))
        first, _ = await asyncio.wait({large, small}, return_when=asyncio.FIRST_COMPLETED)
        assert first == {small}
        assert (await large)["changed"] is False


async def test_a_plan_of_five_megabytes(tmp_path: Path) -> None:
    plan = plan_of(5_000_000)
    async with agent(tmp_path) as asked:
        checked = await asked.result("check_plan", plan=plan)
        assert checked["dialect"] == "calls"
        assert (await asked.result("gate_plan", plan=plan))["allow"] is True
        assert (await asked.result("gate_plan", plan=json.loads(plan)))["allow"] is True
        assert (await asked.result("fix_plan", plan=plan))["text"] == plan


async def test_past_the_limits_nothing_is_called_fine(tmp_path: Path) -> None:
    too_large = json.dumps([{"tool_name": "notes.save", "args": {"text": "x" * 20_000_000}}])
    too_many = [{"tool_name": "notes.save", "args": {"numbers": [0] * 1_000_001}}]
    async with agent(tmp_path) as asked:
        for plan in (too_large, too_many):
            checked = await asked.result("check_plan", plan=plan)
            assert checked["clean"] is False
            assert [place["reason"] for place in checked["unchecked"]] == ["limit"]
            assert (await asked.result("gate_plan", plan=plan))["undecided"] is True
        assert "1,000,000 values" in await asked.error("fix_plan", plan=too_many)
        assert "1,000,000 values" in await asked.error("plan_graph", plan=too_many)


async def test_a_pattern_that_never_ends_is_stopped_for_this_plan_and_not_for_the_next(tmp_path: Path) -> None:
    (tmp_path / "plan-policy.yaml").write_text("deny_tokens_regex: ['^(a+)+$']\n")
    slow = json.dumps([{"tool_name": "notes.save", "args": {"text": f"{'a' * 60}{n}!"}} for n in range(40)])
    quick = '[{"tool_name": "notes.save", "args": {"text": "aaa"}}]'
    async with agent(tmp_path) as asked:
        for tool in ("check_plan", "gate_plan"):
            await asked.result(tool, plan=slow)
            found = await asked.result(tool, plan=quick)
            assert [finding["rule"] for finding in found["findings"]] == ["raw_secret"]
        assert (await asked.result("gate_plan", plan=slow))["undecided"] is True
        assert {place["reason"] for place in (await asked.result("check_plan", plan=slow))["unchecked"]} == {"limit"}


async def test_every_half_of_a_plan_is_answered(tmp_path: Path) -> None:
    plan = (EXAMPLES / "steps/refund-faulty.plan.json").read_text()
    halves = [plan[:end] for end in range(0, len(plan), 37)]
    async with agent(tmp_path) as asked:
        checked = await asyncio.gather(*(asked.result("check_plan", plan=half) for half in halves))
        for half, found in zip(halves, checked, strict=True):
            assert [finding["message"] for finding in found["findings"]] == [
                finding.message for finding in check_text(half).findings
            ]
        decided = await asyncio.gather(*(asked.result("gate_plan", plan=half) for half in halves))
        assert not any(decision["allow"] for decision in decided)
        fixed = await asyncio.gather(*(asked.result("fix_plan", plan=half) for half in halves))
        assert not any(each["changed"] and each["summary"]["error"] > 20 for each in fixed)


# ---- what the client's library would never send ----------------------------------------------------------------------

ODD = [
    '{"plan": "\\ud800"}',
    '{"plan": [{"tool_name": "\\ud800", "args": {"a": "\\udfff"}}]}',
    '{"plan": "[{\\"tool_name\\": \\"\\\\ud800\\", \\"args\\": {}}]"}',
    '{"plan": ' + "[" * 300 + "]" * 300 + "}",
    '{"plan": ' + '{"a": ' * 600 + "1" + "}" * 600 + "}",
    '{"plan": [' + "9" * 10_000 + "]}",
    '{"plan": [NaN, Infinity]}',
    '{"plan": {}, "plan": []}',
    '{"plan": [{"tool_name": "crm.find", "args": {"a": NaN}}]}',
    '{"plan": [{"tool_name": "crm.find", "args": {"a": [-Infinity]}}]}',
    '{"plan": [{"tool_name": "crm.find", "args": {"a": {"b": 1e999}}}]}',
    "{}",
    '{"plan": {"steps": {"steps": []}}}',
]


@pytest.mark.parametrize("tool", ["check_plan", "fix_plan", "gate_plan", "plan_graph"])
def test_odd_plans_are_answered(tmp_path: Path, tool: str) -> None:
    pipes = Pipes(tmp_path)
    for number, arguments in enumerate(ODD, 1):
        pipes.call(number, tool, arguments)
        answer = pipes.read()
        assert answer["id"] == number, arguments
        assert "result" in answer, answer
        assert "went wrong" not in json.dumps(answer)
        assert '"allow": true' not in json.dumps(answer)
    assert pipes.end()[0] == 0


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("what is this", -32700),
        ('{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": ' + "[" * 100_000, -32700),
        ("[1]", -32600),
        ('{"jsonrpc": "2.0", "id": 9, "method": "resources/read", "params": {"uri": "plancheck://\\ud800"}}', -32600),
        ('{"jsonrpc": "2.0", "id": 9, "method": "ping\\ud800"}', -32600),
        ('{"jsonrpc": "2.0", "id": "\\ud800", "method": "ping"}', -32600),
        ('{"jsonrpc": "2.0", "id": ' + "9" * 4_400 + ', "method": "ping"}', -32600),
        ('{"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": {"name": "\\udfff", "arguments": {}}}', -32600),
        ('{"id": 1}', -32600),
    ],
)
def test_a_line_that_is_no_message_is_answered_too(tmp_path: Path, line: str, code: int) -> None:
    pipes = Pipes(tmp_path)
    pipes.write(line)
    assert pipes.read()["error"]["code"] == code
    pipes.write("")
    pipes.call(5, "check_plan", json.dumps({"plan": BLOCKED}))
    assert pipes.read()["id"] == 5
    assert pipes.end()[0] == 0


# ---- clients that go away --------------------------------------------------------------------------------------------


def test_the_server_ends_with_its_client(tmp_path: Path) -> None:
    code, said = Pipes(tmp_path).end()
    assert (code, said) == (0, "")


def test_the_server_ends_with_its_client_in_the_middle_of_a_call(tmp_path: Path) -> None:
    pipes = Pipes(tmp_path)
    pipes.call(1, "fix_plan", json.dumps({"plan": plan_of(15_000_000)}))
    code, said = pipes.end()
    assert (code, said) == (0, "")


def test_the_server_ends_when_nobody_reads_any_more(tmp_path: Path) -> None:
    pipes = Pipes(tmp_path)
    assert pipes.process.stdout is not None
    assert pipes.process.stderr is not None
    pipes.process.stdout.close()
    pipes.call(1, "check_plan", json.dumps({"plan": BLOCKED}))
    with pipes.process:
        assert pipes.process.wait(60) == 141
        assert pipes.process.stderr.read() == b""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
@pytest.mark.parametrize("sign", ["SIGINT", "SIGTERM"])
def test_the_server_ends_when_it_is_asked_to(tmp_path: Path, sign: str) -> None:
    pipes = Pipes(tmp_path)
    number = getattr(signal, sign)
    pipes.process.send_signal(number)
    code, said = pipes.end()
    assert (code, said) == (-number, "")


def test_a_call_that_is_cancelled_is_not_answered_and_the_next_one_is(tmp_path: Path) -> None:
    pipes = Pipes(tmp_path)
    pipes.call(1, "fix_plan", json.dumps({"plan": plan_of(5_000_000)}))
    cancelled = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
    pipes.write(json.dumps(cancelled))
    pipes.call(2, "check_plan", json.dumps({"plan": BLOCKED}))
    assert pipes.read()["id"] == 2
    assert pipes.end()[0] == 0
