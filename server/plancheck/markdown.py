"""Somebody's text in Markdown: the one place that makes it safe.

Names, messages and whatever else comes out of a plan, a policy or a configuration go through `escape`, `prose` or
`code` before they become Markdown. A link, a picture or HTML of theirs would be ours to whoever reads it: an editor
runs the commands that links in a hover name, and a picture tells its server who looked.
"""

from __future__ import annotations

import re

_SPECIAL = re.compile(r"[\\`*\[\]<>|~&$@]|(?<!\w)_|_(?!\w)|:(?=//)|(?i:(?<=www))\.")
"""What begins something: `$` a formula on GitHub; `@`, `://` and `www.` a link, there and in VS Code."""
_CODE = re.compile(r"`([^`]+)`")
_LINE_BREAKS = re.compile(r"[\r\n\t\x00-\x1f\x7f\u0085\u2028\u2029]+")
_TICKS = re.compile(r"`+")
_BARE_PIPE = re.compile(r"(?<!\\)\|")
_LONGEST = 120


def plain(text: str) -> str:
    """Somebody else's text on one line, cut if it is very long. Not Markdown yet."""
    text = _LINE_BREAKS.sub(" ", text)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def escape(text: str) -> str:
    """Text that means nothing special in Markdown, on one line that does not begin with it."""
    return escape_line(plain(text))


def escape_line(line: str) -> str:
    """The same for what is one line already, and is not to be cut."""
    return _SPECIAL.sub(lambda match: "\\" + match.group(), line)


def prose(message: str) -> str:
    """One of our messages: names in backquotes become code spans, all else (names of users included) is escaped."""
    pieces = _CODE.split(_LINE_BREAKS.sub(" ", message))
    return "".join(code(piece) if number % 2 else escape_line(piece) for number, piece in enumerate(pieces))


def code(text: str) -> str:
    """Text as a code span, whatever is in it."""
    text = plain(text)
    fence = "`" * (max((len(run) for run in _TICKS.findall(text)), default=0) + 1)
    pad = " " if text.startswith("`") or text.endswith("`") or not text.strip() else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def cell(markdown: str) -> str:
    """Markdown of one line as a table's cell: there, a bar ends the cell even inside code."""
    return _BARE_PIPE.sub(r"\\|", markdown)
