"""What the engine `regopy` gets wrong, by trying it against opa: policies and plans that it is not asked about.

It has no check of variables and evaluates v0 wrongly; and it keeps strings as they are escaped in JSON, so that most
functions of strings go wrong where something is escaped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from plancheck.policy.rego.constructs import Construct, called_names, dotted_names, is_member
from plancheck.policy.rego.source import Generation, RegoSource
from plancheck.policy.rego.tokens import TokenKind
from plancheck.policy.rego.unbound import unbound_names

_MISTAKEN_PREFIXES = ("rego.metadata.", "strings.render_template", "strings.reverse")

_RIGHT_WITH_ESCAPES = frozenset(
    {
        "abs",
        "all",
        "any",
        "array.concat",
        "array.slice",
        "ceil",
        "concat",
        "count",
        "floor",
        "format_int",
        "intersection",
    }
    | {"is_array", "is_boolean", "is_null", "is_number", "is_object", "is_set", "is_string", "max", "min", "object.get"}
    | {"numbers.range", "object.filter", "object.keys", "object.remove", "object.union", "product", "round", "set"}
    | {"sprintf", "startswith", "sum", "union", "walk"}
)
"""The functions that are right for strings with escapes in them."""
_WRONG_BEYOND_ASCII = ("lower", "upper", "regex.", "glob.", "trim", "indexof", "substring")
_MOST_DIGITS = 15


def mistaken_by_regopy(source: RegoSource, other_rules: Iterable[str] = ()) -> tuple[Construct, ...]:
    """What regopy would answer wrongly, or could not stand. `other_rules` are those of the package in other files."""
    found = [*_old_syntax(source), *_mistaken_words(source), *_mistaken_calls(source), *_mistaken_strings(source)]
    found += (
        Construct(span, f"`{name}` is not defined, which only opa reports properly: declare it, or correct its name.")
        for name, span in unbound_names(source, other_rules)
    )
    return tuple(sorted(found))


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
        if (
            token.kind is TokenKind.STRING
            and token.text.startswith('"')
            and ("\\u" in token.text or "\\/" in token.text)
        ):
            yield Construct(token.span, "regopy does not decode this text: write its characters out, or install opa.")


def _mistaken_calls(source: RegoSource) -> Iterator[Construct]:
    for name, span in dotted_names(source.tokens):
        if name.startswith(_MISTAKEN_PREFIXES):
            yield Construct(span, f"regopy evaluates `{name}` wrongly: install opa, or write the rule without it.")


def mistaken_inputs(sources: Iterable[RegoSource], inputs: Iterable[Any]) -> str | None:
    """Why regopy is not asked about some plans, if that is so."""
    called = {name for source in sources for name, _ in _called(source)}
    for value in _values(inputs):
        if isinstance(value, float) and float(f"{value:.{_MOST_DIGITS}g}") != value:
            return f"regopy rounds numbers of more than {_MOST_DIGITS} digits, and this plan has one: install opa."
        if not isinstance(value, str):
            continue
        if any(char < " " or char in _ESCAPED for char in value):
            wrong = sorted(called - _RIGHT_WITH_ESCAPES)
            if wrong:
                return f"regopy evaluates `{wrong[0]}` wrongly for text with quotes or line ends: install opa."
        elif not value.isascii():
            wrong = sorted(name for name in called if name.startswith(_WRONG_BEYOND_ASCII))
            if wrong:
                return f"regopy evaluates `{wrong[0]}` wrongly for text that is not ASCII: install opa."
    return None


_ESCAPED = '"\\'


def _called(source: RegoSource) -> Iterator[tuple[str, Any]]:
    functions = {rule.name for rule in source.rules}
    return ((name, span) for name, span in called_names(source.tokens) if name not in functions)


def _values(inputs: Iterable[Any]) -> Iterator[Any]:
    """Every string and number of some documents, keys included; what they share, once."""
    seen: set[int] = set()
    todo = list(inputs)
    while todo:
        value = todo.pop()
        if isinstance(value, (Mapping, list)):
            if id(value) in seen:
                continue
            seen.add(id(value))
            todo += value if isinstance(value, list) else [*value, *value.values()]
        else:
            yield value
