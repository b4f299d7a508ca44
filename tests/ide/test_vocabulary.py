"""Every key that the dialect knows is explained, and every explanation is of a key that it knows."""

from __future__ import annotations

import pytest

from plancheck.ide.vocabulary import Expected, Slot, vocabulary
from plancheck.plan.dialects.keys import CALL_KEYS, IGNORE, REF_KEYS, STEP_KEYS, STEPS_PLAN_KEYS, TOOL_STEP_KEYS
from plancheck.plan.model import Dialect
from plancheck.syntax.tree import Path

WORDS = vocabulary(Dialect.DECLARED)


def test_the_keys_of_the_declared_dialect_are_explained() -> None:
    assert tuple(WORDS.shapes["step"]) == STEP_KEYS
    assert tuple(WORDS.shapes["read"]) == REF_KEYS
    assert set(WORDS.shapes["plan"]) == {"nodes", IGNORE}


def test_the_keys_of_the_other_dialects_are_explained() -> None:
    steps, calls = vocabulary(Dialect.STEPS), vocabulary(Dialect.CALLS)
    assert tuple(steps.shapes["step"]) == TOOL_STEP_KEYS
    assert tuple(steps.shapes["plan"]) == STEPS_PLAN_KEYS
    assert tuple(calls.shapes["step"]) == ("tool_name", *CALL_KEYS)


@pytest.mark.parametrize("dialect", Dialect)
def test_every_key_has_its_texts(dialect: Dialect) -> None:
    words = vocabulary(dialect)
    assert words.steps_key in words.shapes["plan"]
    assert words.preds_key is None or words.preds_key in words.shapes["step"]
    for shape in words.shapes.values():
        for key in shape.values():
            assert key.page.rstrip().endswith((".", "root"))
            assert key.summary
            assert key.snippet
            assert key.shape is None or key.shape in words.shapes


@pytest.mark.parametrize(
    ("in_step", "path", "expected"),
    [
        (True, (), Expected(shape="step")),
        (True, ("idx",), Expected(Slot.IDENTITY)),
        (True, ("reads",), Expected(Slot.RESOURCE, "read", many=True)),
        (True, ("reads", 3), Expected(Slot.RESOURCE, "read")),
        (True, ("reads", 3, "producer"), Expected(Slot.STEP)),
        (True, ("reads", "id"), None),
        (True, ("idx", 0), None),
        (True, ("mine",), None),
        (True, ("idx", "x"), None),
        (True, ("reads", 0, "producer", "x"), None),
        (False, ("nodes",), Expected(shape="step", many=True)),
        (False, ("plancheck-ignore", 0), Expected(Slot.RULE)),
    ],
)
def test_what_may_stand_at_a_path(in_step: bool, path: Path, expected: Expected | None) -> None:
    assert WORDS.expected(in_step, path) == expected


def test_the_key_that_a_path_ends_with() -> None:
    assert WORDS.key(True, ("reads", 0, "id")) is WORDS.shapes["read"]["id"]
    assert WORDS.key(True, ("reads", 0)) is None
    assert WORDS.key(True, ()) is None
    assert WORDS.key(True, ("mine", "x")) is None
    assert WORDS.key(True, ("reads", "id")) is None
    assert WORDS.key(True, ("mine",)) is None
