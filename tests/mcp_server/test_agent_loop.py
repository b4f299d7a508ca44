"""An agent that plans, asks, repairs, and runs only what is allowed: the planner has a script, all else is real."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cli.command import plancheck
from mcp_server.server import Agent, agent
from plancheck.gate import DecisionLog

POLICY = """\
allow_tools: [orders.get, orders.verify, payments.refund]
bounds: {payments.refund.amount: [0, 500]}
gate:
  required: [{tools: [orders.verify], before: [payments.refund]}]
"""
FAULTY = """\
{"goal": "refund the order", "steps": [
  {"id": "get", "tool": "orders.get", "args": {"id": "A-1002"}},
  {"id": "verify", "tool": "orders.verify", "args": {"id": "{{get.output.id}}"}, "depends_on": ["get"]},
  {"id": "refund", "tool": "payments.refund", "depends_on": ["get"],
   "args": {"proof": "{{verify.result.code}}", "amount": 900}}
]}
"""


class Planner:
    """Stands in for a model: it proposes a plan, applies the fixes that it gets, and has an answer to what has none."""

    def __init__(self) -> None:
        self.plan = FAULTY
        self.learned: list[str] = []

    def repair(self, findings: list[dict[str, Any]]) -> None:
        """By the first fix of each finding; where one has none, by itself."""
        edits = [edit for finding in findings if finding["fixes"] for edit in finding["fixes"][0]["edits"]]
        lines = self.plan.split("\n")
        for edit in sorted(edits, key=lambda edit: edit["range"]["start"]["line"], reverse=True):
            start, end = edit["range"]["start"], edit["range"]["end"]
            assert start["line"] == end["line"]
            line = lines[start["line"]]
            lines[start["line"]] = line[: start["character"]] + edit["newText"] + line[end["character"] :]
        plan = json.loads("\n".join(lines))
        for finding in findings:
            self.learned.append(finding["rule"])
            if finding["rule"] == "missing_verification":
                plan["steps"][2]["depends_on"] = ["verify"]
        self.plan = json.dumps(plan, indent=1)


async def plan_until_allowed(planner: Planner, asked: Agent) -> tuple[str, list[dict[str, Any]]]:
    """The text that was allowed, and every decision on the way there."""
    decisions = []
    for _ in range(5):
        fixed = await asked.result("fix_plan", plan=planner.plan)
        planner.plan = fixed["text"]
        decisions.append(await asked.result("gate_plan", plan=planner.plan))
        if decisions[-1]["allow"]:
            return planner.plan, decisions
        checked = await asked.result("check_plan", plan=planner.plan)
        planner.repair(checked["findings"])
    raise AssertionError(decisions)


def ran(text: str) -> Iterator[str]:
    return (step["tool"] for step in json.loads(text)["steps"])


async def test_a_faulty_plan_is_repaired_until_it_is_allowed_and_the_decisions_are_in_the_log(tmp_path: Path) -> None:
    (tmp_path / "policy.yaml").write_text(POLICY)
    planner = Planner()
    async with agent(tmp_path, "--policy", "policy.yaml", "--log", "decisions.jsonl") as asked:
        first = await asked.result("check_plan", plan=FAULTY)
        assert {finding["rule"] for finding in first["findings"]} >= {"bad_reference", "bound_violation"}
        pages = [await asked.result("explain_rule", rule=finding["rule"]) for finding in first["findings"]]
        assert all(page["page"].startswith(f"# {page['rule']}") for page in pages)
        fixed = await asked.result("fix_plan", plan=FAULTY)
        assert [(fix["rule"], fix["safe"]) for fix in fixed["applied"]] == [("undeclared_dependency", True)]
        text, decisions = await plan_until_allowed(planner, asked)
        checked = await asked.result("check_plan", plan=text)
        assert checked["summary"]["error"] == checked["summary"]["unchecked"] == 0

    assert [decision["decision"] for decision in decisions] == ["deny", "allow"]
    assert set(planner.learned) == {"bad_reference", "bound_violation", "missing_verification"}
    steps = json.loads(text)["steps"]
    assert steps[1]["args"] == {"id": "{{get.result.id}}"}, "by the fix of bad_reference"
    assert steps[2]["args"]["amount"] == 500, "by the fix of bound_violation"
    assert steps[2]["depends_on"] == ["verify"], "by the planner itself"
    assert list(ran(text)) == ["orders.get", "orders.verify", "payments.refund"]

    logged = list(DecisionLog(tmp_path / "decisions.jsonl").records())
    assert [record["decision"] for record in logged] == ["deny", "allow"]
    assert logged[-1]["plan_digest"] == f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"
    assert logged[-1]["policy_version"] == decisions[-1]["policy_version"]
    shown = plancheck("gate", "--log", "decisions.jsonl", "--show", cwd=tmp_path)
    assert "2 decisions: 1 allow, 1 deny, 0 needs a human, 0 undecided" in shown.out
