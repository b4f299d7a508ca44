"""`plancheck policy`: run the cases of policies, compare two policies, and check the files themselves."""

from __future__ import annotations

import sys

from plancheck.cli.terminal import one_line
from plancheck.plan.dialects.keys import nearest

COMMANDS = {
    "test": "run the cases that are kept beside policies",
    "diff": "list the plans whose verdict changes from one policy to another",
    "check": "check policy files and show what is wrong with them",
}


def run(argv: list[str]) -> int:
    name = argv[0] if argv else "--help"
    if name == "test":
        from plancheck.cli.policy_testing import run as run_tests

        return run_tests(argv[1:])
    if name == "diff":
        from plancheck.cli.policy_diff import run as run_diff

        return run_diff(argv[1:])
    if name == "check":
        from plancheck.cli.policy_checking import run as run_check

        return run_check(argv[1:])
    if name in ("--help", "-h", "help"):
        print(_help())
        return 0 if argv else 2
    right = nearest(name, COMMANDS)
    hint = f"did you mean `{right}`?" if right else f"there are {', '.join(COMMANDS)}."
    print(f"plancheck policy: unknown command `{one_line(name)}`: {hint}", file=sys.stderr)
    return 2


def _help() -> str:
    lines = ["usage: plancheck policy COMMAND …", "", "Test, compare and check policies.", "", "commands:"]
    lines += (f"  {name:<8} {text}" for name, text in COMMANDS.items())
    return "\n".join([*lines, "", "`plancheck policy COMMAND --help` shows the options of a command."])
