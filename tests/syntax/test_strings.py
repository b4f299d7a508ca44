"""From a string's value to its token and back, however it is escaped."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plancheck.syntax.json import read
from plancheck.syntax.strings import raw_offset, value_offset
from plancheck.syntax.tree import Within

VALUES = st.text('ab{}."\\/\b\n\t\u2028é😀\U0010ffff', max_size=12)


@given(VALUES, st.booleans())
@settings(max_examples=300, deadline=None)
def test_every_character_of_the_value_is_found_in_the_token(value: str, is_ascii: bool) -> None:
    token = json.dumps(value, ensure_ascii=is_ascii)
    offsets = [raw_offset(token, at) for at in range(len(value) + 1)]
    assert [json.loads(f'"{token[a:b]}"') for a, b in pairwise(offsets)] == list(value)
    assert offsets[-1] == len(token) - 1
    assert [value_offset(token, offset) for offset in offsets] == list(range(len(value) + 1))


@pytest.mark.parametrize(
    ("token", "part"),
    [
        (r'"{{a.result}}"', "a"),
        (r'"\u0041\n{{a.result}}"', "a"),
        (r'"\ud83d\ude00{{a.result}}"', "a"),
        (r'"\q{{a.result}}"', "a"),
        (r'"\u12{{a.result}}"', "a"),
        (r'"\"\\\"{{\u0061.result}}"', r"\u0061"),
    ],
)
def test_a_part_of_a_string_is_found_behind_escapes(token: str, part: str) -> None:
    text = '{"steps": [{"x": [' + token + "]}]}"
    tree = read(text)
    value = dict(tree.top("steps").value.chunks[0].value)["x"][0]  # type: ignore[union-attr]
    start = value.index("a.result")
    span = tree.span(("steps", 0, "x", 0, Within(start, start + 1)))
    assert text[span.start : span.end] == part
