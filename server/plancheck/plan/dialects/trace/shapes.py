"""What is a call, by its shape, and what may have calls in it: messages, responses and their parts."""

from __future__ import annotations

from typing import Any

from plancheck.plan.dialects.trace.keys import (
    ARGS,
    ARGUMENTS,
    CHOICES,
    CONTENT,
    FUNCTION,
    FUNCTION_CALL,
    ID,
    INPUT,
    MESSAGE,
    MESSAGES,
    METHOD,
    NAME,
    OUTPUT,
    PARAMS,
    ROLE,
    TOOL_CALLS,
    TOOLS_CALL,
    TYPE,
)
from plancheck.tuples import NamedTuple


class CallShape(NamedTuple):
    """One way to write a call down."""

    around: str | None
    """The member that names the tool and has the arguments; None where the call itself does."""
    arguments: str
    """The key of the arguments."""
    is_text: bool = False
    """Whether the arguments are JSON text in a string."""
    is_free: bool = False
    """Whether the arguments are any text."""
    is_hosted: bool = False
    """Whether the service itself has the tool, which is known by the type of the call: `web_search_call`."""


CHAT = CallShape(FUNCTION, ARGUMENTS, is_text=True)
RESPONSE = CallShape(None, ARGUMENTS, is_text=True)
BLOCK = CallShape(None, INPUT)
REQUEST = CallShape(PARAMS, ARGUMENTS)
GRAPH = CallShape(None, ARGS)
CUSTOM = CallShape("custom", INPUT, is_free=True)
HOSTED = CallShape(None, "action", is_hosted=True)
HOSTED_END = "_call"
HOSTED_TOOLS = frozenset(
    {
        *("apply_patch", "code_interpreter", "computer", "file_search", "image_generation", "local_shell", "shell"),
        *("tool_search", "web_search"),
    }
)
"""The tools of services that are known, by what is before that end. Of any other type, the tool is called like the
type: who makes one up is not to be taken for a tool of the same name."""
_BY_TYPE = {
    "function_call": RESPONSE,
    "mcp_call": RESPONSE,
    "custom_tool_call": CallShape(None, INPUT, is_free=True),
    "tool_use": BLOCK,
    "server_tool_use": BLOCK,
    "mcp_tool_use": BLOCK,
}
ASSISTANT = "assistant"
PEOPLE = frozenset({"user", "system", "developer"})
"""The roles of those who speak to the model."""
TOOLS = frozenset({"tool", FUNCTION})
"""The roles in which tools answer."""
_ROLES = frozenset({ASSISTANT, *PEOPLE, *TOOLS})
_ITEMS = frozenset({*_BY_TYPE, "message", "reasoning", "text", "thinking"})
"""The types of the items of a response, and of the blocks of a message."""
SCHEMAS = ("parameters", "input_schema", "inputSchema", "parametersJsonSchema")
"""Under which keys a tool that is declared has the schema of its arguments."""


def shape_of(value: Any) -> CallShape | None:
    """The shape of the call that an object is; None if it is none."""
    if not isinstance(value, tuple):
        return None
    members = dict(value)
    kind = members.get(TYPE)
    if isinstance(kind, str) and kind in _BY_TYPE:
        return _BY_TYPE[kind]
    if members.get(METHOD) == TOOLS_CALL:
        return REQUEST
    if isinstance(members.get(FUNCTION), tuple):
        return CHAT if _is_called(dict(members[FUNCTION])) else None
    if isinstance(members.get("custom"), tuple) and _is_called_freely(dict(members["custom"])):
        return CUSTOM
    if kind == "tool_call" and (NAME in members or ARGS in members):
        return GRAPH
    if isinstance(kind, str) and kind.endswith(HOSTED_END) and len(kind) > len(HOSTED_END) and kind != "tool_call":
        return HOSTED
    is_named = NAME in members and ARGS in members and ID in members
    return GRAPH if is_named and not _is_named_otherwise(members) else None


