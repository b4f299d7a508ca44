"""`plancheck check --fix`, `--add-ignores` and `--diff`: what becomes of a file, and writing it."""

from __future__ import annotations

import os
from enum import Enum
from typing import TYPE_CHECKING

from plancheck.cli.replacing import replacing
from plancheck.cli.terminal import one_line
from plancheck.tuples import NamedTuple
from plancheck.workspace.files import ReadError

if TYPE_CHECKING:
    from plancheck.analysis.snapshot import Snapshot


class FixMode(Enum):
    """What is to be done about findings."""

    WRITE = "write"
    DIFF = "diff"


class Fixing(NamedTuple):
    mode: FixMode
    unsafe: bool
    ignores: bool = False
    """Whether findings are not fixed but switched off in the plan."""
    reason: str | None = None
    """Why they are."""


class Changed(NamedTuple):
    """What became of a plan."""

    snapshot: Snapshot
    changes: int
    """How many fixes were applied, or ignores written."""
    unsafe_fixes: int = 0
    """How many findings are left that nothing but an unsafe fix would mend."""


def changed(snapshot: Snapshot, fixing: Fixing) -> Changed:
    if fixing.ignores:
        from plancheck.analysis.ignores import ignore_all

        return Changed(*ignore_all(snapshot, fixing.reason))
    from plancheck.analysis.fix.fixpoint import fix_all

    fixed = fix_all(snapshot, unsafe=fixing.unsafe)
    return Changed(fixed.snapshot, len(fixed.applied), 0 if fixing.unsafe else _unsafe_fixes(fixed.snapshot))


def _unsafe_fixes(snapshot: Snapshot) -> int:
    """How many findings nothing but an unsafe fix would mend."""
    from plancheck.analysis.fix.offer import shown_fixes

    return sum(bool(fixes) and not any(fix.safe for fix in fixes) for fixes in shown_fixes(snapshot).values())


def diff(path: str, before: str, after: str) -> str:
    """What changes, as a unified diff that `patch` and `git apply` take."""
    from difflib import unified_diff

    name = one_line(path.replace(os.sep, "/").lstrip("/"))
    lines = unified_diff(_lines(before), _lines(after), f"a/{name}", f"b/{name}")
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _lines(text: str) -> list[str]:
    """The lines as `diff` counts them: they end at a line feed and nowhere else."""
    lines = [f"{line}\n" for line in text.split("\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines


def save(path: str, before: str, after: str) -> ReadError | None:
    """Put the changed text in the place of the file: all of it or nothing, and only if nobody changed it meanwhile."""
    try:
        with open(path, "rb") as file:
            raw = file.read()
            mode = os.fstat(file.fileno()).st_mode
        mark = b"\xef\xbb\xbf" if raw.startswith(b"\xef\xbb\xbf") else b""
        if raw != mark + before.encode():
            return ReadError(path, "it was changed meanwhile, and is left as it is: try again.")
        with replacing(path, mode) as file:
            file.write(mark + after.encode())
    except OSError as error:
        return ReadError(path, f"the changes cannot be written: {(error.strerror or str(error)).lower()}.")
    return None
