"""A plan as Python values, written down as the document that is judged.

Everything is judged as text, so that there is one judge: what a program holds as values is written down first, and what
cannot be written down as JSON is no plan.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from itertools import islice
from numbers import Real
from typing import TYPE_CHECKING, Any

from plancheck.policy.rego.files import RegoAnswer, RegoAsk, RegoFiles
from plancheck.tuples import NamedTuple

if TYPE_CHECKING:
    from plancheck.policy.rego.plan_input import PlanQuestion
    from plancheck.unknown import Unknown

MOST_VALUES = 1_000_000
DEEPEST = 500
_LONGEST_NUMBER = 10_000
"""In bits."""


class NotWritten(NamedTuple):
    """Why a plan was not written down, and so not looked at."""

    rule: str
    message: str


def plan_text(plan: Any) -> str | NotWritten:
    """The document that a plan is, or why there is none. Raises ValueError for what cannot be written down as one;
    whether it is a plan, and where its steps are, is for the dialects to say."""
    if isinstance(plan, str):
        return plan
    if isinstance(plan, (bytes, bytearray)):
        return _decoded(bytes(plan))
    writer = _Writer()
    try:
        if isinstance(plan, Mapping):
            members = (f"{json.dumps(_key(key, 'the plan'))}: {writer.member(key, plan[key])}" for key in plan)
            return f"{{{', '.join(members)}}}"
        if isinstance(plan, (list, tuple)):
            return writer.elements(plan, "step")
    except _TooMuchError as error:
        return error.why
    raise ValueError("a plan must be a list of tool calls, an object with one under `steps`, or its JSON text")


def document_text(value: Any) -> str | NotWritten:
    """The document that any values are, be they a plan or not. Raises ValueError for what no document can hold."""
    if isinstance(value, str):
        return value
    if isinstance(value, (bytes, bytearray)):
        return _decoded(bytes(value))
    try:
        return _Writer().text(value, "the plan")
    except _TooMuchError as error:
        return error.why


def in_context(ask: RegoAsk, context: Any) -> RegoAsk:
    """Asks Rego policies about plans in a context that the caller gives; without one, that of the plan counts. Raises
    ValueError for one that JSON cannot hold: a policy would not see it."""
    if context is None:
        return ask
    try:
        given = json.loads(_Writer().text(context, "the context"))
    except _TooMuchError:
        raise ValueError("the context is too large or nested too deeply for a Rego policy") from None

    def asked(files: RegoFiles, question: PlanQuestion) -> RegoAnswer | Unknown:
        return ask(files, question._replace(given=given))

    return asked


def _decoded(plan: bytes) -> str:
    try:
        return plan.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"the plan is not UTF-8: byte {error.start} cannot be read") from error


MOST_PLAIN = 100
"""Values of a step that are looked over before they are written; so few cannot be nested too deeply."""


def _is_small(value: Any) -> bool:
    return type(value) is int and -(1 << 53) < value < 1 << 53


class _TooMuchError(Exception):
    def __init__(self, rule: str, message: str) -> None:
        super().__init__(message)
        self.why = NotWritten(rule, message)


class _Writer:
    """Writes values down, up to limits that no plan reaches: values may contain one another, and themselves."""

    def __init__(self) -> None:
        self._left = MOST_VALUES

    def member(self, key: str, value: Any) -> str:
        return self.elements(value, f"`{key}`") if isinstance(value, (list, tuple)) else self.text(value, f"`{key}`")

    def elements(self, items: Sequence[Any], name: str) -> str:
        return f"[{', '.join(self.text(item, f'{name} {number}') for number, item in enumerate(items))}]"

    def text(self, value: Any, where: str) -> str:
        try:
            return json.dumps(value if self._is_plain(value) else self._plain(value, where))
        except RecursionError:
            raise _too_deep() from None

    def _is_plain(self, value: Any) -> bool:
        """Whether a value has nothing but what JSON has, and little of it, so that it can be written as it is."""
        todo, left = [value], MOST_PLAIN
        for item in todo:  # which grows meanwhile
            kind = type(item)
            if kind is dict:
                if not all(type(key) is str for key in item):
                    return False
                todo += item.values()
            elif kind is list:
                todo += item
            elif kind is not str and kind is not bool and item is not None and not _is_small(item):
                return False
            if len(todo) > left:
                return False
        self._left -= len(todo)
        return self._left >= 0

    def _plain(self, value: Any, where: str) -> Any:
        """The value in types that JSON has."""
        whole: list[Any] = [None]
        todo: list[tuple[Any, Any, Any, int]] = [(value, whole, 0, 0)]
        while todo:
            item, holder, slot, depth = todo.pop()
            self._left -= 1
            if self._left < 0:
                message = f"The plan has more than {MOST_VALUES:,} values, so it was not looked at: split it."
                raise _TooMuchError("file_too_large", message)
            if type(item) is str:
                holder[slot] = item
            elif type(item) is dict or isinstance(item, Mapping):
                members = {_key(key, where): child for key, child in item.items()}
                holder[slot] = dict.fromkeys(members)
                todo += ((child, holder[slot], key, depth + 1) for key, child in members.items())
            elif isinstance(item, (list, tuple)):
                children = list(islice(item, self._left + 1))  # its length may not be what it says
                holder[slot] = [None] * len(children)
                todo += ((child, holder[slot], number, depth + 1) for number, child in enumerate(children))
            else:
                holder[slot] = _scalar(item, where)
            if depth > DEEPEST:
                raise _too_deep()
        return whole[0]


def _too_deep() -> _TooMuchError:
    message = f"The plan is nested more than {DEEPEST} levels deep, so it was not looked at: flatten it."
    return _TooMuchError("nested_too_deeply", message)


def _key(key: Any, where: str) -> str:
    if not isinstance(key, str):
        raise ValueError(f"{where}: the name of a member must be a string, not {key!r}")
    return key


def _scalar(value: Any, where: str) -> Any:
    if value is None or isinstance(value, (str, bool)):
        return value
    if isinstance(value, int):
        if int.bit_length(value) > _LONGEST_NUMBER:
            raise ValueError(f"{where}: a number of more than {_LONGEST_NUMBER:,} bits cannot be held by a plan")
        return value
    if isinstance(value, Real) or hasattr(value, "is_nan"):
        return _number(value, where)
    raise ValueError(f"{where}: {type(value).__name__} is not a value that a plan can hold")


def _number(value: Any, where: str) -> float | str:
    """A number of another type, such as Decimal, as it is compared; a text for what no limit can be compared with."""
    try:
        number = float.__float__(value) if isinstance(value, float) else float(value)
    except (OverflowError, ValueError, TypeError) as error:
        raise ValueError(f"{where}: {value!r} is not a number that a plan can hold") from error
    return number if math.isfinite(number) else str(number)
