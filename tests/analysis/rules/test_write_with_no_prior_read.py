"""Each branch of `write_with_no_prior_read`."""

from __future__ import annotations

import pytest

from analysis.marks import check_rule, read_marks
from plancheck.analysis.engine import analyze
from plancheck.analysis.finding import Severity
from plancheck.analysis.settings import Profile, Settings
from plancheck.pre import analyze_plan


def test_a_write_of_what_was_not_read() -> None:
    check_rule(
        "write_with_no_prior_read",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["rate"],
           "writes": ["order", "rate", "ledger"]}
                      ~~~~~~~ write_with_no_prior_read: Step 0 changes `order`, which no step has read before: read it…
                                       ~~~~~~~~ write_with_no_prior_read: Step 0 changes `ledger`, which no step has r…
        ]}
        """,
    )


def test_read_by_a_step_it_rests_on() -> None:
    check_rule(
        "write_with_no_prior_read",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["order", "rate"]},
          {"idx": 1, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "rate", "producer": 0}], "writes": ["order"]}
        ]}
        """,
    )


def test_read_by_a_step_it_does_not_rest_on() -> None:
    check_rule(
        "write_with_no_prior_read",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["order"]},
          {"idx": 1, "agent": "a", "kind": "tool_call", "reads": ["rate"],
           "writes": ["order"]}
                      ~~~~~~~ write_with_no_prior_read: Step 1 changes `order` without using step 0's read of it: add …
        ]}
        """,
    )


def test_reads_not_known() -> None:
    check_rule(
        "write_with_no_prior_read",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": [7],
           "writes": ["order"]}
        ]}
        """,
    )


def test_a_producer_that_is_not_there() -> None:
    check_rule(
        "write_with_no_prior_read",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "rate", "producer": 7}], "writes": ["order"]}
        ]}
        """,
    )


def graded(text: str, settings: Settings | None = None) -> list[str]:
    findings = analyze(text, settings or Settings()).findings
    return [finding.severity.word for finding in findings if finding.rule == "write_with_no_prior_read"]


MADE_HERE = """
    {"nodes": [
      {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["rate"], "writes": ["offer"]},
                                                                                  ~~~~~~~ write_with_no_prior_read: St…
      {"idx": 1, "agent": "a", "kind": "tool_call", "reads": [{"id": "offer", "producer": 0}]}
    ]}
    """
NOT_LINKED = """
    {"nodes": [
      {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["order"]},
      {"idx": 1, "agent": "a", "kind": "tool_call", "reads": ["rate"], "writes": ["order"]}
                                                                                  ~~~~~~~ write_with_no_prior_read: St…
    ]}
    """
NOTHING_READ = """
    {"nodes": [
      {"idx": 0, "agent": "a", "kind": "tool_call", "writes": ["order"]},
                                                               ~~~~~~~ write_with_no_prior_read: Step 0 changes `order…
      {"idx": 1, "agent": "a", "kind": "tool_call", "reads": ["rate"]}
    ]}
    """


@pytest.mark.parametrize("marked", [MADE_HERE, NOT_LINKED, NOTHING_READ], ids=["made here", "not linked", "no reads"])
def test_where_something_suggests_that_all_is_well_it_is_information(marked: str) -> None:
    check_rule("write_with_no_prior_read", marked)
    text, _ = read_marks(marked)
    assert graded(text) == ["info"]
    assert graded(text, Settings(profile=Profile.STRICT)) == ["warning"]
    assert graded(text, Settings({"write_with_no_prior_read": Severity.ERROR})) == ["error"]


def test_on_a_way_that_does_not_lead_to_the_write_it_is_a_warning() -> None:
    text = (
        '{"nodes": [{"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["order"]}, '
        '{"idx": 1, "agent": "a", "kind": "tool_call", "control_preds": [], "reads": ["rate"], "writes": ["order"]}]}'
    )
    assert graded(text) == ["warning"]


def test_what_the_step_creates_is_not_reported() -> None:
    check_rule(
        None,
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["rate"], "scope": ["rate", "offer"],
           "writes": [{"id": "offer", "creates": true}]}
        ]}
        """,
    )


def test_the_report_lists_it_all_the_same() -> None:
    plan = {"nodes": [{"idx": 0, "agent": "a", "kind": "tool_call", "writes": [{"id": "offer", "creates": True}]}]}
    assert [finding.lint for finding in analyze_plan(plan).findings] == ["write_with_no_prior_read"]


def test_a_grant_of_what_is_written_is_one_mistake_with_the_write() -> None:
    check_rule(
        None,
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["rate"], "scope": ["rate", "offer"],
           "writes": ["offer"]}
                      ~~~~~~~ write_with_no_prior_read: Step 0 changes `offer`, which no step has read before: read it…
        ]}
        """,
    )


def test_creates_is_true_or_false() -> None:
    check_rule(
        None,
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["x"],
           "writes": [{"id": "x", "creates": "yes"}]}
                                             ~~~~~ wrong_type: `creates` must be true or false, not a string.
        ]}
        """,
    )
