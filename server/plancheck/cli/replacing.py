"""A file is replaced by another one as a whole, or stays as it was."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO


@contextmanager
def replacing(path: str, mode: int | None = None) -> Iterator[BinaryIO]:
    """A stream whose bytes become the file, or the one that a link leads to, when all of them are there."""
    real = os.path.realpath(path)
    temporary = f"{real}.{os.getpid()}.tmp"
    opened = open(temporary, "xb")  # noqa: SIM115 - one that is there already is somebody else's, and stays
    try:
        with opened as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            os.chmod(temporary, mode & 0o7777)
        os.replace(temporary, real)
    finally:  # also when the user interrupts it
        if os.path.lexists(temporary):
            os.unlink(temporary)
