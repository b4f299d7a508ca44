"""However an attack is written, it is never allowed.

The suite judges 2,000 plans, spread evenly over the attacks of the corpus and the same in each run. By hand there can
be more: `PLANCHECK_MUTATIONS=20000 .venv/bin/pytest -n auto tests/gate/test_mutations.py`.

A failure names its seed; `mutate(case, Random(seed))` makes the same plan again.
"""

from __future__ import annotations

import os
from functools import cache
from random import Random

import pytest

from gate.corpus import attacks
from gate.mutations import Mutated, mutate, seed_of, spread
from plancheck.gate import Policy, PolicyDecision, evaluate_plan, load_policy

NUMBER = int(os.environ.get("PLANCHECK_MUTATIONS", "2000"))
SHOWN = 2_000
ATTACKS = attacks()


@cache
def policy_of(text: str | None) -> Policy | None:
    """None for a policy with a mistake."""
    try:
        return Policy() if text is None else load_policy(text)
    except ValueError:
        return None


def verdict_of(mutated: Mutated) -> PolicyDecision | None:
    """None where the policy has a mistake, so that there is nobody to allow the plan."""
    policy = policy_of(mutated.case.policy)
    return None if policy is None else evaluate_plan(mutated.plan, policy=policy)


def report(seed: str, mutated: Mutated) -> str:
    text = mutated.plan if len(mutated.plan) <= SHOWN else mutated.plan[:SHOWN] + "…"
    return f"{seed} by {', '.join(mutated.mutations)}: {text!r}"


@pytest.mark.parametrize("reason", sorted({case.reason for case in ATTACKS}))
def test_a_mutated_attack_is_never_allowed(reason: str) -> None:
    allowed = []
    for case, turn in spread(ATTACKS, NUMBER):
        if case.reason == reason:
            seed = seed_of(case, turn)
            mutated = mutate(case, Random(seed))
            decision = verdict_of(mutated)
            if decision is not None and decision.allow:
                allowed.append(report(seed, mutated))
    assert not allowed, f"{len(allowed)} allowed:\n" + "\n".join(allowed)
