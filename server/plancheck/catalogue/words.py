"""How messages about a value mention it: what it is, where it is, and what it should be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from plancheck.catalogue.resolve import Steps, path_of

_LONGEST_SHOWN = 40
_MOST_SHOWN = 6

WORDS_OF_TYPES = {
    "array": "a list",
    "boolean": "true or false",
    "integer": "an integer",
    "null": "null",
    "number": "a number",
    "object": "an object",
    "string": "a string",
}


def type_of(value: Any) -> str:
    """The JSON type of a value: that of 1.0 is `integer`."""
    if isinstance(value, str):
        return "string"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, tuple):
        return "object"
    if isinstance(value, list):
        return "array"
    return "integer" if isinstance(value, int) or value.is_integer() else "number"


def subject(steps: Steps | None) -> str:
    """What a message is about, by its path: `limit`, `user.tags[2]`."""
    if steps is None:
        return "The value"
    text = ""
    for name in path_of(steps):
        text += f"[{name}]" if isinstance(name, int) else f".{name}" if text else str(name)
    return f"`{text}`" if len(text) <= _LONGEST_SHOWN else f"`…{text[1 - _LONGEST_SHOWN :]}`"


def shown(value: Any) -> str:
    """A value as a message can show it: the short ones themselves, in backticks if they are texts."""
    if isinstance(value, str):
        return f"`{value}`" if len(value) <= _LONGEST_SHOWN else f"`{value[: _LONGEST_SHOWN - 1]}…`"
    if isinstance(value, (tuple, list)):
        return WORDS_OF_TYPES[type_of(value)]
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and abs(value) >= 10**_LONGEST_SHOWN:
        return "a very large number" if value > 0 else "a very small number"
    return f"{value}"


def kind_shown(value: Any) -> str:
    """What a value of the wrong type is: a text is `a string`, a number itself."""
    return "a string" if isinstance(value, str) else shown(value)


def one_of(values: Sequence[Any]) -> str:
    """`C`; one of `C`, `F`; one of `a`, `b`, … (12 in all)."""
    texts = [shown(value) for value in values[:_MOST_SHOWN]]
    if len(values) == 1:
        return texts[0]
    more = f", … ({len(values):,} in all)" if len(values) > _MOST_SHOWN else ""
    return f"one of {', '.join(texts)}{more}"


def either(texts: Sequence[str]) -> str:
    """Alternatives, each once: a, b or c."""
    *most, last = dict.fromkeys(texts)
    return f"{', '.join(most)} or {last}" if most else last


def counted(number: int | float, thing: str) -> str:
    return f"{shown(number)} {thing}" if number == 1 else f"{shown(number)} {thing}s"
