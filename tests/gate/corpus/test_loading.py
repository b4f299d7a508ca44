"""The corpus is large enough, covers what it promises and can be read."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from gate.corpus import Case, attacks, healthy

KEBAB = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    return attacks() + healthy()


def test_there_are_attacks_and_healthy_plans_enough() -> None:
    assert len(attacks()) >= 190
    assert len(healthy()) >= 75


def test_names_are_unique_and_kebab_case(cases: list[Case]) -> None:
    names = Counter(case.name for case in cases)
    assert [name for name, uses in names.items() if uses > 1] == []
    assert [name for name in names if not KEBAB.fullmatch(name)] == []


def test_attacks_are_never_allowed_and_healthy_plans_always() -> None:
    assert {case.verdict for case in attacks()} == {None, "deny", "requires_hitl", "undecided"}
    assert {case.verdict for case in healthy()} == {"allow"}


def test_no_plan_occurs_twice_under_the_same_policy(cases: list[Case]) -> None:
    plans = Counter((case.plan, case.policy) for case in cases)
    assert [plan for plan, uses in plans.items() if uses > 1] == []


def test_placeholders_are_expanded(cases: list[Case]) -> None:
    assert [case.name for case in cases if "@@" in case.plan] == []
    assert max(len(case.plan) for case in cases) > 1_000_000
