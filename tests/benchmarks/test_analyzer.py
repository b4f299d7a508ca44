"""The analyzer's numbers, as ratios to peers in the same run: `make bench`."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from auditable.graph.pre import analyze_plan as reference

from benchmarks.measure import best_times, busy_plan, plain_plan, plan_of, show
from plancheck.pre import analyze_plan
from plancheck.syntax.json import read, reread
from plancheck.text import Edit

STYLES = {
    "one step a line": lambda plan: (
        '{"nodes": [\n' + ",\n".join("  " + json.dumps(n) for n in plan["nodes"]) + "\n]}\n"
    ),
    "pretty": lambda plan: json.dumps(plan, indent=2),
}


@pytest.mark.parametrize("style", STYLES)
def test_reading_a_plan_of_ten_thousand_steps(style: str) -> None:
    text = STYLES[style](plan_of(10_000))
    ours, peer = best_times(lambda: read(text), lambda: json.loads(text))
    show(f"read / json.loads ({style})", ours / peer, 4)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("where", [0.0, 0.5, 0.99])
def test_reading_on_after_one_character(style: str, where: float) -> None:
    text = STYLES[style](plan_of(10_000))
    tree = read(text)
    at = text.index('"agent', int(len(text) * where)) + 12
    new = text[:at] + "x" + text[at:]
    ours, peer = best_times(lambda: reread(tree, Edit(at, at, "x"), new), lambda: json.loads(text))
    show(f"reread / json.loads ({style}, at {where:.0%})", ours / peer, 0.2)


@pytest.mark.parametrize("plan_of", [plain_plan, plan_of, busy_plan], ids=["plain", "with barriers", "busy"])
@pytest.mark.parametrize(("steps", "limit", "rounds"), [(100, 60, 20), (1000, 400, 2)])
def test_analyze_plan_against_the_reference(
    plan_of: Callable[[int], dict[str, Any]], steps: int, limit: float, rounds: int
) -> None:
    plan = plan_of(steps)
    ours, peer = best_times(lambda: analyze_plan(plan), lambda: reference(plan), rounds=rounds)
    show(f"reference / analyze_plan at {steps} steps", peer / ours, limit, at_most=False)


def test_ten_times_the_steps_cost_at_most_fourteen_times() -> None:
    small, large = plan_of(1_000), plan_of(10_000)
    ours = best_times(lambda: analyze_plan(small), lambda: analyze_plan(large), rounds=12)
    show("10,000 / 1,000 steps", ours[1] / ours[0], 14)


def test_ten_thousand_steps_in_two_hundred_megabytes() -> None:
    script = (
        "import resource, sys; sys.path.insert(0, 'tests')\n"
        "from benchmarks.measure import plan_of\n"
        "from plancheck.pre import analyze_plan\n"
        "analyze_plan(plan_of(10_000))\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)"
    )
    run = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2]
    )
    show("peak memory of 10,000 steps, in MB", float(run.stdout), 200)
