"""A Rego text as tokens, in one linear pass that never fails: what is no token of Rego is a token all the same."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum
from itertools import islice

from plancheck.text import Span
from plancheck.tuples import NamedTuple


class TokenKind(Enum):
    NAME = "name"
    STRING = "string"
    NUMBER = "number"
    COMMENT = "comment"
    NEWLINE = "newline"
    SIGN = "sign"


class RegoToken(NamedTuple):
    kind: TokenKind
    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)

    @property
    def is_name(self) -> bool:
        return self.kind is TokenKind.NAME


_TOKEN = re.compile(
    r"""
    [ \t\f\v]+
    | (?P<newline> \r\n | \n | \r )
    | (?P<comment> \#[^\r\n]* )
    | (?P<name> [^\W\d]\w* )
    | (?P<number> \d+ (?:\.\d+)? (?:[eE][+-]?\d+)? )
    | (?P<string> "(?:[^"\\\r\n]|\\[^\r\n])*"? | `[^`]*`? )
    | (?P<sign> := | == | != | <= | >= | . )
    """,
    re.VERBOSE | re.DOTALL,
)
_KINDS = {kind.value: kind for kind in TokenKind}

OPENING = {"(": ")", "[": "]", "{": "}"}
CLOSING = frozenset(OPENING.values())


def tokenize(text: str, most: int) -> list[RegoToken]:
    """The tokens of a text, at most one more than so many; what is blank is left out, ends of lines are not."""
    tokens = (
        RegoToken(_KINDS[match.lastgroup], match.group(), match.start())
        for match in _TOKEN.finditer(text)
        if match.lastgroup is not None
    )
    return list(islice(tokens, most + 1))


def without_layout(tokens: Sequence[RegoToken]) -> list[RegoToken]:
    """Without comments and ends of lines."""
    return [token for token in tokens if token.kind not in (TokenKind.COMMENT, TokenKind.NEWLINE)]


def partners(tokens: Sequence[RegoToken]) -> dict[int, int]:
    """The positions of brackets and of those that close them, both ways; of what is not closed, nothing."""
    found: dict[int, int] = {}
    opened: list[int] = []
    for position, token in enumerate(tokens):
        if token.kind is not TokenKind.SIGN:
            continue
        if token.text in OPENING:
            opened.append(position)
        elif token.text in CLOSING and opened and OPENING[tokens[opened[-1]].text] == token.text:
            first = opened.pop()
            found[first], found[position] = position, first
    return found
