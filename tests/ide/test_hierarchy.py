"""Control predecessors and followers as a call hierarchy."""

from __future__ import annotations

from ide.marks import cursor
from plancheck.ide.hierarchy import HierarchyCall, incoming, outgoing, prepare
from plancheck.text import Span

PLAN = """
    {"nodes": [
      {"idx": 0, "agent": "a", "kind": "decision"%s},
      {"idx": 1, "agent": "b", "kind": "tool_call"},
      {"idx": 2, "agent": "c", "control_preds": [0]},
      {"idx": 3, "control_preds": [1, 2], "reads": [{"id": "r", "producer": 1}]}
    ]}
"""


def check_hierarchy(text: str, name: str | None, before: list[str], after: list[str]) -> None:
    snapshot, offset = cursor(text)
    item = prepare(snapshot, offset)
    assert (None if item is None else item.name) == name
    if item is not None:

        def shown(calls: list[HierarchyCall]) -> list[str]:
            return [f"{c.item.name}: {c.item.detail} at {[snapshot.text[slice(*s)] for s in c.spans]}" for c in calls]

        assert shown(incoming(snapshot, item.position)) == before
        assert shown(outgoing(snapshot, item.position)) == after


def test_the_step_around_the_cursor() -> None:
    check_hierarchy(
        PLAN % "$0",
        "Step 0 · a",
        [],
        ["Step 1 · b: tool_call, 1 follower at ['0']", "Step 2 · c: 1 follower at ['0']"],
    )
    check_hierarchy(
        (PLAN % "").replace('"idx": 3', '"id$0x": 3'),
        "Step 3",
        ["Step 1 · b: tool_call, 1 follower at ['1']", "Step 2 · c: 1 follower at ['2']"],
        [],
    )


def test_the_step_that_a_reference_names() -> None:
    before = ["Step 0 · a: decision, 3 followers at ['0']"]
    after = ["Step 3: 0 followers at ['1']"]
    check_hierarchy((PLAN % "").replace("[1, 2]", "[1$0, 2]"), "Step 1 · b", before, after)
    check_hierarchy((PLAN % "").replace('"producer": 1', '"producer": 1$0'), "Step 1 · b", before, after)
    check_hierarchy((PLAN % "").replace("[1, 2]", "[1, 99$0]"), None, [], [])


def test_nothing_outside_the_steps_and_for_steps_that_are_gone() -> None:
    check_hierarchy('{"no$0des": []}', None, [], [])
    snapshot, _ = cursor(PLAN % "$0")
    assert incoming(snapshot, 9) == outgoing(snapshot, 9) == outgoing(snapshot, -1) == []


def test_an_item_knows_its_step() -> None:
    snapshot, offset = cursor('{"nodes": [{"idx": 5, "kind": "decision"$0}]}')
    item = prepare(snapshot, offset)
    assert item is not None
    assert (item.position, item.identity, item.kind.value) == (0, 5, "decision")
    assert (item.span, snapshot.text[slice(*item.selection)]) == (Span(11, 41), "5")
