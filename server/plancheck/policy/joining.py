"""Several policy files that are in force together."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from typing import Any


def join(texts: list[Mapping[str, Any]]) -> dict[str, Any]:
    """What several files say, by the names of the policy's fields: lists and mappings are joined, of numbers the
    strictest counts."""
    return reduce(_join, texts, dict[str, Any]())


def _join(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    found = dict(one)
    for key, value in other.items():
        if key not in one:
            found[key] = value
        elif isinstance(value, dict):
            found[key] = _join(one[key], value)
        elif isinstance(value, bool):
            found[key] = one[key] or value
        elif isinstance(value, tuple):
            found[key] = tuple(dict.fromkeys((*one[key], *value)))
        else:
            found[key] = min(one[key], value)
    return found
