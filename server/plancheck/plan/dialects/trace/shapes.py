"""What is a call, by its shape, and where in messages and responses there are calls and answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from plancheck.plan.dialects.trace.keys import (
    ARGS,
    ARGUMENTS,
    CHOICES,
    CONTENT,
    FUNCTION,
    FUNCTION_CALL,
    ID,
    INPUT,
    LISTS,
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
from plancheck.syntax.tree import MISSING, Path
from plancheck.syntax.values import to_plain


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
HOSTED = CallShape(None, "action", is_hosted=True)
HOSTED_END = "_call"
_BY_TYPE = {
    "function_call": RESPONSE,
    "mcp_call": RESPONSE,
    "custom_tool_call": CallShape(None, INPUT, is_free=True),
    "tool_use": BLOCK,
    "server_tool_use": BLOCK,
    "mcp_tool_use": BLOCK,
}
_ROLES = frozenset({"assistant", "user", "system", "developer", "tool", FUNCTION})
_ITEMS = frozenset({*_BY_TYPE, "message", "reasoning", "text", "thinking"})
"""The types of the items of a response, and of the blocks of a message."""
_SCHEMAS = ("parameters", "input_schema", "inputSchema")
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
    return ARGUMENTS in function or (
        NAME in function and not any(key in function for key in (*_SCHEMAS, "description"))
    )


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
    role = members.get(ROLE)
    has_words = any(key in members for key in (CONTENT, TOOL_CALLS, FUNCTION_CALL))
    has_calls = isinstance(members.get(TOOL_CALLS), list) and not _is_named_otherwise(members)
    return (isinstance(role, str) and role in _ROLES and has_words) or has_calls


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
    """Whether an object is something else that logs have between calls: a message without words, or a request or an
    answer of the protocol that calls nothing."""
    members = dict(value) if isinstance(value, tuple) else {}
    is_called = NAME in members and any(key in members for key in (ARGUMENTS, INPUT, ARGS, "parameters"))
    role = members.get(ROLE)
    return not is_called and ("jsonrpc" in members or (isinstance(role, str) and role in _ROLES))


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


# ---- where the calls are ---------------------------------------------------------------------------------------------


class CallSite(NamedTuple):
    """A call, and its path inside the value that was looked at."""

    path: Path
    value: Any
    shape: CallShape


class EmittedCalls(NamedTuple):
    """What a message or a response holds."""

    calls: tuple[CallSite, ...]
    repeats: tuple[Path, ...]
    """Calls that are there once more: some libraries keep each in the form of the provider, too."""


def emitted(value: Any) -> EmittedCalls:
    """The calls in a value, in the order of the text."""
    calls: list[CallSite] = []
    repeats: list[Path] = []
    for site in _sites(value, ()):
        if any(_is_same(site, other) for other in calls[-_MOST_COMPARED:]):
            repeats.append(site.path)
        else:
            calls.append(site)
    return EmittedCalls(tuple(calls), tuple(repeats))


_MOST_COMPARED = 64
"""How many calls before it a call is compared with."""


_WRAPPERS = (MESSAGE, "kwargs", "additional_kwargs")
"""Members that are messages, or parts of one."""


def _sites(value: Any, path: Path) -> Iterator[CallSite]:
    todo: list[tuple[Any, Path, CallShape | None]] = [(value, path, shape_of(value))]
    while todo:
        value, path, shape = todo.pop()
        if shape is not None:
            yield CallSite(path, value, shape)
        elif isinstance(value, tuple):
            inside = [site for key, child in dict(value).items() for site in _in_member(key, child, (*path, key))]
            todo += reversed(inside)


def _in_member(key: str, value: Any, path: Path) -> Iterator[tuple[Any, Path, CallShape | None]]:
    """What there is to look at in a member of a message or a response: calls, and what may have some in it."""
    if isinstance(value, list):
        for number, item in enumerate(value):
            shape = listed_shape(item) if key == TOOL_CALLS and item is not MISSING else shape_of(item)
            if shape is not None or key in (MESSAGES, CHOICES):
                yield item, (*path, number), shape if key in LISTS else None
    elif isinstance(value, tuple) and key == FUNCTION_CALL:
        yield value, path, RESPONSE
    elif isinstance(value, tuple) and key in _WRAPPERS:
        yield value, path, shape_of(value)


def _is_same(one: CallSite, other: CallSite) -> bool:
    """Whether two calls of a message are one, which is there twice: they have the same id, tool and arguments."""
    known = call_id(one)
    return known is not None and known == call_id(other) and _called(one) == _called(other)


def call_id(site: CallSite) -> str | None:
    found = dict(site.value).get(ID) if isinstance(site.value, tuple) else None
    return found if isinstance(found, str) and found else None


def _called(site: CallSite) -> Any:
    """The tool of a call and what it is called with, to be compared."""
    members = dict(site.value)
    if site.shape.around is not None:
        around = members.get(site.shape.around)
        members = dict(around) if isinstance(around, tuple) else {}
    arguments = members.get(site.shape.arguments)
    if isinstance(arguments, str) and site.shape.is_text:
        from plancheck.syntax.inner import read_text  # few calls are there twice

        arguments = read_text(arguments).value
    return members.get(NAME), to_plain(arguments)


# ---- what is no call -------------------------------------------------------------------------------------------------


def answers(value: Any) -> tuple[Path, ...]:
    """Where in a message or a response there is what a tool has answered, or what is there once more."""
    return (*_answers(value), *emitted(value).repeats)


def _answers(value: Any) -> Iterator[Path]:
    todo: list[tuple[Any, Path]] = [(value, ())]
    while todo:
        value, path = todo.pop()
        if not isinstance(value, tuple) or shape_of(value) is not None:
            continue
        members = dict(value)
        yield from ((*path, *part) for part in _answering(members))
        for key in (MESSAGES, CHOICES, CONTENT, OUTPUT, "tools", "functions"):
            if isinstance(members.get(key), list):
                todo += ((item, (*path, key, i)) for i, item in enumerate(members[key]))
        todo += ((members[key], (*path, key)) for key in _WRAPPERS if key in members)


def _answering(members: dict[str, Any]) -> Iterator[Path]:
    """The members of an object that are data: the answer of a tool, and the name of a tool that is declared."""
    kind = members.get(TYPE)
    kind = kind if isinstance(kind, str) else ""
    is_result = kind.endswith("tool_result") or (kind == "tool" and "tool_call_id" in members)
    if (members.get(ROLE) in ("tool", FUNCTION) or is_result) and CONTENT in members:
        yield (CONTENT,)
        if not any(key in members for key in (ARGUMENTS, INPUT, ARGS, PARAMS, "parameters", "kwargs")):
            yield from ((key,) for key in (NAME, "tool_name") if key in members)  # of the tool that has answered
    if kind.endswith("call_output") and OUTPUT in members:
        yield (OUTPUT,)
    if "jsonrpc" in members and METHOD not in members and "result" in members:
        yield ("result",)
    declared = members.get(FUNCTION)
    if isinstance(declared, tuple) and _is_declared(dict(declared)):
        yield (FUNCTION, NAME)
    elif _is_declared(members):
        yield (NAME,)


def _is_declared(members: dict[str, Any]) -> bool:
    """Whether this declares a tool: it has a schema for arguments, and no arguments."""
    has_schema = any(isinstance(members.get(key), tuple) for key in _SCHEMAS)
    is_called = any(key in members for key in (ARGUMENTS, INPUT, ARGS))
    return isinstance(members.get(NAME), str) and has_schema and not is_called
