"""Whole plans of steps and of calls: the healthy ones are silent, each planted mistake is found at its characters."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import jsonschema
import pytest

from plancheck.analysis.engine import analyze
from plancheck.analysis.settings import Settings
from plancheck.analysis.snapshot import Snapshot
from plancheck.policy.reading import read_policy
from plancheck.schema import schema
from plancheck.unknown import Reason

EXAMPLES = Path(__file__).parents[2] / "examples"
STORIES = ["refund", "trading", "kyc", "data-pipeline", "incident-response"]
HEALTHY = [f"{dialect}/{story}" for dialect in ("steps", "calls") for story in STORIES]
PLANTED: dict[str, list[tuple[str, int | str | None, str | None, str]]] = {
    "steps/data-pipeline-faulty": [
        ("missing_handler", "load", "pipeline.load", '"pipeline.load"'),
        ("undeclared_dependency", "load", "check.result", "check"),
        ("loop_detected", "fetch", None, '"fetch"'),
        ("redundant_edge", "check", None, '"fetch"'),
        ("tool_deny", "clean", "db.query", '"db.query"'),
        ("broad_tool", "clean", "db.query", '"db.query"'),
        ("unknown_step", "clean", None, '"chekc"'),
    ],
    "steps/incident-response-faulty": [
        ("wrong_type", None, None, '"page 204"'),
        ("missing_handler", "roll_back", "deploys.rollback", '"deploys.rollback"'),
        ("undeclared_dependency", "roll_back", "deploys.result", "deploys"),
        ("missing_key", "look_again", None, '"tool_name"'),
        ("unknown_step", "look_again", "rollback.result", "rollback"),
        ("tool_deny", "run", "shell.exec", '"shell.exec"'),
        ("wrong_type", "run", None, "["),
    ],
    "steps/kyc-faulty": [
        ("missing_goal", None, None, '" "'),
        ("duplicate_key", "application", None, '"parameters"'),
        ("tool_deny", "sanctions", "kyc.scren", '"kyc.scren"'),
        ("wrong_type", "sanctions", None, '"application"'),
        ("unknown_key", "sign off", None, '"dependson"'),
        ("missing_key", None, None, "{"),
        ("raw_secret", None, "REFERENCE", '"INTERNAL-204417"'),
    ],
    "steps/refund-faulty": [
        ("missing_goal", None, None, "{"),
        ("tool_deny", "policy", "db.query_ro", '"UPDATE refund_policy SET max_amount = 5000"'),
        ("missing_handler", "refund", "payments.refund", '"payments.refund"'),
        ("unknown_step", "refund", "ordr.result", "ordr"),
        ("bound_violation", "refund", "payments.refund.amount", "950"),
        ("duplicate_step_id", "refund", None, '"refund"'),
        ("undeclared_dependency", "refund", "order.result", "order"),
    ],
    "steps/trading-faulty": [
        ("loop_detected", "check", None, "buy"),
        ("missing_revalidation_barrier", "buy", "quote:ACME", '"buy"'),
        ("bound_violation", "buy", "market.order.quantity", "20000"),
        ("bound_violation", "buy", "market.order.limits.slippage", "0.021"),
        ("wrong_type", "buy", None, '"retry"'),
        ("write_with_no_prior_read", "buy", "portfolio/alpha", '"portfolio/alpha"'),
    ],
    "calls/data-pipeline-faulty": [
        ("empty_plan", None, None, "["),
    ],
    "calls/incident-response-faulty": [
        ("blocked_tool", 1, "drop_database", '"drop_database"'),
        ("wrong_type", 2, None, "7"),
    ],
    "calls/kyc-faulty": [
        ("missing_tool_name", 1, None, '"toolName"'),
        ("missing_tool_name", 2, None, "{"),
        ("wrong_type", 3, None, '"open_account"'),
    ],
    "calls/refund-faulty": [
        ("missing_tool_name", 1, None, '"tool"'),
        ("blocked_tool", 2, "run_command", '"run_command"'),
    ],
    "calls/trading-faulty": [
        ("missing_revalidation_barrier", 1, "quote:ACME", '"place_order"'),
        ("wrong_type", 1, None, "["),
        ("write_with_no_prior_read", 1, "portfolio/alpha", '"portfolio/alpha"'),
        ("empty_name", 2, None, '""'),
        ("misplaced_arguments", 2, None, '"arg"'),
    ],
}


def text_of(name: str) -> str:
    return (EXAMPLES / f"{name}.plan.json").read_text(encoding="utf-8")


def checked(name: str, text: str) -> Snapshot:
    """The snapshot under the policy that stands beside the plan."""
    policy = EXAMPLES / Path(name).parent / "plan-policy.yaml"
    if not policy.exists():
        return analyze(text)
    read = read_policy(policy.read_text(encoding="utf-8"))
    assert not read.problems
    return analyze(text, Settings(policy=read.policy))


@pytest.mark.parametrize("name", HEALTHY)
def test_a_healthy_plan_is_silent(name: str) -> None:
    assert [finding.message for finding in checked(name, text_of(name)).findings] == []
    assert [finding.message for finding in analyze(text_of(name)).findings] == []


@pytest.mark.parametrize("name", PLANTED)
def test_a_faulty_plan_shows_what_was_planted_and_nothing_else(name: str) -> None:
    snapshot = checked(name, text_of(name))
    assert [
        (finding.rule, finding.step, finding.resource, snapshot.text[slice(*snapshot.span(finding))])
        for finding in snapshot.shown
    ] == PLANTED[name]


def test_every_story_is_told_in_both_dialects_healthy_and_faulty() -> None:
    assert set(PLANTED) == {f"{name}-faulty" for name in HEALTHY}
    for name in HEALTHY:
        assert analyze(text_of(name)).plan.dialect.name == name.split("/")[0]


@pytest.mark.parametrize("name", [*HEALTHY, *PLANTED])
def test_no_rule_fails_on_a_damaged_plan(name: str) -> None:
    rng = Random(name)
    text = text_of(name)
    for _ in range(25):
        start = rng.randrange(len(text))
        end = min(start + rng.choice([1, 1, 5, 60]), len(text))
        damaged = text[:start] + rng.choice(["", "", "{{", '"', "}", "x"]) + text[end:]
        assert Reason.FAILURE not in {item.reason for item in checked(name, damaged).unchecked}, damaged


@pytest.mark.parametrize("name", [f"steps/{story}" for story in STORIES])
def test_a_healthy_plan_is_as_healthy_in_any_order_of_its_list(name: str) -> None:
    plan = json.loads(text_of(name))
    before = "x"
    for number, step in enumerate(plan["steps"]):
        step.setdefault("depends_on", [before] if number else [])
        before = step["id"]
    rng = Random(name)
    for _ in range(5):
        rng.shuffle(plan["steps"])
        assert [finding.message for finding in checked(name, json.dumps(plan)).findings] == []


@pytest.mark.parametrize("name", HEALTHY)
def test_a_healthy_plan_fits_the_schema_of_its_dialect(name: str) -> None:
    jsonschema.validate(json.loads(text_of(name)), schema(name.split("/")[0]))
