"""`python -m plancheck` and the `plancheck` command."""

from __future__ import annotations

import gc
import os
import sys
from types import TracebackType
from typing import NoReturn

INTERRUPTED = 130
"""As a shell reports a program ended by Ctrl-C."""


def main() -> int:
    sys.excepthook = _last_words
    argv = sys.argv[1:]
    closed = _closed_streams()
    try:
        if argv[:1] == ["lsp"]:  # here and not in `cli`: the command line and the server know nothing of each other
            from plancheck.lsp.server import main as serve

            return serve(argv[1:])
        if "output" in closed:
            print("plancheck: standard output is closed, so nothing can be shown.", file=sys.stderr)
            return 2
        if "input" in closed and "-" in argv:
            print("plancheck: standard input is closed, so there is nothing to read.", file=sys.stderr)
            return 2
        gc.set_threshold(50_000, 20, 50)  # what is imported and read has no cycles, and looking for some takes a tenth

        from plancheck.cli.main import run

        return run(argv)
    except KeyboardInterrupt:
        return INTERRUPTED


def command() -> NoReturn:
    """Run, and end the process. Everything was written by then; tidying up 200 modules takes Python a tenth of the time
    of a short run, and is left to the operating system. A server, and whoever was interrupted, tidies up."""
    code = main()
    if sys.argv[1:2] != ["lsp"] and code != INTERRUPTED:
        sys.stderr.flush()
        os._exit(code)
    sys.exit(code)


def _closed_streams() -> list[str]:
    """The standard streams that were closed before the start (`>&-`); from here on they lead nowhere.

    Left closed, their numbers would be given to the next files that are opened, and what is printed would go there.
    """
    closed = [name for number, name in enumerate(("input", "output", "error")) if _was_closed(number)]
    sys.stdin = sys.stdin or os.fdopen(0, "r", encoding="utf-8", closefd=False)
    sys.stdout = sys.stdout or os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = sys.stderr or os.fdopen(2, "w", encoding="utf-8", closefd=False)
    return closed


def _was_closed(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        os.open(os.devnull, os.O_RDWR)  # gets the lowest number that is free, which is this one
        return True
    return False


def _last_words(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """What is said about a mistake of our own: one line, and the exit code of a job that could not be done."""
    if os.environ.get("PLANCHECK_DEBUG"):
        sys.__excepthook__(kind, error, trace)
    print(
        f"plancheck: something went wrong inside plancheck ({kind.__name__}: {error}); please report it, with what "
        "PLANCHECK_DEBUG=1 shows.",
        file=sys.stderr,
        flush=True,
    )
    os._exit(2)  # the interpreter's own code would be 1, which means findings


if __name__ == "__main__":
    command()
