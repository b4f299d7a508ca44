"""The cost of nesting: four times as many levels take about four times as long, never sixteen times."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from benchmarks.measure import best_times, show
from plancheck.syntax.json import read, reread
from plancheck.syntax.tree import Part, Path, Tree
from plancheck.syntax.values import repeated_keys
from plancheck.text import Edit

FEW, MANY = 5_000, 20_000
LIMIT = 8


def _lines(levels: int) -> str:
    """One bracket a line. The indentation ends somewhere, or the text itself would grow with the square."""
    indents = [" " * min(level, 100) for level in range(levels)]
    return "\n".join(
        [f'{indent}{{"a":' for indent in indents] + ["1"] + [f"{indent}}}" for indent in reversed(indents)]
    )


SHAPES: dict[str, Callable[[int], str]] = {
    "lists": lambda levels: "[" * levels + "]" * levels,
    "objects": lambda levels: '{"a":' * levels + "1" + "}" * levels,
    "unclosed lists": lambda levels: "[" * levels,
    "unclosed objects": lambda levels: '{"a":' * levels,
    "lines": _lines,
    "inside a step": lambda levels: f'{{"steps": [{{"args": {"[" * levels}{"]" * levels}}}, {{"id": "b"}}]}}',
    "unclosed inside a step": lambda levels: f'{{"steps": [{{"args": {"[" * levels}\n}}, {{"id": "b"}}]}}',
    "closed by the wrong brackets": lambda levels: '[{"a":' * (levels // 2) + "1" + "]}" * (levels // 2),
}


def _read_and_value(text: str) -> object:
    return read(text).value()


def _span(tree: Tree) -> object:
    """Where the innermost value stands."""
    return tree.span(_innermost(tree.value()), Part.WHOLE)


def _innermost(value: object) -> Path:
    path: list[str | int] = []
    while isinstance(value, (dict, list)) and value:
        name = next(iter(value)) if isinstance(value, dict) else 0
        path.append(name)
        value = value[name]
    return tuple(path)


def _repeats(tree: Tree) -> object:
    return [list(repeated_keys(chunk.value)) for _, chunk in tree.chunks()]


def _typed(tree: Tree) -> object:
    """One more character in the middle."""
    middle = len(tree.text) // 2
    return reread(tree, Edit(middle, middle, " "), f"{tree.text[:middle]} {tree.text[middle:]}")


@pytest.mark.parametrize("shape", SHAPES)
def test_the_cost_of_reading_grows_linearly_with_nesting(shape: str) -> None:
    few, many = (SHAPES[shape](levels) for levels in (FEW, MANY))
    times = best_times(lambda: _read_and_value(few), lambda: _read_and_value(many), rounds=5)
    show(f"{shape}: reading four times as many levels", times[1] / times[0], LIMIT)


@pytest.mark.parametrize("use", [_span, _repeats, _typed])
@pytest.mark.parametrize("shape", SHAPES)
def test_the_cost_of_a_tree_grows_linearly_with_nesting(shape: str, use: Callable[[Tree], object]) -> None:
    few, many = (read(SHAPES[shape](levels)) for levels in (FEW, MANY))
    times = best_times(lambda: use(few), lambda: use(many), rounds=5)
    show(f"{shape}: {use.__name__.strip('_')} at four times as many levels", times[1] / times[0], LIMIT)
