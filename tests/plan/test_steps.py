"""The steps dialect: what is accepted, and each fault at its token."""

from __future__ import annotations

import pytest

from analysis.marks import check_rule
from plancheck.plan.lower import lower
from plancheck.plan.model import Call, Kind, Plan
from plancheck.syntax.json import read


def plan_of(*steps: str) -> Plan:
    return lower(read('{"goal": "x", "steps": [' + ", ".join(steps) + "]}"))


def test_a_whole_step() -> None:
    (step,) = plan_of(
        """{"id": "pay", "tool": "payments.transfer", "args": {"amount": "{{quote.result.sum}}", "to": "A-1"},
            "on_fail": "abort", "depends_on": ["quote", "ask"], "agent": "teller", "kind": "tool_call",
            "reads": ["ledger", {"id": "order", "producer": "ask", "volatile": true}], "writes": ["ledger"],
            "scope": ["ledger"]}"""
    ).steps
    outline = step.outline
    assert (outline.identity, step.agent, outline.kind) == ("pay", "teller", Kind.TOOL_CALL)
    assert [pred.identity for pred in outline.preds or ()] == ["quote", "ask"]
    assert [(read.resource, read.producer, read.is_reference) for read in outline.reads] == [
        ("ledger", None, False),
        ("order", "ask", False),
        ("quote.result", "quote", True),
    ]
    assert [write.resource for write in outline.writes] == ["ledger"]
    assert step.call == Call(
        "payments.transfer",
        ("tool",),
        (("amount", "{{quote.result.sum}}"), ("to", "A-1")),
        ("args",),
        "abort",
        ("on_fail",),
    )
    assert step.faults == ()


def test_the_least_step() -> None:
    (step,) = plan_of('{"id": "a", "tool": "t"}').steps
    assert step.outline.preds is None
    assert step.call == Call("t", ("tool",), None, (), None, ())
    assert step.faults == ()


@pytest.mark.parametrize(("written", "preds"), [("null", None), ("[]", []), ('["b"]', ["b"])])
def test_dependencies(written: str, preds: list[str] | None) -> None:
    (step, _) = plan_of(f'{{"id": "a", "tool": "t", "depends_on": {written}}}', '{"id": "b", "tool": "t"}').steps
    assert (None if step.outline.preds is None else [pred.identity for pred in step.outline.preds]) == preds


def test_parameters_are_arguments() -> None:
    (step,) = plan_of('{"id": "a", "tool": "t", "parameters": {"x": "{{b.result}}"}}').steps
    assert step.call is not None
    assert (step.call.arguments, step.call.arguments_path) == ((("x", "{{b.result}}"),), ("parameters",))
    assert [read.producer for read in step.outline.reads] == ["b"]


def test_references_outside_the_arguments_count_too() -> None:
    (step,) = plan_of('{"id": "{{x.result}}", "tool": "t", "if": "{{b.result.ok}}", "agent": "{{y.result}}"}').steps
    assert [read.producer for read in step.outline.reads] == ["b"]


def test_each_fault_at_its_token() -> None:
    check_rule(
        None,
        """
        {"goal": 7, "context": [], "meta": "x", "contxt": 1,
                 ~ wrong_type: `goal` must be a string, not an integer.
                               ~ wrong_type: `context` must be an object, not a list.
                                           ~~~ wrong_type: `meta` must be an object, not a string.
         "steps": [
          {"id": "", "tool": ""},
                 ~~ empty_name: `id` is empty: name the step.
                             ~~ empty_name: `tool` is empty: name the tool.
          {"id": 7, "tool": null},
                 ~ wrong_type: `id` must be a string, not an integer.
                            ~~~~ wrong_type: `tool` must be a string, not null.
          {},
          ~ missing_key: This step has no `id`: give it a name that no other step has.
          ~ missing_key: This step has no `tool`: name the tool that it calls.
          {"id": "a", "tool_name": "t"},
                      ~~~~~~~~~~~ missing_key: `tool_name` is ignored, because a step with an id names its tool under `…
          {"id": "b", "tool": "t", "args": [], "depends_on": "a"},
                                           ~ wrong_type: `args` must be an object, not a list.
                                                             ~~~ wrong_type: `depends_on` must be a list of step…
          {"id": "c", "tool": "t", "args": {}, "parameters": {}, "depends_on": [1, "", "a"]},
                                               ~~~~~~~~~~~~ duplicate_key: `parameters` means the same as `args`…
                                                                                ~ wrong_type: Each entry of `depends…
                                                                                   ~~ empty_name: An entry of `depen…
          {"id": "d", "tool": "t", "on_fail": "retry"},
                                              ~~~~~~~ wrong_type: `on_fail` must be `abort` or `continue`, not `retry`.
          {"id": "e", "tool": "t", "on_fail": true, "dependson": ["a"]},
                                              ~~~~ wrong_type: `on_fail` must be `abort` or `continue`, not true.
                                                    ~~~~~~~~~~~ unknown_key: `dependson` is not a key of a step and…
          {"id": "f", "tool": "t", "control_preds": ["a"]},
                                   ~~~~~~~~~~~~~~~ unknown_key: `control_preds` is ignored in a plan of this format…
          {"id": "g", "tool": "t", "reads": [{"id": "r", "producer": 0}]},
                                                                     ~ wrong_type: `producer` must be the `id` of a…
          7
          ~ wrong_type: A step must be an object, not an integer.
        ]}
        """,
    )


def test_a_goal_under_another_key() -> None:
    check_rule(
        None,
        """
        {"purpose": "x", "steps": [{"id": "a", "tool": "t"}]}
        ~ missing_goal: This plan does not say what it is for: add a `goal`.
        """,
    )
    check_rule(
        None,
        """
        {"Goal": "x", "steps": [{"id": "a", "tool": "t"}]}
         ~~~~~~ unknown_key: `Goal` is not a key of a plan and is ignored: did you mean `goal`?
        """,
    )


def test_members_that_are_still_being_typed_are_left_alone() -> None:
    for text in (
        '{"goal": , "steps": [{"id": "a", "tool": "t"}]}',
        '{"goal": "x", "steps": [{"id": , "tool": , "args": , "depends_on": , "on_fail": }]}',
        '{"goal": "x", "steps": [{"id": "a", "tool": "t", "depends_on": [,]}]}',
        '{"goal": "x", "steps": [',
    ):
        plan = lower(read(text))
        assert [fault for step in plan.steps for fault in step.faults] == []
        assert plan.faults == ()


def test_pre_lints_work_on_declared_keys() -> None:
    check_rule(
        None,
        """
        {"goal": "pay", "steps": [
          {"id": "quote", "tool": "fx.quote", "reads": [{"id": "rate", "volatile": true}]},
          {"id": "pay", "tool": "payments.transfer", "args": {"rate": "{{quote.result}}"},
                 ~~~~~ missing_revalidation_barrier: Step pay…
           "kind": "tool_call", "writes": ["ledger"]}
                                           ~~~~~~~~ write_with_no_prior_read: Step pay…
        ]}
        """,
    )
