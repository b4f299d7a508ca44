"""YAML with places: every key and value with its span. Reading never fails; what is wrong becomes a problem.

This is the model, and the way around mistakes; `yaml_nodes` has PyYAML, which is imported only for a text.
"""

from __future__ import annotations

import re
from collections import abc
from itertools import pairwise
from typing import TypeAlias

from plancheck.policy.coercion import plain_number
from plancheck.policy.showing import shortened
from plancheck.text import Span
from plancheck.tuples import NamedTuple

LONGEST = 500_000
MOST_ENTRIES = 200
"""Entries of the top level that are read by themselves, where the text as a whole cannot be."""
MOST_CHARACTERS = 50_000
"""Characters of these entries; the one that is past it is the last."""
DEEPEST_PLAIN = 100

Value: TypeAlias = "Scalar | Sequence | Mapping"


class Scalar(NamedTuple):
    value: str | int | float | bool | None
    span: Span
    pointer: str = ""
    """The way to it, as in RFC 6901."""


class Sequence(NamedTuple):
    items: tuple[Value, ...]
    span: Span
    pointer: str = ""


class YamlMember(NamedTuple):
    key: str
    key_span: Span
    value: Value

    @property
    def shown(self) -> str:
        """The key as a message can show it."""
        return shortened(self.key)


class Mapping(NamedTuple):
    members: tuple[YamlMember, ...]
    """Of repeated keys the last."""
    span: Span
    pointer: str = ""


def from_plain(value: object, depth: int = 0) -> Value:
    """A value as it would be read, of dicts, lists and scalars. It stands nowhere."""
    nowhere, inside = Span(0, 0), depth + 1
    if depth > DEEPEST_PLAIN:
        raise ValueError("a policy cannot be nested that deeply")
    if isinstance(value, abc.Mapping):
        members = (YamlMember(str(key), nowhere, from_plain(item, inside)) for key, item in value.items())
        return Mapping(tuple(members), nowhere)
    if isinstance(value, (list, tuple, set, frozenset)):
        return Sequence(tuple(from_plain(item, inside) for item in value), nowhere)
    if value is None or isinstance(value, (str, int, float)):
        return Scalar(value, nowhere)
    number = plain_number(value)
    if number is not None:
        return Scalar(number, nowhere)
    raise ValueError(f"a policy cannot hold {type(value).__name__}")


class YamlProblem(NamedTuple):
    message: str
    span: Span
    pointer: str = ""


class NotYamlError(ValueError):
    """The text is not YAML; where it stops being that."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.offset = offset


class TooMuchError(ValueError):
    """The text has more in it than is read, or is nested more deeply; the place of what is one too many."""

    def __init__(self, message: str, span: Span) -> None:
        super().__init__(message)
        self.span = span


class RefusedError(TooMuchError):
    """The same, by aliases, which cannot be understood entry by entry."""


_ENTRY = re.compile(r"""^(?:[^\s#\[\]{},&*!|>%@-][^\n:]*|"[^"\n]*"|'[^'\n]*'):(?=[ \t\r\n]|$)""", re.MULTILINE)
_TOKEN = re.compile(r"[^\s,:\[\]{}]{1,60}|\S|\t")


def read_yaml(text: str, what: str = "policy") -> tuple[Value | None, list[YamlProblem]]:
    """The document's value and what is wrong with the text. Where it is not YAML, each entry of the top level is read
    by itself, and only those that are not YAML are left out. `what` is how messages call the document."""
    if len(text) > LONGEST:
        return None, [YamlProblem(f"This {what} is too large: more than {LONGEST:,} characters.", Span(0, 1))]
    from plancheck.policy.yaml_nodes import parse

    problems: list[YamlProblem] = []
    try:
        return parse(text, 0, problems), problems
    except RefusedError as error:
        return None, [*problems, _problem(text, error, what)]
    except (NotYamlError, TooMuchError) as error:
        starts = [match.start() for match in _ENTRY.finditer(text)]
        if len(starts) < 2:
            return None, [_problem(text, error, what)]
    return _by_entries(text, starts, what)


def _by_entries(text: str, starts: list[int], what: str) -> tuple[Value, list[YamlProblem]]:
    """The entries of the top level that can be read, as long as they are not too much together."""
    problems: list[YamlProblem] = []
    members: dict[str, YamlMember] = {}
    characters = 0
    for number, (start, end) in enumerate(pairwise((0, *starts[1:], len(text)))):
        if number == MOST_ENTRIES or characters > MOST_CHARACTERS:
            message = f"This {what} is too large: only its first {number} entries are read."
            problems.append(YamlProblem(message, Span(start, start + 1)))
            break
        members |= {member.key: member for member in _entry(text, start, end, problems, what)}
        characters += min(end - start, MOST_CHARACTERS // 2)  # so one that is too much by itself hides no other
    return Mapping(tuple(members.values()), Span(0, len(text))), problems


def _entry(text: str, start: int, end: int, problems: list[YamlProblem], what: str) -> tuple[YamlMember, ...]:
    from plancheck.policy.yaml_nodes import parse

    try:
        value = parse(text[start:end], start, problems)
    except (NotYamlError, TooMuchError) as error:
        problems.append(_problem(text[:end], error, what))
        return ()
    return value.members if isinstance(value, Mapping) else ()


def _problem(text: str, error: NotYamlError | TooMuchError, what: str) -> YamlProblem:
    if isinstance(error, TooMuchError):
        return YamlProblem(f"This cannot be a {what}: {error}.", error.span)
    return YamlProblem(f"This is not YAML: {error}.", _token(text, error.offset))


def _token(text: str, offset: int) -> Span:
    """The word at an offset; at a line's end, the last one before it."""
    offset = min(offset, len(text))
    match = _TOKEN.match(text, offset)
    if match is not None:
        return Span(*match.span())
    before = text[:offset].rstrip()
    return Span(max(len(before) - 1, 0), max(len(before), min(1, len(text))))
