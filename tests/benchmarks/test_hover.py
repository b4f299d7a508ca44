"""Hover costs the same in a plan of 10,000 steps as in one of 100: nothing walks over all steps for one answer."""

from __future__ import annotations

import json

import pytest

from benchmarks.measure import best_times, show
from plancheck.analysis.engine import analyze
from plancheck.analysis.snapshot import Snapshot
from plancheck.ide.hover import hover


def snapshot_of(count: int) -> Snapshot:
    nodes = []
    for idx in range(count):
        reads: list[object] = [{"id": f"shared{idx % 50}", "producer": idx - 1} if idx else "shared0", f"own{idx}"]
        writes = [f"own{idx}", f"shared{(idx + 1) % 50}"]
        nodes.append({"idx": idx, "agent": "a", "kind": "tool_call", "reads": reads, "writes": writes})
    return analyze('{"nodes": [\n' + ",\n".join(json.dumps(node) for node in nodes) + "\n]}")


@pytest.fixture(scope="module")
def snapshots() -> tuple[Snapshot, Snapshot]:
    return snapshot_of(100), snapshot_of(10_000)


@pytest.mark.parametrize("needle", ['"idx": 5', '"own5', '"shared7"', '"nodes"', '"producer": 5', '"kind"'])
def test_hover_costs_the_same_in_a_long_plan(snapshots: tuple[Snapshot, Snapshot], needle: str) -> None:
    offsets = [snapshot.text.rindex(needle) + len(needle) - 1 for snapshot in snapshots]
    assert all(hover(snapshot, offset) is not None for snapshot, offset in zip(snapshots, offsets, strict=True))
    short, long = best_times(
        lambda: hover(snapshots[0], offsets[0]), lambda: hover(snapshots[1], offsets[1]), rounds=200
    )
    show(f"hover on {needle} in 100 times as many steps", long / short, 2.5)
