"""Other spellings of the same text: what the plan says stays as it was."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from random import Random

_STRING = re.compile(r'("(?:[^"\\]+|\\.)*")', re.DOTALL)
_UNIT = re.compile(r"\\u[0-9a-fA-F]{4}|\\.|.", re.DOTALL)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_PUNCTUATION = re.compile(r"[\[\]{},:]")
_BLANKS = (" ", "\n", "\t", "\r\n", "  \n\t", "\r")

_EXACT_DIGITS = 15
_LARGEST_EXPONENT = 400
_MOST_CHANGES = 8


def byte_order_mark(text: str, _: Random) -> str:
    """A mark in front is tolerated by readers of JSON, so it changes nothing."""
    return "\ufeff" + text


def carriage_returns(text: str, _: Random) -> str | None:
    """Line breaks stand between tokens only, where any blank is as good as another."""
    return text.replace("\n", "\r\n") if "\n" in text else None


def blanks_around(text: str, random: Random) -> str:
    """Blanks in front of a document and behind it mean nothing, and mend nothing that is not JSON."""
    return random.choice(_BLANKS) + text + random.choice(_BLANKS)


def blanks_between_tokens(text: str, random: Random) -> str:
    """Blanks between tokens mean nothing."""

    def spread(mark: re.Match[str]) -> str:
        if random.random() < 0.7:
            return mark[0]
        return random.choice(_BLANKS) + mark[0] + random.choice(_BLANKS)

    return _outside_strings(text, lambda between: _PUNCTUATION.sub(spread, between))


def escaped_letters(text: str, random: Random) -> str | None:
    """A character and its code are the same character, in values and in keys."""
    pieces = _STRING.split(text)
    strings = [position for position in range(1, len(pieces), 2) if len(pieces[position]) > 2]
    if not strings:
        return None
    for position in random.sample(strings, random.randint(1, min(len(strings), _MOST_CHANGES))):
        pieces[position] = _escaped(pieces[position], random)
    return "".join(pieces)


def _escaped(token: str, random: Random) -> str:
    units = _UNIT.findall(token[1:-1])
    for position in random.sample(range(len(units)), random.randint(1, min(len(units), _MOST_CHANGES))):
        if len(units[position]) == 1:
            units[position] = _code_of(units[position], random)
    return '"' + "".join(units) + '"'


def _code_of(character: str, random: Random) -> str:
    """As UTF-16 has it: a pair of surrogates for what lies beyond the first 65,536 characters."""
    data = character.encode("utf-16-be", "surrogatepass")
    codes = [data[start : start + 2].hex() for start in range(0, len(data), 2)]
    return "".join("\\u" + random.choice((code.lower(), code.upper())) for code in codes)


def numbers_respelled(text: str, random: Random) -> str | None:
    """The same number in another spelling is as far out of its bounds as before."""
    changed = False

    def respelled(number: re.Match[str]) -> str:
        nonlocal changed
        if not _is_exact(number[0]) or random.random() < 0.3:
            return number[0]
        changed = True
        return _respelled(Decimal(number[0]), random)

    other = _outside_strings(text, lambda between: _NUMBER.sub(respelled, between))
    return other if changed else None


def _is_exact(number: str) -> bool:
    """Whether a reader that turns it into a float gets the number that was meant, or infinity as before."""
    mantissa, _, exponent = number.lower().partition("e")
    is_float = "." in number or exponent != ""
    if not is_float:
        return len(mantissa.lstrip("-")) <= _EXACT_DIGITS
    return len(exponent) <= 5 and abs(int(exponent or 0)) <= _LARGEST_EXPONENT


def _respelled(number: Decimal, random: Random) -> str:
    sign, digits, exponent = number.as_tuple()
    assert isinstance(exponent, int)
    minus, body, mark = "-" if sign else "", "".join(map(str, digits)), random.choice("eE")
    if number and random.random() < 0.5:
        zeros = random.randint(0, 3)
        return f"{minus}{body}{'0' * zeros}{mark}{exponent - zeros}"
    fraction = body[1:] or "0"
    return f"{minus}{body[0]}.{fraction}{mark}{exponent + len(body) - 1:+d}"


def _outside_strings(text: str, change: Callable[[str], str]) -> str:
    pieces = _STRING.split(text)
    pieces[::2] = [change(between) for between in pieces[::2]]
    return "".join(pieces)
