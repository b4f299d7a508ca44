"""What stands at the cursor, in whole and in half-typed text."""

from __future__ import annotations

import pytest

from ide.marks import cursor
from plancheck.ide.cursor import Role, cursor_at, step_at
from plancheck.syntax.tree import Part, Path


def check_cursor(text: str, role: Role, step: int | None, path: Path, token: str, part: Part = Part.VALUE) -> None:
    snapshot, offset = cursor(text)
    found = cursor_at(snapshot, offset)
    assert found is not None
    assert (found.role, found.step, found.path, found.part) == (role, step, path, part)
    assert snapshot.text[found.span.start : found.span.end] == token


def check_nothing(text: str) -> None:
    snapshot, offset = cursor(text)
    assert cursor_at(snapshot, offset) is None


STEP = '{"nodes": [{"idx": 0}, {"idx": 1, "agent": "a", %s}]}'


@pytest.mark.parametrize(
    ("body", "role", "path", "token"),
    [
        ('"control_preds": [$00]', Role.PRED, ("control_preds", 0), "0"),
        ('"reads": ["r$0"]', Role.READ, ("reads", 0), '"r"'),
        ('"reads": ["q", {"id": "r$0"}]', Role.READ, ("reads", 1, "id"), '"r"'),
        ('"reads": [{"id": "r", "producer": 0$0}]', Role.PRODUCER, ("reads", 0, "producer"), "0"),
        ('"writes": ["r$0"]', Role.WRITE, ("writes", 0), '"r"'),
        ('"scope": ["r$0"]', Role.GRANT, ("scope", 0), '"r"'),
        ('"plancheck-ignore": ["r$0"]', Role.RULE, ("plancheck-ignore", 0), '"r"'),
        ('"kind": "$0decision"', Role.OTHER, ("kind",), '"decision"'),
        ('"reads": [$0]', Role.OTHER, ("reads",), "["),
        ('"more": {"x": [tru$0e]}', Role.OTHER, ("more", "x", 0), "true"),
    ],
)
def test_everything_in_a_step_has_its_role(body: str, role: Role, path: Path, token: str) -> None:
    check_cursor(STEP % body, role, 1, path, token)


def test_a_step_is_its_identity_and_its_opening_bracket() -> None:
    check_cursor('{"nodes": [{"idx": $07}]}', Role.STEP, 0, ("idx",), "7")
    check_cursor('{"nodes": [{"id$0x": 7}]}', Role.STEP, 0, ("idx",), '"idx"', Part.KEY)
    check_cursor('{"nodes": [$0{"idx": 7}]}', Role.STEP, 0, (), "{")
    check_cursor('{"nodes": [{}, $0"oops"]}', Role.STEP, 1, (), '"oops"')


def test_keys_and_the_plan_around() -> None:
    check_cursor('{"nod$0es": []}', Role.PLAN, None, ("nodes",), '"nodes"', Part.KEY)
    check_cursor('{"nodes": $0[]}', Role.PLAN, None, ("nodes",), "[")
    check_cursor('{"nodes": [{"rea$0ds": []}]}', Role.KEY, 0, ("reads",), '"reads"', Part.KEY)
    check_cursor('{"goa$0l": 1, "nodes": []}', Role.KEY, None, ("goal",), '"goal"', Part.KEY)
    check_cursor('{"goal": 12$0, "nodes": []}', Role.OTHER, None, ("goal",), "12")
    check_cursor('{"goal": {"a": "$0b"}, "nodes": []}', Role.OTHER, None, ("goal", "a"), '"b"')
    check_cursor('{"plancheck-ignore": ["x$0"], "nodes": []}', Role.RULE, None, ("plancheck-ignore", 0), '"x"')
    check_cursor('$0{"nodes": []}', Role.OTHER, None, (), "{")


def test_documents_of_another_shape() -> None:
    check_cursor('{"x": ["a$0"]}', Role.OTHER, None, ("x", 0), '"a"')
    check_cursor("4$02", Role.OTHER, None, (), "42")
    check_nothing("$0")
    check_nothing("  $0  {}")
    check_nothing('{"nodes": [] $0 }')
    check_nothing('{"nodes": [ $0 {}]}')
    check_nothing('{"nodes": [{"idx":$0 0}]}')
    check_nothing('{"nodes": [{"reads": [ $0 "a"]}]}')


def test_a_repeated_key_counts_the_last_time_only() -> None:
    text = '{"nodes": [{"idx": 0, "reads": ["%sa"], "reads": ["%sb"]}]}'
    check_cursor(text % ("$0", ""), Role.OTHER, None, ("nodes", 0, "reads", 0), '"a"')
    check_cursor(text % ("", "$0"), Role.READ, 0, ("reads", 0), '"b"')


def test_half_typed_text() -> None:
    check_cursor('{"nodes": [{"idx": 0, "reads": ["or$0d', Role.READ, 0, ("reads", 0), '"ord')
    check_cursor('{"nodes": [{"idx": 0, "ag$0', Role.KEY, 0, ("ag",), '"ag', Part.KEY)
    check_cursor('{"nodes": [{"idx": 0, "agent":$0 , "reads": []}]}', Role.OTHER, 0, ("agent",), "")


def test_the_step_around_an_offset() -> None:
    for text, position in (
        ('{"nodes": [{"idx": 0}, {"idx": $01}]}', 1),
        ('{"nodes": [{"idx": 0}, $0 {"idx": 1}]}', None),
        ('{"nodes": 3$0}', None),
        ("$01", None),
    ):
        snapshot, offset = cursor(text)
        assert step_at(snapshot, offset) == position
