"""What in a trace is data, in which nothing is a call: what tools have answered, what others say to the model, tools
that are declared, and options. Whatever has more to it than such a thing usually has is looked at like all else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from plancheck.plan.carried import ARGUMENT_NAMES, folded_key
from plancheck.plan.dialects.trace.emitted import OPTIONS, emitted, is_option
from plancheck.plan.dialects.trace.keys import (
    CHOICES,
    CONTENT,
    FUNCTION,
    FUNCTION_CALL,
    ID,
    MESSAGE,
    MESSAGES,
    METHOD,
    NAME,
    OUTPUT,
    ROLE,
    TOOLS_CALL,
    TYPE,
)
from plancheck.plan.dialects.trace.shapes import ASSISTANT, PEOPLE, SCHEMAS, TOOLS, role_of, shape_of
from plancheck.syntax.tree import Path

_DECLARED = ("tools", "functions")
"""Under which keys tools are declared."""
_CHOICE = ("tool_choice", "toolChoice")
_LISTS = (MESSAGES, CHOICES, CONTENT, OUTPUT, "parts")
_WRAPPERS = (MESSAGE, "kwargs", "additional_kwargs", "toolConfig", "tool_config")
_RESPONSES = ("functionResponse", "function_response", "toolResult", "tool_result")
"""Members that are the answer of a tool."""
_OF_ANSWERS = frozenset(
    {
        ROLE,
        CONTENT,
        NAME,
        "tool_name",
        TYPE,
        ID,
        "tool_call_id",
        "tool_use_id",
        "call_id",
        "status",
        "is_error",
        "artifact",
    }
)
"""What the answer of a tool has. With anything else beside it, a name could be that of a tool that is called."""
_OF_TEXTS = frozenset({TYPE, "text", "cache_control", "annotations"})
_OF_SCHEMAS = frozenset(
    {
        *("type", "properties", "required", "additionalProperties", "description", "enum", "anyOf", "oneOf", "allOf"),
        *("$schema", "$ref", "$defs", "definitions", "json", "title"),
    }
)
_PROTOCOL = ("tools/", "resources/", "prompts/", "notifications/", "logging/", "completion/", "sampling/", "roots/")
"""How the methods of MCP begin that call no tool; all of them but `tools/call`."""


def data_in(value: Any, around: Path = ()) -> tuple[Path, ...]:
    """Where in a part of a document there is data, or a call that is there once more. `around` is where the part is."""
    return (*_data(value, around), *emitted(value).repeats)


def _data(value: Any, around: Path) -> Iterator[Path]:
    if around[:1] and around[0] in _DECLARED and _is_declared(value):
        yield ()
        return
    if around[-1:] and around[-1] in _CHOICE and _is_choice(value):
        yield ()
        return
    todo: list[tuple[Any, Path, str | None]] = [(value, (), None)]
    while todo:
        value, path, role = todo.pop()
        if not isinstance(value, tuple) or shape_of(value) is not None:
            continue
        members = dict(value)
        own = role_of(members) if role is None else role
        yield from ((*path, *part) for part in (*_answering(members, own), *_options(members)))
        for key in _LISTS:
            if isinstance(members.get(key), list):
                inner = None if key in (MESSAGES, CHOICES) else own
                todo += ((item, (*path, key, i), inner) for i, item in enumerate(members[key]))
        todo += ((members[key], (*path, key), None if key == MESSAGE else own) for key in _WRAPPERS if key in members)


def _answering(members: dict[str, Any], role: str | None) -> Iterator[Path]:
    """The members of an object that are the answer of a tool, or what somebody says to the model."""
    kind = members.get(TYPE)
    kind = kind if isinstance(kind, str) else ""
    is_by_model = role == ASSISTANT or members.get(ROLE) == "model"
    speaks = role if ROLE in members else None
    if speaks in TOOLS or (kind == "tool" and "tool_call_id" in members and ROLE not in members):
        yield from ((key,) for key in (CONTENT, "artifact") if key in members)
        if members.keys() <= _OF_ANSWERS:
            yield from ((key,) for key in (NAME, "tool_name") if key in members)  # of the tool that has answered
    elif speaks in PEOPLE:
        yield from _texts_of(members.get(CONTENT))
    elif kind.endswith("tool_result") and CONTENT in members and not (is_by_model and kind == "tool_result"):
        yield (CONTENT,)
    elif kind.endswith("call_output") and OUTPUT in members and ROLE not in members:
        yield (OUTPUT,)
    elif _is_result(members):
        yield ("result",)
    if not is_by_model:
        yield from ((key,) for key in _RESPONSES if isinstance(members.get(key), tuple))


def _is_result(members: dict[str, Any]) -> bool:
    """Whether this is a response of the protocol, and not one that holds what a model has answered."""
    is_response = "jsonrpc" in members and METHOD not in members and ROLE not in members
    return is_response and "result" in members and not emitted(members["result"]).calls


def _texts_of(content: Any) -> Iterator[Path]:
    """The texts of a message to the model."""
    if isinstance(content, str):
        yield (CONTENT,)
    for number, block in enumerate(content if isinstance(content, list) else ()):
        if isinstance(block, str) or (isinstance(block, tuple) and {key for key, _ in block} <= _OF_TEXTS):
            yield CONTENT, number


# ---- what a request says about tools ---------------------------------------------------------------------------------


def _options(members: dict[str, Any]) -> Iterator[Path]:
    for key in _DECLARED:
        if isinstance(members.get(key), list):
            yield from ((key, i) for i, item in enumerate(members[key]) if _is_declared(item))
    yield from ((key,) for key in _CHOICE if key in members and _is_choice(members[key]))
    if FUNCTION_CALL in members and is_option(members[FUNCTION_CALL], members):
        yield (FUNCTION_CALL,)
    method = members.get(METHOD)
    is_of_protocol = isinstance(method, str) and (method.startswith(_PROTOCOL) or method in ("initialize", "ping"))
    if "jsonrpc" in members and is_of_protocol and method != TOOLS_CALL:
        yield (METHOD,)


def _is_declared(value: Any) -> bool:
    """Whether this declares a tool, or several, and calls none: it has a name, perhaps a schema, and no arguments."""
    members = dict(value) if isinstance(value, tuple) else {}
    inner = next(
        (members[key] for key in (FUNCTION, "toolSpec", "custom") if isinstance(members.get(key), tuple)), None
    )
    if inner is not None:
        return not _has_arguments(members) and _is_declared(inner)
    several = next((members[key] for key in ("functionDeclarations", "function_declarations") if key in members), None)
    if isinstance(several, list):
        return not _has_arguments(members) and NAME not in members and all(map(_is_declared, several))
    return isinstance(members.get(NAME), str) and not _has_arguments(members)


def _has_arguments(members: dict[str, Any]) -> bool:
    """Whether something may be what a tool is called with, and is not the schema of that."""
    return any(
        folded_key(key) in ARGUMENT_NAMES and not (key in SCHEMAS and _is_schema(value))
        for key, value in members.items()
    )


def _is_schema(value: Any) -> bool:
    return isinstance(value, tuple) and (not value or any(key in _OF_SCHEMAS for key, _ in value))


def _is_choice(value: Any) -> bool:
    """Whether this says which tool a model is to call: by a word, or by a name."""
    if value is None or value in (*OPTIONS, "any"):
        return True
    members = dict(value) if isinstance(value, tuple) else {}
    inner = members.get(FUNCTION)
    is_plain = members.keys() <= {TYPE, NAME, FUNCTION, "mode", "disable_parallel_tool_use"}
    return (
        bool(members) and is_plain and (inner is None or (isinstance(inner, tuple) and [k for k, _ in inner] == [NAME]))
    )
