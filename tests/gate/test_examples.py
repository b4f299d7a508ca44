"""The plans under examples/gate and what the gate says of them, under the policy beside them."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.command import plancheck

FOLDER = Path(__file__).parents[2] / "examples/gate"


@pytest.mark.parametrize(
    ("name", "code", "words"),
    [
        ("refund.plan.json", 0, "allow: The plan keeps to every rule of the policy. [invariants_hold]"),
        ("refund-large-faulty.plan.json", 3, "`amount` of step 2 is 320, and above 100 a human must look first."),
        (
            "refund-unverified-faulty.plan.json",
            1,
            "without `orders.verify` before it: add one on the path get -> refund.",
        ),
    ],
)
def test_example(name: str, code: int, words: str) -> None:
    ran = plancheck("gate", name, cwd=FOLDER)
    assert (ran.code, words in ran.out) == (code, True), ran.out


def test_every_example_is_here() -> None:
    assert len(list(FOLDER.glob("*.plan.json"))) == 3
