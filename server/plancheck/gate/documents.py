"""A plan as Python values, written down as the document that is judged.

Everything is judged as text, so that there is one judge: what a program holds as values is written down first, and what
cannot be written down as JSON is no plan.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from numbers import Real
from typing import Any

from plancheck.unknown import Reason, Unknown

MOST_VALUES = 1_000_000
DEEPEST = 600
"""Levels of nesting that are written down: more than are looked at, so that such a plan is not looked at."""


def plan_text(plan: Any) -> str | Unknown:
    """The document that a plan is, or why there is none. Raises ValueError, naming the step, for what is no plan."""
    if isinstance(plan, str):
        return plan
    if isinstance(plan, (bytes, bytearray)):
        return _decoded(bytes(plan))
    steps = plan.get("steps") if isinstance(plan, Mapping) else plan
    if not isinstance(steps, (list, tuple)):
        raise ValueError("a plan must be a list of tool calls, an object with one under `steps`, or its JSON text")
    left = [MOST_VALUES]
    try:
        written = [_written(step, f"step {position}", left) for position, step in enumerate(steps)]
        if isinstance(plan, Mapping):
            rest = {key: [] if key == "steps" else _plain(value, "the plan", left) for key, value in plan.items()}
            return _around(rest, written)
    except _TooLargeError as error:
        return Unknown(Reason.LIMIT, str(error))
    return f"[{', '.join(written)}]"


def _around(rest: dict[Any, Any], steps: list[str]) -> str:
    members = (
        f"{json.dumps(_key(key, 'the plan'))}: {f'[{chr(44).join(steps)}]' if key == 'steps' else json.dumps(value)}"
        for key, value in rest.items()
    )
    return f"{{{', '.join(members)}}}"


def _decoded(plan: bytes) -> str:
    try:
        return plan.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"the plan is not UTF-8: byte {error.start} cannot be read") from error


class _TooLargeError(Exception):
    pass


def _written(step: Any, where: str, left: list[int]) -> str:
    if not isinstance(step, Mapping):
        raise ValueError(f"{where}: a step must be an object, not {type(step).__name__}")
    return json.dumps(_plain(step, where, left))


def _plain(value: Any, where: str, left: list[int], depth: int = 0) -> Any:
    """The value in types that JSON has. What is wider or deeper than any plan is not followed to its end."""
    left[0] -= 1
    if left[0] < 0:
        raise _TooLargeError(f"The plan has more than {MOST_VALUES:,} values, so it was not looked at: split it.")
    if value is None or isinstance(value, (str, bool)):
        return value
    if isinstance(value, int):
        return _integer(value, where)
    if isinstance(value, Mapping):
        if depth > DEEPEST:
            return {}
        return {_key(key, where): _plain(item, where, left, depth + 1) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [] if depth > DEEPEST else [_plain(item, where, left, depth + 1) for item in value]
    if isinstance(value, Real) or hasattr(value, "is_nan"):
        return _number(value, where)
    raise ValueError(f"{where}: {type(value).__name__} is no value that a plan can hold")


def _key(key: Any, where: str) -> str:
    if not isinstance(key, str):
        raise ValueError(f"{where}: the name of a member must be a string, not {key!r}")
    return key


def _integer(value: int, where: str) -> int:
    if value.bit_length() > _LONGEST_NUMBER:
        raise ValueError(f"{where}: a number of more than {_LONGEST_NUMBER:,} bits is none that a plan can hold")
    return value


def _number(value: Any, where: str) -> float | str:
    """A number of another type, such as Decimal, as it is compared; a text for what no limit can be compared with."""
    try:
        number = float(value)
    except (OverflowError, ValueError, TypeError) as error:
        raise ValueError(f"{where}: {value!r} is no number that a plan can hold") from error
    return number if math.isfinite(number) else str(number)


_LONGEST_NUMBER = 10_000
"""In bits."""
