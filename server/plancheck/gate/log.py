"""The decision log: one JSON object a line, only ever added to.

A line is written whole or not at all as far as a reader can tell: it goes out in one `write` to a file opened for
appending, under a lock that other processes respect. If somebody was killed half-way through a line, the next one who
writes ends that line first, so that one torn record never takes another one with it.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timezone
from typing import Any

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl


class DecisionLog:
    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)

    def append(self, record: Mapping[str, Any]) -> None:
        """Add a record with the time. OSError where that is not possible: a decision must not go unrecorded."""
        timed = {**record, "time": datetime.now(timezone.utc).isoformat(timespec="microseconds")}
        line = json.dumps(timed, ensure_ascii=True, default=str).encode() + b"\n"
        file = _open(self.path)
        try:
            with _locked(file):
                if _is_torn(file):
                    line = b"\n" + line
                _write(file, line)
                os.fsync(file)
        finally:
            os.close(file)

    def records(self) -> Iterator[dict[str, Any]]:
        """Every record, torn ones left out."""
        with open(self.path, "rb") as lines:  # noqa: PTH123 - as everywhere at the rim
            for line in lines:
                try:
                    found = json.loads(line)
                except ValueError:
                    continue
                if isinstance(found, dict):
                    yield found


def _open(path: str) -> int:
    """The log, opened for appending. A new one is for its owner only, whatever the umask takes away or leaves."""
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)
    try:
        file = os.open(path, flags | os.O_EXCL, 0o600)
    except FileExistsError:
        return os.open(path, flags, 0o600)
    if hasattr(os, "fchmod"):
        os.fchmod(file, 0o600)
    return file


def _is_torn(file: int) -> bool:
    """Whether the last line has no end."""
    size = os.fstat(file).st_size
    if size == 0:
        return False
    os.lseek(file, size - 1, os.SEEK_SET)
    return os.read(file, 1) != b"\n"


def _write(file: int, line: bytes) -> None:
    done = 0
    while done < len(line):  # a full disk may take a part, and then says why it takes no more
        done += os.write(file, line[done:])


if sys.platform == "win32":

    @contextmanager
    def _locked(file: int) -> Iterator[None]:
        """Nobody else writes meanwhile, in this process or another."""
        far = 1 << 40  # a byte that no record reaches stands for the whole file
        os.lseek(file, far, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_LOCK, 1)
        try:
            yield
        finally:
            os.lseek(file, far, os.SEEK_SET)
            msvcrt.locking(file, msvcrt.LK_UNLCK, 1)

else:

    @contextmanager
    def _locked(file: int) -> Iterator[None]:
        """Nobody else writes meanwhile, in this process or another."""
        fcntl.flock(file, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(file, fcntl.LOCK_UN)
