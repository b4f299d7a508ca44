"""Calls that a step carries besides its own: in its arguments or beside them, as objects or as JSON text.

Whoever carries the step out may carry these out as well, so that they are judged like any other call. What counts is
what could be read as a call by somebody, not what this or that runner makes of it. How sure one can be is told by the
shapes in which models and protocols emit calls.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from functools import lru_cache
from typing import Any, TypeAlias
from unicodedata import category, normalize

from plancheck.lazy_regex import regex
from plancheck.plan.embedded import MOST_WRAPS, content_of, json_in, may_hold_json, named_values
from plancheck.plan.model import Call, Carried, Clarity, beside
from plancheck.syntax.tree import INSIDE, Path
from plancheck.tuples import NamedTuple

ARGUMENT_NAMES = frozenset(
    {
        *("args", "arguments", "params", "parameters", "input", "inputs", "kwargs", "actioninput"),
        *("toolinput", "toolargs", "toolarguments", "toolparams", "toolparameters"),
    }
)
"""What the arguments of a call are called somewhere, as `folded_key` has it."""
TOOL_NAMES = frozenset({"tool", "toolname", "toolid", "recipientname", "functionname"})
"""Under which keys tools are named, and nothing else."""
CALL_HOLDERS = frozenset({"functioncall", "toolcall", "toolcalls", "toolcallchunks", "tooluse"})
"""Under which keys whole calls are. A text there is the name of a tool."""
_NAMERS = CALL_HOLDERS | {"function", "tool"}
"""Under these an object with a `name` is a call, with or without arguments."""
_MAYBE_TOOL_NAMES = frozenset(
    {"name", "function", "action", "method", "operation", "fn", "func", "call", "skill", "apiname"}
)
"""Names of a tool only where there is something else that it could be called with."""
NAMING_KEYS = TOOL_NAMES | CALL_HOLDERS | _MAYBE_TOOL_NAMES
"""Under which keys tools are named, for sure or maybe, as `folded_key` has it."""
_CALL_TYPES = ("tooluse", "toolcall", "functioncall", "mcpcall", "mcpapprovalrequest")
"""How the `type` of a call ends."""
_TYPED_TOOL = "tool-"
"""How the `type` of a call begins that has its tool in it, as in `{"type": "tool-find", "toolCallId": …}`."""
_PROTOCOL_METHOD = "tools/call"
_SHORTEST = 7
"""No text of so many characters names a tool and anything else."""
_WEB_METHODS = frozenset({"get", "head", "post", "put", "patch", "delete", "options", "trace", "connect"})
_LIKE_A_TOOL = regex(r"\w[\w-]*(?:[.:/_]+\w[\w-]*)+")
"""Names of several words, which hardly anything but a tool has."""


_LONGEST_NAME = 200
_NO_ARGUMENTS = (bool, int, float)
"""What no tool is called with by itself: a member of such a value is a switch or a number, whatever its name."""


class _Object(NamedTuple):
    """An object to look at."""

    members: tuple[tuple[Any, Any], ...]
    """By their names; the elements of a list, by their positions."""
    path: Path
    holder: str
    """The name of the member that it is the value of."""
    within: Path | None
    """The string that it was found in; None where it is part of the document itself."""


_Item: TypeAlias = tuple[Any, Path, str, "Path | None", int]
"""A value to look at, with its path, the name of the member that it is in, the string that it was found in, and how
many texts are around it."""


@lru_cache(maxsize=4096)
def folded_key(key: str) -> str:
    """A key without what authors spell differently, and without what cannot be seen."""
    if not key.isascii():
        key = "".join(char for char in normalize("NFKC", key) if category(char)[0] not in "CM")
    return "".join(char for char in key.lower() if char not in "_-. \t\r\n")


class CarriedCalls(NamedTuple):
    """The calls that something carries, and where there could be more of them."""

    calls: tuple[Carried, ...]
    names: frozenset[str]
    """What could be a tool, at any depth, because something stands with it that the tool could be called with: names of
    members with a value behind them, and texts of one word beside a list or an object. To who knows a tool of such a
    name it is a call; see `calls_of`."""


def carried_calls(value: Any) -> CarriedCalls:
    """The calls that a step, given as the syntax tree's value, carries besides its own."""
    if not isinstance(value, tuple):
        return CarriedCalls((), frozenset())
    names = set(_names(value))
    todo = list(_below(value, (), None, 0))
    calls = tuple(_carried(todo, names)) if todo else ()
    return CarriedCalls(calls, frozenset(names))


