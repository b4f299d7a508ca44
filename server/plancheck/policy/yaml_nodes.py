"""PyYAML, held to limits: from a text to values, with a problem at the place where it becomes too much.

PyYAML composes nodes with marks and is left to do just that, as long as they are few and not nested deeply; past that
it is stopped at the node that is one too many. Aliases are not expanded by it but by whoever walks over the nodes, so
the walk is limited as well: a document whose aliases multiply into more values than a policy can need is refused, and
so is one that contains itself.
"""

from __future__ import annotations

import yaml

from plancheck.policy.showing import pointer_to, shortened
from plancheck.policy.yaml import (
    Mapping,
    NotYamlError,
    RefusedError,
    Scalar,
    Sequence,
    TooMuchError,
    Value,
    YamlMember,
    YamlProblem,
)
from plancheck.text import Span

MOST_VALUES = 10_000
DEEPEST = 100
LONGEST_NUMBER = 100
"""Characters of a number: a longer one is a text."""

_WORDS = {"but found another document": "there is a second document"}
_TOO_DEEP = f"it is nested too deeply (more than {DEEPEST} levels)"


def parse(text: str, start: int, problems: list[YamlProblem]) -> Value | None:
    """The value in a text, which itself stands at `start` of a file; what is wrong in it goes to the problems."""
    node = _compose(text, start)
    if node is None:
        return None
    found: list[YamlProblem] = []
    value = _Walk(start, found).value(node, ())
    problems += found
    return value


def _compose(text: str, start: int) -> yaml.Node | None:
    try:
        return _Loader(text).get_single_node()
    except _LimitError as error:
        raise TooMuchError(str(error), Span(start + error.offset, start + error.offset + 1)) from error
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        words = error.problem or error.context or "it cannot be read"
        raise NotYamlError(
            _WORDS.get(words, words).rstrip("."), start + (mark.index if mark is not None else 0)
        ) from error
    except yaml.reader.ReaderError as error:
        code = ord(error.character) if isinstance(error.character, str) else int(error.character)
        raise NotYamlError(f"the character U+{code:04X} is not allowed", start + int(error.position)) from error


class _LimitError(Exception):
    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.offset = offset


class _Loader(yaml.SafeLoader):
    """A composer that counts."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._nodes = 0
        self._depth = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        self._nodes += 1
        if self._nodes > MOST_VALUES:
            raise _LimitError(f"it has more than {MOST_VALUES:,} values", self._offset())
        if self._depth > DEEPEST:
            raise _LimitError(_TOO_DEEP, self._offset())
        self._depth += 1
        node: yaml.Node | None = super().compose_node(parent, index)
        self._depth -= 1
        return node

    def _offset(self) -> int:
        return int(self.peek_event().start_mark.index)  # type: ignore[no-untyped-call]


class _Walk:
    """From PyYAML's nodes to values, each alias counted as often as it stands for something."""

    def __init__(self, start: int, problems: list[YamlProblem]) -> None:
        self._start = start
        self._problems = problems
        self._count = 0

    def value(self, node: yaml.Node, above: tuple[int, ...], pointer: str = "") -> Value:
        span = self._span(node)
        self._count += 1
        if self._count > MOST_VALUES:
            raise RefusedError(f"its aliases expand to more than {MOST_VALUES:,} values; write them out", span)
        if id(node) in above:
            raise RefusedError("this value contains itself through an alias; write it out", span)
        if len(above) > DEEPEST:
            raise RefusedError(_TOO_DEEP, span)
        inside = (*above, id(node))
        if isinstance(node, yaml.ScalarNode):
            return Scalar(_scalar(node), span, pointer)
        if isinstance(node, yaml.SequenceNode):
            items = (self.value(item, inside, pointer_to(pointer, number)) for number, item in enumerate(node.value))
            return Sequence(tuple(items), span, pointer)
        assert isinstance(node, yaml.MappingNode)
        return Mapping(self._members(node, pointer, inside), span, pointer)

    def _members(self, node: yaml.MappingNode, pointer: str, inside: tuple[int, ...]) -> tuple[YamlMember, ...]:
        merged: dict[str, YamlMember] = {}
        own: dict[str, YamlMember] = {}
        for key, item in node.value:
            key_span = self._span(key)
            if not isinstance(key, yaml.ScalarNode):
                self._problems.append(YamlProblem("A key must be a word: this one is left out.", key_span, pointer))
                continue
            place = pointer_to(pointer, key.value)
            value = self.value(item, inside, place)
            if key.tag == "tag:yaml.org,2002:merge":
                for source in value.items if isinstance(value, Sequence) else (value,):
                    if isinstance(source, Mapping):
                        merged = {**{member.key: member for member in source.members}, **merged}
                    else:
                        message = "`<<` merges mappings, and this is not one: write an alias such as `*limits`."
                        self._problems.append(YamlProblem(message, source.span, place))
                continue
            if key.value in own:
                name = shortened(key.value)
                message = f"`{name}` is given more than once, and only this last one is used: remove the others."
                self._problems.append(YamlProblem(message, key_span, place))
            own[key.value] = YamlMember(key.value, key_span, value)
        return tuple({**merged, **own}.values())

    def _span(self, node: yaml.Node) -> Span:
        return Span(self._start + node.start_mark.index, self._start + node.end_mark.index)


_CONSTRUCTOR = yaml.constructor.SafeConstructor()


def _scalar(node: yaml.ScalarNode) -> str | int | float | bool | None:
    """A scalar's value by its tag; one whose tag promises what it does not keep stays a string."""
    kind = node.tag.rpartition(":")[2]
    if kind in ("int", "float") and len(node.value) > LONGEST_NUMBER:
        return str(node.value)
    try:
        if kind == "int":
            return int(_CONSTRUCTOR.construct_yaml_int(node))
        if kind == "float":
            return float(_CONSTRUCTOR.construct_yaml_float(node))
        if kind == "bool":
            return bool(_CONSTRUCTOR.construct_yaml_bool(node))
    except (ValueError, KeyError):
        return str(node.value)
    return None if kind == "null" else str(node.value)
