"""The patterns of a `.gitignore` file, exactly as git reads them.

Written by hand and tested against git itself: the usual library also applies a folder's pattern to all that lies below
it, so that a deeper pattern cannot be overruled the way git does it, and costs three times the start of Python.

A file may be made to be slow, so it is limited (see `MOST_LINES` and what follows it), and what lies behind a limit is
left out. Most lines are plain names, which are looked up; wildcards are joined into few expressions, none of which can
backtrack without end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count

from plancheck.tuples import NamedTuple
from plancheck.workspace.wildcards import Token, Wild, linear_regex

MOST_LINES = 50_000
LONGEST = 1_000_000
"""Characters of one file."""
LONGEST_WILD = 1_000
"""Characters of one line that has wildcards."""
MOST_WILD = 30_000
"""Characters of all lines of one file that have wildcards."""

_CLASSES = {
    "alnum": "a-zA-Z0-9",
    "alpha": "a-zA-Z",
    "blank": " \\t",
    "digit": "0-9",
    "lower": "a-z",
    "space": "\\s",
    "upper": "A-Z",
    "xdigit": "0-9a-fA-F",
}


_SPECIAL = re.compile(r"[*?\[\\]")


class _Line(NamedTuple):
    """A pattern as it was written."""

    glob: str
    """Without the signs that the other fields stand for."""
    is_negated: bool
    folders_only: bool
    names_only: bool
    """Without a slash in it a pattern is about names in any folder, else about the path from the file's folder."""


class _Kind(NamedTuple):
    """What patterns must have in common to be asked together."""

    stretch: int
    """Lines in a row that all exclude, or all take back, are a stretch: among them the order does not matter."""
    folders_only: bool
    names_only: bool


class IgnoreRules:
    """The patterns of one file. The last one that fits a path decides."""

    def __init__(self, text: str) -> None:
        self.is_cut = len(text) > LONGEST or text.count("\n", 0, LONGEST) > MOST_LINES
        """Whether only a part of the text is in force, because all of it would be too much."""
        self._plain: dict[tuple[str, bool, bool], int] = {}
        """The stretch of a plain name or path, by it and by what it is about."""
        self._wild: list[tuple[_Kind, re.Pattern[str]]] = []
        """Wildcards, the last stretch first."""
        self._negated: list[bool] = []
        """For each stretch, whether it takes back what others exclude."""
        wild: dict[_Kind, list[list[Token]]] = {}
        wild_left = MOST_WILD
        for line in _lines(text):
            if not self._negated or self._negated[-1] is not line.is_negated:
                self._negated.append(line.is_negated)
            kind = _Kind(len(self._negated) - 1, line.folders_only, line.names_only)
            if _SPECIAL.search(line.glob) is None:
                self._plain[line.glob, line.folders_only, line.names_only] = kind.stretch
                continue
            if len(line.glob) > LONGEST_WILD:
                self.is_cut = True
                continue
            wild_left -= len(line.glob)
            if wild_left < 0:
                self.is_cut = True
                break
            tokens = _tokens(line.glob)
            if tokens is not None:
                wild.setdefault(kind, []).append(tokens)
        self._wild = [(kind, _any_of(wild[kind])) for kind in sorted(wild, reverse=True)]

    def __bool__(self) -> bool:
        return bool(self._negated)

    def verdict(self, path: str, is_folder: bool) -> bool | None:
        """Whether the path, relative to the file's folder, is ignored; None where no pattern says anything about it."""
        name = path.rpartition("/")[2]
        plain = self._plain
        decisive = max(plain.get((name, False, True), -1), plain.get((path, False, False), -1))
        if is_folder:
            decisive = max(decisive, plain.get((name, True, True), -1), plain.get((path, True, False), -1))
        for (stretch, folders_only, names_only), regex in self._wild:
            if stretch <= decisive:
                break
            if (is_folder or not folders_only) and regex.match(name if names_only else path):
                decisive = stretch
        return None if decisive < 0 else not self._negated[decisive]


def _any_of(globs: list[list[Token]]) -> re.Pattern[str]:
    numbers = count()
    return re.compile("|".join(linear_regex(tokens, r"\Z", numbers) for tokens in globs), re.DOTALL)


def _lines(text: str) -> Iterator[_Line]:
    """The lines that say something, up to the limits."""
    for written in text[:LONGEST].split("\n")[:MOST_LINES]:
        glob = _without_trailing_spaces(written.removesuffix("\r"))
        if not glob or glob.startswith("#"):
            continue
        is_negated = glob.startswith("!")
        glob = glob[is_negated:]
        folders_only = glob.endswith("/")
        glob = glob.removesuffix("/")
        if glob:
            yield _Line(glob.removeprefix("/"), is_negated, folders_only, "/" not in glob)


def _without_trailing_spaces(line: str) -> str:
    """The line up to its last character that counts; a space behind a backslash does."""
    stripped = line.rstrip(" ")
    backslashes = len(stripped) - len(stripped.rstrip("\\"))
    return f"{stripped} " if backslashes % 2 and len(stripped) < len(line) else stripped


def _tokens(glob: str) -> list[Token] | None:
    """The tokens of a glob; None for one that fits nothing."""
    found: list[Token] = []
    position = 0
    while position < len(glob):
        char = glob[position]
        width = 1
        if char == "*":
            stars = len(glob) - position - len(glob[position:].lstrip("*"))
            tokens, width = _stars(glob, position, stars)
            found += tokens
        elif char == "[":
            members = _set(glob, position)
            if members is None:
                return None
            token, width = members
            found.append(token)
        elif char == "\\":
            if position + 1 == len(glob):
                return None
            found.append(re.escape(glob[position + 1]))
            width = 2
        else:
            found.append("[^/]" if char == "?" else re.escape(char))
        position += width
    return found


def _stars(glob: str, position: int, stars: int) -> tuple[list[Token], int]:
    """A run of stars and how long it is: two or more between slashes cross folders, all others stay in one name."""
    starts_name = position == 0 or glob[position - 1] == "/"
    behind = glob[position + stars : position + stars + 1]
    if stars >= 2 and starts_name:
        if behind == "/":
            return [Wild.FOLDERS], stars + 1
        if not behind:
            return ([".", Wild.ANYTHING] if position else [Wild.ANYTHING]), stars
    return [Wild.NAME], stars


def _set(glob: str, start: int) -> tuple[str, int] | None:
    """A set in brackets and how long it is; None if it is never closed."""
    position = start + 1
    is_negated = glob[position : position + 1] in ("!", "^")
    position += is_negated
    members: list[str] = []
    first = position
    while True:
        char = glob[position : position + 1]
        if not char:
            return None
        if char == "]" and position > first:
            break
        named = re.compile(r"\[:([a-z]+):\]").match(glob, position)
        if named is not None:
            if named[1] not in _CLASSES:
                return None
            members.append(_CLASSES[named[1]])
            position = named.end()
            continue
        if char == "\\":
            position += 1
            char = glob[position : position + 1]
            if not char:
                return None
        is_range = char == "-" and position > first and glob[position + 1 : position + 2] not in ("", "]")
        members.append(char if is_range else re.escape(char))
        position += 1
    inside = "".join(members)
    try:
        re.compile(f"[{inside}]")
    except re.error:  # a range that runs backwards fits nothing
        return ("[^/]" if is_negated else "(?!)"), position + 1 - start
    return (f"(?!/)[{'^' * is_negated}{inside}]"), position + 1 - start
