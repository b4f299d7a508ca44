"""One Rego file, read lightly: its package, its imports and its rules, each with its place.

Whether the file is right is for the engine to say. This reader never fails, so that an unfinished file has an outline
too, and takes time in proportion to the text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from itertools import pairwise, takewhile

from plancheck.policy.rego.statements import Statement, statements
from plancheck.policy.rego.tokens import CLOSING, OPENING, RegoToken, TokenKind, partners, tokenize, without_layout
from plancheck.text import LineIndex, Span
from plancheck.tuples import NamedTuple
from plancheck.unknown import Reason, Unknown

MOST_CHARACTERS = 1_000_000
MOST_TOKENS = 150_000
MOST_RULES = 1_000
RULE_NAMES = ("deny", "requires_hitl", "allow", "violations")
"""The rules of a package that decide on a plan."""


class Generation(Enum):
    """Which syntax a file is written in."""

    V0 = "v0"
    V1 = "v1"


class RegoRule(NamedTuple):
    """One definition of a rule; a name may have several."""

    name: str
    line: int
    """Counted from 1."""
    name_span: Span
    head_span: Span
    """From the name to the end of the head, before `if` or the body."""
    span: Span
    """All of it, `else` included."""
    comment: str
    """What the lines above it say."""
    is_default: bool
    is_function: bool
    v0_span: Span | None
    """What is not written as in v1."""


class RegoImport(NamedTuple):
    path: str
    alias: str
    span: Span
    is_late: bool
    """Whether it comes after a rule."""


class RegoSource(NamedTuple):
    text: str
    package: str | None
    package_span: Span
    """The name of the package; the first character where there is none."""
    imports: tuple[RegoImport, ...]
    rules: tuple[RegoRule, ...]
    generation: Generation
    tokens: tuple[RegoToken, ...]
    """Without comments and ends of lines."""
    lines: LineIndex
    crowded: tuple[Span, ...] = ()
    """Where a rule that decides begins behind another one, in the same line."""

    def line_of(self, offset: int) -> int:
        """Counted from 1."""
        return self.lines.line_of(offset) + 1

    @property
    def deciding(self) -> tuple[RegoRule, ...]:
        """The rules that decide on a plan."""
        return tuple(rule for rule in self.rules if rule.name in RULE_NAMES and not rule.is_function)

    @property
    def rule_names(self) -> tuple[str, ...]:
        """The names of those that are there."""
        names = {rule.name for rule in self.deciding}
        return tuple(name for name in RULE_NAMES if name in names)


def read_rego(text: str) -> RegoSource | Unknown:
    """What is in a Rego file; unknown where it is too much to look at."""
    if len(text) > MOST_CHARACTERS:
        return Unknown(Reason.LIMIT, f"This file has more than {MOST_CHARACTERS:,} characters: split it.")
    tokens = tokenize(text, MOST_TOKENS)
    if len(tokens) > MOST_TOKENS:
        return Unknown(Reason.LIMIT, f"This file has more than {MOST_TOKENS:,} words and signs: split it.")
    lines = LineIndex(text)
    package, package_span = None, Span(0, min(1, len(text)))
    imports: list[RegoImport] = []
    rules: list[RegoRule] = []
    crowded: list[Span] = []
    for statement in statements(tokens):
        crowded += _begun_inside(statement)
        first = statement.tokens[0]
        if first.text == "package" and package is None and not rules:
            name = tuple(takewhile(_is_of_path, statement.tokens[1:]))
            package = "".join(token.text for token in name) or None
            package_span = Span(name[0].start, name[-1].end) if name else first.span
        elif first.text == "import":
            imports.append(_import(statement, bool(rules)))
        elif (rule := _rule(statement, lines)) is not None:
            rules.append(rule)
            if len(rules) > MOST_RULES:
                return Unknown(Reason.LIMIT, f"This file has more than {MOST_RULES:,} rules: split it.")
    plain = tuple(without_layout(tokens))
    generation = _generation(imports, rules, plain)
    return RegoSource(
        text, package, package_span, tuple(imports), tuple(rules), generation, plain, lines, tuple(crowded)
    )


_BEGINS = frozenset({*RULE_NAMES, "default"})
_WORDS = frozenset(
    {"if", "else", "contains", "in", "some", "every", "not", "with", "as", "default", "import", "package"}
)


def _begun_inside(statement: Statement) -> Iterator[Span]:
    """The rules that begin inside a statement: where an operand has ended and nothing joins it to what follows, Rego
    begins a new rule, in the same line, too."""
    depth = 0
    for before, token in pairwise(statement.tokens):
        if before.kind is TokenKind.SIGN:
            depth += (before.text in OPENING) - (before.text in CLOSING)
        if depth == 0 and token.is_name and token.text in _BEGINS and _is_over(before):
            yield token.span


def _is_over(token: RegoToken) -> bool:
    if token.is_name:
        return token.text not in _WORDS
    return token.kind is not TokenKind.SIGN or token.text in CLOSING


def _is_of_path(token: RegoToken) -> bool:
    return token.is_name or token.kind is TokenKind.STRING or token.text in (".", "[", "]")


def _import(statement: Statement, is_late: bool) -> RegoImport:
    parts = statement.tokens[1:]
    names = [token.text for token in parts]
    alias = names[-1] if names else ""
    if len(names) > 2 and names[-2] == "as":
        names = names[:-2]
    return RegoImport("".join(names), alias, statement.span, is_late)


def _rule(statement: Statement, lines: LineIndex) -> RegoRule | None:
    tokens = statement.tokens
    is_default = tokens[0].text == "default" and len(tokens) > 1
    start = 1 if is_default else 0
    name = tokens[start]
    if not name.is_name or name.text in _NO_NAMES:
        return None
    pairs = partners(tokens)
    shape = _shape(tokens, start, pairs)
    is_function = start + 1 < len(tokens) and tokens[start + 1].text == "("
    return RegoRule(
        name.text,
        lines.line_of(name.start) + 1,
        name.span,
        Span(name.start, tokens[shape.head_end - 1].end),
        statement.span,
        statement.comment,
        is_default,
        is_function,
        None if is_default else shape.v0_span,
    )


_NO_NAMES = frozenset({"package", "import", "if", "else", "contains", "in", "some", "every", "not", "with", "as"})
_BEFORE_LITERAL = frozenset({"contains", "in", "if", "else", "not", "and", "or"})


class _Shape(NamedTuple):
    head_end: int
    """The position behind the head's last token."""
    v0_span: Span | None


