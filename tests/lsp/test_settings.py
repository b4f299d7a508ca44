"""What an editor's settings come to: rules, their options and profiles, and mistakes that leave the rest in force."""

from __future__ import annotations

import pytest

from plancheck.analysis.finding import Severity
from plancheck.analysis.settings import Profile, Settings
from plancheck.lsp.settings import parse_client_settings


def test_rules_with_options_and_a_profile() -> None:
    rules = {"parallel_write_race": {"severity": "error", "related": 3}, "unused_write": "hint"}
    client, problems = parse_client_settings({"profile": "security", "rules": rules})
    assert problems == []
    settings = client.over(Settings(options={"missing_revalidation_barrier.related": 5}), is_open=True)
    assert settings.severities == {"parallel_write_race": Severity.ERROR, "unused_write": Severity.HINT}
    assert settings.options == {"missing_revalidation_barrier.related": 5, "parallel_write_race.related": 3}
    assert settings.profile is Profile.SECURITY


def test_without_a_profile_that_of_the_configuration_counts() -> None:
    client, problems = parse_client_settings({"profile": ""})
    assert (problems, client.over(Settings(profile=Profile.STRICT), is_open=True).profile) == ([], Profile.STRICT)


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"profile": "loud"}, "`plancheck.profile` must be one of recommended, strict, security."),
        ({"rules": {"nonsense": "off"}}, "`plancheck.rules` names `nonsense`, and there is no such rule."),
        ({"rules": {"unused_write": {"related": 3}}}, "`plancheck.rules.unused_write` has no setting `related`."),
        (
            {"rules": {"parallel_write_race": {"related": True}}},
            "`plancheck.rules.parallel_write_race.related` must be a number from 1 to 10000.",
        ),
        (
            {"rules": {"unused_write": 3}},
            "`plancheck.rules.unused_write` must be one of error, warning, info, hint, off.",
        ),
    ],
)
def test_a_mistake_is_said_and_the_rest_is_in_force(given: dict[str, object], problem: str) -> None:
    client, problems = parse_client_settings({**given, "maxFindings": 7})
    assert problems == [problem]
    assert (client.max_findings, client.rules, client.options, client.profile) == (7, {}, {}, None)
