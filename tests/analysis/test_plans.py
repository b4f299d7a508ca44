"""Whole plans: the healthy ones are silent, each planted mistake is found, and no damage makes a rule fail."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from plancheck.analysis.engine import analyze
from plancheck.unknown import Reason

EXAMPLES = Path(__file__).parents[2] / "examples" / "declared"
HEALTHY = ["refund", "trading", "kyc", "data-pipeline", "incident-response"]
PLANTED: dict[str, list[tuple[str, int | None, str | None]]] = {
    "refund-faulty": [
        ("scope_vs_snapshot", 0, "customers/902"),
        ("first_read_as_reread", 2, "fraud.signals/902"),
        ("near_duplicate_resource", 4, "Policy.Refunds"),
        ("missing_revalidation_barrier", 5, "payments/ch_3Nw1"),
        ("write_with_no_prior_read", 6, "ledger.entry"),
        ("unknown_key", 7, None),
    ],
    "trading-faulty": [
        ("missing_revalidation_barrier", 0, "quote:ACME"),
        ("scope_vs_snapshot", 1, "*"),
        ("redundant_edge", 2, None),
        ("missing_revalidation_barrier", 2, "quote:ACME"),
        ("barrier_bypassed", 5, "quote:ACME"),
        ("producer_not_before", 8, "portfolio/alpha"),
    ],
    "kyc-faulty": [
        ("touch_outside_scope", 2, "applications/A-2290"),
        ("write_with_no_prior_read", 3, "biometric.result"),
        ("stale_value_used_after_barrier", 7, "sanctions:ofac"),
        ("missing_revalidation_barrier", 8, "limits/retail"),
        ("missing_revalidation_barrier", 9, "accounts/ACC-77120"),
    ],
    "data-pipeline-faulty": [
        ("parallel_write_race", 4, "stage/customers"),
        ("redundant_edge", 8, None),
        ("over_granted_scope", 9, "warehouse:finance"),
        ("scope_vs_snapshot", 10, "vault:prod-credentials"),
        ("write_with_no_prior_read", 11, "slack:#data-releases"),
        ("unreachable_step", 12, None),
    ],
    "incident-response-faulty": [
        ("scope_vs_snapshot", 0, "oncall:rota"),
        ("missing_revalidation_barrier", 1, "metrics:checkout.p99"),
        ("missing_revalidation_barrier", 3, "deploys/checkout"),
        ("stale_value_used_after_barrier", 6, "deploys/checkout"),
        ("unknown_key", 6, None),
        ("near_duplicate_resource", 7, "Cluster:prod-EU/nodes"),
        ("missing_revalidation_barrier", 8, "recovery.check"),
    ],
}


def text_of(name: str) -> str:
    return (EXAMPLES / f"{name}.plan.json").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", HEALTHY)
def test_a_healthy_plan_is_silent(name: str) -> None:
    snapshot = analyze(text_of(name))
    assert 8 <= len(snapshot.plan.steps) <= 40
    assert [(finding.rule, finding.message) for finding in snapshot.findings] == []


@pytest.mark.parametrize("name", PLANTED)
def test_a_faulty_plan_shows_what_was_planted_and_nothing_else(name: str) -> None:
    found = [(finding.rule, finding.step, finding.resource) for finding in analyze(text_of(name)).shown]
    assert found == PLANTED[name]


FRAGMENTS = ["", "{", "}", "[", "]", ",", ":", '"', "null", "7", '"x"', "[]", "{}", "true", '"idx": 0,', '"reads": "r"']


def damaged(text: str, random: Random) -> str:
    """The text with a few pieces cut out, doubled or replaced."""
    for _ in range(random.randrange(1, 4)):
        start = random.randrange(len(text))
        end = min(len(text), start + random.choice([0, 1, 2, 5, 20, 80]))
        piece = random.choice([*FRAGMENTS, text[start:end] * 2, text[end : end + 40]])
        text = text[:start] + piece + text[end:]
    return text


@pytest.mark.parametrize("name", [*HEALTHY, *PLANTED, "half-typed"])
def test_no_rule_fails_on_a_damaged_plan(name: str) -> None:
    text, random = text_of(name), Random(name)
    for _ in range(60):
        broken = damaged(text, random)
        snapshot = analyze(broken)
        failed = [item.message for item in snapshot.unchecked if item.reason is Reason.FAILURE]
        assert not failed, f"{failed} on {broken}"
        for finding in snapshot.shown:
            start, end = snapshot.span(finding)
            assert 0 <= start <= end <= len(broken)


DAMAGE_TO_A_KEY = {
    '"idx"': '"idxx"',
    '"reads"': '"read"',
    '"writes"': '"write"',
    '"control_preds"': '"control_pred"',
    '"producer"': '"producr"',
    '"scope"': '"scop"',
    '"id"': '"i"',
}


@pytest.mark.parametrize("right", DAMAGE_TO_A_KEY)
@pytest.mark.parametrize("name", HEALTHY)
def test_a_misspelt_key_in_a_healthy_plan_is_reported_there_and_concluded_from_nowhere(name: str, right: str) -> None:
    """Of what is lost by the typing error, only the four exact lints and the missing names may speak."""
    text = text_of(name)
    at = -1
    while (at := text.find(right, at + 1)) >= 0:
        broken = text[:at] + DAMAGE_TO_A_KEY[right] + text[at + len(right) :]
        rules = {finding.rule for finding in analyze(broken).findings}
        assert rules <= {"unknown_key", "missing_key", "unknown_step", "write_with_no_prior_read"}, broken[at : at + 80]
        assert rules
