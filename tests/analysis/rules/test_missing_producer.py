"""Each branch of `missing_producer`."""

from __future__ import annotations

from analysis.marks import check_rule


def test_the_edge_is_forgotten() -> None:
    check_rule(
        "missing_producer",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": ["order"], "writes": ["order"]},
                                          ~~~~~~~ -> Step 0 writes it here.
          {"idx": 1, "agent": "a", "kind": "decision",
           "reads": ["order"]}
                     ~~~~~~~ missing_producer: Step 1 reads `order`, which step 0 wrote, and does not say so: add `"pro…
        ]}
        """,
    )


def test_the_last_writer_counts() -> None:
    check_rule(
        "missing_producer",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": ["order"], "writes": ["order"]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "order", "producer": 0}],
           "writes": ["order"]},
          {"idx": 2, "agent": "a", "kind": "decision",
           "reads": ["order"]}
                     ~~~~~~~ missing_producer: Step 2 reads `order`, which step 1 wrote, and does not say so: add `"pro…
        ]}
        """,
    )


def test_it_rests_on_an_earlier_writer_only() -> None:
    check_rule(
        "missing_producer",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": ["order"], "writes": ["order"]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "order", "producer": 0}],
           "writes": ["order"]},
          {"idx": 2, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "order", "producer": 0}, "rate"],
           "writes": ["rate"]},
          {"idx": 3, "agent": "a", "kind": "decision",
           "reads": [{"id": "rate", "producer": 2}, "order"]}
                                                    ~~~~~~~ missing_producer: Step 3 reads `order`, which step 1 wrote,…
        ]}
        """,
    )


def test_it_rests_on_the_writer_anyway() -> None:
    check_rule(
        "missing_producer",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": ["order", "rate"], "writes": ["order", "rate"]},
          {"idx": 1, "agent": "a", "kind": "decision",
           "reads": [{"id": "rate", "producer": 0}, "order"]}
        ]}
        """,
    )


def test_another_read_of_it_names_the_producer() -> None:
    check_rule(
        "missing_producer",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": ["order"], "writes": ["order"]},
          {"idx": 1, "agent": "a", "kind": "decision",
           "reads": ["order", {"id": "order", "producer": 0}]}
        ]}
        """,
    )


def test_a_repeated_read_is_reported_once() -> None:
    check_rule(
        "missing_producer",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": ["order"], "writes": ["order"]},
          {"idx": 1, "agent": "a", "kind": "decision",
           "reads": ["order", "order"]}
                     ~~~~~~~ missing_producer: Step 1 reads `order`, which step 0 wrote, and does not say so: add `"pro…
        ]}
        """,
    )


def test_a_volatile_read_looks_afresh() -> None:
    check_rule(
        "missing_producer",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": ["order"], "writes": ["order"]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "order", "volatile": true}]}
        ]}
        """,
    )


def test_a_reread_looks_afresh() -> None:
    check_rule(
        "missing_producer",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": ["order"], "writes": ["order"]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "order", "revalidates": true}]}
        ]}
        """,
    )


def test_nobody_wrote_it() -> None:
    check_rule(
        "missing_producer",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": ["rate"], "writes": ["rate"]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "reads": ["order"]}
        ]}
        """,
    )


def test_written_later_only() -> None:
    check_rule(
        "missing_producer",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": ["order"]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "reads": ["order"], "writes": ["order"]}
        ]}
        """,
    )


def test_its_own_write_does_not_count() -> None:
    check_rule(
        "missing_producer",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": ["order"], "writes": ["order"]}
        ]}
        """,
    )


def test_the_writer_runs_beside() -> None:
    check_rule(
        "missing_producer",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call"},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "control_preds": [0], "reads": ["order"],
           "writes": ["order"]},
          {"idx": 2, "agent": "a", "kind": "decision",
           "control_preds": [0], "reads": ["order"]}
        ]}
        """,
    )


def test_a_producer_of_the_wrong_type_is_no_forgotten_one() -> None:
    check_rule(
        "missing_producer",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": ["order"], "writes": ["order"]},
          {"idx": 1, "agent": "a", "kind": "decision",
           "reads": [{"id": "order", "producer": "0"}]}
        ]}
        """,
    )


def test_a_misspelt_producer_is_no_forgotten_one() -> None:
    check_rule(
        "missing_producer",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": ["order"], "writes": ["order"]},
          {"idx": 1, "agent": "a", "kind": "decision",
           "reads": [{"id": "order", "producr": 0}]}
        ]}
        """,
    )


def test_what_is_waited_for_is_misspelt() -> None:
    """The linear default is not what was meant."""
    check_rule(
        "missing_producer",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": ["order"], "writes": ["order"]},
          {"idx": 1, "agent": "a", "kind": "decision",
           "reads": ["order"], "control_pred": []}
        ]}
        """,
    )


def test_what_the_predecessor_waits_for_is_misspelt() -> None:
    check_rule(
        "missing_producer",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": ["order"], "writes": ["order"]},
          {"idx": 1, "agent": "a", "kind": "tool_call", "control_pred": []},
          {"idx": 2, "agent": "a", "kind": "decision",
           "reads": ["order"]}
        ]}
        """,
    )


def test_a_writer_after_the_misspelt_one_is_certain() -> None:
    check_rule(
        "missing_producer",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": ["order"], "writes": ["order"]},
          {"idx": 1, "agent": "a", "kind": "tool_call", "control_pred": []},
          {"idx": 2, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "order", "producer": 0}],
           "writes": ["order"]},
          {"idx": 3, "agent": "a", "kind": "decision",
           "reads": ["order"]}
                     ~~~~~~~ missing_producer: Step 3 reads `order`, which step 2 wrote, and does not say so: add `"pro…
        ]}
        """,
    )


def test_a_writer_without_identity_cannot_be_named() -> None:
    check_rule(
        "missing_producer",
        """
        {"nodes": [
          {"idx": "x", "agent": "a", "kind": "tool_call",
           "reads": ["order"], "writes": ["order"]},
          {"idx": 1, "agent": "a", "kind": "decision",
           "reads": ["order"]}
        ]}
        """,
    )


def test_a_reader_without_identity_says_nothing() -> None:
    check_rule(
        "missing_producer",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": ["order"], "writes": ["order"]},
          {"idx": "x", "agent": "a", "kind": "decision",
           "reads": ["order"]}
        ]}
        """,
    )
