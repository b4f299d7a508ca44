"""Plans of steps and of calls, as ratios to a declared plan of the same size: `make bench`.

The first look takes longer, for arguments are searched for secrets, which declared plans have none of. Typing does not
repeat that.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from benchmarks.measure import best_times, plan_of, show
from plancheck.analysis.engine import analyze, update
from plancheck.analysis.snapshot import Snapshot
from plancheck.text import Edit


def tool_steps(size: int) -> dict[str, Any]:
    """The plan of `plan_of` as tool steps: each uses the result of the one before, with a merge now and then."""
    steps: list[dict[str, Any]] = []
    for i in range(size):
        step: dict[str, Any] = {
            "id": f"step{i}",
            "tool": f"tool{i % 7}.run",
            "args": {"note": "agent's note", "n": [i]},
        }
        if i:
            step["args"]["from"] = f"as of {{{{step{i - 1}.result.x}}}}"
        if i % 10 == 9:
            step["depends_on"] = [f"step{i - 1}", f"step{i - 4}"]
        steps.append(step)
    return {"goal": "a benchmark", "steps": steps}


def calls(size: int) -> list[dict[str, Any]]:
    return [{"tool_name": f"tool{i % 7}.run", "args": {"note": "agent's note", "n": [i]}} for i in range(size)]


def trace(size: int) -> dict[str, Any]:
    """A conversation: each call in a message of its own, with its arguments as JSON text, and its answer."""
    messages: list[dict[str, Any]] = []
    for i in range(size):
        function = {"name": f"tool{i % 7}.run", "arguments": json.dumps({"note": "agent's note", "n": [i]})}
        messages.append({"role": "assistant", "tool_calls": [{"id": f"call{i}", "function": function}]})
        messages.append({"role": "tool", "tool_call_id": f"call{i}", "content": "done"})
    return {"messages": messages}


PLANS: dict[str, Callable[[int], Any]] = {"steps": tool_steps, "calls": calls, "trace": trace}


def typing_in(snapshot: Snapshot, word: str) -> Callable[[], Snapshot]:
    """One more character, typed again and again in the middle of a plan."""
    at = snapshot.text.index(word, len(snapshot.text) // 2) + 3
    return lambda: update(snapshot, Edit(at, at, "x"))


@pytest.mark.parametrize("dialect", PLANS)
@pytest.mark.parametrize("size", [1_000, 10_000])
def test_the_first_look(dialect: str, size: int) -> None:
    text, declared = (json.dumps(plan, indent=2) for plan in (PLANS[dialect](size), plan_of(size)))
    ours, peer = best_times(lambda: analyze(text), lambda: analyze(declared), rounds=3)
    show(f"{dialect} / declared, {size} steps, first look", ours / peer, 5)


@pytest.mark.parametrize("dialect", PLANS)
@pytest.mark.parametrize("size", [1_000, 10_000])
def test_typing_in_an_argument(dialect: str, size: int) -> None:
    snapshot, declared = (analyze(json.dumps(plan, indent=2)) for plan in (PLANS[dialect](size), plan_of(size)))
    ours, peer = best_times(typing_in(snapshot, "agent's note"), typing_in(declared, '"agent'))
    show(f"{dialect} / declared, {size} steps, typing", ours / peer, 2.5)


@pytest.mark.parametrize("size", [1_000, 10_000])
def test_typing_in_a_reference(size: int) -> None:
    snapshot, declared = (analyze(json.dumps(plan, indent=2)) for plan in (tool_steps(size), plan_of(size)))
    ours, peer = best_times(typing_in(snapshot, "{{step"), typing_in(declared, '"id": "res'), rounds=5)
    show(f"steps / declared, {size} steps, typing in a reference", ours / peer, 1.5)