def _is_named_otherwise(members: dict[str, Any]) -> bool:
    """Whether the tool of a call is named here as other formats do."""
    return "tool" in members or "tool_name" in members


def _is_called(function: dict[str, Any]) -> bool:
    """Whether this is the tool of a call, and not a tool that is declared."""
    return ARGUMENTS in function or (NAME in function and not any(key in function for key in (*SCHEMAS, "description")))


def _is_called_freely(custom: dict[str, Any]) -> bool:
    return NAME in custom and INPUT in custom


def listed_shape(value: Any) -> CallShape:
    """The shape of what stands in a list of calls, whatever it is."""
    found = shape_of(value)
    if found is not None:
        return found
    keys = {key for key, _ in value} if isinstance(value, tuple) else set()
    if FUNCTION in keys or NAME not in keys:
        return CHAT
    return next((shape for shape in (GRAPH, BLOCK) if shape.arguments in keys), RESPONSE)


def is_message(value: Any) -> bool:
    """Whether an object is a message of a conversation."""
    members = dict(value) if isinstance(value, tuple) else {}
    has_words = any(key in members for key in (CONTENT, TOOL_CALLS, FUNCTION_CALL))
    has_calls = isinstance(members.get(TOOL_CALLS), list) and not _is_named_otherwise(members)
    return (role_of(members) is not None and has_words) or has_calls


def role_of(members: dict[str, Any]) -> str | None:
    """Who speaks in a message; None where that is not said, or nobody that is known."""
    role = members.get(ROLE)
    return role if isinstance(role, str) and role in _ROLES else None


def is_item(value: Any) -> bool:
    """Whether an object is one of the items that responses and messages consist of."""
    kind = dict(value).get(TYPE) if isinstance(value, tuple) else None
    return isinstance(kind, str) and (kind in _ITEMS or kind.endswith(("_call", "_call_output", "tool_result")))


def is_choice(value: Any) -> bool:
    """Whether an object is one of the answers of a model."""
    return isinstance(value, tuple) and is_message(dict(value).get(MESSAGE))


def is_emitted(value: Any) -> bool:
    """Whether an object is a call, or something that may have calls in it."""
    return shape_of(value) is not None or is_message(value) or is_item(value) or is_choice(value) or _is_response(value)


def is_beside_calls(value: Any) -> bool:
    """Whether an object is something else that logs have between calls: a message of another kind, an event, or a
    request or an answer of the protocol that calls nothing."""
    members = dict(value) if isinstance(value, tuple) else {}
    is_named = isinstance(members.get(NAME), str)
    is_called = is_named and any(key in members for key in (ARGUMENTS, INPUT, ARGS, "parameters"))
    is_typed = isinstance(members.get(TYPE), str) and (CONTENT in members or not is_named)
    return not is_called and (is_typed or "jsonrpc" in members or role_of(members) is not None)


def is_piece(value: Any) -> bool:
    """Whether an object is an event of a stream with a piece of the arguments of a call."""
    delta = dict(value).get("delta") if isinstance(value, tuple) else None
    piece = dict(delta).get("partial_json") if isinstance(delta, tuple) else None
    return isinstance(piece, str) and bool(piece.strip())


def _is_response(value: Any) -> bool:
    """Whether an object is a response of a model, or a conversation."""
    members = dict(value) if isinstance(value, tuple) else {}
    return any(
        isinstance(members.get(key), list) and any(map(is_element, members[key][:MOST_LOOKED_AT]))
        for key, is_element in IS_ELEMENT.items()
    )


IS_ELEMENT = {MESSAGES: is_message, CHOICES: is_choice, CONTENT: is_item, OUTPUT: is_item}
"""What the lists of a response, a message or a conversation have in them."""
MOST_LOOKED_AT = 100
"""How many elements of a list are looked at to tell what they are."""