def calls_of(value: Any, tools: Container[str]) -> Iterator[Carried]:
    """The calls of some tools in a value: a tool that is the name of a member, with what is behind it, and one that is
    a text, with what stands beside it."""
    for found in _objects(value):
        for key, member in found.members:
            path = (*found.path, key)
            if key in tools and not isinstance(member, _NO_ARGUMENTS):
                yield _faint(key, path, member, path, found)
            if isinstance(member, str) and member in tools:
                rest = tuple((other, child) for other, child in found.members if other != key)
                for arguments in (rest, *(child for _, child in rest if isinstance(child, (tuple, list)))):
                    yield _faint(member, path, arguments, found.path, found)


def _faint(tool: str, path: Path, arguments: Any, arguments_path: Path, found: _Object) -> Carried:
    return Carried(Call(tool, path, _parsed(arguments), arguments_path, None, ()), found.within, Clarity.FAINT)


def texts_in(value: Any) -> Iterator[tuple[Path, str]]:
    """The texts in a value that are not JSON, names of members included, and what is left of one with JSON in it. With
    its path each: what is inside a text has the text's place."""
    todo: list[tuple[Any, Path, bool, int]] = [(value, (), False, 0)]
    while todo:
        value, path, is_within, wraps = todo.pop()
        if isinstance(value, str):
            if not may_hold_json(value):
                yield path, value
            elif wraps < MOST_WRAPS:
                content = content_of(value)
                todo += ((found, path, True, wraps + 1) for found in content.values)
                yield path, content.rest
            continue
        members = value if isinstance(value, tuple) else enumerate(value) if isinstance(value, list) else ()
        for name, child in members:
            where = path if is_within else (*path, name)
            todo += ((child, where, is_within, wraps), (name, where, is_within, wraps))


def whole_text(value: Any) -> str:
    """All that is written in a value, one below the other: to find out fast that something is not in it."""
    found: list[str] = []
    todo = [value]
    while todo:
        value = todo.pop()
        if isinstance(value, str):
            found.append(value)
        elif isinstance(value, tuple):
            for key, child in value:
                found.append(key)
                todo.append(child)
        elif isinstance(value, list):
            todo += value
    return "\n".join(found)


def _names(members: tuple[tuple[str, Any], ...]) -> list[str]:
    return [key for key, value in members if key and not isinstance(value, _NO_ARGUMENTS)]


def _texts(values: list[Any]) -> list[str]:
    """The texts of one word among some values, if one of these is a list or an object. A sentence is no tool."""
    if not any(isinstance(value, (tuple, list)) for value in values):
        return []
    short = (value for value in values if isinstance(value, str) and len(value) <= _LONGEST_NAME)
    return [value for value in short if len(value.split()) == 1]


def is_clear_call(value: Any) -> bool:
    """Whether a value is an object that can hardly be anything but a call."""
    if not isinstance(value, tuple):
        return False
    return any(found.clarity is Clarity.CLEAR for found in _calls_of(_Object(value, (), "", None)))


def _objects(value: Any) -> Iterator[_Object]:
    """Every object in a value, those inside JSON texts included."""
    todo: list[_Item] = [(value, (), "", None, 0)]
    while todo:
        value, path, holder, within, wraps = todo.pop()
        if isinstance(value, tuple):
            yield _Object(value, path, holder, within)
            todo += _below(value, path, within, wraps)
        elif isinstance(value, list):
            if len(value) > 1:
                yield _Object(tuple(enumerate(value)), path, holder, within)
            todo += ((child, (*path, i), holder, within, wraps) for i, child in enumerate(value))
        elif isinstance(value, str) and wraps < MOST_WRAPS and may_hold_json(value):
            where = path if within is None else within
            todo += ((found, path, holder, where, wraps + 1) for found in content_of(value).values)


