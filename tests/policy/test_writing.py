"""A policy that is written down and read again is the same policy."""

from __future__ import annotations

import pytest

from cli.command import EXAMPLES
from gate.corpus import attacks, healthy
from plancheck.analysis.rule import Rule
from plancheck.analysis.rules import RULES
from plancheck.gate import GateRules, Policy, PolicyError, load_policy
from plancheck.policy.model import NO_POLICY
from plancheck.policy.writing import policy_text

WRITTEN = [
    "allow_tools: []",
    "allow_tools: [crm.find, 'tool: odd', \"quo'te\", \"caf\\u00e9\", '# no comment', 'yes', '12']",
    "bounds: {a.b.amount: [-.inf, 10.5], x.y: [0, .inf]}",
    "deny_tokens_regex: ['(?i)drop\\s+table', '\"', '{x}', \"it's\"]",
    "max_steps: 7\nrisk_weights: {TOOL_DENY: 0.4}\nfail_risk_threshold: 0.5\nrequire_handlers: true",
    "tools: {crm: read, bank.transfer: [pay, irreversible], mail.inbox: {does: read, source: [private, untrusted]}}",
    "allow_writes: ['orders/*']\nallow_scope: []",
    "recipients: {mail.send.to: ['*@example.com', 'ops@example.com'], pay.iban: []}",
    """
gate:
  max_steps: 5
  blocked_tools: [mail.purge]
  unblock_tools: [run_command]
  at_most: [{tools: [db.write, file.write], count: 2}]
  not_first: [pay]
  required: [{tools: [verify], before: [pay]}, {tools: [approve]}]
  needs_human: {pay.amount: 500}
  unknown: deny
  blocked_writes: [ledger]
  security_warnings: human
""",
]


@pytest.mark.parametrize("text", WRITTEN)
def test_each_key(text: str) -> None:
    policy = load_policy(text)
    assert policy != NO_POLICY
    assert load_policy(policy_text(policy)) == policy
    assert load_policy(policy_text(policy)).digest == policy.digest


def test_every_field_is_among_those() -> None:
    given = [load_policy(text) for text in WRITTEN]
    for name in set(Policy.__match_args__) - {"rego", "gate"}:
        assert any(getattr(policy, name) != getattr(NO_POLICY, name) for policy in given), name
    for name in GateRules.__match_args__:
        assert any(getattr(policy.gate, name) != getattr(NO_POLICY.gate, name) for policy in given), name


def test_policies_of_the_examples_and_of_the_corpus() -> None:
    texts = {path.read_text() for path in EXAMPLES.rglob("plan-policy.yaml")}
    texts |= {case.policy for case in (*attacks(), *healthy()) if case.policy is not None}
    written = 0
    for text in texts:
        try:
            policy = load_policy(f"{text}\n")
        except PolicyError:
            continue
        assert load_policy(f"{policy_text(policy)}\n") == policy
        written += 1
    assert written > 50


@pytest.mark.parametrize("rule", [rule for rule in RULES.values() if rule.policy], ids=lambda rule: rule.name)
def test_policies_of_the_rules(rule: Rule) -> None:
    policy = load_policy(f"{rule.policy}\n")
    assert load_policy(policy_text(policy)) == policy


def test_one_that_says_nothing_is_empty() -> None:
    assert policy_text(NO_POLICY) == ""
