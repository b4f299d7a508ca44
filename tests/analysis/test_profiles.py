"""What each profile looks for, and how strictly."""

from __future__ import annotations

import pytest

from plancheck.analysis.engine import analyze
from plancheck.analysis.finding import Severity
from plancheck.analysis.rule import Category
from plancheck.analysis.rules import RULES
from plancheck.analysis.settings import Profile, Settings

TEXT = """{"goal": "g", "steps": [
  {"id": "a", "tool": "look", "reads": ["x"], "writes": ["x", "y"], "args": {"password": "hunter2"}},
  {"id": "b", "tool": "look", "reads": ["x", {"id": "y", "producer": "a"}], "depends_on": ["zz"]}
]}"""


def found(profile: Profile, **severities: Severity | None) -> set[tuple[str, str]]:
    findings = analyze(TEXT, Settings(severities, profile=profile)).findings
    return {(finding.rule, finding.severity.word) for finding in findings}


def test_what_the_profiles_report_of_one_plan() -> None:
    usual = {("secret_by_name", "info"), ("unknown_step", "error"), ("write_with_no_prior_read", "info")}
    assert found(Profile.RECOMMENDED) == usual
    graded = {("secret_by_name", "info"), ("unknown_step", "error"), ("write_with_no_prior_read", "warning")}
    assert found(Profile.STRICT) == graded
    assert found(Profile.SECURITY) == {("secret_by_name", "warning"), ("unknown_step", "error")}


def test_rules_that_are_off_are_looked_for_in_the_strict_profile() -> None:
    text = RULES["missing_producer"].bad
    for profile, rules in ((Profile.RECOMMENDED, set[str]()), (Profile.STRICT, {"missing_producer"})):
        assert {finding.rule for finding in analyze(text, Settings(profile=profile)).findings} == rules


@pytest.mark.parametrize("profile", Profile)
def test_what_is_said_about_a_rule_counts_in_every_profile(profile: Profile) -> None:
    severities: dict[str, Severity | None] = {"write_with_no_prior_read": Severity.HINT, "secret_by_name": None}
    assert ("write_with_no_prior_read", "hint") in found(profile, **severities)
    assert "secret_by_name" not in {rule for rule, _ in found(profile, **severities)}


def test_what_keeps_a_plan_from_being_read_or_valid_is_in_every_profile() -> None:
    settings = Settings(profile=Profile.SECURITY)
    for rule in RULES.values():
        is_advice = rule.category in (Category.STEPS, Category.DATA, Category.TOOLS) and not rule.invalidates
        assert (settings.severity(rule.name) is None) is (is_advice or not rule.is_on), rule.name


def test_the_rules_that_are_off_unless_they_are_asked_for() -> None:
    assert {rule.name for rule in RULES.values() if not rule.is_on} == {"unused_write", "missing_producer"}
    assert all(Settings(profile=Profile.STRICT).severity(rule) is not None for rule in RULES)
