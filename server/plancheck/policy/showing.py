"""How a message mentions what a user wrote into a file: cut to a length that can be read, and by a pointer."""

from __future__ import annotations

_LONGEST_SHOWN = 60


def shortened(text: str) -> str:
    """A text of the user's as a message can show it."""
    return text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 1]}…"


def pointer_to(pointer: str, key: str | int) -> str:
    """The pointer to what a value has under a key."""
    return f"{pointer}/{str(key).replace('~', '~0').replace('/', '~1')}"
