"""Offsets, lines and columns: against the plainest possible code, in every encoding, after any edit."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plancheck.text import Edit, Encoding, LineIndex, Position, Span, apply_edits

TEXTS = st.text(st.sampled_from('a"é😀\n\r\t\u2028\u0085\x0c\ud800'), max_size=60)
UNITS = {Encoding.UTF8: ("utf-8", 1), Encoding.UTF16: ("utf-16-le", 2), Encoding.UTF32: ("utf-32-le", 4)}


def plain_lines(text: str) -> list[int]:
    return [0, *(m.end() for m in re.finditer(r"\r\n|\r|\n", text))]


def plain_position(text: str, offset: int, encoding: Encoding) -> Position:
    starts = [start for start in plain_lines(text) if start <= offset]
    codec, bytes_per_unit = UNITS[encoding]
    width = sum(len(character.encode(codec, "surrogatepass")) for character in text[starts[-1] : offset])
    return Position(len(starts) - 1, width // bytes_per_unit)


@given(TEXTS, st.sampled_from(Encoding))
@settings(max_examples=300, deadline=None)
def test_positions_are_those_of_the_plainest_code_and_lead_back(text: str, encoding: Encoding) -> None:
    lines = LineIndex(text)
    assert lines.line_count == len(plain_lines(text))
    for offset in range(len(text) + 1):
        position = lines.position(offset, encoding)
        assert position == plain_position(text, offset, encoding)
        inside_line_end = text[offset - 1 : offset + 1] == "\r\n"
        assert lines.offset(position.line, position.character, encoding) == (offset - 1 if inside_line_end else offset)


@given(TEXTS, st.sampled_from(Encoding))
@settings(max_examples=100, deadline=None)
def test_the_ends_of_a_piece_are_its_two_positions(text: str, encoding: Encoding) -> None:
    lines = LineIndex(text)
    for start in range(-2, len(text) + 2):
        for end in range(start, len(text) + 2):
            both = (lines.position(start, encoding), lines.position(end, encoding))
            assert lines.ends(Span(start, end), encoding) == both


@given(TEXTS, st.lists(st.tuples(st.integers(0, 60), st.integers(0, 8), TEXTS), max_size=6), st.integers(0, 3))
@settings(max_examples=300, deadline=None)
def test_an_edited_index_is_a_fresh_one(text: str, edits: list[tuple[int, int, str]], copies: int) -> None:
    text = (text + "\n") * (1 + copies * 300)  # several blocks of lines
    lines = LineIndex(text)
    for at, length, new in edits:
        start = min(at * (1 + copies * 100), len(text))
        edit = Edit(start, min(start + length, len(text)), new)
        text = apply_edits(text, [edit])
        lines = lines.edited(edit, text)
        fresh = LineIndex(text)
        assert lines.line_count == fresh.line_count
        for line in {0, 1, lines.line_of(start), lines.line_of(start) + 1, lines.line_count - 1, lines.line_count}:
            assert lines.line_start(line) == fresh.line_start(line)
            assert lines.line_span(line) == fresh.line_span(line)
        for offset in {0, start, min(start + len(new), len(text)), len(text)}:
            assert lines.line_of(offset) == fresh.line_of(offset)


NEAR_A_BLOCK = st.tuples(
    st.sampled_from([512, 1024]), st.integers(-4, 4), st.integers(0, 4), st.text("\r\na", max_size=3)
)


@given(
    st.lists(st.sampled_from(["\n", "\r", "\r\n", "a\r", "a\n"]), min_size=1, max_size=5),
    st.lists(NEAR_A_BLOCK, max_size=5),
)
@settings(max_examples=300, deadline=None)
def test_an_edited_index_is_a_fresh_one_where_blocks_of_lines_meet(
    pattern: list[str], edits: list[tuple[int, int, int, str]]
) -> None:
    """Of `\\r\\n` one half may be typed or deleted at the start of a block of lines, or right before it."""
    text = "".join(pattern[i % len(pattern)] for i in range(1_100))
    lines = LineIndex(text)
    for line, distance, length, new in edits:
        start = lines.line_start(line) + distance
        edit = Edit(start, start + length, new)
        text = apply_edits(text, [edit])
        lines = lines.edited(edit, text)
        assert [lines.line_start(line) for line in range(lines.line_count)] == plain_lines(text)
        assert [lines.line_of(offset) for offset in plain_lines(text)] == list(range(lines.line_count))


@pytest.mark.parametrize(
    ("before", "edit", "after"),
    [
        (["a\r"] * 512 + ["b"], Edit(1024, 1024, "\n"), ["a\r"] * 511 + ["a\r\n", "b"]),
        (["a\r"] * 512 + ["b", "\n"], Edit(1024, 1025, ""), ["a\r"] * 511 + ["a\r\n", ""]),
        (["a\r"] * 511 + ["a\r\n", "b"], Edit(1024, 1025, ""), ["a\r"] * 512 + ["b"]),
        (["a\n"] * 512 + ["b"], Edit(1023, 1024, "\r"), ["a\n"] * 511 + ["a\r", "b"]),
        (["a\n"] * 512 + ["b"], Edit(1023, 1024, ""), ["a\n"] * 511 + ["ab"]),
    ],
    ids=["LF typed after CR", "LF joins CR", "LF deleted after CR", "LF becomes CR", "lines joined"],
)
def test_a_line_end_changes_where_two_blocks_meet(before: list[str], edit: Edit, after: list[str]) -> None:
    text = "".join(after)
    lines = LineIndex("".join(before)).edited(edit, text)
    assert [text[lines.line_start(i) : lines.line_start(i + 1)] for i in range(lines.line_count)] == after


def test_unicode_line_separators_end_no_line() -> None:
    lines = LineIndex('"a\u2028b\u0085c\x0cd"\n"e"')
    assert lines.line_count == 2
    assert lines.position(10) == Position(1, 0)


@pytest.mark.parametrize(
    ("line", "character", "offset"),
    [(-1, 5, 0), (0, -3, 0), (0, 99, 3), (1, 99, 6), (2, 0, 7), (9, 9, 7), (0, 2, 2)],
)
def test_positions_out_of_range_are_moved_inside(line: int, character: int, offset: int) -> None:
    assert LineIndex("abc\nde\n").offset(line, character) == offset


def test_a_position_inside_a_character_is_before_it() -> None:
    lines = LineIndex("😀é")
    assert lines.offset(0, 1, Encoding.UTF16) == 0
    assert lines.offset(0, 2, Encoding.UTF16) == 1
    assert [lines.offset(0, units, Encoding.UTF8) for units in range(7)] == [0, 0, 0, 0, 1, 1, 2]


def test_lines_without_their_ends() -> None:
    lines = LineIndex("ab\r\nc\rd\n")
    assert [lines.line_span(i) for i in range(4)] == [Span(0, 2), Span(4, 5), Span(6, 7), Span(8, 8)]


def test_edits_refer_to_the_text_before_and_must_not_overlap() -> None:
    assert apply_edits("abcdef", [Edit(4, 5, "X"), Edit(0, 1, ""), Edit(2, 2, "--")]) == "b--cdXf"
    with pytest.raises(ValueError, match="overlap"):
        apply_edits("abcdef", [Edit(0, 3, ""), Edit(2, 4, "")])
