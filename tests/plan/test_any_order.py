"""Plans whose steps may depend on later ones: every fact is that of the same plan in an order in which it can run."""

from __future__ import annotations

import json
import random
from typing import Any

import networkx as nx
import pytest

from plancheck.plan.graph.facts import PlanGraph
from plancheck.plan.graph.rereads import misuses
from plancheck.plan.graph.writes import dead_writes
from plancheck.plan.lower import lower
from plancheck.plan.model import Plan
from plancheck.syntax.json import read


def graph_of(steps: list[dict[str, Any]]) -> tuple[PlanGraph, Plan]:
    plan = lower(read(json.dumps({"goal": "x", "steps": steps})))
    assert plan.dialect.name == "steps"
    return PlanGraph([step.outline for step in plan.steps], any_order=True), plan


def random_steps(rng: random.Random, circles: bool) -> list[dict[str, Any]]:
    """Steps in an order in which they can run, unless there are circles, with all that facts are made of."""
    size = rng.randint(1, 9)
    names = [f"s{number}" for number in range(size)]
    steps = []
    for number, name in enumerate(names):
        others = names if circles else names[:number]
        step: dict[str, Any] = {
            "id": name,
            "tool": "t",
            "depends_on": rng.sample(others, min(len(others), rng.randint(0, 2))),
        }
        if others and rng.random() < 0.5:
            step["args"] = {"x": f"{{{{{rng.choice(others)}.result}}}}"}
        step["reads"] = [
            {"id": rng.choice("pqr"), "volatile": rng.random() < 0.5, "revalidates": rng.random() < 0.3}
            for _ in range(rng.randint(0, 2))
        ]
        step["writes"] = rng.sample("pqr", rng.randint(0, 2))
        step["kind"] = rng.choice(["decision", "tool_call"])
        steps.append(step)
    return steps


def facts(graph: PlanGraph) -> dict[str, object]:
    """All that the graph says, by the names of steps."""
    names = [str(step.identity) for step in graph.steps]

    def named(mask: int) -> frozenset[str]:
        return frozenset(names[i] for i in range(len(names)) if mask >> i & 1)

    order, flow = graph.order, graph.flow
    resources = [graph.touches.resource(name) for name in graph.touches.names()]
    by_step = {
        name: (
            graph.follower_counts[i],
            frozenset(flow.seen_by(i)),
            flow.feeds_decision[i],
            named(order.ancestors[i]),
            named(order.certain[i]),
            named(flow.slices[i]),
            named(order.implied(i)),
            order.settled[i],
        )
        for i, name in enumerate(names)
    }
    return {
        "steps": by_step,
        "exposures": {(names[e.action], names[e.source], e.resource) for e in graph.exposures()},
        "misuses": {
            (names[m.action], m.resource, m.miss, frozenset(names[s] for s in m.sources))
            for m in misuses(graph.steps, order, flow, resources, graph.rank)
        },
        "dead": {
            (names[d.writer], d.resource)
            for d in dead_writes(graph.steps, order, graph.position_of, graph.unknown_readers, resources)
        },
        "most": max(graph.follower_counts, default=0),
    }


@pytest.mark.parametrize("seed", range(150))
def test_facts_do_not_depend_on_the_order_of_the_list(seed: int) -> None:
    rng = random.Random(seed)
    steps = random_steps(rng, circles=False)
    in_order, _ = graph_of(steps)
    shuffled, _ = graph_of(rng.sample(steps, len(steps)))
    assert isinstance(in_order.sequence, range)
    assert shuffled.closing == frozenset()
    assert facts(shuffled) == facts(in_order)


@pytest.mark.parametrize("seed", range(150))
def test_circles_are_found_and_harm_nothing(seed: int) -> None:
    rng = random.Random(seed)
    steps = random_steps(rng, circles=True)
    graph, plan = graph_of(steps)
    everything = nx.DiGraph()
    everything.add_nodes_from(range(len(steps)))
    everything.add_edges_from((i, other) for i, needed in enumerate(graph.needs) for other in needed)
    on_circles = {
        edge
        for ring in nx.strongly_connected_components(everything)
        for edge in everything.subgraph(ring).edges
        if edge[1] >= edge[0]
    }
    assert graph.closing == on_circles
    assert sorted(graph.sequence) == list(range(len(steps)))
    place = {position: number for number, position in enumerate(graph.sequence)}
    kept = [(i, p) for i, preds in enumerate(graph.preds) for p in preds]
    kept += [(i, edge.producer) for i, edges in enumerate(graph.dependencies) for edge in edges]
    assert all(place[other] < place[i] for i, other in kept)
    control = nx.DiGraph([(pred, i) for i, preds in enumerate(graph.preds) for pred in preds])
    control.add_nodes_from(range(len(steps)))
    assert graph.follower_counts == [len(nx.descendants(control, i)) for i in range(len(plan.steps))]
    assert facts(graph)


def test_two_thousand_steps_in_one_circle() -> None:
    size = 2_000
    steps = [{"id": f"s{i}", "tool": "t", "depends_on": [f"s{(i - 1) % size}"]} for i in range(size)]
    graph, _ = graph_of(steps)
    assert graph.closing == {(0, size - 1)}
    assert graph.follower_counts[0] == size - 1
