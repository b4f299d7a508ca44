"""The arguments of a tool: one description, which its schema is made of and calls are compared with."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from plancheck.plan.dialects.keys import nearest
from plancheck.policy.showing import shortened
from plancheck.tuples import NamedTuple


class ToolRefusal(Exception):  # noqa: N818 - what a tool says in place of a result
    """Why a tool has no result, in a sentence for the agent that called it."""


class ToolArgument(NamedTuple):
    name: str
    description: str
    types: tuple[type, ...]
    words: str
    """What it must be, as in "must be …"."""
    schema: Mapping[str, Any]
    default: Any = None
    """What counts where it is not given."""
    is_required: bool = False
    choices: tuple[str, ...] = ()

    def to_schema(self) -> dict[str, Any]:
        schema = {"description": self.description, **self.schema}
        if self.choices:
            schema["enum"] = list(self.choices)
        return schema if self.is_required else {**schema, "default": self.default}


def input_schema(arguments: Sequence[ToolArgument]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {argument.name: argument.to_schema() for argument in arguments},
        "required": [argument.name for argument in arguments if argument.is_required],
        "additionalProperties": False,
    }


def read_arguments(tool: str, arguments: Sequence[ToolArgument], given: Mapping[str, Any]) -> dict[str, Any]:
    """The values of all arguments; ToolRefusal says what is wrong with a call."""
    names = [argument.name for argument in arguments]
    for name in given:
        if name not in names:
            right = nearest(name, names)
            hint = f"did you mean `{right}`?" if right else f"it has {', '.join(f'`{each}`' for each in names)}."
            raise ToolRefusal(f"`{shortened(name)}` is not an argument of `{tool}`: {hint}")
    return {argument.name: _value(argument, given) for argument in arguments}


def _value(argument: ToolArgument, given: Mapping[str, Any]) -> Any:
    if argument.name not in given:
        if argument.is_required:
            raise ToolRefusal(f"`{argument.name}` is missing: it must be {argument.words}.")
        return argument.default
    value = given[argument.name]
    if not isinstance(value, argument.types):
        raise ToolRefusal(f"`{argument.name}` must be {argument.words}, not {_shown(value)}.")
    if argument.choices and value not in argument.choices:
        raise ToolRefusal(f"`{argument.name}` must be {argument.words}, not `{shortened(str(value))}`.")
    return value


def _shown(value: Any) -> str:
    """A value of a type that was not asked for, in the words of JSON."""
    if isinstance(value, (dict, list)):
        return "an object" if isinstance(value, dict) else "a list"
    return shortened(json.dumps(value))
