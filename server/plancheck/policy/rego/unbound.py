"""Variables of a Rego file that nothing gives a value. opa refuses such a file; regopy lets the rule never fire.

It is a check by the tokens around a name, not a proof. Every way in which Rego gives a variable a value counts, in any
place of the same rule, so what is found is all but certainly a misspelt name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from plancheck.policy.rego.constructs import is_member
from plancheck.policy.rego.source import RegoRule, RegoSource
from plancheck.policy.rego.tokens import OPENING, RegoToken, partners
from plancheck.text import Span

_WORDS = frozenset(
    {"as", "contains", "data", "default", "else", "every", "false", "if", "import", "in", "input", "not", "null"}
    | {"package", "set", "some", "true", "with", "_"}
)


def unbound_names(source: RegoSource, other_rules: Iterable[str] = ()) -> Iterator[tuple[str, Span]]:
    """The names in rules that are no rule, import or function, and that the rule gives no value; each at its first
    place in the rule."""
    known = {rule.name for rule in source.rules} | {found.alias for found in source.imports} | set(other_rules)
    for rule, tokens in rules_with_tokens(source):
        bound = _bound(rule, tokens, partners(tokens))
        reported: set[str] = set()
        for position, token in enumerate(tokens):
            name = token.text
            if not token.is_name or name in _WORDS or name in known or name in bound or name in reported:
                continue
            if not is_member(tokens, position) and not _is_called(tokens, position):
                reported.add(name)
                yield name, token.span


def iterating_names(source: RegoSource, other_rules: Iterable[str] = ()) -> Iterator[tuple[str, Span]]:
    """The variables in brackets that nothing else gives a value, as in `input.steps[i]`: these go through a list."""
    known = {rule.name for rule in source.rules} | {found.alias for found in source.imports} | set(other_rules)
    for rule, tokens in rules_with_tokens(source):
        bound = _bound(rule, tokens, partners(tokens), is_by_brackets=False) | known
        for before, opening, token, closing in zip(tokens, tokens[1:], tokens[2:], tokens[3:], strict=False):
            is_index = opening.text == "[" and closing.text == "]" and _can_be_indexed(before)
            if is_index and token.is_name and token.text not in bound and token.text not in ("input", "data"):
                yield token.text, token.span


def rules_with_tokens(source: RegoSource) -> Iterator[tuple[RegoRule, list[RegoToken]]]:
    position = 0
    for rule in source.rules:
        while position < len(source.tokens) and source.tokens[position].start < rule.span.start:
            position += 1
        first = position
        while position < len(source.tokens) and source.tokens[position].start < rule.span.end:
            position += 1
        yield rule, list(source.tokens[first:position])


def _is_called(tokens: Sequence[RegoToken], position: int) -> bool:
    """Whether a name, or the one that it begins, is that of a function: the engine reports those."""
    position += 1
    while position + 1 < len(tokens) and tokens[position].text == "." and tokens[position + 1].is_name:
        position += 2
    return position < len(tokens) and tokens[position].text == "("


def _bound(
    rule: RegoRule, tokens: Sequence[RegoToken], pairs: dict[int, int], *, is_by_brackets: bool = True
) -> set[str]:
    """The names that are given a value. The ranges of tokens in which they stand may contain one another."""
    ends = [0] * (len(tokens) + 1)
    for start, end in _binding_ranges(rule, tokens, pairs, is_by_brackets):
        if start < end:
            ends[start] = max(ends[start], end)
    bound: set[str] = set()
    reach = 0
    for position, token in enumerate(tokens):
        reach = max(reach, ends[position])
        if position < reach and token.is_name and token.text not in _WORDS:
            bound.add(token.text)
    return bound


def _binding_ranges(
    rule: RegoRule, tokens: Sequence[RegoToken], pairs: dict[int, int], is_by_brackets: bool
) -> Iterator[tuple[int, int]]:
    for position, token in enumerate(tokens):
        following = tokens[position + 1].text if position + 1 < len(tokens) else ""
        if token.text in (":=", "="):
            yield from _sides(tokens, position, pairs)
        elif token.is_name and token.text in ("some", "every"):
            end = _end_of_declared(tokens, position + 1, pairs)
            if is_by_brackets or (end < len(tokens) and tokens[end].text == "in"):
                yield position, end
        elif is_by_brackets and token.text == "[" and position and _can_be_indexed(tokens[position - 1]):
            yield position + 1, pairs.get(position, position)
        elif token.text == "walk" and following == "(":
            yield position + 2, pairs.get(position + 1, position)
    if rule.is_function:
        start = next(position for position, token in enumerate(tokens) if token.text == "(")
        yield start + 1, pairs.get(start, len(tokens))


def _sides(tokens: Sequence[RegoToken], position: int, pairs: dict[int, int]) -> Iterator[tuple[int, int]]:
    """What an assignment gives a value: a name, or all names in a pattern; with `=`, on both sides."""
    yield _pattern(position - 1, pairs) if position else (0, 0)
    if tokens[position].text == "=" and position + 1 < len(tokens):
        yield _pattern(position + 1, pairs)


def _pattern(position: int, pairs: dict[int, int]) -> tuple[int, int]:
    other = pairs.get(position, position)
    return min(position, other), max(position, other) + 1


def _end_of_declared(tokens: Sequence[RegoToken], position: int, pairs: dict[int, int]) -> int:
    """The position behind what `some` or `every` declares: terms with commas between them."""
    while position < len(tokens):
        position = pairs.get(position, position) + 1 if tokens[position].text in OPENING else position + 1
        if position >= len(tokens) or tokens[position].text != ",":
            return position
        position += 1
    return position


def _can_be_indexed(token: RegoToken) -> bool:
    return (token.is_name and token.text not in _WORDS - {"data", "input"}) or token.text in ("]", ")", "}")
