"""Every key of every dialect is described, and the description says what may stand at a place."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from plancheck.plan.dialects.dialect import Dialect
from plancheck.plan.dialects.table import DIALECTS, named
from plancheck.plan.dialects.vocabulary import Expected, Slot
from plancheck.plan.lower import lower
from plancheck.schema import schema
from plancheck.syntax.json import read
from plancheck.syntax.tree import Path

WORDS = named("declared").vocabulary
CALLS = named("calls").vocabulary


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
def test_every_key_has_its_texts(dialect: Dialect) -> None:
    shapes = dialect.vocabulary.shapes
    assert dialect.steps_key in shapes["plan"]
    for key in (
        dialect.identity_key,
        dialect.preds_key,
        dialect.tool_key,
        dialect.handler_key,
        *dict(dialect.foreign_keys).values(),
    ):
        assert key is None or key in shapes["step"]
    for shape in shapes.values():
        for entry in shape.values():
            assert entry.page.rstrip().endswith((".", "root"))
            assert entry.summary
            assert entry.snippet
            assert entry.shape is None or entry.shape in shapes
            assert bool(entry.choices) is (entry.slot is Slot.CHOICE)


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
def test_snippets_use_keys_of_the_dialect(dialect: Dialect) -> None:
    step = dialect.vocabulary.shapes["step"]
    for snippet in dialect.snippets:
        assert {key for key, _ in snippet.members} <= step.keys()
        assert {key for key, value in snippet.members if value is None} <= {dialect.identity_key}


@pytest.mark.parametrize(
    ("in_step", "path", "expected"),
    [
        (True, (), Expected(shape="step")),
        (True, ("idx",), Expected(Slot.IDENTITY, is_required=True)),
        (True, ("reads",), Expected(Slot.RESOURCE, "read", many=True)),
        (True, ("reads", 3), Expected(Slot.RESOURCE, "read")),
        (True, ("reads", 3, "producer"), Expected(Slot.STEP)),
        (True, ("reads", "id"), None),
        (True, ("idx", 0), None),
        (True, ("mine",), None),
        (True, ("idx", "x"), None),
        (True, ("reads", 0, "producer", "x"), None),
        (False, ("nodes",), Expected(shape="step", many=True, is_required=True)),
        (False, ("plancheck-ignore", 0), Expected(Slot.RULE, "ignore")),
        (True, ("plancheck-ignore", 0, "rule"), Expected(Slot.RULE, is_required=True)),
        (True, ("plancheck-ignore", 0, "reason"), Expected(Slot.TEXT)),
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


@pytest.mark.parametrize(
    ("path", "depth"),
    [
        ((), None),
        (("nodes",), None),
        (("nodes", 3), 2),
        (("nodes", 3, "reads", 0, "id"), 2),
        (("mine", 3), None),
    ],
)
def test_where_on_a_path_the_step_begins(path: Path, depth: int | None) -> None:
    assert WORDS.step_depth(path) == depth


def test_a_document_may_be_the_list_of_steps() -> None:
    assert CALLS.step_depth((2, "args", "x")) == 1
    assert CALLS.expected(False, (2, "tool_name")) == Expected(Slot.NAME, is_required=True)


SMALLEST: dict[str, Any] = {
    "declared": {"idx": 0, "agent": "a", "kind": "decision"},
    "steps": {"id": "a", "tool": "t"},
    "calls": {"tool_name": "t"},
    "trace": {"function": {"name": "t", "arguments": "{}"}},
}
OF_OTHER_SHAPES = {"trace": {"call_id", "name", "arguments", "input", "args", "method", "params"}}
"""Keys of steps that are written in another way than the smallest: what is wrong with them there depends on others."""
VALUES: list[Any] = [
    None,
    True,
    7,
    "x",
    "",
    [],
    {},
    ["x"],
    [7],
    [None],
    [{}],
    [{"id": "r"}],
    [{"id": "r", "producer": None}],
]


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
def test_the_description_agrees_with_what_is_read(dialect: Dialect) -> None:
    """Whatever stands under a key of a step, the schema refuses it exactly where lowering has something to say."""
    validator = jsonschema.Draft202012Validator(schema(dialect.name))
    for key in dialect.vocabulary.shapes["step"].keys() - OF_OTHER_SHAPES.get(dialect.name, set()):
        for value in VALUES:
            plan = {dialect.steps_key: [{**SMALLEST[dialect.name], key: value}]}
            (step,) = lower(read(json.dumps(plan)), dialect.name).steps
            assert validator.is_valid(plan) is not any(fault.path[:1] == (key,) for fault in step.faults), plan
