"""What the engine `regopy` gets wrong, by trying it against opa: policies and plans that it is not asked about.

It has no check of variables, evaluates v0 wrongly, goes wrong or crashes where free variables stand in brackets, knows
no order between values of different types, takes what is undefined behind `not` otherwise, and keeps strings as they
are escaped in JSON, so that most functions of strings go wrong where something is escaped. It reports nothing of this:
rules just do not fire, or fire.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from plancheck.policy.rego.compared import compared_members
from plancheck.policy.rego.constructs import Construct, called_names, dotted_names, is_member
from plancheck.policy.rego.negated import disputed_negations
from plancheck.policy.rego.source import Generation, RegoSource
from plancheck.policy.rego.tokens import TokenKind
from plancheck.policy.rego.unbound import iterating_names, unbound_names
from plancheck.text import Span
from plancheck.tuples import NamedTuple

_MISTAKEN_PREFIXES = ("rego.metadata.", "strings.render_template", "strings.reverse")

_RIGHT_WITH_ESCAPES = frozenset(
    {"abs", "all", "any", "array.concat", "array.slice", "ceil", "concat", "count", "floor", "format_int", "max", "min"}
    | {"is_array", "is_boolean", "is_null", "is_number", "is_object", "is_set", "is_string", "object.get", "round"}
    | {"intersection", "numbers.range", "object.filter", "object.keys", "object.remove", "object.union", "product"}
    | {"set", "sprintf", "startswith", "sum", "union", "walk"}
)
"""The functions that are right for strings with escapes in them."""
_WRONG_BEYOND_ASCII = ("lower", "upper", "regex.", "glob.", "trim", "indexof", "substring")
_MOST_DIGITS = 15
MOST_TOKENS = 20_000


class RegopyLimits(NamedTuple):
    """What regopy cannot be asked about a policy, found out once for all plans."""

    constructs: Mapping[str, tuple[Construct, ...]]
    """What in each file it would answer wrongly, or could not stand; the policy must be free of these."""
    numbers: frozenset[str]
    """The members of a plan that must be numbers, because the policy orders them."""
    called: frozenset[str]
    """The builtin functions that the policy calls."""


def regopy_limits(sources: Mapping[str, RegoSource]) -> RegopyLimits:
    packages: dict[str | None, list[RegoSource]] = {}
    for source in sources.values():
        packages.setdefault(source.package, []).append(source)
    constructs: dict[str, tuple[Construct, ...]] = {}
    numbers: set[str] = set()
    for path, source in sources.items():
        package = packages[source.package]
        if sum(len(other.tokens) for other in package) > MOST_TOKENS:
            message = "This policy is too large for regopy: install opa, or split it."
            constructs[path] = (Construct(source.package_span, message),)
            continue
        compared = compared_members(source, package)
        numbers |= compared.members
        constructs[path] = tuple(sorted((*_mistaken(source, package), *map(_unordered, compared.unclear))))
    called = {name for source in sources.values() for name, _ in _called(source)}
    return RegopyLimits(constructs, frozenset(numbers), frozenset(called))


def _unordered(span: Span) -> Construct:
    message = "regopy orders values of different types wrongly, and what these are is unclear: install opa."
    return Construct(span, message)


def _mistaken(source: RegoSource, package: Sequence[RegoSource]) -> Iterator[Construct]:
    rules = {rule.name for other in package for rule in other.rules}
    yield from _old_syntax(source)
    yield from _mistaken_words(source)
    yield from _mistaken_calls(source)
    yield from _mistaken_strings(source)
    yield from _mistaken_patterns(source)
    for name, span in unbound_names(source, rules):
        message = f"`{name}` is not defined, which only opa reports properly: declare it, or correct its name."
        yield Construct(span, message)
    for span in disputed_negations(source):
        message = "regopy negates this wrongly where it is undefined: give it a name first (`x := …`), or install opa."
        yield Construct(span, message)
    for name, span in iterating_names(source, rules):
        yield Construct(span, f"regopy goes through `[{name}]` wrongly: use `some … in`, or install opa.")


def _old_syntax(source: RegoSource) -> Iterator[Construct]:
    advice = "install opa, or add `if` and `contains`"
    for rule in source.rules:
        if rule.v0_span is not None:
            generation = "of Rego v0" if source.generation is Generation.V0 else "not of Rego v1"
            yield Construct(rule.v0_span, f"This is {generation}, which regopy evaluates wrongly: {advice}.")
        if rule.name in ("input", "data"):
            yield Construct(rule.name_span, f"A rule may not be named `{rule.name}`: rename it.")


def _mistaken_words(source: RegoSource) -> Iterator[Construct]:
    for found in source.imports:
        if found.is_late:
            yield Construct(found.span, "regopy reads imports only above all rules: move this one up, or install opa.")
    for position, token in enumerate(source.tokens):
        if token.text == "with" and token.is_name and not is_member(source.tokens, position):
            yield Construct(token.span, "regopy cannot evaluate `with`: install opa, or write the rule without it.")


def _mistaken_strings(source: RegoSource) -> Iterator[Construct]:
    for token in source.tokens:
        is_escaped = token.kind is TokenKind.STRING and token.text.startswith('"')
        if is_escaped and ("\\u" in token.text or "\\/" in token.text):
            yield Construct(token.span, "regopy does not decode this text: write its characters out, or install opa.")


def _mistaken_calls(source: RegoSource) -> Iterator[Construct]:
    for name, span in dotted_names(source.tokens):
        if name.startswith(_MISTAKEN_PREFIXES):
            yield Construct(span, f"regopy evaluates `{name}` wrongly: install opa, or write the rule without it.")


def _mistaken_patterns(source: RegoSource) -> Iterator[Construct]:
    """Patterns beyond the plain ones: with flags, for instance, regopy takes them to match nothing."""
    following = {token.start: after for token, after in zip(source.tokens, source.tokens[1:], strict=False)}
    opened = {token.start: token for token in source.tokens if token.text == "("}
    for name, span in called_names(source.tokens):
        if not name.startswith(("regex.", "glob.")):
            continue
        opening = opened.get(span.end)
        pattern = None if opening is None else following.get(opening.start)
        is_plain = pattern is not None and pattern.kind is TokenKind.STRING and not _BEYOND.search(pattern.text)
        if name != "regex.match" or not is_plain:
            message = f"regopy may evaluate `{name}` wrongly here: write a plainer pattern, or install opa."
            yield Construct(span, message)


_BEYOND = re.compile(r"\(\?|\\[^bBdDsSwWnt.+*?(){}|^$/\\\[\]-]|\[:|&&|[^\x00-\x7f]")


def mistaken_inputs(limits: RegopyLimits, inputs: Iterable[Any]) -> str | None:
    """Why regopy is not asked about some plans, if that is so."""
    for name, value in _values(inputs):
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if name in limits.numbers and not is_number:
            return f"regopy orders only numbers properly, and `{name}` has another value: install opa."
        if isinstance(value, float) and float(f"{value:.{_MOST_DIGITS}g}") != value:
            return f"regopy rounds numbers of more than {_MOST_DIGITS} digits, and this plan has one: install opa."
        wrong = _wrong_with(value, limits.called) if isinstance(value, str) else None
        if wrong is not None:
            return f"regopy may evaluate `{wrong}` wrongly for some text in this plan: install opa."
    return None


def _wrong_with(text: str, called: Iterable[str]) -> str | None:
    """The function that goes wrong for a text, if one is called."""
    if any(char < " " or char in _ESCAPED for char in text):
        return min((name for name in called if name not in _RIGHT_WITH_ESCAPES), default=None)
    if not text.isascii():
        return min((name for name in called if name.startswith(_WRONG_BEYOND_ASCII)), default=None)
    return None


_ESCAPED = '"\\'


def _called(source: RegoSource) -> Iterator[tuple[str, Any]]:
    functions = {rule.name for rule in source.rules}
    return ((name, span) for name, span in called_names(source.tokens) if name not in functions)


def _values(inputs: Iterable[Any]) -> Iterator[tuple[str, Any]]:
    """Every scalar of some documents with the name that it stands under, and every key; what they share, once."""
    seen: set[tuple[int, str]] = set()
    todo = [("", value) for value in inputs]
    while todo:
        name, value = todo.pop()
        if not isinstance(value, (dict, list)):
            yield name, value
        elif (id(value), name) not in seen:
            seen.add((id(value), name))
            if isinstance(value, dict):
                todo += value.items()
                yield from (("", key) for key in value)
            else:
                todo += ((name, item) for item in value)
