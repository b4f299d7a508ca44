"""Each branch of `near_duplicate_resource`."""

from __future__ import annotations

from analysis.marks import check_rule


def test_capitals() -> None:
    check_rule(
        "near_duplicate_resource",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": ["order.1"]},
                     ~~~~~~~~~ -> `order.1` is used here.
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "reads": ["order.1"]},
          {"idx": 2, "agent": "a", "kind": "tool_call",
           "reads": ["Order.1"]}
                     ~~~~~~~~~ near_duplicate_resource: Step 2 names `Order.1`, which differs from `order.1` only in ho…
        ]}
        """,
    )


def test_hyphen_underscore_and_space() -> None:
    check_rule(
        "near_duplicate_resource",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": ["pay-roll", "pay_roll", "pay roll"]}
                                 ~~~~~~~~~~ near_duplicate_resource: Step 0 names `pay_roll`, which differs from `pay-r…
                                             ~~~~~~~~~~ near_duplicate_resource: Step 0 names `pay roll`, which differs…
        ]}
        """,
    )


def test_spaces_around() -> None:
    check_rule(
        "near_duplicate_resource",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": ["order", "order "]}
                              ~~~~~~~~ near_duplicate_resource: Step 0 names `order `, which differs from `order` only…
        ]}
        """,
    )


def test_other_forms_of_the_same_letter() -> None:
    check_rule(
        "near_duplicate_resource",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": ["café", "café"]}
                             ~~~~~~~ near_duplicate_resource: Step 0 names `café`, which differs from `café` only in h…
        ]}
        """,
    )


def test_the_rarer_spelling_is_reported() -> None:
    check_rule(
        "near_duplicate_resource",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": ["Order"]},
                     ~~~~~~~ near_duplicate_resource: Step 0 names `Order`, which differs from `order` only in how it i…
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "reads": ["order"]},
          {"idx": 2, "agent": "a", "kind": "tool_call",
           "reads": ["order"]}
        ]}
        """,
    )


def test_reads_writes_and_grants() -> None:
    check_rule(
        "near_duplicate_resource",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": ["order"], "writes": ["order"],
           "scope": ["order"]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "reads": ["Order"]},
                     ~~~~~~~ near_duplicate_resource: Step 1 names `Order`, which differs from `order` only in how it i…
          {"idx": 2, "agent": "a", "kind": "tool_call",
           "writes": ["ORDER"]},
                      ~~~~~~~ near_duplicate_resource: Step 2 names `ORDER`, which differs from `order` only in how it…
          {"idx": 3, "agent": "a", "kind": "tool_call",
           "scope": ["oRDER"]}
                     ~~~~~~~ near_duplicate_resource: Step 3 names `oRDER`, which differs from `order` only in how it i…
        ]}
        """,
    )


def test_once_in_each_step() -> None:
    check_rule(
        "near_duplicate_resource",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": ["order", "order", "order"]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "reads": ["Order"], "writes": ["Order"]}
                     ~~~~~~~ near_duplicate_resource: Step 1 names `Order`, which differs from `order` only in how it i…
        ]}
        """,
    )


def test_other_letters_are_other_names() -> None:
    check_rule(
        "near_duplicate_resource",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": ["order.1", "order.2", "orders.1", "order1"]}
        ]}
        """,
    )


def test_a_near_duplicate_in_a_step_without_identity() -> None:
    check_rule(
        "near_duplicate_resource",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": ["order", "order"]},
          {"idx": "x", "agent": "a", "kind": "tool_call",
           "reads": ["Order"]}
        ]}
        """,
    )
