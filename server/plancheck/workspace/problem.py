"""What is wrong with a configuration file, and where."""

from __future__ import annotations

from plancheck.tuples import NamedTuple


class ConfigProblem(NamedTuple):
    """One mistake in a configuration file."""

    start: int
    end: int
    message: str
    pointer: str = ""
    """The key or value that it is about, as in RFC 6901; empty where the text is not TOML."""
    meant: str = ""
    """What was probably meant instead of the token, where it looks like a misspelling; else empty."""
