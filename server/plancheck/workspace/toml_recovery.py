"""TOML with mistakes in it: each becomes a problem at its place, and what is left of the text is read."""

from __future__ import annotations

import re
import sys
from typing import Any

from plancheck.workspace.problem import ConfigProblem
from plancheck.workspace.toml_excess import LONGEST, without_excess

_MOST_ROUNDS = 30
_MOST_READ = 2_000_000
"""Characters in all rounds together."""
_WITH_POSITION = re.compile(r"^(.*?) \(at (?:line (\d+), column (\d+)|end of document)\)$", re.DOTALL)
_STARTS_SOMETHING = re.compile(r"""^[ \t]*(?:\[|["'A-Za-z0-9_.-]+[ \t]*=)""")
_TOKEN = re.compile(r"""[^\s,\]}=#]{1,60}|.""")


def load(text: str, problems: list[ConfigProblem]) -> tuple[str, dict[str, Any]]:
    """The part of the text that is TOML, what stands there instead of the rest being spaces, and its data."""
    if len(text) > LONGEST:
        problems.append(ConfigProblem(0, 1, f"This file is too large: at most {LONGEST:,} characters are read."))
        return "", {}
    text = without_excess(text, problems)
    for _ in range(min(_MOST_ROUNDS, _MOST_READ // (len(text) + 1))):
        data = _tried(text)
        if isinstance(data, dict):
            return text, data
        text = _without_mistake(text, data, problems)
    return "", {}


def _tried(text: str) -> dict[str, Any] | str:
    """The data, or what the TOML reader has against the text; imported here, for most folders have no configuration."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        return tomllib.loads(text)
    except ValueError as error:
        return str(error)


def _without_mistake(text: str, error: str, problems: list[ConfigProblem]) -> str:
    """Note what the TOML reader said, and blank the lines that it cannot make out."""
    lines = text.split("\n")
    match = _WITH_POSITION.match(error)
    words = match[1] if match else error
    if match and match[2]:
        number = min(int(match[2]), len(lines)) - 1
        column = min(int(match[3]) - 1, len(lines[number]))
        last = number
        if lines[number].lstrip().startswith("["):  # without its header a section would land in the one before
            last = next((i for i in range(number + 1, len(lines)) if lines[i].startswith("[")), len(lines)) - 1
    else:
        last = len(lines) - 1
        starts = (i for i in range(last, -1, -1) if _STARTS_SOMETHING.match(lines[i]))
        number = next(starts, 0)
        column = len(lines[number]) - len(lines[number].lstrip())
    offset = sum(len(line) + 1 for line in lines[:number]) + column
    token = _TOKEN.match(lines[number], column)
    message = f"This is not TOML: {_sentence(words)}"
    if not (match and match[2]) and problems and problems[-1].message == message:
        problems.pop()  # the end was missing still, so what is not closed stands further up
    problems.append(ConfigProblem(offset, offset + (len(token[0]) if token else 0), message))
    lines[number : last + 1] = [" " * len(line) for line in lines[number : last + 1]]
    return "\n".join(lines)


def _sentence(words: str) -> str:
    return f"{words[:1].lower()}{words[1:].rstrip('.')}."
