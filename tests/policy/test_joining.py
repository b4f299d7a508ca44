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


def test_what_is_not_trusted_allows_nothing_that_is_forbidden_without_it() -> None:
    untrusted = read_policy(
        "max_steps: 500\ntools: {db.query_ro: write}\ngate: {unblock_tools: [run_command], max_steps: 500}\n"
    )
    policy = joined([], [untrusted])
    assert policy.most_steps_at_gate == 50
    assert policy.family("db.query_ro") is Family.READ
    assert policy.blocks("run_command")
