"""The graph of a plan as data, as a Mermaid drawing and in Graphviz's DOT language.

Decisions are diamonds, tool calls boxes. Control flow is drawn solid, data flow dashed with the resource on it. The
keystone, steps with volatile reads and steps that re-read are marked, in the label and by their colour.
"""

from __future__ import annotations

import re
from typing import Any

from plancheck.plan.graph.facts import PlanGraph
from plancheck.plan.model import Identity, Kind, Plan, Read
from plancheck.tuples import NamedTuple


class GraphNode(NamedTuple):
    position: int
    identity: Identity | None
    kind: str | None
    agent: str | None
    tool: str | None
    followers: int
    is_keystone: bool
    layer: int
    """How many steps run before this one on the longest way to it."""
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    volatile: tuple[str, ...]
    """The resources that it reads as volatile."""
    revalidates: tuple[str, ...]
    """The resources that it reads again: it is a barrier for them."""


class ControlEdge(NamedTuple):
    source: int
    target: int


class DataEdge(NamedTuple):
    """From the step that produced the resource to the one that reads it."""

    source: int
    target: int
    resource: str
    volatile: bool
    pinned: bool
    revalidates: bool

    @property
    def flags(self) -> list[str]:
        return [name for name in ("volatile", "pinned", "revalidates") if getattr(self, name)]


class Picture(NamedTuple):
    dialect: str
    nodes: list[GraphNode]
    control: list[ControlEdge]
    data: list[DataEdge]

    def to_dict(self) -> dict[str, Any]:
        return {
            "dialect": self.dialect,
            "nodes": [node._asdict() for node in self.nodes],
            "control_edges": [edge._asdict() for edge in self.control],
            "data_edges": [edge._asdict() for edge in self.data],
        }


def describe(plan: Plan, graph: PlanGraph) -> Picture:
    """Everything there is to draw. Edges and nodes name steps by their position, which every step has."""
    control = [ControlEdge(pred, target) for target, preds in enumerate(graph.preds) for pred in preds]
    data = [
        _data_edge(edge.producer, target, graph.steps[target].reads[edge.read])
        for target, edges in enumerate(graph.dependencies)
        for edge in edges
    ]
    for target, source in sorted(graph.closing):  # the facts leave these out, but they are what is to be seen
        step, identity = graph.steps[target], graph.steps[source].identity
        if any(pred.identity == identity for pred in step.preds or ()):
            control.append(ControlEdge(source, target))
        data += (_data_edge(source, target, read) for read in step.reads if read.producer == identity)
    layers = _layers(len(graph), control)
    nodes = []
    for position, step in enumerate(graph.steps):
        nodes.append(
            GraphNode(
                position,
                step.identity,
                step.kind.value if step.kind is not None else None,
                plan.steps[position].agent,
                call.tool if (call := plan.steps[position].call) is not None else None,
                graph.follower_counts[position],
                position == graph.keystone,
                layers[position],
                tuple(read.resource for read in step.reads),
                tuple(write.resource for write in step.writes),
                tuple(dict.fromkeys(read.resource for read in step.reads if read.volatile)),
                tuple(dict.fromkeys(read.resource for read in step.reads if read.revalidates)),
            )
        )
    return Picture(plan.dialect.name, nodes, control, data)


def _data_edge(source: int, target: int, read: Read) -> DataEdge:
    return DataEdge(source, target, read.resource, read.volatile, read.pinned, read.revalidates)


def _layers(size: int, control: list[ControlEdge]) -> list[int]:
    """The layer of every step; the steps of a circle share one."""
    import networkx as nx

    flow = nx.DiGraph()
    flow.add_nodes_from(range(size))
    flow.add_edges_from(control)
    layers = [0] * size
    if not size:
        return layers
    circles = nx.condensation(flow)
    for number, generation in enumerate(nx.topological_generations(circles)):
        for circle in generation:
            for position in circles.nodes[circle]["members"]:
                layers[position] = number
    return layers


