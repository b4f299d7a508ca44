"""What a policy orders by `<`, `>`, `<=` and `>=`: which members of a plan must be numbers, so that an engine is right
that knows no order between values of different types. opa does: to it, every text is greater than any number.

It goes by tokens and takes rather too many members than too few. What it cannot follow is reported by its place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from plancheck.policy.rego.constructs import is_member
from plancheck.policy.rego.source import RegoRule, RegoSource
from plancheck.policy.rego.tokens import OPENING, RegoToken, TokenKind, partners
from plancheck.policy.rego.unbound import rules_with_tokens
from plancheck.text import Span
from plancheck.tuples import NamedTuple

_ORDER = frozenset({"<", ">", "<=", ">="})
_ARITHMETIC = frozenset({"+", "-", "*", "/", "%"})
_NUMERIC = frozenset(
    {"abs", "ceil", "count", "floor", "indexof", "product", "round", "strings.count", "sum", "to_number"}
)
_DEEPEST = 6


class Compared(NamedTuple):
    members: frozenset[str]
    """The names of members that may be compared."""
    unclear: tuple[Span, ...]
    """Comparisons of which that is not known."""


class _UnclearError(Exception):
    pass


def compared_members(source: RegoSource, package: Sequence[RegoSource]) -> Compared:
    """What a file compares; `package` are all files of its package."""
    scopes = [(one, _Scope(rule, tokens)) for one in package for rule, tokens in rules_with_tokens(one)]
    resolver = _Resolver([scope for _, scope in scopes])
    members: set[str] = set()
    unclear: list[Span] = []
    for scope in (scope for one, scope in scopes if one is source):
        for position, token in enumerate(scope.tokens):
            if token.text in _ORDER and token.kind is TokenKind.SIGN:
                try:
                    members |= resolver.left(scope, position - 1, 0) | resolver.right(scope, position + 1, 0)
                except _UnclearError:
                    unclear.append(token.span)
    return Compared(frozenset(members), tuple(unclear))


class _Scope:
    """A rule and its tokens."""

    def __init__(self, rule: RegoRule, tokens: Sequence[RegoToken]) -> None:
        self.rule = rule
        self.tokens = tokens
        self.pairs = partners(tokens)
        self.places: dict[str, list[int]] = {}
        """Where each name stands that is not the member of another."""
        for position, token in enumerate(tokens):
            if token.is_name and not is_member(tokens, position):
                self.places.setdefault(token.text, []).append(position)

    def text(self, position: int) -> str:
        return self.tokens[position].text if 0 <= position < len(self.tokens) else ""

    def start_of_term(self, position: int) -> int:
        """The first token of the term that ends at a position."""
        while position > 0:
            if self.text(position) in ("]", ")", "}"):
                position = self.pairs.get(position, 0)
                is_applied = self.text(position) in "[(" and self._is_operand(position - 1)
                if not is_applied:
                    return position
                position -= 1
            elif self.text(position - 1) == ".":
                position -= 2
            else:
                return position
        return position

    def end_of_term(self, position: int) -> int:
        """The last token of the term that begins at a position."""
        if self.text(position) in OPENING:
            position = self.pairs.get(position, len(self.tokens) - 1)
        while position + 1 < len(self.tokens):
            following = self.text(position + 1)
            if following == "." and position + 2 < len(self.tokens):
                position += 2
            elif following in ("[", "(") and self._is_operand(position):
                position = self.pairs.get(position + 1, len(self.tokens) - 1)
            else:
                break
        return position

    def _is_operand(self, position: int) -> bool:
        if position < 0:
            return False
        token = self.tokens[position]
        return token.text in ("]", ")") or (token.is_name and token.text not in _KEYWORDS)


_KEYWORDS = frozenset({"if", "in", "some", "every", "not", "contains", "else", "default", "with", "as", "import"})


class _Resolver:
    """Which members a term may be the value of; a number is that of none."""

    def __init__(self, scopes: Sequence[_Scope]) -> None:
        self._by_name: dict[str, list[_Scope]] = {}
        self._calls: dict[str, list[tuple[_Scope, int]]] = {}
        self._resolved: dict[tuple[_Scope, str], frozenset[str] | None] = {}
        """The members that variables stand for; None where that is unclear."""
        for scope in scopes:
            self._by_name.setdefault(scope.rule.name, []).append(scope)
            for position, token in enumerate(scope.tokens[:-1]):
                if position and token.is_name and scope.text(position + 1) == "(" and scope.text(position - 1) != ".":
                    self._calls.setdefault(token.text, []).append((scope, position + 1))

    def left(self, scope: _Scope, end: int, depth: int) -> frozenset[str]:
        if end < 0:
            raise _UnclearError
        start = scope.start_of_term(end)
        return frozenset() if scope.text(start - 1) in _ARITHMETIC else self._term(scope, start, end, depth)

    def right(self, scope: _Scope, start: int, depth: int) -> frozenset[str]:
        if scope.text(start) == "-":
            return frozenset()
        if start >= len(scope.tokens):
            raise _UnclearError
        end = scope.end_of_term(start)
        return frozenset() if scope.text(end + 1) in _ARITHMETIC else self._term(scope, start, end, depth)

    def _term(self, scope: _Scope, start: int, end: int, depth: int) -> frozenset[str]:
        first, last = scope.tokens[start], scope.tokens[end]
        if depth > _DEEPEST:
            raise _UnclearError
        if first.kind is TokenKind.NUMBER:
            return frozenset()
        if not first.is_name:
            raise _UnclearError
        if last.text == ")":
            called = "".join(token.text for token in scope.tokens[start : scope.pairs.get(end, end)])
            return self._called(scope, called, end, depth)
        if start == end:
            return self._variable(scope, first.text, depth)
        return frozenset({_member(scope, start, end)})

    def _called(self, scope: _Scope, called: str, end: int, depth: int) -> frozenset[str]:
        if called in _NUMERIC:
            return frozenset()
        inside = range(scope.pairs.get(end, end) + 1, end)
        if called == "object.get":
            names = [scope.tokens[position] for position in inside]
            return frozenset(token.text.strip('"`') for token in names if token.kind is TokenKind.STRING)
        if called in ("max", "min"):
            return self._everything(scope, inside, depth)
        raise _UnclearError

    def _everything(self, scope: _Scope, inside: range, depth: int) -> frozenset[str]:
        """All members in an expression."""
        found: set[str] = set()
        position = inside.start
        while position < inside.stop:
            token = scope.tokens[position]
            if token.is_name and token.text not in _KEYWORDS:
                end = scope.end_of_term(position)
                if end > position and end < inside.stop:
                    found |= self._term(scope, position, end, depth + 1)
                position = end
            position += 1
        return frozenset(found)

    def _variable(self, scope: _Scope, name: str, depth: int) -> frozenset[str]:
        if (scope, name) not in self._resolved:
            self._resolved[scope, name] = None  # what depends on itself is unclear
            self._resolved[scope, name] = self._value(scope, name, depth)
        known = self._resolved[scope, name]
        if known is None:
            raise _UnclearError
        return known

    def _value(self, scope: _Scope, name: str, depth: int) -> frozenset[str]:
        found: set[str] = set()
        is_bound = False
        for values in (self._assigned(scope, name, depth), self._parameter(scope, name, depth)):
            for members in values:
                is_bound = True
                found |= members
        if not is_bound and name in self._by_name:
            for other in self._by_name[name]:
                found |= self._rule_value(other, depth)
            is_bound = True
        if not is_bound:
            raise _UnclearError
        return frozenset(found)

    def _assigned(self, scope: _Scope, name: str, depth: int) -> Iterator[frozenset[str]]:
        """What a rule gives a variable: by `:=`, or as an element or a key of what it goes through."""
        for position in scope.places.get(name, ()):
            before, following = scope.text(position - 1), scope.text(position + 1)
            if following in (":=", "="):
                yield self.right(scope, position + 2, depth + 1)
            elif following == "in" and before in ("some", "every", ","):
                yield self._element(scope, position + 2, depth)
            elif before in ("some", "every") and following == ",":
                yield frozenset()

    def _element(self, scope: _Scope, start: int, depth: int) -> frozenset[str]:
        if scope.text(start) in OPENING:
            return self._everything(scope, range(start + 1, scope.pairs.get(start, start)), depth)
        return self.right(scope, start, depth + 1)

    def _parameter(self, scope: _Scope, name: str, depth: int) -> Iterator[frozenset[str]]:
        """What a function is called with for a parameter."""
        if not scope.rule.is_function:
            return
        opening = next(position for position, token in enumerate(scope.tokens) if token.text == "(")
        names = [scope.tokens[first].text for first, _ in _arguments(scope, opening)]
        if name not in names:
            return
        number = names.index(name)
        for caller, position in self._calls.get(scope.rule.name, ()):
            given = list(_arguments(caller, position))
            if number >= len(given) or depth > _DEEPEST:
                raise _UnclearError
            first, last = given[number]
            if caller.end_of_term(first) != last:
                raise _UnclearError
            yield self._term(caller, first, last, depth + 1)

    def _rule_value(self, scope: _Scope, depth: int) -> frozenset[str]:
        """What a rule without parameters is worth."""
        start = 2 if scope.rule.is_default else 1
        if scope.rule.is_function or scope.text(start) not in (":=", "=") or depth > _DEEPEST:
            raise _UnclearError
        return self.right(scope, start + 1, depth + 1)


def _member(scope: _Scope, start: int, end: int) -> str:
    """The name of the member that a reference leads to, or of the list that it leads into."""
    position = end
    while position > start:
        if scope.tokens[position].is_name:
            return scope.text(position)
        first = scope.pairs.get(position, start)
        if position - first == 2 and scope.tokens[first + 1].kind is TokenKind.STRING:
            return scope.text(first + 1).strip('"`')
        position = first - 1
    raise _UnclearError


def _arguments(scope: _Scope, opening: int) -> Iterator[tuple[int, int]]:
    """The first and the last token of each argument."""
    end = scope.pairs.get(opening, opening)
    first = position = opening + 1
    while position < end:
        if scope.text(position) in OPENING:
            position = scope.pairs.get(position, end)
        elif scope.text(position) == ",":
            yield first, position - 1
            first = position + 1
        position += 1
    if first < end:
        yield first, end - 1
