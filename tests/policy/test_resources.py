"""Names of resources in policies: what `*` stands for, what is allowed exactly, what is blocked however it is spelt."""

from __future__ import annotations

import time

import pytest

from plancheck.gate import Policy, PolicyError, evaluate_plan, load_policy
from plancheck.policy.reading import joined, read_policy
from plancheck.policy.resources import common, covered, may_mean


@pytest.mark.parametrize(
    ("pattern", "name"),
    [
        ("report", "report"),
        ("orders/*", "orders/17"),
        ("orders/*", "orders/"),
        ("orders/*", "orders/1*"),
        ("orders/*", "orders/*"),
        ("*", "orders/17/lines.csv"),
        ("*", "*"),
        ("*.log", "app.log"),
        ("a*b*c", "a1b2c"),
        ("a**c", "abc"),
        ("a..b", "a..b"),
        ("has blank", "has blank"),
    ],
)
def test_what_an_entry_allows(pattern: str, name: str) -> None:
    assert covered([pattern], name)


@pytest.mark.parametrize(
    ("pattern", "name"),
    [
        ("report", "Report"),
        ("report", "report "),
        ("report", "report*"),
        ("orders/*", "orders"),
        ("orders/*", "order*"),
        ("orders/*", "*"),
        ("orders/*", "*/orders/1"),
        ("orders/*", "orders/../ledger"),
        ("orders/*", "orders/.*/ledger"),
        ("orders/*", "orders/${X}"),
        ("orders/*", "orders/1 ledger"),
        ("orders/*", "orders/1\n"),
        ("orders/*", "orders/1?"),
        ("a*b*c", "a1c2b"),
        ("a*a", "a"),
        ("ab*bc", "abc"),
        ("a?c", "abc"),
        ("a[bc]", "ab"),
    ],
)
def test_what_an_entry_does_not_allow(pattern: str, name: str) -> None:
    assert not covered([pattern], name)


def test_many_wildcards_and_a_long_name_take_no_time() -> None:
    began = time.process_time()
    assert not covered(["a*" * 400 + "b"], "a" * 200_000)
    assert time.process_time() - began < 2


@pytest.mark.parametrize(
    ("blocked", "name"),
    [
        ("ledger", "LEDGER"),
        ("ledger", " led\u200bger "),
        ("ledger", "l\u0435dger"),
        ("ledger", "led*"),
        ("ledger", "*"),
        ("ledger", "*ger"),
        ("payroll/*", "Payroll/ada"),
        ("payroll/*", "pay*"),
        ("*.log", "app*"),
        ("*", "anything"),
    ],
)
def test_what_an_entry_blocks(blocked: str, name: str) -> None:
    assert may_mean(blocked, name)


@pytest.mark.parametrize(
    ("blocked", "name"),
    [("ledger", "ledgers"), ("ledger", "sub*"), ("payroll/*", "pay"), ("payroll/*", "orders*"), ("*.log", "a.txt")],
)
def test_what_an_entry_does_not_block(blocked: str, name: str) -> None:
    assert not may_mean(blocked, name)


def test_what_two_lists_allow_together_is_what_both_allow() -> None:
    assert common(["orders/*", "report"], ["orders/17", "ledger"]) == ("orders/17",)
    assert common(["a*"], ["*b"]) == ()
    assert common(["*"], ["orders/*"]) == ("orders/*",)


def test_joined_policies_allow_what_all_of_them_do() -> None:
    one = read_policy("allow_writes: ['orders/*', report]\ngate: {blocked_writes: [ledger]}\n")
    other = read_policy("allow_writes: ['orders/1*']\nallow_scope: [report]\ngate: {blocked_writes: [payroll]}\n")
    policy = joined([one, other])
    assert policy.allow_writes == ("orders/1*",)
    assert policy.allow_scope == ("report",)
    assert policy.gate.blocked_writes == ("ledger", "payroll")


def test_who_is_not_trusted_cannot_begin_with_allowing_declared_plans() -> None:
    loose = read_policy("allow_writes: ['*']\nallow_scope: ['*']\ngate: {blocked_writes: [ledger]}\n")
    assert not joined([], [loose]).judges_resources
    assert not joined([read_policy("allow_tools: [crm.find]\n")], [loose]).judges_resources
    assert joined([], [loose]).gate.blocked_writes == ("ledger",)
    strict = read_policy("allow_writes: []\n")
    assert joined([read_policy("allow_writes: ['*']\n")], [strict]).allow_writes == ()
    assert joined([read_policy("allow_scope: ['*']\n")], [strict]).allow_writes == ()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("allow_writes:\n", "must be a list of resources"),
        ("allow_scope: null\n", "must be a list of resources"),
        ("allow_writes: report\n", "must be a list of resources"),
        ("allow_writes: [7]\n", "must be a name"),
        ("allow_writes: ['']\n", "must be a name"),
        ("allow_writes: [[a]]\n", "must be a name"),
        ("gate: {blocked_writes: ['---']}\n", "names no resource"),
        ("allow_write: [a]\n", "did you mean `allow_writes`"),
        ("blocked_writes: [a]\n", "is not a key of a policy"),
    ],
)
def test_a_mistake_in_a_list_of_resources(text: str, words: str) -> None:
    with pytest.raises(PolicyError, match=words):
        load_policy(text)


@pytest.mark.parametrize("value", ["report", [""], [7], [["a"]], 5])
def test_a_policy_made_in_python_is_validated(value: object) -> None:
    with pytest.raises(ValueError, match="must be a list of names"):
        Policy(allow_writes=value)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="must be a list of names"):
        Policy(gate={"blocked_writes": value})


def test_squiggles_are_at_the_very_token() -> None:
    plan = '{"nodes": [{"idx": 0, "agent": "a", "kind": "tool_call", "writes": ["report", {"id": "ledger"}]}]}'
    decision = evaluate_plan(plan, policy={"allow_writes": ["report"]})
    (vote,) = decision.findings
    assert (vote.rule, vote.pointer, plan[vote.column - 1 :][:8]) == ("write_deny", "/nodes/0/writes/1/id", '"ledger"')
    decision = evaluate_plan(plan.replace('"writes"', '"effects"'), policy={"allow_writes": ["report"]})
    (vote,) = decision.findings
    assert (vote.pointer, plan[vote.column - 1 :][:8]) == ("/nodes/0/effects", '"writes"')
