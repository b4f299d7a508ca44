"""Each branch of `empty_name`."""

from __future__ import annotations

from analysis.marks import check_rule


def test_an_empty_agent() -> None:
    check_rule(
        "empty_name",
        """
        {"nodes": [
          {"idx": 0, "agent": "", "kind": "decision"}
                              ~~ empty_name: `agent` is empty: name who carries the step out.
        ]}
        """,
    )


def test_empty_resources() -> None:
    check_rule(
        "empty_name",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["", {"id": ""}],
                                                                  ~~ empty_name: An entry of `reads` is empty: name the…
                                                                             ~~ empty_name: The `id` of this entry of `…
           "writes": [""]}
                      ~~ empty_name: An entry of `writes` is empty: name the resource.
        ]}
        """,
    )
