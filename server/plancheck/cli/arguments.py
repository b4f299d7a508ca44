"""Reading the command line: `argparse` with one-line errors, and types for our options."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from typing import Any, NoReturn

from plancheck.analysis.rules import RULES
from plancheck.plan.dialects.keys import nearest

VERDICTS_OF_THE_GATE = frozenset(
    {"catalogue_fault", "configuration_fault", "invariants_hold", "no_decision", "no_tools", "policy_fault"}
)
"""What `rule_matched` of a decision may be besides a rule."""


class _HelpFormatter(argparse.HelpFormatter):
    """Finds the width of the terminal by itself: argparse would import `shutil` for it, also where no help is shown."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_columns() - 2)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return text if "\n" in text else super()._fill_text(text, width, indent)


def _columns() -> int:
    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal() and int(columns) > 0:
        return int(columns)
    try:
        return os.get_terminal_size().columns or 80
    except OSError:
        return 80


class ParserWanted(list[str]):
    """Stands in for the words of a command line: whoever is to read them gives the parser instead of doing so."""


class ParserFound(Exception):  # noqa: N818 - nothing is wrong
    """Brings the parser to whoever wanted it."""

    def __init__(self, parser: argparse.ArgumentParser) -> None:
        super().__init__(parser.prog)
        self.parser = parser


class CommandParser(argparse.ArgumentParser):
    def __init__(self, command: str, description: str, examples: Sequence[str] = ()) -> None:
        """`examples` are command lines for the end of the help; a test runs them."""
        super().__init__(
            prog=f"plancheck {command}",
            description=description,
            epilog="\n".join(["examples:", *(f"  {line}" for line in examples)]) if examples else None,
            allow_abbrev=False,
            formatter_class=_HelpFormatter,
        )

    def add_argument(self, *names: Any, **options: Any) -> argparse.Action:
        """As argparse has it; a name of a file may not be empty, as an unset variable of a shell is."""
        if options.get("metavar") in _NAMES_OF_FILES:
            options.setdefault("type", _file_name)
        return super().add_argument(*names, **options)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        if isinstance(args, ParserWanted):
            raise ParserFound(self)
        return super().parse_known_args(args, namespace)

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message} (see `{self.prog} --help`)\n")


_NAMES_OF_FILES = frozenset({"FILE", "PATH", "NAME", "PLAN", "OLD", "NEW"})


def _file_name(word: str) -> str:
    if not word:
        raise argparse.ArgumentTypeError("the name of a file is empty: is a variable of the shell not set?")
    return word


def rule_name(name: str) -> str:
    if name in RULES:
        return name
    right = nearest(name, RULES)
    hint = f"did you mean {right}?" if right else "`plancheck rules` lists them"
    if name in VERDICTS_OF_THE_GATE:
        hint = "it is what the gate says where no rule decides, see docs/gate.md"
    raise argparse.ArgumentTypeError(f"unknown rule {name!r}: {hint}")


def chosen_rules(words: str) -> list[str]:
    """The names of the rules that are meant, one at least: without rules every plan would pass."""
    found = rule_selection(words)
    if not found:
        raise argparse.ArgumentTypeError("no rule is named: is a variable of the shell not set?")
    return found


def rule_selection(words: str) -> list[str]:
    """The names of the rules that are meant."""
    from plancheck.cli.selection import UnknownRulesError, selected

    try:
        return [name for word in words.split(",") if word.strip() for name in selected(word.strip())]
    except UnknownRulesError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def add_output_arguments(parser: argparse.ArgumentParser) -> None:
    """What `check` takes about which files are looked at, and what is shown of them."""
    parser.add_argument("--statistics", action="store_true", help="count the findings of each rule, in place of them")
    parser.add_argument(
        "--output-file", "-o", metavar="FILE", help="write the results to this file, whole or not at all"
    )
    parser.add_argument("--stdin-filename", metavar="NAME", help="the file that standard input (-) stands for")
    parser.add_argument(
        "--force-exclude",
        action="store_true",
        help="leave out what `exclude` or .gitignore excludes although it is named, as pre-commit needs it",
    )
    showing = parser.add_mutually_exclusive_group()
    showing.add_argument("--show-files", action="store_true", help="list the files that would be checked, no more")
    showing.add_argument("--show-settings", action="store_true", help="show what is in force for the files, no more")


def add_judging_arguments(parser: argparse.ArgumentParser) -> None:
    """What a command takes that decides on plans, and does so by the policy of whoever starts it."""
    parser.add_argument(
        "--policy",
        action="append",
        metavar="PATH",
        help="the policy: YAML, .rego or a folder of .rego files (default: the one in force in the working directory), "
        "may be given more than once",
    )
    parser.add_argument(
        "--tools",
        action="append",
        metavar="FILE",
        help="the catalogue of tools (default: the one in force in the working directory); may be given more than once",
    )


def job_count(value: str) -> int:
    try:
        jobs = int(value)
    except ValueError:
        jobs = -1
    if jobs < 0:
        raise argparse.ArgumentTypeError(
            f"{value!r} is not a number of processes: use 1 or more, or 0 to let plancheck choose"
        )
    return jobs
