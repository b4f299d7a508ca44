"""Secrets are found by their shapes; what only looks random is left alone; nothing ever shows a secret."""

from __future__ import annotations

from itertools import cycle
from random import Random

import pytest

from plancheck.analysis.engine import analyze
from plancheck.analysis.settings import Settings
from plancheck.plan_lint import Plan, PlanStep, validate_plan
from plancheck.policy.reading import read_policy
from plancheck.policy.secrets import find_secrets, without_placeholders
from policy.shapes import BENIGN, SHAPES, UNDER_A_NAME


def test_there_are_shapes_enough() -> None:
    assert len(SHAPES) >= 25


@pytest.mark.parametrize("shape", SHAPES)
def test_twenty_of_twenty_are_found_and_none_is_shown(shape: str) -> None:
    random = Random(shape)
    for number in range(20):
        secret = SHAPES[shape](random)
        value = secret if number % 2 else f"use {secret} for it"
        found = list(find_secrets(value))
        assert len(found) == 1, value
        result = validate_plan(Plan([PlanStep("a", "http.get", {"header": value})]))
        assert [error.code.value for error in result.errors] == ["RAW_SECRET"]
        core = value[found[0].span.start : found[0].span.end]
        assert core not in result.to_json()


@pytest.mark.parametrize("shape", UNDER_A_NAME)
def test_some_are_given_away_by_the_name_of_the_argument_only(shape: str) -> None:
    random = Random(shape)
    name, make = UNDER_A_NAME[shape]
    for _ in range(20):
        value = make(random)
        assert len(list(find_secrets(value, name))) == 1, value
        assert list(find_secrets(value, "commit")) == []


def test_a_thousand_benign_values_raise_no_alarm() -> None:
    random = Random(7)
    values = [BENIGN[kind](random) for kind, _ in zip(cycle(BENIGN), range(1_300), strict=False)]
    alarms = [(value, hit.name) for value in values for hit in find_secrets(without_placeholders(value), "value")]
    assert alarms == []


@pytest.mark.parametrize(
    "value",
    [
        "${GITHUB_TOKEN}",
        "{{login.result.token}}",
        "${{ secrets.AWS_ACCESS_KEY_ID }}",
        "postgres://app:${DB_PASSWORD}@db/shop",
        "postgres://app:{{vault.result.password}}@db/shop",
        "sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "ghp_" + "x" * 36,
        "sk_live_your_key_here_your_key_here",
        "Authorization: Bearer <token>",
        "postgres://user:password@localhost/shop",
        "%API_KEY%",
        "$STRIPE_API_KEY",
    ],
)
def test_placeholders_and_references_are_no_secrets(value: str) -> None:
    assert list(find_secrets(without_placeholders(value), "token")) == []


def test_two_secrets_in_one_value_are_two_findings_at_that_value() -> None:
    random = Random(1)
    one, two = SHAPES["GitHub token"](random), SHAPES["npm token"](random)
    text = f'{{"goal": "g", "steps": [{{"id": "a", "tool": "t", "args": {{"env": "{one} {two}"}}}}]}}'
    snapshot = analyze(text)
    assert [snapshot.text[slice(*snapshot.span(f))] for f in snapshot.shown] == [f'"{one} {two}"'] * 2


def test_what_stands_beside_the_steps_is_looked_at_too() -> None:
    secret = SHAPES["Stripe key"](Random(2))
    text = (
        f'{{"goal": "use {secret}", "context": {{"a": ["{secret}"]}}, "meta": {{"b": "{secret}"}}, '
        '"steps": [{"id": "a", "tool": "t"}]}'
    )
    snapshot = analyze(text)
    assert [snapshot.plan.pointer(f.place) for f in snapshot.shown] == ["/goal", "/context/a/0", "/meta/b"]
    assert all(f.rule == "raw_secret" and secret not in f.message for f in snapshot.shown)


def test_a_pattern_of_the_policy_and_a_shape_of_ours_make_one_finding() -> None:
    secret = SHAPES["AWS access key id"](Random(3))
    settings = Settings(policy=read_policy('deny_tokens_regex: ["A[KS]IA[0-9A-Z]{16}", "hunter[0-9]"]').policy)
    text = (
        f'{{"goal": "g", "steps": [{{"id": "a", "tool": "t", "args": {{"k": "{secret}", "n": "hunter2 hunter3"}}}}]}}'
    )
    messages = [f.message for f in analyze(text, settings).shown]
    assert messages == [
        "`args.k` of step a holds an AWS access key id: keep it out of the plan and write `${AWS_ACCESS_KEY_ID}`.",
        "`args.n` of step a holds what pattern 2 of the policy's `deny_tokens_regex` denies: keep it out of the plan "
        "and write `${N}`.",
        "`args.n` of step a holds what pattern 2 of the policy's `deny_tokens_regex` denies: keep it out of the plan "
        "and write `${N}`.",
    ]


def test_a_pattern_looks_at_values_and_not_at_keys() -> None:
    settings = Settings(policy=read_policy("deny_tokens_regex: [password]").policy)
    text = '{"goal": "g", "steps": [{"id": "a", "tool": "t", "args": {"password": "${PASSWORD}", "x": "no password"}}]}'
    snapshot = analyze(text, settings)
    assert [snapshot.plan.pointer(f.place) for f in snapshot.shown] == ["/steps/0/args/x"]
