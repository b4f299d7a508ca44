"""Each branch of `unknown_step`."""

from __future__ import annotations

import pytest

from analysis.marks import check_rule
from plancheck.analysis.engine import analyze


def test_a_predecessor_and_a_producer() -> None:
    check_rule(
        "unknown_step",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call"},
          {"idx": 1, "agent": "a", "kind": "decision", "control_preds": [7],
                                                                         ~ unknown_step: Step 1 waits for step 7, which…
           "reads": [{"id": "order", "producer": 8}]}
                                                 ~ unknown_step: Step 1 takes `order` from step 8, which does not exist…
        ]}
        """,
    )


def test_later_steps_exist() -> None:
    check_rule(
        "unknown_step",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "decision", "control_preds": [1]},
          {"idx": 1, "agent": "a", "kind": "tool_call"}
        ]}
        """,
    )


def test_steps_named_by_strings() -> None:
    check_rule(
        None,
        r"""
        {"goal": "x", "steps": [
          {"id": "fetch_orders", "tool": "t"},
          {"id": "pay", "tool": "t", "depends_on": ["fetch_order", "nobody"],
                                                    ~~~~~~~~~~~~~ unknown_step: Step pay waits for step fetch_order, w…
                                                                   ~~~~~~~~ unknown_step: Step pay waits for step nobo…
           "args": {"x": "so \u0041 ${ Fetch-Orders.result.y }"}}
                                       ~~~~~~~~~~~~ unknown_step: Step pay uses the result of step Fetch-Orders, whic…
        ]}
        """,
    )


def test_what_is_said_about_strings() -> None:
    text = """{"goal": "x", "steps": [{"id": "fetch", "tool": "t"},
               {"id": "pay", "tool": "t", "depends_on": ["fetsh", "nobody"], "args": {"x": "${Fetch.result}"}}]}"""
    assert [finding.message for finding in analyze(text).shown] == [
        "Step pay waits for step fetsh, which does not exist: did you mean `fetch`?",
        "Step pay waits for step nobody, which does not exist: name a step of this plan.",
        "Step pay uses the result of step Fetch, which does not exist: did you mean `fetch`?",
    ]


@pytest.mark.parametrize(("count", "hints"), [(500, 500), (501, 0)])
def test_in_a_very_large_plan_names_are_not_compared(count: int, hints: int) -> None:
    steps = ", ".join(f'{{"id": "step{i}", "tool": "t", "depends_on": ["steq{i}"]}}' for i in range(count))
    messages = [finding.message for finding in analyze(f'{{"goal": "x", "steps": [{steps}]}}').findings]
    assert len(messages) == count
    assert sum("did you mean" in message for message in messages) == hints


def test_one_mistake_is_reported_once() -> None:
    check_rule(
        None,
        """
        {"goal": "x", "steps": [
          {"id": "fetch", "tool": "t"},
          {"id": "pay", "tool": "t", "depends_on": ["fetsh"],
                                                    ~~~~~~~ unknown_step: Step pay waits for step fetsh, which does…
           "args": {"x": "{{fetsh.result}}", "y": "${fetsh.result.n}"}},
                            ~~~~~ -> The same step again.
                                                     ~~~~~ -> The same step again.
          {"id": "tell", "tool": "t", "args": {"x": "{{fetsh.result}}", "y": "${fetsh.result.n}"}}
                                                       ~~~~~ unknown_step: Step tell uses the result of step fetsh…
                                                                                ~~~~~ -> The same step again.
        ]}
        """,
    )


def test_calls_are_named_by_position_or_by_their_own_id() -> None:
    check_rule(
        None,
        """
        [
          {"tool_name": "a"},
          {"id": "two", "tool_name": "b", "args": {"x": "{{0.result}} {{two.result}}", "y": "${7.result}"}},
                                                                        ~~~ step_not_before: Step 1 uses its own result…
                                                                                               ~ unknown_step: Step 1…
          {"id": 9, "tool_name": "c", "why": "{{tow.result}} {{two.result}} {{1.result}}"}
                                                ~~~ unknown_step: Step 2 uses the result of step tow, which does not ex…
        ]
        """,
    )


def test_an_id_of_a_call_comes_before_a_position() -> None:
    calls = [f'{{"id": {i + 1}, "tool_name": "t", "args": {{"x": "{{{{{i}.result}}}}"}}}}' for i in range(1, 4)]
    text = '[{"id": 1, "tool_name": "t"}, ' + ", ".join(calls) + "]"
    snapshot = analyze(text)
    assert snapshot.findings == []
    assert [[edge.producer for edge in edges] for edges in snapshot.graph.dependencies] == [[], [0], [1], [2]]
