"""Globs over relative paths, as `include`, `exclude` and `overrides` use them.

`*` and `?` stay inside one name, `**` crosses folders, `[a-z]` is a set (`[!a]` its opposite), `{a,b}` a choice. A glob
without a slash fits a name in any folder. A path fits also when one of its folders does: `exclude = ["build"]`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import count
from typing import TypeAlias

from plancheck.workspace.wildcards import Token, Wild, linear_regex

LONGEST = 1_000
"""Characters of one glob."""
MOST_CHOICES = 100
"""Globs without braces that one with braces may stand for."""
MOST_GLOBS = 1_000
"""Globs of one configuration."""
MOST_CHARACTERS = 50_000
"""Characters of all globs of one configuration, choices written out."""

_END = r"(?=/|\Z)"
_TOO_MANY = f"expands to more than {MOST_CHOICES} globs: use fewer `{{…}}`"


class GlobSet:
    """Several globs, asked at once."""

    __slots__ = ("_pattern", "globs")

    def __init__(self, globs: Iterable[str]) -> None:
        self.globs = tuple(globs)
        self._pattern: re.Pattern[str] | None = None

    def fits(self, path: str) -> bool:
        """Whether a relative path with forward slashes fits one of the globs."""
        if not self.globs:
            return False
        if self._pattern is None:
            numbers = count()
            choices = (tokens for glob in self.globs for tokens in _choices(glob))
            self._pattern = re.compile("|".join(linear_regex(each, _END, numbers) for each in choices), re.DOTALL)
        return self._pattern.match(path) is not None


def is_glob(name: str) -> bool:
    """Whether something that names files is a glob, and no path."""
    return any(sign in name for sign in "*?[{")


def is_anywhere(glob: str) -> bool:
    """Whether a glob fits below whichever folder it is relative to."""
    body = glob.removeprefix("./").rstrip("/")
    return "/" not in body or body.startswith("**/")


def bad_glob(glob: str) -> str | None:
    """What is wrong with a glob, in words, if something is."""
    if not glob.strip():
        return "is empty"
    if len(glob) > LONGEST:
        return f"is too long: at most {LONGEST:,} characters"
    if glob.startswith("/") or ":" in glob[:2]:
        return "must be relative to the folder of this file"
    if ".." in glob.split("/"):
        return "must not lead out of the folder of this file"
    try:
        _choices(glob)
        if "[" in glob:  # nothing else can be wrong with the expression
            GlobSet([glob]).fits("")
    except TooManyChoicesError:
        return _TOO_MANY
    except (re.error, ValueError):
        return "cannot be understood"
    return None


def size(glob: str) -> int:
    """How many characters a good glob has when its choices are written out."""
    return sum(len(tokens) for tokens in _choices(glob))


# ---- reading a glob ------------------------------------------------------------------------------------------------


class TooManyChoicesError(ValueError):
    """The braces of a glob multiply into more globs than are tried."""


_Tokens: TypeAlias = "list[Token]"


def _choices(glob: str) -> list[_Tokens]:
    """The tokens of each glob that one with braces stands for."""
    glob = glob.removeprefix("./")
    body = glob.rstrip("/")
    open_braces: list[tuple[list[_Tokens], list[_Tokens]]] = []
    """For each brace that is open: what comes before it, and the choices that are complete."""
    current: list[_Tokens] = [[] if "/" in body else [Wild.FOLDERS]]
    position = 0
    while position < len(body):
        char = body[position]
        token, width = _token(body, position)
        if char == "{" and "}" in body[position:]:
            open_braces.append((current, []))
            current = [[]]
        elif char == "," and open_braces:
            open_braces[-1][1].extend(current)
            current = [[]]
        elif char == "}" and open_braces:
            before, complete = open_braces.pop()
            current = _joined(before, [*complete, *current])
        else:
            for tokens in current:
                tokens.append(token)
        position += width
    if open_braces:
        raise ValueError("a brace is not closed")
    return current


def _joined(before: list[_Tokens], after: list[_Tokens]) -> list[_Tokens]:
    if len(before) * len(after) > MOST_CHOICES:
        raise TooManyChoicesError
    return [[*one, *other] for one in before for other in after]


def _token(body: str, position: int) -> tuple[Token, int]:
    """What stands at a position, and how long it is."""
    char = body[position]
    if body.startswith("**/", position) and (position == 0 or body[position - 1] in "/{,"):
        return Wild.FOLDERS, 3
    if body.startswith("**", position):
        return Wild.ANYTHING, 2
    if char == "[" and (end := _set_end(body, position)) is not None:
        inside = body[position + 1 : end].replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")
        inside = "^" + inside[1:] if inside[0] in "!^" else inside
        return f"(?!/)[{inside}]", end + 1 - position
    if char == "*":
        return Wild.NAME, 1
    return ("[^/]" if char == "?" else re.escape(char)), 1


def _set_end(glob: str, start: int) -> int | None:
    """Where a set closes; a bracket right at its start belongs to it."""
    first = start + 2 if glob[start + 1 : start + 2] in ("!", "^") else start + 1
    end = glob.find("]", first + 1)
    return None if end < 0 else end
