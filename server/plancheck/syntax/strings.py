"""From the characters of a string's value to where they stand in its token, escapes and all."""

from __future__ import annotations

import re

_ESCAPE = re.compile(
    r"\\(?:(?P<pair>u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})"
    r'|(?P<proper>["\\/bfnrt]|u[0-9a-fA-F]{4})'
    r"|(?P<broken>u[0-9a-fA-F]{0,3}|[^u]|\Z))",
    re.DOTALL,
)


def raw_offset(token: str, offset: int) -> int:
    """Where in a string's token, quotes included, the character number `offset` of its value starts."""
    raw = 1 if token[:1] in ('"', "'") else 0
    if "\\" not in token:
        return min(raw + offset, len(token))
    for match in _ESCAPE.finditer(token, raw):
        between = match.start() - raw
        if offset <= between:
            break
        # a broken escape counts for what stands behind its backslash, as in `decode_string`
        letters = len(match["broken"]) if match["broken"] is not None else 1
        offset -= between + letters
        raw = match.end()
        if offset < 0:
            return raw
    return min(raw + offset, len(token))


def value_offset(token: str, raw: int) -> int:
    """The character of a string's value that stands at `raw` in its token: the inverse of `raw_offset`."""
    start = 1 if token[:1] in ('"', "'") else 0
    if "\\" not in token:
        return max(raw - start, 0)
    value = 0
    for match in _ESCAPE.finditer(token, start):
        if match.start() >= raw:
            break
        value += match.start() - start + (len(match["broken"]) if match["broken"] is not None else 1)
        start = match.end()
    return value + max(raw - start, 0)
