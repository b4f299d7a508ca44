"""Which file a URI means. A file has one key, however the client spells its URI; the spelling is kept for answers.

`file:///w/a(b)/x.json` and `file:///w/a%28b%29/x.json` are the same file, and so are a file and a symbolic link to it.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NewType
from urllib.parse import unquote_to_bytes, urlsplit

from plancheck.tuples import NamedTuple

FileKey = NewType("FileKey", str)
"""The resolved path of a file; the URI itself of what is not on this disk, such as an unsaved document."""

_IS_WINDOWS = os.name == "nt"


def path_of(uri: str) -> str | None:
    """The file that a URI means, links not followed; None for one that is not on this disk.

    Bytes that are not UTF-8 come out as Python has them in file names, so that the file is found under that name.
    """
    if not uri.startswith("file:"):
        return None
    try:
        parts = urlsplit(uri)
        found = os.fsdecode(unquote_to_bytes(parts.path))
    except ValueError:
        return None
    if parts.netloc not in ("", "localhost"):
        found = f"//{parts.netloc}{found}"
    elif _IS_WINDOWS:
        found = found.removeprefix("/")
    if "\0" in found or not os.path.isabs(found):
        return None
    return os.path.normpath(found)


def uri_of(path: str) -> str:
    """The URI of a file, given by its absolute path. There is one for every file name, UTF-8 or not."""
    return Path(path).as_uri()


def key_of(uri: str) -> FileKey:
    path = path_of(uri)
    return FileKey(uri) if path is None else key_of_path(path)


def key_of_path(path: str) -> FileKey:
    """The key of a file. Links that lead in a circle are left as they are."""
    return FileKey(os.path.normcase(os.path.realpath(path)))


def is_inside(key: FileKey, folder: FileKey) -> bool:
    """Whether a file is a folder or lies somewhere below it."""
    return key == folder or key.startswith(folder.rstrip(os.sep) + os.sep)


class File(NamedTuple):
    """A file on this disk."""

    key: FileKey
    path: str
    """As it was met: links are not followed."""


def file_at(path: str) -> File:
    return File(key_of_path(path), path)


class Spellings:
    """How the client spells the URIs of files and folders."""

    def __init__(self) -> None:
        self._files: dict[FileKey, str] = {}
        self._folders: dict[str, str] = {}

    def learn(self, key: FileKey, uri: str) -> None:
        self._files[key] = uri

    def learn_folder(self, path: str, uri: str) -> None:
        self._folders[path.rstrip(os.sep)] = uri.rstrip("/")

    def uri(self, file: File) -> str:
        """The URI by which the client knows a file: as it spelled that itself, else below its folder's URI."""
        known = self._files.get(file.key)
        if known is not None:
            return known
        path = file.path
        found = uri_of(path)
        around = [folder for folder in self._folders if path.startswith(folder + os.sep)]
        if not around:
            return found
        folder = max(around, key=len)
        return self._folders[folder] + found[len(uri_of(folder + os.sep).rstrip("/")) :] if folder else found
