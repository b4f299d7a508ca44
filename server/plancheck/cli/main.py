"""The `plancheck` command: finds the subcommand and runs it. Each one is imported only when it is called."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import Protocol, TextIO

from plancheck.collection import collection_paused

COMMANDS = {
    "check": "check plan files and show what is wrong with them",
    "report": "show the PRE report of a plan",
    "gate": "decide whether plans of tool calls may run",
    "policy": "test, compare and check policies",
    "tools": "list the tools in catalogues, and which of them a plan uses",
    "graph": "draw the control and data flow of a plan",
    "rules": "list all rules",
    "explain": "show the page of a rule",
    "schema": "print the JSON Schema of plans, policies, configurations or the output",
    "init": "write a commented configuration and policy to begin with",
    "doctor": "show what plancheck runs on, what is in force for a file, and what is wrong",
    "completion": "print a script by which a shell completes commands, options and rules",
    "lsp": "run the language server",
    "mcp": "let agents check their own plans, by the Model Context Protocol",
}


class Subcommand(Protocol):
    def __call__(self, argv: list[str]) -> int: ...


def run(argv: list[str]) -> int:
    """Run the command and return its exit code: 0 good, 1 findings, 2 it could not do its job."""
    for stream in (sys.stdout, sys.stderr):
        _prepare(stream)
    try:
        code = _run(argv)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has gone, as with `| head`
        _give_up_output()
        return 141  # as a shell reports a program ended by SIGPIPE
    except OSError as error:  # a full disk, a working directory that is gone
        _give_up_output()
        print(f"plancheck: {error.strerror or error}.", file=sys.stderr)
        return 2
    return code


def _prepare(stream: TextIO) -> None:
    """A terminal gets what it can show. Files and pipes get UTF-8 with line feeds on every system: most formats are
    defined so, and a diff has to fit the file that it is about."""
    if stream.isatty():
        stream.reconfigure(errors="backslashreplace")  # type: ignore[attr-defined]
    else:
        stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")  # type: ignore[attr-defined]


def _give_up_output() -> None:
    """What is still buffered must not be written when Python ends: it would fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(argv: list[str]) -> int:
    name = argv[0] if argv else "--help"
    if name in COMMANDS and name != "lsp":
        try:
            return subcommand(name)(argv[1:])
        except SystemExit as end:  # argparse leaves this way, after --help and after a mistake
            return end.code if isinstance(end.code, int) else 2
    if name in ("--version", "-V"):
        from plancheck.cli.version import version_line

        print(version_line())
        return 0
    if name in ("--help", "-h", "help"):
        print(_help())
        return 0 if argv else 2
    from plancheck.plan.dialects.keys import nearest

    right = nearest(name, COMMANDS)
    hint = f"did you mean `{right}`?" if right else f"there are {', '.join(COMMANDS)}."
    from plancheck.cli.terminal import one_line

    print(f"plancheck: unknown command `{one_line(name)}`: {hint}", file=sys.stderr)
    return 2


def subcommand(name: str) -> Subcommand:
    with collection_paused():  # importing makes thousands of objects and no garbage
        command: Subcommand = import_module(f"plancheck.cli.{name}").run
    return command


def _help() -> str:
    lines = ["usage: plancheck COMMAND …", "", "A linter and language server for agent plans.", "", "commands:"]
    lines += (f"  {name:<10} {text}" for name, text in COMMANDS.items())
    lines += ["", "`plancheck COMMAND --help` shows the options of a command, `plancheck --version` the version."]
    return "\n".join(lines)
