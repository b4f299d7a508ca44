"""Reading files: only what is a file, only as much as can be handled, and with words for whatever is in the way."""

from __future__ import annotations

import errno
import os
import stat

from plancheck.tuples import NamedTuple

MOST_BYTES = 512_000_000
"""Of any file; what is larger is not read at all."""
MOST_BYTES_OF_SETTINGS = 16_000_000
"""Of a configuration, a policy or a list of ignored files."""

_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


class ReadError(NamedTuple):
    """A file or folder that could not be read, and why, in words."""

    path: str
    message: str


def read_text(path: str, *, most: int = MOST_BYTES, may_wait: bool = False) -> str | ReadError:
    """The text of a UTF-8 file, without a byte order mark."""
    raw = read_bytes(path, most=most, may_wait=may_wait)
    return raw if isinstance(raw, ReadError) else decode(path, raw)


def read_bytes(path: str, *, most: int = MOST_BYTES, may_wait: bool = False) -> bytes | ReadError:
    """What is in a file of at most so many bytes.

    A pipe or a device has no end that could be known, and opening one may wait for ever. `may_wait` is for what the
    user names on the command line, where `<(…)` is a pipe; nothing that was merely found is read that way.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | (0 if may_wait else _NO_WAITING))
    except (OSError, ValueError) as error:
        return _unopened(path, error)
    try:
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISDIR(mode) or not (may_wait or stat.S_ISREG(mode)):
            return ReadError(path, f"this is {_kind(mode)}, not a file.")
        with open(descriptor, "rb", closefd=False) as file:
            raw = file.read(most + 1)
    except OSError as error:
        return ReadError(path, why(error))
    finally:
        os.close(descriptor)
    return raw if len(raw) <= most else ReadError(path, f"it is too large: at most {most // 1_000_000} MB are read.")


_NO_WAITING: int = getattr(os, "O_NONBLOCK", 0)


def _unopened(path: str, error: OSError | ValueError) -> ReadError:
    if isinstance(error, ValueError):
        return ReadError(printable(path), "no file can have this name.")
    if isinstance(error, PermissionError) and os.path.isdir(path):  # Windows opens no folder, and says only this
        return ReadError(path, "this is a folder, not a file.")
    if error.errno == errno.ENXIO:  # a socket cannot be opened as a file
        return ReadError(path, "this is a socket, not a file.")
    return ReadError(path, why(error))


def _kind(mode: int) -> str:
    return next((words for is_kind, words in _KINDS if is_kind(mode)), "something else")


def decode(path: str, raw: bytes) -> str | ReadError:
    try:
        text = raw.decode("utf-8")
        return text if text.startswith("\ufeff\ufeff") else text.removeprefix("\ufeff")  # a second one is a mistake
    except UnicodeDecodeError as error:
        if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
            return ReadError(path, "this is UTF-16 text: save it as UTF-8.")
        return ReadError(path, f"byte {error.start} (0x{raw[error.start]:02x}) is not UTF-8: save the file as UTF-8.")


def why(error: OSError) -> str:
    """What is in the way, in words."""
    if isinstance(error, FileNotFoundError):
        return "there is no such file or folder."
    if isinstance(error, IsADirectoryError):
        return "this is a folder, not a file."
    if isinstance(error, PermissionError):
        return "it may not be read: permission denied."
    if error.errno == errno.ELOOP:
        return "this symbolic link leads back to itself."
    return f"it cannot be read: {error.strerror or error}."


def is_utf8(name: str) -> bool:
    """Whether a name that the system gave is text. Python stands in for other bytes with half characters."""
    return name.isascii() or not any("\ud800" <= char <= "\udfff" for char in name)


def printable(name: str) -> str:
    """A name as it can be shown and written anywhere: bytes that are not UTF-8 as `\\xff`, half characters, which only
    Windows has in names, as `\\ud800`."""
    if is_utf8(name):
        return name
    try:
        return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    except UnicodeEncodeError:
        return name.encode("utf-8", "backslashreplace").decode("utf-8")
