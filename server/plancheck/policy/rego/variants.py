"""Plans that differ from a plan in what was left out or emptied: what a policy says of them tells what it minds."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any

from plancheck.syntax.tree import Path
from plancheck.tuples import NamedTuple


class Without(Enum):
    """What happens to the steps that are not wanted."""

    LEFT_OUT = "left out"
    EMPTIED = "emptied"


class Cut(NamedTuple):
    """A member of a step that is taken away, or is null instead."""

    step: int
    path: Path
    is_null: bool


class Variant(NamedTuple):
    """The plan with these steps only, given by their positions in order; and perhaps without a member of one."""

    without: Without
    steps: tuple[int, ...]
    cut: Cut | None = None


_EMPTY: Mapping[str, Any] = {}


def varied(document: Mapping[str, Any], variant: Variant) -> dict[str, Any]:
    """The document of a variant. What did not change is shared with the original, not copied."""
    steps = document["steps"]
    if variant.without is Without.LEFT_OUT:
        chosen = [_step(steps, position, variant.cut) for position in variant.steps]
    else:
        chosen = [_EMPTY] * len(steps)
        for position in variant.steps:
            chosen[position] = _step(steps, position, variant.cut)
    return {**document, "steps": chosen}


def _step(steps: list[Any], position: int, cut: Cut | None) -> Any:
    return steps[position] if cut is None or cut.step != position else without_member(steps[position], cut)


def without_member(value: Any, cut: Cut) -> Any:
    """A copy of a value in which the member at a path is gone, or null."""
    whole: list[Any] = [value]
    holder: Any = whole
    slot: Any = 0
    for part in cut.path:
        inner = holder[slot]
        holder[slot] = inner = dict(inner) if isinstance(inner, dict) else list(inner)
        holder, slot = inner, part
    if cut.is_null:
        holder[slot] = None
    else:
        del holder[slot]
    return whole[0]


def members_of(value: Any, path: Path) -> list[Path]:
    """The paths of what is directly inside a value."""
    if isinstance(value, dict):
        return [(*path, key) for key in value]
    return [(*path, position) for position in range(len(value))] if isinstance(value, list) else []


def value_at(value: Any, path: Path) -> Any:
    for part in path:
        value = value[part]
    return value
