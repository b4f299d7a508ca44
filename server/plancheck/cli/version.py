"""Which plancheck this is."""

from __future__ import annotations

import os

from plancheck import __version__
from plancheck.workspace.reading import ReadError, read_text

_COMMIT = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "commit.txt")


def version_line() -> str:
    """The version, and the commit where a package was built from one."""
    commit = read_text(_COMMIT, most=100)
    known = "" if isinstance(commit, ReadError) else f" ({commit.strip()})"
    return f"plancheck {__version__}{known}"
