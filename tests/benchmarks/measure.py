"""Timing for ratios: two things measured turn by turn in one run, the best of each counting."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any


def best_times(*actions: Callable[[], object], rounds: int = 7) -> list[float]:
    """The shortest time of each action, in seconds, their rounds interleaved so that noise hits all alike."""
    best = [float("inf")] * len(actions)
    for _ in range(rounds):
        for number, action in enumerate(actions):
            start = time.perf_counter()
            action()
            best[number] = min(best[number], time.perf_counter() - start)
    return best


def show(what: str, ratio: float, limit: float, at_most: bool = True) -> None:
    """Print a ratio next to its limit; fail when it is missed."""
    sign = "<=" if at_most else ">="
    print(f"\n  {what}: {ratio:.3g} (must be {sign} {limit:g})", end="")
    assert ratio <= limit if at_most else ratio >= limit, what


def plan_of(steps: int) -> dict[str, Any]:
    """A plan with few findings: each step reads what the one before wrote, with a merge now and then."""
    nodes = []
    for i in range(steps):
        node: dict[str, Any] = {"idx": i, "agent": f"agent{i % 7}", "kind": "decision" if i % 5 == 0 else "tool_call"}
        if i % 10 == 9:
            node["control_preds"] = [i - 1, i - 4]
        node["reads"] = [{"id": f"res.{i - 1}", "producer": i - 1}, f"res.{i}"] if i else ["res.0"]
        if i % 12 == 3:
            node["reads"].append({"id": "clock", "volatile": True, "revalidates": i % 24 == 3})
        if i % 12 == 4:
            node["reads"].append({"id": "clock", "revalidates": True})
        node["writes"] = [f"res.{i}"]
        nodes.append(node)
    return {"nodes": nodes}


def plain_plan(steps: int) -> dict[str, Any]:
    """The same without anything volatile."""
    plan = plan_of(steps)
    for node in plan["nodes"]:
        node["reads"] = [read for read in node["reads"] if not (isinstance(read, dict) and read["id"] == "clock")]
    return plan


def busy_plan(steps: int) -> dict[str, Any]:
    """A plan with something to say about most steps: volatile reads, scopes, writes that nobody has read."""
    plan = plan_of(steps)
    for i, node in enumerate(plan["nodes"]):
        if i % 4 == 1:
            node["reads"].append({"id": f"quote.{i % 8}", "volatile": True, "producer": i - 1})
        if i % 6 == 2:
            node["scope"] = [f"res.{i}", f"res.{i - 1}", "vault"]
        if i % 3 == 0:
            node["writes"] = [f"ledger.{i}"]
    return plan