def _carried(todo: list[_Item], names: set[str]) -> Iterator[Carried]:
    while todo:
        value, path, holder, within, wraps = todo.pop()
        if isinstance(value, tuple):
            names.update(_names(value))
            if len(value) > 1:
                names.update(_texts([child for _, child in value]))
            if any(folded_key(key) in NAMING_KEYS for key, _ in value):
                yield from _calls_of(_Object(value, path, holder, within))
            elif holder in CALL_HOLDERS:
                yield from _calls_by_key(_Object(value, path, holder, within))
            yield from _calls_by_type(_Object(value, path, holder, within))
            todo += _below(value, path, within, wraps)
        elif isinstance(value, list):
            names.update(_texts(value))
            todo += ((value[i], (*path, i), holder, within, wraps) for i in range(len(value) - 1, -1, -1))
        elif isinstance(value, str) and len(value) > _SHORTEST and may_hold_json(value):
            where = path if within is None else within
            if wraps == MOST_WRAPS:
                yield Carried(None, where)
                continue
            content = content_of(value)
            if content.is_cut:
                yield Carried(None, where)
            todo += ((found, path, holder, where, wraps + 1) for found in reversed(content.values))
            yield from _named(content.rest, path, where)


def _below(members: tuple[tuple[str, Any], ...], path: Path, within: Path | None, wraps: int) -> Iterator[_Item]:
    """What there is to look at in an object, the last first: values that hold others, and texts, names included."""
    for key, child in reversed(members):
        if isinstance(child, (tuple, list)) or (isinstance(child, str) and may_hold_json(child)):
            name = folded_key(key)
            holder = "toolcall" if name in ARGUMENT_NAMES and _is_protocol(members) else name
            yield child, (*path, key), holder, within, wraps
        if len(key) > _SHORTEST and may_hold_json(key):
            yield key, (*path, key), "", within, wraps


def _is_protocol(members: tuple[tuple[str, Any], ...]) -> bool:
    return any(value == _PROTOCOL_METHOD for key, value in members if folded_key(key) == "method")


# ---- objects ---------------------------------------------------------------------------------------------------------


def _calls_of(found: _Object) -> Iterator[Carried]:
    """The call that an object is, if it is one; more of them where it names more than one tool."""
    names = [(folded_key(key), key, value) for key, value in found.members]
    arguments = [(name, key, value) for name, key, value in names if name in ARGUMENT_NAMES]
    own = {key for _, key, _ in arguments}
    for name, key, value in names:
        if name not in NAMING_KEYS:
            continue
        others = ((other, member) for other, member in found.members if other != key and other not in own)
        rest = beside(found.path, others)
        for tool, path in _tools_in(name, value, (*found.path, key)):
            clarity = _clarity(name, tool, found, arguments)
            if clarity is None:
                continue
            for _, argument_key, member in arguments or [("", "", None)]:
                given = (*found.path, argument_key) if arguments else ()
                yield Carried(Call(tool, path, _parsed(member), given, None, (), rest), found.within, clarity)


def _calls_by_key(found: _Object) -> Iterator[Carried]:
    """The calls of an object that stands where calls do and has tools for keys, each with its arguments behind it."""
    for key, value in found.members:
        if isinstance(value, (tuple, list)):
            path = (*found.path, key)
            yield Carried(Call(key, path, value, path, None, (), ()), found.within, Clarity.UNCLEAR)


def _calls_by_type(found: _Object) -> Iterator[Carried]:
    """The call that an object is whose type names the tool."""
    kind = next((value for key, value in found.members if key == "type"), None)
    if not isinstance(kind, str) or not kind.startswith(_TYPED_TOOL) or kind == _TYPED_TOOL:
        return
    if any(folded_key(key) == "toolcallid" for key, _ in found.members):
        rest = tuple((key, value) for key, value in found.members if key != "type")
        call = Call(kind.removeprefix(_TYPED_TOOL), (*found.path, "type"), rest, found.path, None, (), ())
        yield Carried(call, found.within, Clarity.CLEAR)


