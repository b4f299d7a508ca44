"""Calls that a step carries besides its own: in its arguments or beside them, as objects or as JSON text.

Whoever carries the step out may carry these out as well, so that they are judged like any other call. What counts is
what could be read as a call by somebody, not what this or that runner makes of it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from plancheck.plan.model import Call, Carried
from plancheck.syntax.tree import Path

ARGUMENT_NAMES = frozenset(
    {"args", "arguments", "params", "parameters", "input", "inputs", "kwargs", "toolinput", "toolargs", "actioninput"}
)
"""What the arguments of a call are called somewhere, without capitals, hyphens and underscores."""
_TOOL_NAMES = frozenset({"tool", "toolname", "toolid", "recipientname", "functionname"})
_MAYBE_TOOL_NAMES = frozenset(
    {"name", "function", "action", "method", "operation", "fn", "func", "call", "skill", "apiname"}
)
"""Names of a tool only where there is something else that it could be called with."""
_NAMES = _TOOL_NAMES | _MAYBE_TOOL_NAMES
_HOLDERS = frozenset({"function", "functioncall", "tool", "toolcall", "toolcalls", "tooluse"})
"""Under these an object with a `name` is a call, with or without arguments."""

_MAY_HOLD_A_CALL = re.compile(r"(?i)tool|func|name|action|method|operation|\\u")
_NAMED = re.compile(
    r"""(?ix) [\\]* ["']? (?:tool_?name|tool|function|name|action) [\\]* ["']? \s{0,9} [:=] \s{0,9} [\\]* ["']
    ([^"'\\]{1,200})"""
)
"""A tool that is named in a text that no strict reader takes for JSON; a lenient one may."""
_MOST_WRAPS = 8
"""How often a JSON text may stand inside another one."""
_MOST_STARTS = 20
"""At how many brackets of a text it is tried whether a JSON text begins there."""


class _Object(NamedTuple):
    """An object to look at."""

    members: tuple[tuple[str, Any], ...]
    path: Path
    holder: str
    """The name of the member that it is the value of."""
    within: Path | None
    """The string that it was found in; None where it is part of the document itself."""


@lru_cache(maxsize=4096)
def folded_key(key: str) -> str:
    """A key without what authors spell differently."""
    return key.lower().replace("_", "").replace("-", "").strip()


def carried_calls(value: Any) -> tuple[Carried, ...]:
    """The calls that a step, given as the syntax tree's value, carries besides its own."""
    if not isinstance(value, tuple) or not any(_may_carry(member) for _, member in value):
        return ()
    return tuple(_carried(value))


def _may_carry(member: Any) -> bool:
    return isinstance(member, (tuple, list)) or (isinstance(member, str) and _may_hold_a_call(member))


def _may_hold_a_call(text: str) -> bool:
    return ("{" in text or "[" in text) and _MAY_HOLD_A_CALL.search(text) is not None


def _carried(step: tuple[tuple[str, Any], ...]) -> Iterator[Carried]:
    todo: list[tuple[Any, Path, str, Path | None, int]] = [
        (member, (key,), folded_key(key), None, 0) for key, member in reversed(step)
    ]
    while todo:
        value, path, holder, within, wraps = todo.pop()
        if isinstance(value, tuple):
            if any(folded_key(key) in _NAMES for key, _ in value):
                yield from _calls_of(_Object(value, path, holder, within))
            todo += ((child, (*path, key), folded_key(key), within, wraps) for key, child in reversed(value))
        elif isinstance(value, list):
            todo += ((value[i], (*path, i), holder, within, wraps) for i in range(len(value) - 1, -1, -1))
        elif isinstance(value, str) and len(value) > 7 and _may_hold_a_call(value):
            where = path if within is None else within
            if wraps == _MOST_WRAPS:
                yield Carried(None, where)
                continue
            for found in json_in(value):
                if found is None:
                    yield Carried(None, where)
                else:
                    todo.append((found, path, holder, where, wraps + 1))
            for name in dict.fromkeys(_NAMED.findall(value)):
                yield Carried(Call(name, path, None, (), None, ()), where)


def _calls_of(found: _Object) -> Iterator[Carried]:
    """The call that an object is, if it is one; more of them where it names more than one tool."""
    names = [(folded_key(key), key, value) for key, value in found.members]
    arguments = [(key, value) for name, key, value in names if name in ARGUMENT_NAMES]
    could_be_given = any(isinstance(value, (tuple, list)) for _, value in found.members)
    for name, key, value in names:
        is_tool = name in _TOOL_NAMES
        is_held = name == "name" and found.holder in _HOLDERS
        maybe_tool = name in _MAYBE_TOOL_NAMES and (arguments or could_be_given or is_held)
        if not isinstance(value, str) or not value or not (is_tool or maybe_tool):
            continue
        is_clear = name == "toolname" or is_held or (is_tool and bool(arguments))
        rest = tuple((other, member) for other, member in found.members if other != key)
        given = arguments or [("", None)]
        for argument_key, member in given:
            path = (*found.path, argument_key) if arguments else ()
            call = Call(value, (*found.path, key), _parsed(member), path, None, (), rest)
            yield Carried(call, found.within, is_clear)


def _parsed(arguments: Any) -> Any:
    """Arguments as they are, or what they are as a JSON text: all that it holds, for readers differ in which counts."""
    if isinstance(arguments, str):
        found = [value for value in json_in(arguments) if value is not None]
        return arguments if not found else found[0] if len(found) == 1 else found
    return arguments


def _integer(digits: str) -> float:
    """A number of any length: Python refuses to read very long ones exactly."""
    return int(digits) if len(digits) < 4_000 else float(digits)


_DECODER = json.JSONDecoder(object_pairs_hook=tuple, parse_int=_integer, strict=False)
"""Objects as pairs, as the syntax tree has them."""


def json_in(text: str) -> Iterator[Any]:
    """The objects and lists that a text is, or has in it; None for one that is nested too deeply."""
    start, tried = 0, 0
    while tried < _MOST_STARTS and (bracket := _BRACKET.search(text, start)) is not None:
        tried += 1
        try:
            found, start = _DECODER.raw_decode(text, bracket.start())
        except ValueError:
            start = bracket.end()
        except RecursionError:
            yield None
            return
        else:
            yield found


_BRACKET = re.compile(r"\{\s*\"|\[\s*[\[{\"]|\"[^\"\\]{0,100}(?:\\n|\\t)*[{\[]")
