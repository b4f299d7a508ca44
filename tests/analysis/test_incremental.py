"""The snapshot after an edit is that of the new text, whatever the dialect, edit after edit."""

from __future__ import annotations

import random

import pytest

from analysis.edits import assert_as_fresh
from plancheck.analysis.engine import analyze, update
from plancheck.analysis.snapshot import Snapshot
from plancheck.text import Edit

PLANS = {
    "declared": """{"nodes": [
  {"idx": 0, "agent": "a", "kind": "tool_call", "reads": [{"id": "rate", "volatile": true}]},
  {"idx": 1, "agent": "a", "kind": "decision", "reads": [{"id": "rate", "producer": 0}]},
  {"idx": 2, "agent": "b", "kind": "tool_call", "control_preds": [0, 1], "writes": ["rate", "x"], "scope": ["rate"]},
  {"idx": 3, "agent": "b", "kind": "tool_call"}
]}
""",
    "steps": """{"goal": "pay", "steps": [
  {"id": "ask", "tool": "t", "args": {"x": ["a \\u00e9 {{pay.result.y}}", {"z": "${quote.result}"}]}, "depends_on": []},
  {"id": "quote", "tool": "t", "reads": [{"id": "rate", "volatile": true}]},
  {"id": "pay", "tool": "t", "args": {"x": "{{quote.result}}"}, "writes": ["rate"], "depends_on": ["quote", "ask"]},
  {"id": "tell", "tool": "t", "on_fail": "abort", "args": {"x": "${{pay.result.z}} and more"}}
], "meta": {"by": "me"}}
""",
    "calls": """[
  {"tool_name": "a", "args": {"x": 1}, "reads": [{"id": "rate", "volatile": true}]},
  {"tool_name": "b", "args": {"x": "y"}, "reads": [{"id": "rate", "producer": 0}], "writes": ["rate"]},
  {"tool": "c"},
  {"tool_name": "d"}
]
""",
    "a conversation": """{"messages": [
  {"role": "user", "content": "hello"},
  {"role": "assistant", "tool_calls": [
    {"id": "a", "function": {"name": "a", "arguments": "{\\"x\\": [1, \\"\\u00e9\\"]}"}},
    {"function": {"name": "b", "arguments": "{\\"y\\": 1, \\"y\\": 2}"}, "reads": [{"id": "rate", "producer": "a"}]}]},
  {"role": "tool", "tool_call_id": "a", "content": "{\\"tool_name\\": \\"run_command\\", \\"args\\": {}}"},
  {"role": "assistant", "content": [{"type": "tool_use", "name": "run_command", "input": {"x": 1}}]}
]}
""",
    "a message": """{"role": "assistant",
  "content": [{"type": "tool_use", "id": "a", "name": "a", "input": {"x": 1}}],
  "tool_calls": [{"id": "a", "name": "a", "args": {"x": 1}}, {"id": "b", "name": "run_command", "args": {"x": 1}}],
  "note": {"tool_name": "run_command", "args": {}}
}
""",
    "a call": """{"type": "function_call", "call_id": "a", "name": "run_command",
  "arguments": "{\\"x\\": {\\"tool_name\\": \\"drop_database\\", \\"args\\": {}}}", "note": {"tool_calls": []}
}
""",
}
PIECES = [
    *'{}[]",:\\ \n01ab',
    '"tool_name"',
    '"tool": "t", ',
    '"depends_on": ["pay"], ',
    "{{ask.result}}",
    "${quote.result.x}",
    '{"id": "new", "tool": "t"}, ',
    '{"tool_name": "new"}, ',
    '{"idx": 9, "agent": "a", "kind": "decision"}, ',
    "\\u0041",
    "😀",
    "null",
]


def picture(snapshot: Snapshot) -> object:
    """All that a snapshot says."""
    graph = snapshot.graph
    return (
        snapshot.plan.dialect,
        snapshot.plan,
        [(*span, *snapshot.span(finding), finding) for span, finding in snapshot.shown_at],
        [[snapshot.place_span(related.place) for related in finding.related] for finding in snapshot.shown],
        (graph.preds, graph.dependencies, list(graph.sequence), graph.closing, graph.follower_counts),
        [set(graph.flow.seen_by(i)) for i in range(len(graph))],
        snapshot.unchecked,
    )


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("dialect", PLANS)
def test_updating_is_analyzing_afresh(dialect: str, seed: int) -> None:
    rng = random.Random(f"{dialect} {seed}")
    snapshot = analyze(PLANS[dialect])
    for _ in range(12):
        text = snapshot.text
        start = rng.randrange(len(text) + 1)
        end = min(start + rng.choice([0, 0, 0, 1, 1, 2, 8, 30]), len(text))
        edit = Edit(start, end, rng.choice(["", *PIECES]) if end > start else rng.choice(PIECES))
        snapshot = update(snapshot, edit)
        assert picture(snapshot) == picture(analyze(snapshot.text)), (text, edit)
        if rng.random() < 0.3:  # from a healthy text again, or all would end in ruins
            whole = Edit(0, len(snapshot.text), PLANS[dialect])
            snapshot = update(snapshot, whole)
            assert picture(snapshot) == picture(analyze(PLANS[dialect]))


def test_typing_inside_an_argument_keeps_the_graph() -> None:
    snapshot = analyze(PLANS["steps"])
    at = snapshot.text.index(" and more")
    assert update(snapshot, Edit(at, at, "x")).graph is snapshot.graph
    assert update(snapshot, Edit(at - 2, at - 2, "x")).graph is not snapshot.graph


FORWARD = """\
{"goal": "g", "steps": [
{"id": "s0", "tool": "t", "depends_on": ["s1"], "args": {"x": "{{s1.result}}"}, "scope": ["s1.result", "a", "z"]},
{"id": "s1", "tool": "t", "depends_on": [], "reads": ["a"], "args": {}}
]}
"""


def test_what_a_later_step_reads_matters_to_an_earlier_one_that_rests_on_it() -> None:
    """The list is no order in which these steps could run, so what an edit changes may stand before it."""
    start = FORWARD.index('["a"]')
    snapshot = update(analyze(FORWARD), Edit(start, start + 5, '["b"]'))
    assert_as_fresh(snapshot, "another resource")
    assert [finding.resource for finding in snapshot.findings if finding.rule == "over_granted_scope"] == ["a", "z"]