def _shape(tokens: Sequence[RegoToken], start: int, pairs: dict[int, int]) -> _Shape:
    """Where a rule's head ends, and what of it is not v1: a body without `if`, a member of a set without `contains`."""
    head_end: int | None = None
    has_if, position = False, start + 1
    has_value = False
    while position < len(tokens):
        token = tokens[position]
        if token.text == "if" and token.is_name:
            head_end = position if head_end is None else head_end
            has_if = True
        elif token.text == "else" and token.is_name:
            head_end = position if head_end is None else head_end
            has_if = False
        elif token.text == "{" and not has_if and _ends_an_operand(tokens[position - 1]):
            return _Shape(position if head_end is None else head_end, token.span)
        elif token.text in (":=", "=", "contains") and head_end is None:
            has_value = True
        if token.text in OPENING and token.kind is TokenKind.SIGN:
            position = pairs.get(position, len(tokens))
        position += 1
    is_member = not (has_value or has_if) and start + 1 < len(tokens) and tokens[start + 1].text == "["
    end = len(tokens) if head_end is None else head_end
    return _Shape(end, tokens[start + 1].span if is_member and head_end is None else None)


def _ends_an_operand(token: RegoToken) -> bool:
    """Whether a brace behind this token opens a body: behind an operator, it opens an object or a set."""
    if token.is_name:
        return token.text == "else" or token.text not in _BEFORE_LITERAL
    return token.kind is not TokenKind.SIGN or token.text in (")", "]", "}")


def _generation(imports: Sequence[RegoImport], rules: Sequence[RegoRule], tokens: Sequence[RegoToken]) -> Generation:
    """v0 is what has rules that only v0 allows, unless the file says v1 or has words that mean nothing in its v0."""
    paths = {found.path for found in imports}
    if "rego.v1" in paths or not any(rule.v0_span is not None for rule in rules):
        return Generation.V1
    has_words = any(path.startswith("future.keywords") for path in paths)
    return Generation.V1 if not has_words and any(_v1_words(tokens)) else Generation.V0


def _v1_words(tokens: Sequence[RegoToken]) -> Iterator[RegoToken]:
    for before, token in pairwise(tokens):
        if token.text in ("if", "contains") and token.is_name and before.text != ".":
            yield token
