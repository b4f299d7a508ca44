"""The calls dialect: a call is its position, and a tool under another key does not slip through."""

from __future__ import annotations

import pytest

from analysis.marks import check_rule
from plancheck.analysis.engine import analyze, update
from plancheck.plan.lower import lower
from plancheck.plan.model import Beside, Call
from plancheck.syntax.json import read
from plancheck.text import Edit


@pytest.mark.parametrize("form", ["[%s]", '{"event_type": "agent.plan", "steps": [%s]}', '{"steps": [%s]}'])
def test_both_forms_are_lowered_alike(form: str) -> None:
    plan = lower(read(form % '{"tool_name": "a", "args": {"x": 1}, "why": "{{b.result}}"}, {"tool_name": "b"}'))
    assert [step.outline.identity for step in plan.steps] == [0, 1]
    assert [step.call for step in plan.steps] == [
        Call("a", ("tool_name",), (("x", 1),), ("args",), None, (), (Beside((), (("why", "{{b.result}}"),)),)),
        Call("b", ("tool_name",), None, (), None, ()),
    ]
    assert [[read.producer for read in step.outline.reads] for step in plan.steps] == [["b"], []]
    assert plan.faults == ()


@pytest.mark.parametrize("form", ["[%s]", '{"event_type": "agent.plan", "steps": [%s]}'])
def test_a_healthy_plan_of_calls_is_silent(form: str) -> None:
    calls = '{"tool_name": "orders.get", "args": {"id": 1}, "note": null}, {"tool_name": "mail.send", "args": null}'
    assert analyze(form % calls).findings == []


def test_each_fault_at_its_token() -> None:
    check_rule(
        None,
        """
        [
          {"tool": "execute_shell", "args": {}},
           ~~~~~~ missing_tool_name: `tool` is ignored, because a call names its tool under `tool_name`: rename it.
          {"toolName": "x"},
           ~~~~~~~~~~ missing_tool_name: `toolName` is ignored, because a call names its tool under `tool_name`: rename…
          {"args": {}},
          ~ missing_tool_name: This step has no `tool_name`, so it is not known what it calls: name the tool.
          {"tool_name": ""},
                        ~~ empty_name: `tool_name` is empty: name the tool.
          {"tool_name": 7, "args": "x"},
                        ~ wrong_type: `tool_name` must be a string, not an integer.
                                   ~~~ wrong_type: `args` must be an object, not a string.
          {"tool_name": "x", "arg": {}, "reads": [{"id": "r", "producer": "a"}]},
                             ~~~~~ misplaced_arguments: Arguments belong under `args`, not under `arg`: rename it.
                                                                          ~~~ wrong_type: `producer` must be the posi…
          "x"
          ~~~ wrong_type: A step must be an object, not a string.
        ]
        """,
    )


def test_a_second_tool_under_the_key_of_another_format() -> None:
    check_rule(
        None,
        """
        [
          {"tool_name": "x", "tool": "y"},
                             ~~~~~~ second_tool: This step names two tools, under…
          {"tool_name": "x", "function": {"name": "y"}},
                             ~~~~~~~~~~ second_tool: This step names two tools, under…
          {"tool_name": "x", "name": "a label", "title": "another"}
        ]
        """,
    )


def test_findings_name_the_position() -> None:
    snapshot = analyze('[{"tool_name": "x"}, {"tool": "y"}, {}]')
    assert [finding.step for finding in snapshot.shown] == [1, 2]


def test_a_call_that_moves_gets_its_new_position() -> None:
    text = '[{"tool_name": "a"}, {"tool_name": "b"}, {"tool": "c"}]'
    old = analyze(text)
    new = update(old, Edit(1, 1, '{"tool_name": "first"}, '))
    assert [step.outline.identity for step in new.plan.steps] == [0, 1, 2, 3]
    assert [finding.step for finding in new.shown] == [3]
    assert [step.outline.identity for step in old.plan.steps] == [0, 1, 2]


def test_pre_lints_work_on_declared_keys() -> None:
    check_rule(
        None,
        """
        [
          {"tool_name": "fx.quote", "reads": [{"id": "rate", "volatile": true}]},
          {"tool_name": "pay", "reads": [{"id": "rate", "producer": 0}], "writes": ["rate"]}
                        ~~~~~ missing_revalidation_barrier: Step 1…
        ]
        """,
    )
