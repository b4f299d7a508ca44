"""Each branch of `duplicate_key`."""

from __future__ import annotations

from analysis.marks import check_rule


def test_in_a_step() -> None:
    check_rule(
        "duplicate_key",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "decision", "idx": 1}
                                                       ~~~~~ duplicate_key: `idx` is given more than once, and only thi…
        ]}
        """,
    )


def test_inside_a_read() -> None:
    check_rule(
        "duplicate_key",
        """
        {"nodes": [
          {"idx": 0, "reads": [{"id": "order", "id": "rate"}]}
                                               ~~~~ duplicate_key: `id` is given more than once, and only this last one…
        ]}
        """,
    )


def test_around_the_steps() -> None:
    check_rule(
        "duplicate_key",
        """
        {"nodes": [],
         "nodes": []}
         ~~~~~~~ duplicate_key: `nodes` is given more than once, and only this last one is used: remove the others.
        """,
    )


def test_in_what_stands_around_the_steps() -> None:
    check_rule(
        "duplicate_key",
        """
        {"nodes": [], "meta": {"a": 1, "a": 2}, "tags": [{"b": 1, "b": 2}]}
                                       ~~~ duplicate_key: `a` is given more than once, and…
                                                                  ~~~ duplicate_key: `b` is given more than once, and…
        """,
    )
