"""Each branch of `producer_never_writes`."""

from __future__ import annotations

from analysis.marks import check_rule


def test_the_producer_neither_writes_nor_reads_it() -> None:
    check_rule(
        "producer_never_writes",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": ["order"], "writes": ["order"]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
                  ~ -> Step 1 is here.
           "reads": ["rate"]},
          {"idx": 2, "agent": "a", "kind": "decision",
           "reads": [{"id": "order", "producer": 1}]}
                                                 ~ producer_never_writes: Step 2 takes `order` from step 1, which neith…
        ]}
        """,
    )


def test_the_producer_writes_it() -> None:
    check_rule(
        "producer_never_writes",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": ["order"], "writes": ["order"]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "order", "producer": 0}]}
        ]}
        """,
    )


def test_the_producer_reads_it_and_passes_it_on() -> None:
    check_rule(
        "producer_never_writes",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": ["order"]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "order", "producer": 0}]}
        ]}
        """,
    )


def test_the_writes_of_the_producer_could_not_be_made_out() -> None:
    check_rule(
        "producer_never_writes",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": ["rate"], "writes": [7]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "order", "producer": 0}]}
        ]}
        """,
    )


def test_the_reads_of_the_producer_could_not_be_made_out() -> None:
    check_rule(
        "producer_never_writes",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": "order"},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "order", "producer": 0}]}
        ]}
        """,
    )


def test_a_producer_that_does_not_exist_is_another_rule() -> None:
    check_rule(
        "producer_never_writes",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": ["rate"]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "order", "producer": 7}]}
        ]}
        """,
    )


def test_the_result_of_a_step_is_its_own() -> None:
    check_rule(
        "producer_never_writes",
        """
        {"goal": "pay", "steps": [
          {"id": "a", "tool": "look_up"},
          {"id": "b", "tool": "pay", "args": {"amount": "${a.result.total}"}}
        ]}
        """,
    )


def test_a_reader_without_identity() -> None:
    check_rule(
        "producer_never_writes",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": ["rate"]},
          {"idx": "x", "agent": "a", "kind": "tool_call",
           "reads": [{"id": "order", "producer": 0}]}
        ]}
        """,
    )
