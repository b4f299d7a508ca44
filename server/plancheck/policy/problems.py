"""What is wrong with a policy file, and where."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plancheck.text import Span
from plancheck.tuples import NamedTuple

if TYPE_CHECKING:
    from plancheck.policy.yaml import Value, YamlMember


class PolicyProblem(NamedTuple):
    """One mistake in a policy file."""

    rule: str
    message: str
    span: Span
    pointer: str = ""
    """The key or value that it is about, as in RFC 6901; empty for the whole file."""
    meant: str | None = None
    """What was probably meant instead of the token, where it looks like a misspelling."""


class PolicyPlace(NamedTuple):
    """The token that stands for a key or a value, and the pointer to it."""

    span: Span
    pointer: str


def key_of(member: YamlMember) -> PolicyPlace:
    return PolicyPlace(member.key_span, member.value.pointer)


def start_of(value: Value) -> PolicyPlace:
    """A scalar itself, of anything else where it begins."""
    from plancheck.policy.yaml import Scalar  # where there is a policy file

    start, end = value.span
    return PolicyPlace(Span(start, max(end, start + 1) if isinstance(value, Scalar) else start + 1), value.pointer)
