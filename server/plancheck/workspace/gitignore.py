"""The patterns of a `.gitignore` file, exactly as git reads them.

Written by hand and tested against git itself: the usual library also applies a folder's pattern to all that lies below
it, so that a deeper pattern cannot be overruled the way git does it, and costs three times the start of Python.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

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


class Pattern(NamedTuple):
    regex: re.Pattern[str]
    is_negated: bool
    folders_only: bool
    names_only: bool
    """Without a slash in it a pattern is about names in any folder, else about the path from the file's folder."""


def parse_gitignore(lines: Iterable[str]) -> tuple[Pattern, ...]:
    """The patterns, the last one first: that is the one that counts."""
    found = [pattern for line in lines if (pattern := _pattern(line)) is not None]
    return tuple(reversed(found))


def verdict(patterns: tuple[Pattern, ...], path: str, is_folder: bool) -> bool | None:
    """Whether the path, relative to the file's folder, is ignored; None where no pattern says anything about it."""
    name = path.rpartition("/")[2]
    for regex, is_negated, folders_only, names_only in patterns:
        if (is_folder or not folders_only) and regex.fullmatch(name if names_only else path):
            return not is_negated
    return None


def _pattern(line: str) -> Pattern | None:
    glob = _without_trailing_spaces(line.removesuffix("\r"))
    if not glob or glob.startswith("#"):
        return None
    is_negated = glob.startswith("!")
    glob = glob[is_negated:]
    folders_only = glob.endswith("/")
    glob = glob.removesuffix("/")
    names_only = "/" not in glob
    regex = _regex(glob.removeprefix("/"))
    if not glob or regex is None:
        return None
    return Pattern(re.compile(regex, re.DOTALL), is_negated, folders_only, names_only)


def _without_trailing_spaces(line: str) -> str:
    end = len(line)
    while end and line[end - 1] == " ":
        backslashes = len(line[: end - 1]) - len(line[: end - 1].rstrip("\\"))
        if backslashes % 2:
            break
        end -= 1
    return line[:end]


def _regex(glob: str) -> str | None:
    """The glob as a regular expression; None for one that fits nothing."""
    pieces: list[str] = []
    position = 0
    while position < len(glob):
        char = glob[position]
        if char == "*":
            stars = len(glob) - position - len(glob[position:].lstrip("*"))
            piece, width = _stars(glob, position, stars)
        elif char == "[":
            found = _set(glob, position)
            if found is None:
                return None
            piece, width = found
        elif char == "\\":
            if position + 1 == len(glob):
                return None
            piece, width = re.escape(glob[position + 1]), 2
        else:
            piece, width = "[^/]" if char == "?" else re.escape(char), 1
        pieces.append(piece)
        position += width
    return "".join(pieces)


def _stars(glob: str, position: int, stars: int) -> tuple[str, int]:
    """A run of stars: two or more between slashes cross folders, all others stay in one name."""
    starts_name = position == 0 or glob[position - 1] == "/"
    behind = glob[position + stars : position + stars + 1]
    if stars >= 2 and starts_name:
        if behind == "/":
            return "(?:.*/)?", stars + 1
        if not behind:
            return ".+" if position else ".*", stars
    return "[^/]*", stars


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
