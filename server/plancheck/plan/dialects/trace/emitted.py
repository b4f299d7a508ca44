"""Where in messages and responses there are calls, and which of them are there twice."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from plancheck.plan.dialects.trace.keys import (
    ARGUMENTS,
    CALL_ID,
    CHOICES,
    FUNCTION_CALL,
    ID,
    LISTS,
    MESSAGE,
    MESSAGES,
    NAME,
    TOOL_CALLS,
    TYPE,
)
from plancheck.plan.dialects.trace.shapes import ASSISTANT, RESPONSE, CallShape, listed_shape, role_of, shape_of
from plancheck.syntax.tree import MISSING, Path
from plancheck.syntax.values import repeated_keys, to_plain
from plancheck.tuples import NamedTuple


class CallSite(NamedTuple):
    """A call, and its path inside the value that was looked at."""

    path: Path
    value: Any
    shape: CallShape
    message: Path
    """The message that it is in."""
    role: str | None
    """Who speaks in that message, as far as it says so."""
    is_first_choice: bool
    """Whether it is the first call of one of several answers, of which only one is carried out."""

    @property
    def holder(self) -> Path:
        """The list or the member that it is in: no call is there twice in one."""
        return self.path[:-1] if self.path and isinstance(self.path[-1], int) else self.path

    @property
    def is_by_another(self) -> bool:
        """Whether somebody else than the model is said to call it: nobody carries that out."""
        return self.role not in (None, ASSISTANT)


class EmittedCalls(NamedTuple):
    """What a message or a response holds."""

    calls: tuple[CallSite, ...]
    repeats: tuple[Path, ...]
    """Calls that are there once more: some libraries keep each in the form of the provider, too."""


def emitted(value: Any) -> EmittedCalls:
    """The calls in a value, in the order of the text."""
    sites = list(_sites(value))
    repeats = set(_repeats(sites)) if len({site.holder for site in sites}) > 1 else set()
    calls = tuple(site for site in sites if site.path not in repeats)
    return EmittedCalls(calls, tuple(site.path for site in sites if site.path in repeats))


_PARTS_OF_MESSAGE = ("kwargs", "additional_kwargs")
"""Members that are more of the message that they are in."""
OPTIONS = ("auto", "none", "required")


class _Spot(NamedTuple):
    """Something to look at."""

    value: Any
    path: Path
    shape: CallShape | None
    message: Path = ()
    role: str | None = None


def _sites(value: Any) -> Iterator[CallSite]:
    todo = [_Spot(value, (), shape_of(value))]
    choices: set[Path] = set()
    while todo:
        spot = todo.pop()
        value, path, shape, message, role = spot
        if shape is not None:
            choice = _choice(path)
            is_first = choice is not None and choice not in choices
            choices.update(() if choice is None else (choice,))
            yield CallSite(path, value, shape, message, role, is_first)
        elif isinstance(value, tuple):
            members = dict(value)
            # In a message, who speaks is said once: a part of it cannot be somebody else's.
            own = spot if role is not None else spot._replace(role=role_of(members))
            inside = [site for key, child in members.items() for site in _in_member(key, child, members, own)]
            todo += reversed(inside)


def _choice(path: Path) -> Path | None:
    """The answer, of several that a model may give, that something is in."""
    return path[: path.index(CHOICES) + 2] if CHOICES in path else None


def _in_member(key: str, value: Any, around: dict[str, Any], spot: _Spot) -> Iterator[_Spot]:
    """What there is to look at in a member of a message or a response: calls, and what may have some in it."""
    path = (*spot.path, key)
    if isinstance(value, list):
        for number, item in enumerate(value):
            shape = listed_shape(item) if key == TOOL_CALLS and item is not MISSING else shape_of(item)
            if key in (MESSAGES, CHOICES):
                yield _Spot(item, (*path, number), shape, (*path, number))
            elif shape is not None:
                yield _Spot(item, (*path, number), shape if key in LISTS else None, spot.message, spot.role)
    elif isinstance(value, tuple) and key == FUNCTION_CALL:
        if not is_option(value, around):
            yield _Spot(value, path, RESPONSE, spot.message, spot.role)
    elif isinstance(value, tuple) and key == MESSAGE:
        yield _Spot(value, path, shape_of(value), path)
    elif isinstance(value, tuple) and key in _PARTS_OF_MESSAGE:
        yield _Spot(value, path, shape_of(value), spot.message, spot.role)


def is_option(value: Any, around: dict[str, Any]) -> bool:
    """Whether a `function_call` only says which tool the model is to call: beside the messages, and without
    arguments."""
    return MESSAGES in around and (
        value in OPTIONS or (isinstance(value, tuple) and [key for key, _ in value] == [NAME])
    )


# ---- calls that are there twice --------------------------------------------------------------------------------------

_MEMBERS = frozenset({TYPE, ID, CALL_ID, "index", "caller", "status"})
"""What a call of any shape may have that is there once more, besides its tool and its arguments. One with anything else
is read: that could be another tool, or other arguments."""


def _repeats(sites: list[CallSite]) -> Iterator[Path]:
    """The calls that some library wrote down twice: in two members of one message, with the same id, tool and
    arguments. Where the arguments are empty in one of them, as in the first piece of a stream, that one is left out."""
    known = _Known()
    for site in sites:
        form = _form(site)
        if form is not None:
            yield from known.repeats(site, *form)


class _Known:
    """The calls so far, by what a call has in common with one that it repeats."""

    def __init__(self) -> None:
        self._holders: dict[object, set[Path]] = {}
        self._empty: dict[object, CallSite] = {}

    def repeats(self, site: CallSite, name: str, arguments: str) -> Iterator[Path]:
        own, message = _id(site), site.message
        same_id, same_form = (message, name, own), (message, name, arguments)
        is_known = own is not None and self._is_elsewhere(site, (*same_id, arguments))
        # The older form, which is kept beside the newer one, has no id for its call.
        is_older = len(site.path) > 1 and site.path[-1] == FUNCTION_CALL and site.path[-2] in _PARTS_OF_MESSAGE
        is_known |= self._is_elsewhere(site, same_form) if is_older else self._is_elsewhere(site, (*same_form, "older"))
        is_known |= arguments == _NONE and own is not None and self._is_elsewhere(site, same_id)
        if is_known:
            yield site.path
            return
        empty = self._empty.pop(same_id, None) if own is not None and arguments != _NONE else None
        if empty is not None and empty.holder != site.holder:
            yield empty.path
        if arguments == _NONE:
            self._empty.setdefault(same_id, site)
        for key in (same_id, same_form, (*same_id, arguments), (*same_form, "older") if is_older else None):
            self._holders.setdefault(key, set()).add(site.holder)

    def _is_elsewhere(self, site: CallSite, key: object) -> bool:
        """Whether such a call is in another member of the message."""
        return bool(self._holders.get(key, frozenset()) - {site.holder})


_NONE = "{}"


def _form(site: CallSite) -> tuple[str, str] | None:
    """The tool of a call and its arguments, to be compared; None of one that has more than these, or is not plain."""
    if not isinstance(site.value, tuple):
        return None
    members = dict(site.value)
    own = {site.shape.around} if site.shape.around is not None else {NAME, site.shape.arguments}
    is_plain = all(key in own or not isinstance(child, (tuple, list)) for key, child in members.items())
    if len(members) != len(site.value) or not is_plain or not members.keys() <= _MEMBERS | own:
        return None
    if site.shape.around is not None:
        around = members.get(site.shape.around)
        if not isinstance(around, tuple):  # it may be anything, or still be typed
            return None
        members = dict(around)
        if not members.keys() <= {NAME, ARGUMENTS} or len(members) != len(around):
            return None
    name, arguments = members.get(NAME), members.get(site.shape.arguments)
    if isinstance(arguments, str) and site.shape.is_text:
        from plancheck.syntax.inner import read_text  # few calls are there twice

        found = read_text(arguments) if arguments.strip() else None
        if found is not None and (found.problems or found.is_too_deep):
            return None
        arguments = () if found is None else found.value
    if not isinstance(name, str) or not isinstance(arguments, tuple) or any(True for _ in repeated_keys(arguments)):
        return None
    return name, json.dumps(to_plain(arguments), sort_keys=True, default=str)


def _id(site: CallSite) -> str | None:
    members = dict(site.value)
    found = members.get(CALL_ID) or members.get(ID)
    return found if isinstance(found, str) else None