def _label(node: GraphNode) -> list[str]:
    """The lines of a node's label."""
    name = f"#{node.position + 1} in the list" if node.identity is None else f"{node.identity}"
    does = node.agent or node.tool
    lines = [f"{name}: {does}" if does else name]
    if node.agent and node.tool:
        lines.append(node.tool)
    if node.is_keystone:
        lines.append(f"keystone: {node.followers} follow")
    lines += (f"volatile: {resource}" for resource in node.volatile if resource not in node.revalidates)
    lines += (f"re-reads: {resource}" for resource in node.revalidates)
    return lines


def _marks(node: GraphNode) -> list[str]:
    """The classes of a node, the most important last."""
    marks = []
    if set(node.volatile) - set(node.revalidates):
        marks.append("volatile")
    if node.revalidates:
        marks.append("barrier")
    if node.is_keystone:
        marks.append("keystone")
    return marks


_STYLES = {
    "volatile": ("#fff3d6", "#b26a00", 1),
    "barrier": ("#e1f3e4", "#1f7a33", 1),
    "keystone": ("#e2ecfb", "#1d4ed8", 3),
}

# ---- Mermaid -------------------------------------------------------------------------------------------------------

_UNSAFE = re.compile(r"[^A-Za-z0-9 .,:/_\u0080-\U0010ffff-]")


def _mermaid_text(text: str) -> str:
    """Text that Mermaid shows as it is: whatever could mean something to it, or to HTML, is a character code."""
    return _UNSAFE.sub(lambda match: f"#{ord(match[0])};" if match[0] >= " " else " ", text)


def to_mermaid(picture: Picture) -> str:
    lines = ["flowchart TD"]
    for node in picture.nodes:
        label = "<br>".join(_mermaid_text(line) for line in _label(node))
        opening, closing = ("{", "}") if node.kind == Kind.DECISION.value else ("[", "]")
        classes = "".join(f":::{mark}" for mark in _marks(node)[-1:])
        lines.append(f'  s{node.position}{opening}"{label}"{closing}{classes}')
    lines += (f"  s{edge.source} --> s{edge.target}" for edge in picture.control)
    for link in picture.data:
        label = _mermaid_text(" ".join([link.resource, *(f"({flag})" for flag in link.flags)]))
        lines.append(f'  s{link.source} -. "{label}" .-> s{link.target}')
    for mark, (fill, stroke, width) in _STYLES.items():
        lines.append(f"  classDef {mark} fill:{fill},stroke:{stroke},stroke-width:{width}px,color:#111")
    return "\n".join(lines) + "\n"


# ---- DOT -----------------------------------------------------------------------------------------------------------


def _dot_text(text: str) -> str:
    """Text inside a quoted DOT string."""
    plain = "".join(char if char >= " " and char != "\x7f" else " " for char in text)
    return plain.replace("\\", "\\\\").replace('"', '\\"')


def to_dot(picture: Picture) -> str:
    lines = ["digraph plan {", '  node [fontname="sans-serif", style=filled, fillcolor=white, shape=box];']
    for node in picture.nodes:
        label = "\\n".join(_dot_text(line) for line in _label(node))
        attributes = [f'label="{label}"']
        if node.kind == Kind.DECISION.value:
            attributes.append("shape=diamond")
        for mark in _marks(node)[-1:]:
            fill, stroke, width = _STYLES[mark]
            attributes.append(f'class="{mark}", fillcolor="{fill}", color="{stroke}", penwidth={width}')
        lines.append(f"  s{node.position} [{', '.join(attributes)}];")
    lines += (f"  s{edge.source} -> s{edge.target};" for edge in picture.control)
    for link in picture.data:
        label = _dot_text(" ".join([link.resource, *(f"({flag})" for flag in link.flags)]))
        lines.append(f'  s{link.source} -> s{link.target} [label="{label}", style=dashed, constraint=false];')
    return "\n".join([*lines, "}"]) + "\n"
