"""YAML with places: every key and value with its span. Reading never fails; what is wrong becomes a problem.

PyYAML composes nodes with marks and is left to do just that. Aliases are not expanded by it but by whoever walks over
the nodes, so the walk is what is limited: a document whose aliases multiply into more values than a policy can need is
refused, and so is one that contains itself.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from plancheck.text import Span

MOST_VALUES = 20_000
LONGEST = 1_000_000

Value: TypeAlias = "Scalar | Sequence | Mapping"


class Scalar(NamedTuple):
    value: str | int | float | bool | None
    span: Span


class Sequence(NamedTuple):
    items: tuple[Value, ...]
    span: Span


class Member(NamedTuple):
    key: str
    key_span: Span
    value: Value


class Mapping(NamedTuple):
    members: tuple[Member, ...]
    """Of repeated keys the last."""
    span: Span


def from_plain(value: object) -> Value:
    """A value as it would be read, of dicts, lists and scalars. It stands nowhere."""
    nowhere = Span(0, 0)
    if isinstance(value, dict):
        return Mapping(tuple(Member(str(key), nowhere, from_plain(item)) for key, item in value.items()), nowhere)
    if isinstance(value, (list, tuple, set, frozenset)):
        return Sequence(tuple(from_plain(item) for item in value), nowhere)
    if value is None or isinstance(value, (str, int, float)):
        return Scalar(value, nowhere)
    raise TypeError(f"a policy cannot hold {type(value).__name__}")


class YamlProblem(NamedTuple):
    message: str
    span: Span


class RefusedError(ValueError):
    """The document is more than is walked over."""

    def __init__(self, message: str, span: Span) -> None:
        super().__init__(message)
        self.span = span


_ENTRY = re.compile(r"""^(?:[^\s#\[\]{},&*!|>%@-][^\n:]*|"[^"\n]*"|'[^'\n]*'):(?=[ \t\r\n]|$)""", re.MULTILINE)


def read_yaml(text: str) -> tuple[Value | None, list[YamlProblem]]:
    """The document's value and what is wrong with the text. Where it is not YAML, each entry of the top level is read
    by itself, and only those that are not YAML are left out."""
    if len(text) > LONGEST:
        return None, [YamlProblem(f"This is no policy: it has more than {LONGEST:,} characters.", Span(0, 1))]
    problems: list[YamlProblem] = []
    try:
        return _tried(text, problems), problems
    except RefusedError as error:
        return None, [*problems, YamlProblem(str(error), error.span)]
    except _NotYamlError as error:
        whole = error
    starts = [match.start() for match in _ENTRY.finditer(text)]
    if len(starts) < 2:
        return None, [_problem(text, whole)]
    members: list[Member] = []
    for start, end in pairwise((0, *starts[1:], len(text))):
        blank = re.sub(r"[^\n]", " ", text[:start])
        try:
            value = _tried(blank + text[start:end], problems)
        except RefusedError as error:
            problems.append(YamlProblem(str(error), error.span))
        except _NotYamlError as error:
            problems.append(_problem(blank + text[start:end], error))
        else:
            members += value.members if isinstance(value, Mapping) else ()
    return Mapping(tuple({member.key: member for member in members}.values()), Span(0, len(text))), problems


def _problem(text: str, error: _NotYamlError) -> YamlProblem:
    return YamlProblem(f"This is not YAML: {error}.", _token(text, error.offset))


class _NotYamlError(ValueError):
    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.offset = offset


_WORDS = {"but found another document": "there is a second document"}


def _tried(text: str, problems: list[YamlProblem]) -> Value | None:
    import yaml

    try:
        loader = yaml.SafeLoader(text)
        node = loader.get_single_node()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        words = error.problem or error.context or "it cannot be read"
        raise _NotYamlError(_WORDS.get(words, words).rstrip("."), mark.index if mark is not None else 0) from error
    except yaml.reader.ReaderError as error:
        code = ord(error.character) if isinstance(error.character, str) else int(error.character)
        raise _NotYamlError(f"the character U+{code:04X} is not allowed", int(error.position)) from error
    except RecursionError as error:
        raise RefusedError("This is no policy: it is nested too deeply.", Span(0, min(1, len(text)))) from error
    if node is None:
        return None
    found: list[YamlProblem] = []
    value = _Walk(found).value(node, ())
    problems += found
    return value


def _token(text: str, offset: int) -> Span:
    """The word at an offset; at a line's end, the last one before it."""
    offset = min(offset, len(text))
    match = re.compile(r"[^\s,:\[\]{}]+|\S|\t").match(text, offset)
    if match is not None:
        return Span(*match.span())
    before = text[:offset].rstrip()
    return Span(max(len(before) - 1, 0), max(len(before), min(1, len(text))))


class _Walk:
    """From PyYAML's nodes to values, each alias counted as often as it stands for something."""

    def __init__(self, problems: list[YamlProblem]) -> None:
        self.problems = problems
        self.count = 0

    def value(self, node: object, above: tuple[int, ...]) -> Value:
        import yaml

        assert isinstance(node, yaml.Node)
        span = Span(node.start_mark.index, node.end_mark.index)
        self.count += 1
        if self.count > MOST_VALUES:
            raise RefusedError(
                f"This is no policy: its aliases stand for more than {MOST_VALUES:,} values; write them out.", span
            )
        if id(node) in above:
            raise RefusedError("This value contains itself through an alias: write it out.", span)
        if len(above) > 100:
            raise RefusedError("This is no policy: it is nested too deeply.", span)
        inside = (*above, id(node))
        if isinstance(node, yaml.ScalarNode):
            return Scalar(_scalar(node), span)
        if isinstance(node, yaml.SequenceNode):
            return Sequence(tuple(self.value(item, inside) for item in node.value), span)
        assert isinstance(node, yaml.MappingNode)
        return self.mapping(node, span, inside)

    def mapping(self, node: object, span: Span, inside: tuple[int, ...]) -> Mapping:
        import yaml

        assert isinstance(node, yaml.MappingNode)
        merged: dict[str, Member] = {}
        own: dict[str, Member] = {}
        for key, item in node.value:
            key_span = Span(key.start_mark.index, key.end_mark.index)
            if not isinstance(key, yaml.ScalarNode):
                self.problems.append(YamlProblem("A key must be a word: this one is left out.", key_span))
                continue
            value = self.value(item, inside)
            if key.tag == "tag:yaml.org,2002:merge":
                for source in value.items if isinstance(value, Sequence) else (value,):
                    if isinstance(source, Mapping):
                        merged = {**{member.key: member for member in source.members}, **merged}
                continue
            if key.value in own:
                self.problems.append(
                    YamlProblem(f"`{key.value}` is there more than once: only this last one counts.", key_span)
                )
            own[key.value] = Member(key.value, key_span, value)
        return Mapping(tuple({**merged, **own}.values()), span)


def _scalar(node: object) -> str | int | float | bool | None:
    """A scalar's value by its tag; one whose tag promises what it does not keep stays a string."""
    import yaml

    assert isinstance(node, yaml.ScalarNode)
    constructor = yaml.constructor.SafeConstructor()
    kind = node.tag.rpartition(":")[2]
    try:
        if kind == "int":
            return int(constructor.construct_yaml_int(node))
        if kind == "float":
            return float(constructor.construct_yaml_float(node))
        if kind == "bool":
            return bool(constructor.construct_yaml_bool(node))
    except (ValueError, KeyError):
        return str(node.value)
    return None if kind == "null" else str(node.value)
