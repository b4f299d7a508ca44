"""The results of earlier runs, kept in files: a plan that was checked before, under the same settings and by the same
plancheck, is not checked again.

The cache is a folder of shards. A shard is a text file with an entry in each line: a key, a checksum and a payload. The
key is a digest of everything that the result depends on, so an entry is never out of date. Two runs may share the
folder: a shard is replaced as a whole, and the worst that can happen is that the entries of one of them are lost.
Whatever is not as it should be in the folder is as good as not there.
"""

from __future__ import annotations

import os
import stat
import sys
from functools import cache
from zlib import crc32

from plancheck import __version__
from plancheck.tuples import NamedTuple

try:
    from _blake2 import blake2b  # that of hashlib, which would load OpenSSL for 3 ms
except ImportError:
    from hashlib import blake2b

_HEADER = b"plancheck cache 1"
_READ = os.O_RDONLY | sum(getattr(os, flag, 0) for flag in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"))
"""Reading neither follows a link nor waits for a pipe; not every system has all of these flags."""
_KEY_LENGTH = 40
_CHECKSUM_LENGTH = 8
LARGEST_SHARD = 128 * 1024
"""There are 256 shards: the cache takes 32 MB at most."""
MOST_PENDING = 4 * 1024 * 1024
"""So much is held in memory before it is written."""


class CacheEntry(NamedTuple):
    """A result to keep."""

    key: str
    payload: str
    """One line of ASCII."""


class ResultCache(NamedTuple):
    """Where results are kept, and for which plancheck. A plain value: it travels to other processes."""

    folder: str
    stamp: str

    def writer(self) -> CacheWriter:
        return CacheWriter()

    def key(self, *parts: str) -> str:
        """The key of what was made from these parts by this plancheck."""
        digest = blake2b(digest_size=_KEY_LENGTH // 2)
        for part in (self.stamp, *parts):
            raw = part.encode("utf-8", "surrogatepass")
            digest.update(b"%d:" % len(raw))
            digest.update(raw)
        return digest.hexdigest()

    def shard(self, key: str) -> str:
        """The file that has the entry, if there is one."""
        return os.path.join(self.folder, key[:2])

    def payload(self, key: str) -> str | None:
        return _shard(self.shard(key)).get(key)


def opened(folder: str) -> ResultCache | None:
    """The cache in a folder, which is made if there is none; None where it cannot be made or cannot be trusted."""
    try:
        os.makedirs(folder, exist_ok=True)
        shards = os.path.join(folder, "results")
        if not os.path.lexists(shards):
            _write(os.path.join(folder, ".gitignore"), b"# made by plancheck\n*\n")
            os.mkdir(shards, 0o700)
        return ResultCache(shards, _stamp()) if _is_ours(os.lstat(shards)) else None
    except OSError:
        return None


def _is_ours(found: os.stat_result) -> bool:
    """Whether nobody but this user can have put something into a folder."""
    if not stat.S_ISDIR(found.st_mode):
        return False
    return not hasattr(os, "geteuid") or (found.st_uid == os.geteuid() and not found.st_mode & 0o022)


class CacheWriter:
    """Collects entries, and writes them many at a time. Not being able to write is no reason to fail."""

    def __init__(self) -> None:
        self._pending: dict[str, list[CacheEntry]] = {}
        """By the shards to which they belong."""
        self._size = 0

    def add(self, results: ResultCache, entry: CacheEntry) -> None:
        self._pending.setdefault(results.shard(entry.key), []).append(entry)
        self._size += len(entry.payload)
        if self._size > MOST_PENDING:
            self.flush()

    def flush(self) -> None:
        pending, self._pending, self._size = self._pending, {}, 0
        try:
            for path, entries in pending.items():
                _merge(path, entries)
        except OSError:
            return


def _merge(path: str, entries: list[CacheEntry]) -> None:
    """Add entries to a shard; the oldest make room for them."""
    known = _read(path)
    known.update((entry.key, entry.payload) for entry in entries)
    lines = [_line(key, payload) for key, payload in known.items()]
    size = sum(map(len, lines))
    dropped = 0
    while size > LARGEST_SHARD:
        size -= len(lines[dropped])
        dropped += 1
    _write(path, b"\n".join((_HEADER, *lines[dropped:], b"")))


def _line(key: str, payload: str) -> bytes:
    raw = payload.encode("ascii")
    return b"%s%08x%s" % (key.encode("ascii"), crc32(raw), raw)


@cache
def _shard(path: str) -> dict[str, str]:
    """The entries of a shard, read once in this process."""
    return _read(path)


def forget() -> None:
    """Read the shards again: this process, or another one, has added to them."""
    _shard.cache_clear()


def _read(path: str) -> dict[str, str]:
    """The sound entries of a shard; none where there is no such file, or where it is anything but a shard."""
    try:
        descriptor = os.open(path, _READ)
        with os.fdopen(descriptor, "rb") as file:
            found = os.fstat(descriptor)
            if not stat.S_ISREG(found.st_mode) or found.st_size > 2 * LARGEST_SHARD:
                return {}
            header, *lines = file.read().split(b"\n")
    except OSError:
        return {}
    if header != _HEADER:
        return {}
    entries: dict[str, str] = {}
    start = _KEY_LENGTH + _CHECKSUM_LENGTH
    for line in lines:
        payload = line[start:]
        if line[_KEY_LENGTH:start] == b"%08x" % crc32(payload) and line.isascii():
            entries[line[:_KEY_LENGTH].decode("ascii")] = payload.decode("ascii")
    return entries


def _write(path: str, content: bytes) -> None:
    """Put a file there, all of it or nothing."""
    temporary = f"{path}.{os.getpid()}.tmp"
    try:
        with open(temporary, "wb") as file:
            file.write(content)
        os.replace(temporary, path)
    except OSError:
        if os.path.exists(temporary):
            os.unlink(temporary)
        raise


def _stamp() -> str:
    """Names this very plancheck: a source that was edited in place is another one, and so is another reader of SQL."""
    sources = sorted(_sources(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
    parts = (__version__, tuple(sys.version_info), _origin("sqlglot"), sources)
    return blake2b(repr(parts).encode("utf-8", "surrogateescape")).hexdigest()


def _sources(folder: str) -> list[tuple[str, int, int]]:
    """Every source file of the package with its time and size; a millisecond for all of them."""
    found: list[tuple[str, int, int]] = []
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(".py"):
                status = entry.stat()
                found.append((entry.path, status.st_mtime_ns, status.st_size))
            elif entry.name != "__pycache__" and entry.is_dir():
                found += _sources(entry.path)
    return found


def _origin(module: str) -> tuple[str, int] | None:
    """Where a library lies and since when, without importing it."""
    for folder in sys.path:
        path = os.path.join(folder, module, "__init__.py")
        if os.path.exists(path):
            return path, os.stat(path).st_mtime_ns
    return None
