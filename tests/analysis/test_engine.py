"""What the engine itself reports, and what settings do to findings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from analysis.marks import check_rule, read_marks
from plancheck.analysis.engine import analyze
from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.rule import Category, Rule, each_step
from plancheck.analysis.rules import RULES
from plancheck.analysis.settings import Settings
from plancheck.analysis.subjects import Subject
from plancheck.plan.model import Place
from plancheck.unknown import Reason

THREE_FINDINGS = """
    {"nodes": [
      {"idx": 0, "agent": "", "kind": "tool_call", "reads": ["order"], "scope": ["order", "vault"]},
      {"idx": 1, "agent": "a", "kind": "tool_call", "reads": ["order"], "scope": ["order", "vault"]}
    ]}
"""


def breaks_down(steps: Sequence[Subject]) -> Iterator[Finding]:
    yield Finding(Place(0, ("idx",)), "said before it broke down", step=steps[0].step.outline.identity)
    raise ZeroDivisionError


def test_a_rule_that_fails_says_so_and_costs_no_other_rule_anything() -> None:
    broken = Rule("touch_outside_scope", Severity.WARNING, Category.DATA, "", "", "", (each_step(breaks_down),))
    check_rule(
        None,
        """
        {"nodes": [
        ~ touch_outside_scope: not checked (failure): Rule touch_outside_scope failed on this plan (ZeroDivisionError)…
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["order"],
                  ~ touch_outside_scope: said before it broke down
           "scope": ["order", "vault"]}
                              ~~~~~~~ scope_vs_snapshot: Step 0 may touch `vault`…
        ]}
        """,
        rules={**RULES, "touch_outside_scope": broken},
    )


def test_a_rule_that_stops_iterating_too_early_is_contained_as_well() -> None:
    def stops(steps: Sequence[Subject]) -> Iterator[Finding]:
        yield from (next(iter(())) for _ in steps)

    broken = Rule("touch_outside_scope", Severity.WARNING, Category.DATA, "", "", "", (each_step(stops),))
    snapshot = analyze(RULES["touch_outside_scope"].bad, rules={"touch_outside_scope": broken})
    assert [(item.rule, item.reason) for item in snapshot.unchecked] == [("touch_outside_scope", Reason.FAILURE)]
    assert not snapshot.findings


def test_more_findings_than_are_shown() -> None:
    check_rule(
        None,
        """
        {"nodes": [
        ~ more_findings: 2 more findings are not shown: 2 scope_vs_snapshot; raise `max-findings`…
          {"idx": 0, "agent": "", "kind": "tool_call", "reads": ["order"], "scope": ["order", "vault"]},
                              ~~ empty_name: `agent` is empty: name who carries the step out.
          {"idx": 1, "agent": "a", "kind": "tool_call", "reads": ["order"], "scope": ["order", "vault"]}
        ]}
        """,
        settings=Settings(max_findings=1),
    )


def test_one_more_finding_than_is_shown() -> None:
    check_rule(
        "more_findings",
        """
        {"nodes": [
        ~ more_findings: 1 more finding is not shown: 1 scope_vs_snapshot; raise `max-findings`…
          {"idx": 0, "agent": "", "kind": "tool_call", "reads": ["order"], "scope": ["order", "vault"]},
          {"idx": 1, "agent": "a", "kind": "tool_call", "reads": ["order"], "scope": ["order", "vault"]}
        ]}
        """,
        settings=Settings(max_findings=2),
    )


def test_the_note_about_more_findings_can_be_switched_off_and_graded() -> None:
    text, _ = read_marks(THREE_FINDINGS)
    silent = analyze(text, Settings({"more_findings": None}, max_findings=1))
    assert [finding.rule for finding in silent.shown] == ["empty_name"]
    loud = analyze(text, Settings({"more_findings": Severity.WARNING}, max_findings=1))
    assert next((f.rule, f.severity) for f in loud.shown) == ("more_findings", Severity.WARNING)


def test_exactly_as_many_findings_as_are_shown() -> None:
    check_rule("more_findings", THREE_FINDINGS, settings=Settings(max_findings=3))


def test_settings_switch_rules_off_and_change_their_severity() -> None:
    text, _ = read_marks(THREE_FINDINGS)
    settings = Settings({"scope_vs_snapshot": Severity.ERROR, "empty_name": None})
    found = [(finding.rule, finding.severity) for finding in analyze(text, settings).shown]
    assert found == [("scope_vs_snapshot", Severity.ERROR)] * 2


def test_a_rule_that_is_switched_off_leaves_no_unused_suppression() -> None:
    text = '{"plancheck-ignore": ["unknown_kind"], "nodes": []}'
    assert [finding.rule for finding in analyze(text).findings] == ["unused_suppression"]
    assert analyze(text, Settings({"unknown_kind": None})).findings == []


@pytest.mark.parametrize(
    "marked",
    [
        '{"nodes": [7]}',
        '{"nodes": [7]}\n           ~~ wrong_type: A step must be an object, not an integer.',
        '{"nodes": [7]}\n          ~ wrong_type: A step must be an object, not an integer.',
        '{"nodes": [7]}\n           ~ wrong_type: A step must be',
        '{"nodes": [7]}\n           ~ empty_name: A step must be an object, not an integer.',
        '{"nodes": []}\n           ~ wrong_type: A step must be an object, not an integer.',
    ],
    ids=["unmarked", "too wide", "beside", "other words", "other rule", "nothing there"],
)
def test_marks_that_are_not_exact_fail(marked: str) -> None:
    with pytest.raises(AssertionError):
        check_rule(None, marked)


def test_marks_that_are_exact_hold() -> None:
    check_rule(None, '{"nodes": [7]}\n           ~ wrong_type: A step must be an object, not an integer.')
    check_rule(None, '{"nodes": [7]}\n           ~ wrong_type: A step must be…')
