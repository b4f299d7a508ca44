"""Globs over relative paths, as `include`, `exclude` and `overrides` use them.

`*` and `?` stay inside one name, `**` crosses folders, `[a-z]` is a set (`[!a]` its opposite), `{a,b}` a choice. A glob
without a slash fits a name in any folder. A path fits also when one of its folders does: `exclude = ["build"]`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable


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
            self._pattern = re.compile("|".join(f"(?:{_regex(glob)})" for glob in self.globs), re.DOTALL)
        return self._pattern.fullmatch(path) is not None


def bad_glob(glob: str) -> str | None:
    """What is wrong with a glob, in words, if something is."""
    if not glob.strip():
        return "is empty"
    if glob.startswith("/") or ":" in glob[:2]:
        return "must be relative to the folder of this file"
    if ".." in glob.split("/"):
        return "must not lead out of the folder of this file"
    try:
        re.compile(_regex(glob))
    except re.error:
        return "cannot be understood"
    return None


def _regex(glob: str) -> str:
    glob = glob.removeprefix("./")
    anchored = "/" in glob.rstrip("/")
    body = glob.rstrip("/")
    pieces: list[str] = [] if anchored else ["(?:.*/)?"]
    depth = position = 0
    while position < len(body):
        char = body[position]
        if body.startswith("**/", position) and (position == 0 or body[position - 1] in "/{,"):
            pieces.append("(?:.*/)?")
            position += 3
            continue
        if body.startswith("**", position):
            pieces.append(".*")
            position += 2
            continue
        if char == "[" and (end := _set_end(body, position)) is not None:
            inside = body[position + 1 : end].replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")
            inside = "^/" + inside[1:] if inside[0] in "!^" else inside
            pieces.append(f"[{inside}]")
            position = end + 1
            continue
        if char == "{" and "}" in body[position:]:
            depth += 1
            pieces.append("(?:")
        elif char == "}" and depth:
            depth -= 1
            pieces.append(")")
        elif char == "," and depth:
            pieces.append("|")
        else:
            pieces.append({"*": "[^/]*", "?": "[^/]"}.get(char) or re.escape(char))
        position += 1
    return "".join(pieces) + "(?:/.*)?"


def _set_end(glob: str, start: int) -> int | None:
    """Where a set closes; a bracket right at its start belongs to it."""
    first = start + 2 if glob[start + 1 : start + 2] in ("!", "^") else start + 1
    end = glob.find("]", first + 1)
    return None if end < 0 else end
