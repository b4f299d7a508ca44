"""A source line with a caret under the token, in as many columns as there is room for."""

from __future__ import annotations

from plancheck.cli.terminal import cell
from plancheck.tuples import NamedTuple

_CUT = "…"


class Excerpt(NamedTuple):
    line: str
    """The line, or the part of it around the token."""
    indent: int
    """The columns before the token."""
    width: int
    """The columns of the token, one at least."""


def excerpt(text: str, start: int, end: int, columns: int) -> Excerpt:
    """The line of `text` with the token from `start` to `end` in view.

    Never looks at more of the line than can be shown: it may be the whole of a large document.
    """
    most = 4 * columns  # characters without a width of their own may stand between the others
    line_start = _line_start(text, max(0, start - most - 1), start)
    line_end = _line_end(text, start, min(len(text), start + most + 1))
    end = min(max(end, start), line_end)
    before = [cell(char) for char in text[max(line_start, start - most) : start]]
    behind = [cell(char) for char in text[start : min(line_end, start + most)]]
    is_cut_before = start - line_start > most
    is_cut_behind = line_end - start > most
    width_before, width_behind = _width(before), _width(behind)
    room = columns - width_behind if not is_cut_behind and width_behind < columns - columns // 3 else columns // 3
    if is_cut_before or width_before > room:
        before, is_cut_before = _last(before, room - 1), True
        width_before = _width(before)
    room = columns - width_before - is_cut_before
    if is_cut_behind or width_behind > room:
        behind, is_cut_behind = _first(behind, room - 1), True
    token = behind[: end - start]
    line = "".join([glyph for glyph, _ in (*before, *behind)])
    return Excerpt(
        f"{_CUT * is_cut_before}{line}{_CUT * is_cut_behind}", width_before + is_cut_before, max(_width(token), 1)
    )


def _line_start(text: str, low: int, start: int) -> int:
    """Where the line begins that `start` is in, or `low` if that is further away."""
    return max(low, text.rfind("\n", low, start) + 1, text.rfind("\r", low, start) + 1)


def _line_end(text: str, start: int, high: int) -> int:
    """Where the line ends that `start` is in, or `high` if that is further away."""
    ends = (text.find("\n", start, high), text.find("\r", start, high))
    return min((end for end in ends if end >= 0), default=high)


def _width(cells: list[tuple[str, int]]) -> int:
    return sum([width for _, width in cells])


def _first(cells: list[tuple[str, int]], columns: int) -> list[tuple[str, int]]:
    taken = 0
    for number, (_, width) in enumerate(cells):
        taken += width
        if taken > columns:
            return cells[:number]
    return cells


def _last(cells: list[tuple[str, int]], columns: int) -> list[tuple[str, int]]:
    return _first(cells[::-1], columns)[::-1]
