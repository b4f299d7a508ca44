"""The sweeps against the definitions: random plans, each rule's page taken word by word and computed the slow way."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, TypeAlias

import networkx as nx
import pytest

from analysis.marks import looking_for
from plancheck.analysis.engine import analyze

Node: TypeAlias = dict[str, Any]
Hits: TypeAlias = set[tuple[int, str | None]]


class Definitions:
    """A valid plan whose identities are positions, with what the pages of the rules talk about."""

    def __init__(self, nodes: list[Node]) -> None:
        self.nodes = nodes
        self.control = nx.DiGraph()
        self.data = nx.DiGraph()
        self.control.add_nodes_from(range(len(nodes)))
        self.data.add_nodes_from(range(len(nodes)))
        for k, node in enumerate(nodes):
            preds = node["control_preds"] if "control_preds" in node else [k - 1] if k else []
            self.control.add_edges_from((pred, k) for pred in preds)
            self.data.add_edges_from((read["producer"], k) for read in node["reads"] if "producer" in read)

    def before(self, k: int) -> set[int]:
        return set(nx.ancestors(self.control, k))

    def rests_on(self, k: int) -> set[int]:
        return {k, *nx.ancestors(self.data, k)}

    def flagged(self, k: int, flag: str) -> set[str]:
        return {read["id"] for read in self.nodes[k]["reads"] if read.get(flag)}

    def is_decision(self, k: int) -> bool:
        return bool(self.nodes[k]["kind"] == "decision")

    def stale(self) -> Iterator[tuple[int, int, str, list[int]]]:
        """Every action, volatile read, resource, and re-reads between the two."""
        for action, node in enumerate(self.nodes):
            if not node["writes"] and not self.is_decision(action):
                continue
            for source in self.rests_on(action):
                for r in self.flagged(source, "volatile") - self.flagged(source, "revalidates"):
                    if r in self.flagged(action, "revalidates"):
                        continue
                    between = nx.descendants(self.control, source) & self.before(action)
                    rereads = [k for k in between if r in self.flagged(k, "revalidates")]
                    if rereads:
                        yield action, source, r, rereads

    def informed(self, k: int, source: int, r: str) -> bool:
        """Whether the step rests on a re-read that comes after the volatile read."""
        return any(r in self.flagged(b, "revalidates") and source in self.before(b) for b in self.rests_on(k))

    def bypassed(self, action: int, source: int, r: str) -> bool:
        blind = [k for k in self.control if not self.informed(k, source, r)]
        if action not in blind or source not in blind:
            return False
        return bool(nx.has_path(self.control.subgraph(blind), source, action))

    def wasted(self, action: int, source: int, r: str) -> bool:
        guards = [k for k in self.before(action) if self.is_decision(k)]
        return not any(self.informed(k, source, r) for k in (action, *guards))

    def overtaken(self, action: int, r: str, rereads: list[int]) -> bool:
        writers = [k for k in self.before(action) if r in self.nodes[k]["writes"]]
        writers = [k for k in writers if any(b in self.before(k) for b in rereads)]
        if any(k in self.rests_on(action) for k in writers):
            return False
        calm = self.control.subgraph(k for k in self.control if r not in self.flagged(k, "revalidates"))
        return any(k in calm and nx.has_path(calm, k, action) for k in writers)

    def misuses(self) -> dict[str, Hits]:
        """The first actions, along the data flow, of each volatile read and resource."""
        found: dict[str, Hits] = {"barrier_bypassed": set(), "stale_value_used_after_barrier": set()}
        told: set[tuple[int, int, str]] = set()
        for action, source, r, rereads in sorted(self.stale()):
            if any((k, source, r) in told for k in self.rests_on(action)):
                continue
            bypassed = self.bypassed(action, source, r)
            if bypassed or self.wasted(action, source, r) or self.overtaken(action, r, rereads):
                told.add((action, source, r))
                found["barrier_bypassed" if bypassed else "stale_value_used_after_barrier"].add((action, r))
        found["stale_value_used_after_barrier"] |= self.outdated()
        return found

    def outdated(self) -> Hits:
        """The first actions, along the data flow, that use a re-read of what was written after it."""
        told: set[tuple[int, int, str]] = set()
        for action, node in enumerate(self.nodes):
            used = self.rests_on(action)
            for reread in used - {action} if node["writes"] or self.is_decision(action) else ():
                for r in self.flagged(reread, "revalidates") - self.flagged(action, "revalidates"):
                    writers = self.writers_between(reread, action, r)
                    again = [b for b in used if r in self.flagged(b, "revalidates")]
                    is_renewed = any(not self.writers_between(b, action, r) for b in again)
                    is_told = any((k, reread, r) in told for k in used)
                    if writers and not writers & (used - {action}) and not is_renewed and not is_told:
                        told.add((action, reread, r))
        return {(action, r) for action, _, r in told}

    def writers_between(self, start: int, end: int, r: str) -> set[int]:
        between = nx.descendants(self.control, start) & self.before(end)
        return {k for k in between if r in self.nodes[k]["writes"]}

    def are_alternatives(self, one: int, other: int) -> bool:
        """Whether a decision takes either the way to the one or the way to the other."""
        for k in self.before(one) & self.before(other):
            ways = [{way for way in self.control[k] if way in {step, *self.before(step)}} for step in (one, other)]
            if self.is_decision(k) and all(ways) and not ways[0] & ways[1]:
                return True
        return False

    def unused_writes(self) -> Hits:
        return {(k, r) for k, node in enumerate(self.nodes) for r in node["writes"] if self.is_unused(k, r)}

    def is_unused(self, k: int, r: str) -> bool:
        readers: set[int] = set()
        for reader, node in enumerate(self.nodes):
            for read in node["reads"]:
                if read["id"] != r:
                    continue
                if "producer" not in read or read.get("volatile") or read.get("revalidates"):
                    readers.add(reader)
                elif read["producer"] == k:
                    return False
        aside = readers - self.before(k) - nx.descendants(self.control, k) - {k}
        if aside:
            return False
        todo, seen = [k], {k}
        while todo:  # along each path, up to the first step that overwrites it
            step = todo.pop()
            following = list(self.control.successors(step))
            if not following:
                return False
            for nxt in following:
                if nxt in readers:
                    return False
                if r not in self.nodes[nxt]["writes"] and nxt not in seen:
                    todo.append(nxt)
                    seen.add(nxt)
        return True

    def races(self) -> Hits:
        return {
            (b, r)
            for b, node in enumerate(self.nodes)
            for r in node["writes"]
            if any(
                r in self.nodes[a]["writes"] and a not in self.before(b) and not self.are_alternatives(a, b)
                for a in range(b)
            )
        }

    def producers_not_before(self) -> Hits:
        edges = [(k, read) for k, node in enumerate(self.nodes) for read in node["reads"] if "producer" in read]
        return {(k, read["id"]) for k, read in edges if read["producer"] not in self.before(k)}

    def missing_producers(self) -> Hits:
        found: Hits = set()
        for k, node in enumerate(self.nodes):
            for read in node["reads"]:
                named = any("producer" in other for other in node["reads"] if other["id"] == read["id"])
                writers = [w for w in self.before(k) if read["id"] in self.nodes[w]["writes"]]
                if writers and not named and not read.get("volatile") and not read.get("revalidates"):
                    first = next(other for other in node["reads"] if other["id"] == read["id"])
                    if max(writers) not in self.rests_on(k) and first is read:
                        found.add((k, read["id"]))
        return found

    def redundant_edges(self) -> Hits:
        reduced = nx.transitive_reduction(self.control)
        extra = set(self.control.edges) - set(reduced.edges)
        return {(k, None) for pred, k in extra if not self.is_decision(pred)}

    def islands(self) -> Hits:
        parts = sorted(map(sorted, nx.weakly_connected_components(nx.compose(self.control, self.data))))
        main = max(parts, key=len)
        return {(part[0], None) for part in parts if part is not main}


RULES: dict[str, Callable[[Definitions], Hits]] = {
    "barrier_bypassed": lambda d: d.misuses()["barrier_bypassed"],
    "stale_value_used_after_barrier": lambda d: d.misuses()["stale_value_used_after_barrier"],
    "unused_write": Definitions.unused_writes,
    "parallel_write_race": Definitions.races,
    "producer_not_before": Definitions.producers_not_before,
    "missing_producer": Definitions.missing_producers,
    "redundant_edge": Definitions.redundant_edges,
    "unreachable_step": Definitions.islands,
}


def random_plan(random: Random) -> list[Node]:
    """A valid plan of a few steps over one or two resources, so that whatever can happen to one often does."""
    resources = random.choice([["r"], ["r", "s"]])
    nodes: list[Node] = []
    for k in range(random.randrange(2, 12)):
        node: Node = {"idx": k, "agent": "a", "kind": random.choice(["decision", "tool_call", "tool_call"])}
        if random.random() < 0.7:
            node["control_preds"] = sorted(random.sample(range(k), min(k, random.choice([0, 1, 1, 2, 2, 3]))))
        node["reads"] = [random_read(random, k, resources) for _ in range(random.choice([0, 1, 1, 2]))]
        node["writes"] = [r for r in resources if random.random() < 0.35]
        nodes.append(node)
    return nodes


def random_read(random: Random, k: int, resources: list[str]) -> Node:
    read: Node = {"id": random.choice(resources)}
    if k and random.random() < 0.6:
        read["producer"] = random.randrange(k)
    flag = random.choice(["", "", "volatile", "revalidates", "both"])
    if flag:
        read.update({"volatile": flag != "revalidates", "revalidates": flag != "volatile"})
    return read


def random_plan_of_rereads(random: Random) -> list[Node]:
    """A valid plan that starts from a volatile read, re-reads it here and there, and takes it from all over."""
    nodes: list[Node] = []
    for k in range(random.randrange(3, 10)):
        node: Node = {"idx": k, "agent": "a", "kind": random.choice(["decision", "tool_call", "tool_call"])}
        node["control_preds"] = sorted(random.sample(range(max(0, k - 3), k), min(k, random.choice([1, 1, 2]))))
        taken: Node = {"id": "r", "producer": random.choice([0, random.randrange(k)])} if k else {"id": "r"}
        node["reads"] = [taken]
        if k == 0 or random.random() < 0.1:
            taken["volatile"] = True
        elif random.random() < 0.3:
            node["reads"] = [{"id": "r", "revalidates": True}]
        node["writes"] = [r for r, chance in (("r", 0.2), ("s", 0.4)) if random.random() < chance]
        nodes.append(node)
    return nodes


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_reports_exactly_what_its_page_says(rule: str) -> None:
    random, reported = Random(rule), 0
    for _ in range(400):
        nodes = random.choice([random_plan, random_plan_of_rereads])(random)
        expected = RULES[rule](Definitions(nodes))
        snapshot = analyze(json.dumps({"nodes": nodes}), looking_for(rule))
        findings = [finding for finding in snapshot.findings if finding.rule == rule]
        assert {(finding.step, finding.resource) for finding in findings} == expected, json.dumps(nodes)
        reported += bool(expected)
    assert reported > 10  # the plans are such that the rule has something to say
