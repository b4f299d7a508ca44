"""Names of resources, as plans declare them, against those of a policy, where `*` stands for any part of a name.

What is allowed is compared exactly; what is blocked is compared as it looks, as blocked tools are. A name in a plan may
have a `*`, too: it is allowed where everything that it can mean is, and blocked where something of it may be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from plancheck.lazy_regex import regex
from plancheck.policy.names import folded, is_too_long

_PLAIN = regex(r"[\w*./:@#+=-]*")
"""What a `*` of a policy stands for: what names are made of, and no blank, placeholder or other sign."""

_WAY_UP = regex(r"\.\.|(?:^|/)[.*]*\.[.*]*(?:/|$)")
"""What leads out of where a pattern begins, or may do so once its wildcards stand for something."""


def fault_of_resource(value: str) -> str | None:
    """Why a name in a policy would mean no resource."""
    if is_too_long(value):
        return "is too long to be compared with the names in a plan: shorten it"
    if "*" not in value and not folded(value):
        return "has no letter and no digit, so it names no resource"
    return None


def covered(patterns: Iterable[str], name: str) -> bool:
    """Whether everything that a name can mean is allowed by a list of a policy. A way up (`..`) is not, unless it is
    spelt out there."""
    return any(_covers(pattern, name) for pattern in patterns)


def may_mean(blocked: str, name: str) -> bool:
    """Whether a name may mean something that an entry of a policy blocks, however either is spelt. With wildcards,
    it is enough that both can begin and end alike."""
    one, other = _ends(blocked), _ends(name)
    if len(one) == len(other) == 1:
        return one == other
    return _fit(one, other, 0, str.startswith) and _fit(one, other, -1, str.endswith)


def common(one: Iterable[str], other: Iterable[str]) -> tuple[str, ...]:
    """What two lists of a policy both allow."""
    mine, others = tuple(one), tuple(other)
    narrower = (*(name for name in mine if covered(others, name)), *(name for name in others if covered(mine, name)))
    return tuple(dict.fromkeys(narrower))


def _covers(pattern: str, name: str) -> bool:
    if pattern == name:
        return True
    if "*" not in pattern or _WAY_UP.search(name) is not None:
        return False
    first, *middle, last = pattern.split("*")
    end = len(name) - len(last)
    if not name.startswith(first) or not name.endswith(last) or end < len(first):
        return False
    return all(_PLAIN.fullmatch(gap) for gap in _gaps(name[len(first) : end], middle))


def _gaps(text: str, parts: Iterable[str]) -> Iterator[str]:
    """What is between the parts, each taken where it comes first: one pass, however many wildcards there are."""
    for part in parts:
        gap, found, text = text.partition(part) if part else ("", "*", text)
        yield gap if found else "?"
    yield text


def _ends(name: str) -> list[str]:
    """The parts of a name between its wildcards, as they look."""
    return [folded(part) for part in name.split("*")]


def _fit(one: list[str], other: list[str], end: int, begins: Callable[[str, str], bool]) -> bool:
    """Whether two names can be the same at one of their ends. What has no wildcard is no longer than it is."""
    return (len(other) > 1 and begins(one[end], other[end])) or (len(one) > 1 and begins(other[end], one[end]))
