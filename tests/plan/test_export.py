"""The graph as data, Mermaid and DOT: what is in it, and that no name can break out of its label."""

from __future__ import annotations

import json
import re
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from plancheck.analysis.engine import analyze
from plancheck.plan.graph.export import Picture, describe, to_dot, to_mermaid


def picture(*nodes: dict[str, Any]) -> Picture:
    filled = [{"idx": i, "agent": "a", "kind": "tool_call", **node} for i, node in enumerate(nodes)]
    snapshot = analyze(json.dumps({"nodes": filled}))
    return describe(snapshot.plan, snapshot.graph)


DIAMOND = (
    {"idx": 10, "agent": "feed", "reads": [{"id": "quote", "volatile": True}], "writes": ["quote"]},
    {"idx": 20, "control_preds": [10]},
    {
        "idx": 30,
        "control_preds": [10],
        "reads": [{"id": "quote", "producer": 10, "revalidates": True, "volatile": True}],
    },
    {
        "idx": 40,
        "kind": "decision",
        "control_preds": [20, 30],
        "reads": [{"id": "quote", "producer": 30, "pinned": True}],
    },
)


def test_everything_is_in_the_data() -> None:
    data = picture(*DIAMOND).to_dict()
    assert data["dialect"] == "declared"
    first, _, third, last = data["nodes"]
    assert first == {
        "position": 0,
        "identity": 10,
        "kind": "tool_call",
        "agent": "feed",
        "tool": None,
        "followers": 3,
        "is_keystone": True,
        "layer": 0,
        "reads": ("quote",),
        "writes": ("quote",),
        "volatile": ("quote",),
        "revalidates": (),
    }
    assert [node["layer"] for node in data["nodes"]] == [0, 1, 1, 2]
    assert third["revalidates"] == ("quote",)
    assert (last["kind"], last["is_keystone"]) == ("decision", False)
    assert [(edge["source"], edge["target"]) for edge in data["control_edges"]] == [(0, 1), (0, 2), (1, 3), (2, 3)]
    assert data["data_edges"] == [
        {"source": 0, "target": 2, "resource": "quote", "volatile": True, "pinned": False, "revalidates": True},
        {"source": 2, "target": 3, "resource": "quote", "volatile": False, "pinned": True, "revalidates": False},
    ]


def test_shapes_and_marks_can_be_seen() -> None:
    mermaid = to_mermaid(picture(*DIAMOND)).splitlines()
    assert mermaid[:5] == [
        "flowchart TD",
        '  s0["10: feed<br>keystone: 3 follow<br>volatile: quote"]:::keystone',
        '  s1["20: a"]',
        '  s2["30: a<br>re-reads: quote"]:::barrier',
        '  s3{"40: a"}',
    ]
    assert '  s0 -. "quote #40;volatile#41; #40;revalidates#41;" .-> s2' in mermaid
    dot = to_dot(picture(*DIAMOND))
    assert 's3 [label="40: a", shape=diamond];' in dot
    assert 's0 -> s2 [label="quote (volatile) (revalidates)", style=dashed, constraint=false];' in dot
    assert 'class="keystone"' in dot


def test_a_plan_without_steps_and_steps_without_identity() -> None:
    assert to_mermaid(picture()).startswith("flowchart TD\n  classDef")
    assert to_dot(picture()).count("\n") == 3
    assert '  s0["#35;1 in the list: a"]' in to_mermaid(picture({"idx": "x"})).splitlines()


def test_a_long_chain_has_as_many_layers() -> None:
    chain = picture(*({} for _ in range(3000)))
    assert [node.layer for node in chain.nodes] == list(range(3000))


NODE_LINE = re.compile(r'^  s\d+(?:\["([^"]*)"\]|\{"([^"]*)"\})(?::::\w+)?$')
EDGE_LINE = re.compile(r'^  s\d+ -\. "([^"]*)" \.-> s\d+$')
ANY_LINE = re.compile(r"^  (?:s\d+ --> s\d+|classDef \w+ [\w#:,-]+)$")
NAMES = st.text(min_size=1, max_size=12) | st.sampled_from(
    [
        '"]; click s0 "javascript:x"',
        "<script>",
        "`md`",
        "a#quot;b",
        'x\\"',
        "\\",
        "end",
        "-->",
        "%%{init}%%",
        "a|b",
        "\r\n",
    ]
)


def plain(name: str) -> str:
    return "".join(" " if char < " " else char for char in name)


def decoded(label: str) -> str:
    return re.sub(r"#(\d+);", lambda match: chr(int(match[1])), label)


@given(NAMES, NAMES)
def test_no_name_breaks_out_of_a_mermaid_label(agent: str, resource: str) -> None:
    lines = to_mermaid(
        picture({"agent": agent, "writes": [resource]}, {"reads": [{"id": resource, "producer": 0}]})
    ).split("\n")
    assert lines[0] == "flowchart TD"
    assert lines.pop() == ""
    nodes = [match for line in lines if (match := NODE_LINE.match(line))]
    edges = [match for line in lines if (match := EDGE_LINE.match(line))]
    assert len(nodes) + len(edges) + sum(bool(ANY_LINE.match(line)) for line in lines) == len(lines) - 1
    assert decoded(nodes[0][1].split("<br>")[0]) == f"0: {plain(agent)}"
    assert decoded(edges[0][1]) == plain(resource)
    assert "<" not in nodes[0][1].replace("<br>", "")


@given(NAMES, NAMES)
def test_no_name_breaks_out_of_a_dot_label(agent: str, resource: str) -> None:
    dot = to_dot(picture({"agent": agent, "writes": [resource]}, {"reads": [{"id": resource, "producer": 0}]}))
    strings = re.findall(r'"((?:[^"\\]|\\.)*)"', dot)
    outside = re.sub(r'"((?:[^"\\]|\\.)*)"', '""', dot)
    assert outside.count("\n") == 7
    assert re.fullmatch(r'[\w\s{}\[\]=,;>"-]*', outside)
    shown = [string.replace('\\"', '"').replace("\\\\", "\\") for string in strings]
    assert shown[-1].replace("\x7f", " ") == plain(resource).replace("\x7f", " ")


def drawing(text: str) -> str:
    snapshot = analyze(text)
    return to_mermaid(describe(snapshot.plan, snapshot.graph))


def test_steps_and_calls_show_their_tools() -> None:
    steps = """{"steps": [{"id": "a", "tool": "t.x", "agent": "clerk"},
                          {"id": "b", "tool": "t.y", "args": {"x": "{{a.result}}"}}]}"""
    drawn = drawing(steps).splitlines()
    assert drawn[1:5] == [
        '  s0["a: clerk<br>t.x<br>keystone: 1 follow"]:::keystone',
        '  s1["b: t.y"]',
        "  s0 --> s1",
        '  s0 -. "a.result" .-> s1',
    ]
    assert '  s0["0: search"]' in drawing('[{"tool_name": "search"}]')


def test_a_circle_is_drawn_as_one() -> None:
    drawn = drawing(
        """{"steps": [{"id": "a", "tool": "t", "depends_on": ["c"], "args": {"x": "{{b.result}}"}},
                      {"id": "b", "tool": "t"}, {"id": "c", "tool": "t", "depends_on": ["b", "c"]}]}"""
    )
    assert [line.strip() for line in drawn.splitlines() if "->" in line] == [
        "s0 --> s1",
        "s1 --> s2",
        "s2 --> s0",
        "s2 --> s2",
        's1 -. "b.result" .-> s0',
    ]
