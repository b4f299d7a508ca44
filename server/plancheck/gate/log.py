"""The decision log: one JSON object a line, only ever added to.

A line is written whole or not at all as far as a reader can tell: it goes out in one `write` to a file opened for
appending, under a lock that other processes respect, and what a full disk took of it is taken back. If somebody was
killed half-way through a line, the next one who writes ends that line first, so that one torn record never takes
another one with it.

The log tells what an agent was about to do, and whoever writes the plan may be able to write where the log is. So it
is a file of one's own that nobody else may read: a log that others may read is closed to them, and one that belongs to
another user, or is a symbolic link, a pipe or a device, is refused. Nothing in its place makes a writer wait for ever.
"""

from __future__ import annotations

import errno
import hashlib
import json
import math
import os
import stat
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime, timezone
from typing import Any, BinaryIO, Protocol

from plancheck.policy.secrets import masked

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

EVENT_TYPE = "agent.plan"

_LONGEST_LINE = 64_000_000
"""In bytes. What has no line end for longer than that is no log, and is not loaded to find out."""
_DEEPEST_ARGUMENT = 100
"""Levels of nesting. Writing a record must not fail on a plan that was made to be deep."""
_LONGEST_NUMBER = 10_000
"""In bits. Python refuses to write much longer ones in decimal."""
_BETWEEN_TRIES = 0.002
"""Seconds between two attempts to get the lock."""


class DecisionLike(Protocol):
    """What the log needs to know of a decision, whoever made it."""

    @property
    def allow(self) -> bool: ...
    @property
    def deny(self) -> bool: ...
    @property
    def requires_hitl(self) -> bool: ...
    @property
    def undecided(self) -> bool: ...
    @property
    def reason(self) -> str: ...
    @property
    def rule_matched(self) -> str: ...
    @property
    def steps(self) -> Sequence[int]: ...
    @property
    def policy_version(self) -> str: ...


class DecisionLog:
    """A log file. `log_arguments` is for those who make the records; it is off because arguments are people's data."""

    def __init__(
        self, path: str | os.PathLike[str], *, log_arguments: bool = False, lock_timeout: float = 10.0
    ) -> None:
        self.path = os.fspath(path)
        self.log_arguments = log_arguments
        self.lock_timeout = lock_timeout
        """Seconds to wait for another writer. A stopped process keeps its lock, and must not stop all others."""

    @property
    def is_something_else(self) -> bool:
        """Whether the file has lines, and its first one is no record: it may be a policy or a catalogue."""
        try:
            with _open_to_read(self.path) as file:
                first = file.readline(_LONGEST_LINE)
            return first.endswith(b"\n") and "decision" not in json.loads(first)
        except OSError:  # whoever adds to it says what is wrong with it
            return False
        except (ValueError, TypeError, RecursionError):
            return True

    def open(self) -> None:
        """Make the file, if there is none. OSError where no record could be added."""
        os.close(_open_to_append(self.path))

    def append(self, record: Mapping[str, Any]) -> None:
        """Add a record with the time. OSError where that is not possible: a decision must not go unrecorded."""
        timed = {**record, "time": datetime.now(timezone.utc).isoformat(timespec="microseconds")}
        line = json.dumps(timed, ensure_ascii=True, default=str).encode() + b"\n"
        file = _open_to_append(self.path)
        try:
            with _locked(file, self.path, self.lock_timeout):
                _add(file, line)
        finally:
            os.close(file)

    def records(self) -> Iterator[dict[str, Any]]:
        """Every record, torn ones left out."""
        return (entry for entry in self.entries() if entry is not None)

    def entries(self) -> Iterator[dict[str, Any] | None]:
        """Every record, one at a time, and None in the place of each line that is none."""
        with _open_to_read(self.path) as file:
            for line in _lines(file):
                try:
                    entry = json.loads(line)
                except (ValueError, RecursionError):
                    entry = None
                yield entry if isinstance(entry, dict) else None


# ---- records ---------------------------------------------------------------------------------------------------------


def record_of(
    plan_text: str, steps: Sequence[tuple[str | None, Any]], decision: DecisionLike, *, log_arguments: bool
) -> dict[str, Any]:
    """What the log keeps of a decision. `steps` are the tools with their arguments as plain JSON values."""
    digest = hashlib.sha256(plan_text.encode("utf-8", "surrogatepass")).hexdigest()
    return {
        "event_type": EVENT_TYPE,
        "plan_digest": f"sha256:{digest}",
        "steps": [_step(tool, arguments, log_arguments) for tool, arguments in steps],
        "decision": _verdict(decision),
        "allow": decision.allow,
        "deny": decision.deny,
        "requires_hitl": decision.requires_hitl,
        "undecided": decision.undecided,
        "rule_matched": decision.rule_matched,
        "reason": masked(decision.reason, ""),
        "blamed_steps": list(decision.steps),
        "policy_version": decision.policy_version,
    }


def _step(tool: str | None, arguments: Any, log_arguments: bool) -> dict[str, Any]:
    step: dict[str, Any] = {"tool": None if tool is None else masked(tool, "")}
    if log_arguments:
        step["args"] = _loggable(arguments, "", _DEEPEST_ARGUMENT)
    return step


def _verdict(decision: DecisionLike) -> str:
    """In one word, as records had it from the first, so that those who filter by it need not change."""
    if decision.deny:
        return "deny"
    if decision.undecided:
        return "undecided"
    if decision.requires_hitl:
        return "requires_hitl"
    return "allow" if decision.allow else "undecided"