def _tools_in(name: str, value: Any, path: Path) -> Iterator[tuple[str, Path]]:
    """The texts that a member names tools by: itself, or under some names the elements of a list."""
    if isinstance(value, str):
        if value:
            yield value, path
    elif isinstance(value, list) and name in _NAMERS | TOOL_NAMES:
        yield from ((item, (*path, i)) for i, item in enumerate(value) if isinstance(item, str) and item)


def _clarity(name: str, tool: str, found: _Object, arguments: list[tuple[str, str, Any]]) -> Clarity | None:
    """How sure one can be that a name is that of a tool that is called; None where it is not."""
    if name in TOOL_NAMES:
        return Clarity.CLEAR if name == "toolname" or arguments else Clarity.UNCLEAR
    if name in CALL_HOLDERS:
        return Clarity.UNCLEAR
    if name in ("name", "function") and found.holder in (_NAMERS if name == "name" else CALL_HOLDERS):
        return Clarity.CLEAR
    members = {folded_key(key): value for key, value in found.members}
    kind = members.get("type")
    if name == "name" and isinstance(kind, str) and folded_key(kind).endswith(_CALL_TYPES):
        return Clarity.CLEAR
    if name == "method" and tool == _PROTOCOL_METHOD:
        return None  # the tool is named by `params`
    if arguments:
        return max(_clarity_of_pair(name, tool, other, value, "id" in members) for other, _, value in arguments)
    return Clarity.FAINT


def _clarity_of_pair(name: str, tool: str, arguments: str, value: Any, has_id: bool) -> Clarity:
    """The same, by what stands beside the name."""
    if (name, arguments) == ("action", "actioninput"):
        return Clarity.CLEAR
    is_web_request = name == "method" and tool.lower() in _WEB_METHODS
    is_object = isinstance(value, tuple) or (isinstance(value, str) and value.lstrip()[:1] == "{")
    is_nothing = value is None or (arguments == "arguments" and value in ("", []))
    if (is_object or is_nothing) and not is_web_request:
        is_emitted = arguments == "arguments" or (arguments == "args" and has_id)
        return Clarity.CLEAR if name == "name" and is_emitted else Clarity.UNCLEAR
    return Clarity.UNCLEAR if _LIKE_A_TOOL.fullmatch(tool) else Clarity.FAINT


def _parsed(arguments: Any) -> Any:
    """Arguments as they are, or what they are as a JSON text: all that it holds, for readers differ in which counts."""
    if isinstance(arguments, tuple) and len(arguments) == 1 and arguments[0][0] == INSIDE:
        return arguments[0][1]  # a JSON text that was read
    if isinstance(arguments, str):
        found = [value for value in json_in(arguments) if value is not None]
        return arguments if not found else found[0] if len(found) == 1 else found
    return arguments


# ---- texts that only a lenient reader takes for JSON -----------------------------------------------------------------


def _named(text: str, path: Path, where: Path) -> Iterator[Carried]:
    """The tools that a text names that is not JSON. What they are called with cannot be made out."""
    if not may_hold_json(text):
        return
    pairs = [(folded_key(name), value, is_quoted) for name, value, is_quoted in named_values(text)]
    has_arguments = any(name in ARGUMENT_NAMES for name, _, _ in pairs)
    for name, tool, is_quoted in pairs:
        if name in NAMING_KEYS and tool:
            is_likely = name in TOOL_NAMES | CALL_HOLDERS or (has_arguments and _LIKE_A_TOOL.fullmatch(tool))
            clarity = Clarity.UNCLEAR if is_quoted and is_likely else Clarity.FAINT
            yield Carried(Call(tool, path, None, (), None, ()), where, clarity, is_unread=True)
