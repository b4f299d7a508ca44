"""What is too much in a TOML text, taken out of it before it is read.

Reading a key of many parts takes a time that grows with their square, and values in values take the stack. So a text is
first looked over, token by token and in a time that grows with its length only: whatever is nested too deeply, or is a
word that is too long, is blanked, and the rest can be read without care.
"""

from __future__ import annotations

import re

from plancheck.tuples import NamedTuple
from plancheck.workspace.problem import ConfigProblem

LONGEST = 500_000
"""Characters of one file."""
DEEPEST = 32
"""Parts of a key, and values in one another."""
LONGEST_WORD = 1_000
"""Characters of a key or number without quotes."""

_TOKENS = re.compile(
    r'''"""(?:[^\\]|\\[\s\S])*?(?:"{3,5}|\Z)'''
    r"""|'{3}[\s\S]*?(?:'{3,5}|\Z)"""
    r"""|"(?:[^"\\\n]|\\[^\n])*(?:"|\\?$)"""
    r"""|'[^'\n]*'?"""
    r"|\#[^\n]*|[A-Za-z0-9_-]+|[ \t\r]+|[\s\S]",
    re.MULTILINE,
)


class _Excess(NamedTuple):
    """A statement that cannot be read, and what in it is too much."""

    start: int
    end: int
    problem: ConfigProblem


def without_excess(text: str, problems: list[ConfigProblem]) -> str:
    """The text with spaces instead of the statements that are too much."""
    pieces: list[str] = []
    position = 0
    for start, end, problem in _excesses(text):
        problems.append(problem)
        pieces += (text[position:start], re.sub(r"[^\n]", " ", text[start:end]))
        position = end
    return "".join((*pieces, text[position:]))


def _excesses(text: str) -> list[_Excess]:
    found: list[_Excess] = []
    start = depth = dots = 0
    wrong: ConfigProblem | None = None
    for match in _TOKENS.finditer(text):
        token = match[0]
        if token == "\n" and depth == 0:
            if wrong is not None:
                found.append(_Excess(start, match.start(), wrong))
            start, dots, wrong = match.end(), 0, None
            continue
        if token in "[{":
            depth += 1
        elif token in "]}":
            depth = max(depth - 1, 0)
        if token == ".":
            dots += 1
        elif token in "=,[]{}":
            dots = 0
        wrong = wrong or _wrong(match, depth, dots)
    if wrong is not None:
        found.append(_Excess(start, len(text), wrong))
    return [_with_section(text, excess) for excess in found]


def _wrong(token: re.Match[str], depth: int, dots: int) -> ConfigProblem | None:
    start, end = token.span()
    if depth > DEEPEST or dots >= DEEPEST:
        return ConfigProblem(start, start + 1, f"This is nested too deeply: at most {DEEPEST} levels are read.")
    if end - start > LONGEST_WORD and re.match("[A-Za-z0-9_-]", token[0]):
        return ConfigProblem(start, end, f"This is too long: at most {LONGEST_WORD:,} characters without quotes.")
    return None


_HEADER = re.compile(r"^[ \t]*\[", re.MULTILINE)


def _with_section(text: str, excess: _Excess) -> _Excess:
    """Without its header a section would land in the one before: it goes with it."""
    if _HEADER.match(text, excess.start) is None:
        return excess
    following = _HEADER.search(text, excess.end)
    return excess._replace(end=following.start() if following is not None else len(text))