def _loggable(value: Any, key: str, depth: int) -> Any:
    """An argument as it can be written by anybody: secrets masked, and nothing that JSON or Python has no words for."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return int(value) if value.bit_length() <= _LONGEST_NUMBER else hex(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else repr(value)
    if isinstance(value, (Mapping, list, tuple)) and depth == 0:
        return "…"
    if isinstance(value, Mapping):
        return _loggable_members(value, depth - 1)
    if isinstance(value, (list, tuple)):
        return [_loggable(item, key, depth - 1) for item in value]
    return masked(str(value), key)


def _loggable_members(members: Mapping[Any, Any], depth: int) -> dict[str, Any]:
    """The members of an object. A key that holds a secret is masked too, and no second one may replace the first."""
    shown: dict[str, Any] = {}
    for key, value in members.items():
        name = masked(str(key), "")
        while name in shown:
            name += "'"
        shown[name] = _loggable(value, str(key), depth)
    return shown


# ---- the file --------------------------------------------------------------------------------------------------------

_NO_WAITING: int = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
_NO_LINK: int = getattr(os, "O_NOFOLLOW", 0)  # not on Windows, where making a link is for administrators
_BINARY: int = getattr(os, "O_BINARY", 0)
_LINK_REFUSED = (errno.ELOOP, errno.EMLINK)  # what Linux and macOS say, and what FreeBSD says


def _open_to_append(path: str) -> int:
    """The log, made where it is missing, and for nobody but its owner whatever the umask takes away or leaves."""
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | _BINARY | _NO_WAITING | _NO_LINK
    try:
        try:
            file = os.open(path, flags | os.O_EXCL, 0o600)
        except FileExistsError:
            file = os.open(path, flags, 0o600)
    except OSError as error:
        if error.errno in _LINK_REFUSED:
            reason = "it is a symbolic link, which could lead anywhere: name the file that it leads to"
            raise OSError(errno.ELOOP, reason, path) from None
        raise
    except ValueError:  # a null character, or one that the file system's encoding does not have
        raise OSError(errno.EINVAL, "no file can have this name", path) from None
    try:
        _require_file(file, path)
        _make_private(file, path)
    except OSError:
        os.close(file)
        raise
    return file


def _require_file(file: int, path: str) -> None:
    mode = os.fstat(file).st_mode
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "it is a pipe or a device: a log must be a regular file", path)


if sys.platform == "win32":

    def _make_private(file: int, path: str) -> None:
        """Windows knows no such permissions: a file has those of its folder."""

else:

    def _make_private(file: int, path: str) -> None:
        """See to it that the log is our own and that others may not read it."""
        if os.fstat(file).st_uid != os.geteuid():
            raise PermissionError(errno.EPERM, "it belongs to another user, who could read and change it", path)
        if stat.S_IMODE(os.fstat(file).st_mode) == 0o600:
            return
        with suppress(PermissionError):
            os.fchmod(file, 0o600)
        if os.fstat(file).st_mode & 0o077:  # some file systems have no permissions, and do not say so
            raise PermissionError(errno.EPERM, "others may read it, and this file system cannot forbid it", path)


def _open_to_read(path: str) -> BinaryIO:
    try:
        file = os.open(path, os.O_RDONLY | _BINARY | _NO_WAITING)
    except ValueError:
        raise OSError(errno.EINVAL, "no file can have this name", path) from None
    try:
        _require_file(file, path)
    except OSError:
        os.close(file)
        raise
    return open(file, "rb")  # noqa: PTH123 - as everywhere at the rim


def _lines(file: BinaryIO) -> Iterator[bytes]:
    """The lines that are not empty. An endless one is given as what it begins with, which is no record."""
    while line := file.readline(_LONGEST_LINE):
        rest = line
        while len(rest) == _LONGEST_LINE and not rest.endswith(b"\n"):
            rest = file.readline(_LONGEST_LINE)
        if line.strip():
            yield line


def _add(file: int, line: bytes) -> None:
    """Write a line at the end and see it to the disk; where that fails, leave the log as it was."""
    size = os.fstat(file).st_size
    try:
        _write(file, b"\n" + line if _is_torn(file, size) else line)
        os.fsync(file)
    except OSError:
        with suppress(OSError):
            os.ftruncate(file, size)
        raise


def _is_torn(file: int, size: int) -> bool:
    """Whether the last line has no end."""
    if size == 0:
        return False
    os.lseek(file, size - 1, os.SEEK_SET)
    return os.read(file, 1) != b"\n"


def _write(file: int, line: bytes) -> None:
    done = 0
    while done < len(line):  # a full disk may take a part, and then says why it takes no more
        done += os.write(file, line[done:])


# ---- the lock --------------------------------------------------------------------------------------------------------


@contextmanager
def _locked(file: int, path: str, timeout: float) -> Iterator[None]:
    """Nobody else writes meanwhile, in this process or another."""
    end = time.monotonic() + timeout
    while not _try_lock(file):
        if time.monotonic() >= end:
            reason = f"another process has kept it locked for {timeout:g} seconds: is one stopped?"
            raise TimeoutError(errno.ETIMEDOUT, reason, path)
        time.sleep(_BETWEEN_TRIES)
    try:
        yield
    finally:
        _unlock(file)


if sys.platform == "win32":
    _LOCKED_BYTE = 1 << 40
    """A byte that no record reaches stands for the whole file."""

    def _try_lock(file: int) -> bool:
        os.lseek(file, _LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except PermissionError:
            return False
        return True

    def _unlock(file: int) -> None:
        os.lseek(file, _LOCKED_BYTE, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_UNLCK, 1)

else:

    def _try_lock(file: int) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _unlock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_UN)
