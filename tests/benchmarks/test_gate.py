"""The gate's numbers, as ratios to `json.loads` of the same plans in one run: `make bench`.

kitelogik's own `evaluate_plan` asks an OPA server over HTTP; there is none here, and regopy is nothing it can use.
"""

from __future__ import annotations

import json
import time
from typing import Any

from benchmarks.measure import best_times, show
from plancheck.gate import PolicyGate

POLICY = """
allow_tools: [crm.find, payments.transfer, db.query_ro]
bounds: {payments.transfer.amount: [0, 1000]}
deny_tokens_regex: ['INTERNAL-[0-9]{6}']
gate:
  at_most: [{tools: [payments.transfer], count: 30}]
  not_first: [payments.transfer]
  required: [{tools: [crm.find], before: [payments.transfer]}]
  needs_human: {payments.transfer.amount: 900}
"""


def plan_of(steps: int, seed: int = 0) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = [{"tool_name": "crm.find", "args": {"name": f"Ada {seed}", "limit": 5}}]
    for i in range(steps - 1):
        args = {"amount": i + seed % 7, "to": f"acct-{i}-{seed}", "note": "for invoice 12"}
        found.append({"tool_name": "payments.transfer", "args": args})
    return found


def test_one_plan_of_twenty_steps() -> None:
    gate, plan = PolicyGate(POLICY), plan_of(20)
    text = json.dumps(plan)
    assert gate.evaluate_plan(plan)
    ours, peer = best_times(lambda: gate.evaluate_plan(plan), lambda: json.loads(text), rounds=100)
    print(f"\n  {1000 * ours:.2f} ms for 20 steps", end="")
    show("one evaluation in ms", 1000 * ours, 2)
    show("evaluate_plan / json.loads, 20 steps", ours / peer, 120)


def test_five_thousand_plans_in_one_process() -> None:
    gate = PolicyGate(POLICY)
    plans = [plan_of(10, seed) for seed in range(5_000)]
    texts = [json.dumps(plan) for plan in plans]
    started = time.perf_counter()
    assert all(gate.evaluate_plan(plan) for plan in plans)
    ours = time.perf_counter() - started
    started = time.perf_counter()
    for text in texts:
        json.loads(text)
    peer = time.perf_counter() - started
    show("plans a second, 10 steps each", len(plans) / ours, 500, at_most=False)
    show("5,000 evaluations / json.loads", ours / peer, 150)
