"""What no policy may call, with any engine; and the names that a file calls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from plancheck.policy.rego.source import RegoSource
from plancheck.policy.rego.tokens import RegoToken, TokenKind
from plancheck.text import Span
from plancheck.tuples import NamedTuple


class Construct(NamedTuple):
    """Something in a file that keeps it from being evaluated, and why."""

    span: Span
    message: str


FORBIDDEN_PREFIXES = ("net.", "rand.", "uuid.")
FORBIDDEN_BUILTINS = frozenset({"http.send", "opa.runtime", "time.now_ns"})
"""What would make a verdict depend on anything but the plan and the policy, or tell somebody about them."""


def is_forbidden(builtin: str) -> bool:
    return builtin in FORBIDDEN_BUILTINS or builtin.startswith(FORBIDDEN_PREFIXES)


def forbidden_calls(source: RegoSource) -> tuple[Construct, ...]:
    """The calls that no engine may make."""
    return tuple(
        Construct(span, f"`{name}` is not available to policies: a verdict may depend on the plan only.")
        for name, span in dotted_names(source.tokens)
        if is_forbidden(name)
    )


def dotted_names(tokens: Sequence[RegoToken]) -> Iterator[tuple[str, Span]]:
    """The names of several parts, as in `http.send` or `http["send"]`, that do not begin inside another one."""
    position = 0
    while position < len(tokens):
        token = tokens[position]
        if not token.is_name or is_member(tokens, position):
            position += 1
            continue
        parts, last = [token.text], position
        while (part := _part_behind(tokens, last)) is not None:
            name, last = part
            parts.append(name)
        if len(parts) > 1:
            yield ".".join(parts), Span(token.start, tokens[last].end)
        position = last + 1


def _part_behind(tokens: Sequence[RegoToken], position: int) -> tuple[str, int] | None:
    """The next part of a name, and the position of its last token."""
    behind = [token.text for token in tokens[position + 1 : position + 4]]
    if len(behind) > 1 and behind[0] == "." and tokens[position + 2].is_name:
        return behind[1], position + 2
    if len(behind) > 2 and (behind[0], behind[2]) == ("[", "]") and tokens[position + 2].kind is TokenKind.STRING:
        return behind[1].strip('"`'), position + 3
    return None


def called_names(tokens: Sequence[RegoToken]) -> Iterator[tuple[str, Span]]:
    """The names of the functions that are called, or defined."""
    dotted = {span.start: (name, span) for name, span in dotted_names(tokens)}
    for position, token in enumerate(tokens):
        if token.text == "(" and position and tokens[position - 1].is_name:
            first = position - 1
            while first > 1 and tokens[first - 1].text == "." and tokens[first - 2].is_name:
                first -= 2
            yield dotted.get(tokens[first].start, (tokens[first].text, tokens[first].span))


def is_member(tokens: Sequence[RegoToken], position: int) -> bool:
    return position > 0 and tokens[position - 1].text == "."
