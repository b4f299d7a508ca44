"""Policies that are joined: what any of them forbids is forbidden, whichever comes first."""

from __future__ import annotations

from itertools import permutations

import pytest

from plancheck.policy.model import DEFAULT_BLOCKED, Family, OnUnknown, Policy
from plancheck.policy.reading import joined, read_policy


def both_ways(*texts: str) -> list[Policy]:
    read = [read_policy(text) for text in texts]
    assert not [problem for found in read for problem in found.problems]
    return [joined(order) for order in permutations(read)]


def test_lists_of_allowed_tools_intersect() -> None:
    for policy in both_ways("allow_tools: [a, b]", "allow_tools: [b, c]"):
        assert policy.allow_tools == ("b",)
    for policy in both_ways("allow_tools: [a]", "allow_tools: [b]"):
        assert policy.allow_tools == ()
        assert not policy.allows("a")
    for policy in both_ways("allow_tools: [a]", "max_steps: 5"):
        assert policy.allow_tools == ("a",)


def test_all_bounds_count() -> None:
    for policy in both_ways("bounds: {a.x: [0, 10]}", "bounds: {a.x: [5, 20]}"):
        assert {(bound.low, bound.high) for bound, _ in policy.bounds_of("a")} == {(0, 10), (5, 20)}


@pytest.mark.parametrize("other", ["max_steps: 20", "gate: {max_steps: 20}", "gate: {unblock_tools: [delete_all]}"])
def test_a_tool_is_unblocked_only_where_every_file_says_so(other: str) -> None:
    for policy in both_ways("gate: {unblock_tools: [run_command]}", other):
        assert all(policy.blocks(tool) for tool in DEFAULT_BLOCKED)
    for policy in both_ways("gate: {unblock_tools: [run_command, x]}", "gate: {unblock_tools: [run_command]}"):
        assert not policy.blocks("run_command")


def test_the_strictest_number_and_answer_count() -> None:
    for policy in both_ways("gate: {unknown: deny, max_steps: 9}", "max_steps: 5\ngate: {max_steps: 7}", "{}"):
        assert (policy.max_steps, policy.gate.max_steps, policy.gate.unknown) == (5, 7, OnUnknown.DENY)
        assert policy.most_steps_at_gate == 5


def test_that_a_tool_only_reads_counts() -> None:
    for policy in both_ways("tools: {x: read, y: pay}", "tools: {x: write, z: send}"):
        assert (policy.family("x"), policy.family("y"), policy.family("z")) == (Family.READ, Family.PAY, Family.SEND)


@pytest.mark.parametrize(
    ("texts", "most", "most_at_gate"),
    [
        (("allow_tools: [crm.find]", "gate: {max_steps: 200}"), 100, 50),
        (("allow_tools: [crm.find]", "max_steps: 200"), 100, 50),
        (("max_steps: 80", "gate: {max_steps: 200}"), 80, 80),
        (("gate: {max_steps: 70}", "gate: {max_steps: 200}"), 100, 70),
        (("allow_tools: [a]", "allow_tools: [a]"), 100, 50),
        (("max_steps: 300", "max_steps: 200"), 200, 200),
    ],
)
def test_a_file_that_says_nothing_about_steps_asks_for_what_it_asks_alone(
    texts: tuple[str, ...], most: int, most_at_gate: int
) -> None:
    for policy in both_ways(*texts):
        assert (policy.most_steps, policy.most_steps_at_gate) == (most, most_at_gate)


def test_a_tool_that_reads_by_its_name_reads_unless_every_file_says_otherwise() -> None:
    for policy in both_ways("allow_tools: [db.query_ro]", "tools: {db.query_ro: query}"):
        assert policy.family("db.query_ro") is Family.READ
    for policy in both_ways("tools: {db.query_ro: query}", "tools: {DB.query_ro: query}"):
        assert policy.family("db.query_ro") is Family.QUERY


def test_families_are_joined_by_what_the_names_have_in_common() -> None:
    for policy in both_ways("tools: {db.run: read}", "tools: {DB.run: write}"):
        assert policy.family("db.run") is policy.family("DB.run") is policy.family("functions.db.run") is Family.READ
    alone = read_policy("tools: {db.run: read, DB.run: write}").policy
    assert alone.family("DB.run") is Family.READ


def test_a_tool_that_pays_by_its_name_pays_unless_every_file_says_otherwise() -> None:
    for policy in both_ways("tools: {payments.note: other}", "max_steps: 5"):
        assert policy.family("payments.note") is Family.PAY


def test_a_risk_that_a_file_does_not_weigh_has_its_usual_weight() -> None:
    for policy in both_ways("risk_weights: {tool_deny: 0}\nfail_risk_threshold: 1", "max_steps: 5"):
        assert dict(policy.risk_weights) == {"TOOL_DENY": 0.2}
        assert policy.fail_risk_threshold == 0.8


def test_what_is_not_trusted_and_says_nothing_changes_nothing() -> None:
    own = read_policy("max_steps: 200\ntools: {db.query_ro: query}\n")
    policy = joined([own], [read_policy("bounds: {a.b: [0, 1]}\n")])
    assert policy.most_steps_at_gate == 200
    assert policy.family("db.query_ro") is Family.QUERY


def test_what_is_not_trusted_allows_nothing_that_is_forbidden_without_it() -> None:
    untrusted = read_policy(
        "max_steps: 500\ntools: {db.query_ro: write}\ngate: {unblock_tools: [run_command], max_steps: 500}\n"
    )
    policy = joined([], [untrusted])
    assert policy.most_steps_at_gate == 50
    assert policy.family("db.query_ro") is Family.READ
    assert policy.blocks("run_command")
