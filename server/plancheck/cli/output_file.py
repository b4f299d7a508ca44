"""`--output-file`: the results in a file, all of them or none."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from typing import TextIO

from plancheck.cli.replacing import replacing


class OutputFileError(OSError):
    """The file cannot be written; the text says why, and what to do."""


@contextmanager
def written_whole(path: str, inputs: Iterable[str]) -> Iterator[TextIO]:
    """A stream whose text becomes the file when all of it is there. What is no file, such as a pipe or a device, is
    written to as it comes."""
    real = os.path.realpath(path)
    try:
        mode = os.stat(path).st_mode if os.path.exists(path) else None
        if mode is not None and stat.S_ISDIR(mode):
            raise OutputFileError(f"{path}: the results cannot be written: this is a folder, so name a file in it")
        if mode is not None and any(os.path.realpath(each) == real for each in inputs):
            raise OutputFileError(f"{path}: the results would replace a file that is read for them: name another one")
        if mode is not None and not stat.S_ISREG(mode):
            with open(path, "w", encoding="utf-8", errors="backslashreplace", newline="\n") as stream:
                yield stream
            return
        with replacing(path, mode) as file:
            stream = TextIOWrapper(file, encoding="utf-8", errors="backslashreplace", newline="\n")
            yield stream
            stream.flush()
            stream.detach()
    except OutputFileError:
        raise
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        why = (error.strerror or str(error)).lower()
        raise OutputFileError(f"{path}: the results cannot be written: {why}") from error
