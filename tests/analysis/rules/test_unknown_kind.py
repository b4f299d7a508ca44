"""Each branch of `unknown_kind`."""

from __future__ import annotations

from analysis.marks import check_rule


def test_a_near_miss() -> None:
    check_rule(
        "unknown_kind",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool-call"},
                                           ~~~~~~~~~~~ unknown_kind: `tool-call` is no kind of step: did you mean `tool…
          {"idx": 1, "agent": "a", "kind": "Decision"}
                                           ~~~~~~~~~~ unknown_kind: `Decision` is no kind of step: did you mean `decisi…
        ]}
        """,
    )


def test_something_else() -> None:
    check_rule(
        "unknown_kind",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "thought"}
                                           ~~~~~~~~~ unknown_kind: `thought` is no kind of step: it is a `decision` or…
        ]}
        """,
    )
