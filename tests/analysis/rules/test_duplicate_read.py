"""Each branch of `duplicate_read`."""

from __future__ import annotations

from analysis.marks import check_rule
from plancheck.analysis.engine import analyze
from plancheck.analysis.finding import Severity, Tag

RULE = "duplicate_read"


def test_other_flags_and_the_same_again() -> None:
    check_rule(
        RULE,
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["o", "q", {"id": "o"}]},
                                                                                   ~~~ duplicate_read: Step 0 lists it…
          {"idx": 1, "agent": "a", "kind": "decision", "reads": [
            {"id": "q", "producer": 0, "volatile": true},
            {"id": "q", "producer": 0, "revalidates": true}]}
                   ~~~ duplicate_read: Step 1 reads `q` twice, with other flags: keep the entry that is meant.
        ]}
        """,
    )


def test_the_same_again_is_a_hint() -> None:
    text = '{"nodes": [{"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["o", "o"]}]}'
    found = [(finding.severity, finding.tags) for finding in analyze(text).findings]
    assert found == [(Severity.HINT, (Tag.UNNECESSARY,))]


def test_two_producers_are_two_reads() -> None:
    check_rule(
        RULE,
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["o"], "writes": ["o"]},
          {"idx": 1, "agent": "a", "kind": "tool_call", "reads": [{"id": "o", "producer": 0}, "p"], "writes": ["o"]},
          {"idx": 2, "agent": "a", "kind": "tool_call", "reads": [
            {"id": "o", "producer": 0}, {"id": "o", "producer": 1}, "o"]}
        ]}
        """,
    )


def test_references_are_no_declared_reads() -> None:
    check_rule(
        RULE,
        """
        {"goal": "g", "steps": [
          {"id": "a", "tool": "look"},
          {"id": "b", "tool": "use", "args": {"x": "{{a.result}}", "y": "{{a.result}} {{a.result}}"}}
        ]}
        """,
    )
