"""What a terminal can show: colours, the width of characters, and text that cannot take the terminal over."""

from __future__ import annotations

import os
import sys
from typing import TextIO

COLUMNS = 120
"""Where there is no terminal."""
_KNOWN_BY = ("TERM", "WT_SESSION", "ANSICON", "ConEmuANSI")
"""Variables of the environment that terminals of Windows have which understand escape sequences."""

_STYLES = {"error": "31;1", "warning": "33;1", "info": "34;1", "hint": "36;1", "bold": "1", "dim": "2"}
_TAB = "    "
_HIDDEN = frozenset("\u061c\u200e\u200f\u2028\u2029\ufeff") | {
    chr(code) for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))
}
"""Characters that turn the writing direction or end the line: a name holding one could show what is not there."""


def wants_colour(choice: str, stream: TextIO) -> bool:
    """Whether to colour, by the option and by the conventions NO_COLOR, FORCE_COLOR and TERM=dumb."""
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return understands_escapes(stream) and os.environ.get("TERM") != "dumb"


def understands_escapes(stream: TextIO) -> bool:
    """Whether a stream is a terminal that takes escape sequences. The consoles of older Windows show them as text."""
    return stream.isatty() and (sys.platform != "win32" or any(name in os.environ for name in _KNOWN_BY))


def columns_of(stream: TextIO) -> int:
    """The width to write for, which is never too small to be of use."""
    try:
        columns = os.get_terminal_size(stream.fileno()).columns if stream.isatty() else COLUMNS
    except OSError:  # Windows takes NUL for a terminal
        columns = COLUMNS
    return max(columns, 40)


class Painter:
    """Colours words, or leaves them as they are."""

    def __init__(self, colour: bool) -> None:
        self._colour = colour

    def __call__(self, style: str, text: str) -> str:
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if self._colour and text else text


def _is_control(char: str) -> bool:
    return char < " " or "\x7f" <= char <= "\x9f" or char in _HIDDEN or "\ud800" <= char <= "\udfff"


def one_line(text: str) -> str:
    """The text with everything that is no plain character written as an escape."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escape(ord(char)) if _is_control(char) else char for char in text)


def _escape(code: int) -> str:
    if 0xDC80 <= code <= 0xDCFF:  # a byte of a file name that is not UTF-8, as Python keeps it
        code -= 0xDC00
    return f"\\x{code:02x}" if code <= 0xFF else f"\\u{code:04x}"


def lines(text: str) -> str:
    """The same for a text of several lines: their ends stay."""
    return "\n".join(map(one_line, text.split("\n")))


def cell(char: str) -> tuple[str, int]:
    """How a character of a source line is shown, and how many columns that takes."""
    if " " <= char <= "~":
        return char, 1
    if char == "\t":
        return _TAB, len(_TAB)
    if char < " ":
        return chr(0x2400 + ord(char)), 1
    if _is_control(char):
        return "\ufffd", 1
    from unicodedata import category, east_asian_width

    if east_asian_width(char) in "WF":
        return char, 2
    return char, 0 if category(char) in ("Mn", "Me", "Cf") else 1
