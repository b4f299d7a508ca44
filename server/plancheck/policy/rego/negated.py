"""What stands behind `not`, as far as engines differ about it.

opa looks up the references in a negated call first, outside of `not`: where one is undefined, the rule does not fire.
Others take what cannot be looked up as false, so that `not` makes it true. Both agree on a reference by itself, on `==`
between two of them, and on calls whose arguments are variables and constants.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from plancheck.policy.rego.constructs import is_member
from plancheck.policy.rego.source import RegoSource
from plancheck.policy.rego.tokens import OPENING, RegoToken, TokenKind, partners
from plancheck.policy.rego.unbound import rules_with_tokens
from plancheck.text import Span

_AGREED = frozenset({"==", "=", ".", "[", "]"})


def disputed_negations(source: RegoSource) -> Iterator[Span]:
    """The references behind `not` that matter, each at its place."""
    rules = {rule.name for rule in source.rules if not rule.is_function}
    for _, tokens in rules_with_tokens(source):
        pairs = partners(tokens)
        for position, token in enumerate(tokens):
            if token.text == "not" and token.is_name and not is_member(tokens, position):
                expression = range(position + 1, _end(source, tokens, position + 1, pairs))
                found = _disputed(tokens, expression, rules)
                if found is not None:
                    yield found


def _end(source: RegoSource, tokens: Sequence[RegoToken], position: int, pairs: dict[int, int]) -> int:
    """The position behind an expression: where its line ends, or what it stands in."""
    while position < len(tokens):
        token = tokens[position]
        if token.text in OPENING and token.kind is TokenKind.SIGN:
            position = pairs.get(position, len(tokens) - 1)
        elif token.text in (";", "}", "]", ")", ","):
            return position
        position += 1
        last = tokens[position - 1].end
        if position < len(tokens) and _has_line_end(source, last, tokens[position].start):
            return position
    return position


def _has_line_end(source: RegoSource, start: int, end: int) -> bool:
    return any(char in "\r\n" for char in source.text[start:end])


def _disputed(tokens: Sequence[RegoToken], expression: range, rules: set[str]) -> Span | None:
    signs = {tokens[position].text for position in expression if tokens[position].kind is TokenKind.SIGN}
    words = {tokens[position].text for position in expression if tokens[position].is_name}
    if signs <= _AGREED and "in" not in words:
        return None
    for position in expression:
        token, following = tokens[position], tokens[position + 1].text if position + 1 < len(tokens) else ""
        if not token.is_name or is_member(tokens, position):
            continue
        if following == "[" or token.text in rules or (following == "." and not _is_function(tokens, position)):
            return token.span
    return None


def _is_function(tokens: Sequence[RegoToken], position: int) -> bool:
    """Whether a name with dots is that of a function, as `object.get` is."""
    while position + 2 < len(tokens) and tokens[position + 1].text == "." and tokens[position + 2].is_name:
        position += 2
    return position + 1 < len(tokens) and tokens[position + 1].text == "("
