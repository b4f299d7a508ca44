"""From the tokens of a glob to a regular expression that cannot explode.

Python's `re` backtracks: with ten stars in a name it tries every way to share the name among them. A glob needs none of
that. What follows a star may be taken where it first fits, for a later place leaves the rest no choice that the earlier
one does not leave it too. So each wildcard, with what follows it up to the next one, becomes a group that is never
entered again once it has matched (an atomic group, spelled with a lookahead because Python 3.10 has no other spelling),
and the time is at most the length of the path times that of the glob for each `**`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from itertools import count
from typing import TypeAlias


class Wild(Enum):
    """What stands for any number of characters, as a lazy regular expression."""

    NAME = "[^/]*?"
    """`*`: stays inside one name."""
    FOLDERS = "(?:.*?/)??"
    """`**/`: any number of whole folders."""
    ANYTHING = ".*?"
    """`**`: crosses folders anywhere."""


Token: TypeAlias = "str | Wild"
"""A wildcard, or a regular expression for exactly one character."""


def linear_regex(tokens: Iterable[Token], end: str, numbers: Iterator[int] | None = None) -> str:
    """The regular expression for a glob, to be compiled with DOTALL; `end` is what must hold behind it.

    `numbers` makes the names of groups, which must differ among expressions that are joined into one.
    """
    numbers = count() if numbers is None else numbers
    blocks = _split(_simplified(tokens), (Wild.FOLDERS, Wild.ANYTHING))
    last = len(blocks) - 1
    found: list[str] = []
    for number, (wild, block) in enumerate(blocks):
        is_last = number == last
        body = _name_stars(block, end if is_last else "", numbers, is_final=is_last or wild is not None)
        piece = body if wild is None else f"{wild.value}{body}"
        found.append(piece if wild is None or is_last else _atomic(piece, numbers))
    return "".join(found)


def _name_stars(tokens: Sequence[Token], end: str, numbers: Iterator[int], is_final: bool) -> str:
    """Tokens among which no wildcard but `*` is left. Behind the last star of all, or of a group that is atomic itself,
    nothing follows that could fail and come back: it `is_final` and needs no group."""
    runs = _split(tokens, (Wild.NAME,))
    last = len(runs) - 1
    found: list[str] = []
    for number, (wild, run) in enumerate(runs):
        fixed = "".join(token for token in run if isinstance(token, str)) + (end if number == last else "")
        piece = fixed if wild is None else f"{wild.value}{fixed}"
        found.append(piece if wild is None or (is_final and number == last) else _atomic(piece, numbers))
    return "".join(found)


def _split(tokens: Sequence[Token], cuts: tuple[Wild, ...]) -> list[tuple[Wild | None, list[Token]]]:
    """The tokens, cut in front of some wildcards: each of these with what follows it."""
    found: list[tuple[Wild | None, list[Token]]] = [(None, [])]
    for token in tokens:
        if isinstance(token, Wild) and token in cuts:
            found.append((token, []))
        else:
            found[-1][1].append(token)
    return found


def _simplified(tokens: Iterable[Token]) -> list[Token]:
    """The tokens without wildcards that add nothing; `**/` in the middle of a name is `**` and a slash."""
    found: list[Token] = []
    for token in tokens:
        if token is not Wild.FOLDERS:
            _add(found, token)
        elif not found or found[-1] in ("/", Wild.FOLDERS):
            _add(found, Wild.FOLDERS)
        else:
            _add(found, Wild.ANYTHING)
            found.append("/")
    return found


def _add(tokens: list[Token], token: Token) -> None:
    before = tokens[-1] if tokens else None
    if isinstance(token, Wild) and isinstance(before, Wild):
        if token is before or (before, token) == (Wild.ANYTHING, Wild.NAME):
            return
        if token is Wild.ANYTHING:
            tokens.pop()
    tokens.append(token)


def _atomic(body: str, numbers: Iterator[int]) -> str:
    name = f"g{next(numbers)}"
    return f"(?=(?P<{name}>{body}))(?P={name})"
