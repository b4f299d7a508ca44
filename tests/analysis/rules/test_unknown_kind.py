"""Each branch of `unknown_kind`."""

from __future__ import annotations

from analysis.marks import check_rule


def test_a_near_miss() -> None:
    check_rule(
        "unknown_kind",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool-call"},
                                           ~~~~~~~~~~~ unknown_kind: Unknown kind `tool-call`: did you mean `tool…
          {"idx": 1, "agent": "a", "kind": "Decision"}
                                           ~~~~~~~~~~ unknown_kind: Unknown kind `Decision`: did you mean `decisi…
        ]}
        """,
    )


def test_something_else() -> None:
    check_rule(
        "unknown_kind",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "thought"}
                                           ~~~~~~~~~ unknown_kind: Unknown kind `thought`: use `decision` or `tool_call…
        ]}
        """,
    )
