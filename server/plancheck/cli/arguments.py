"""Reading the command line: `argparse` with one-line errors, and types for our options."""

from __future__ import annotations

import argparse
import os
from typing import NoReturn

from plancheck.analysis.rules import RULES
from plancheck.plan.dialects.keys import nearest


class _HelpFormatter(argparse.HelpFormatter):
    """Finds the width of the terminal by itself: argparse would import `shutil` for it, also where no help is shown."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_columns() - 2)


def _columns() -> int:
    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal() and int(columns) > 0:
        return int(columns)
    try:
        return os.get_terminal_size().columns or 80
    except OSError:
        return 80


class CommandParser(argparse.ArgumentParser):
    def __init__(self, command: str, description: str) -> None:
        super().__init__(
            prog=f"plancheck {command}", description=description, allow_abbrev=False, formatter_class=_HelpFormatter
        )

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message} (see `{self.prog} --help`)\n")


def rule_name(name: str) -> str:
    if name in RULES:
        return name
    right = nearest(name, RULES)
    hint = f"did you mean {right}?" if right else "`plancheck rules` lists them"
    raise argparse.ArgumentTypeError(f"unknown rule {name!r}: {hint}")


def rule_names(names: str) -> list[str]:
    return [rule_name(name.strip()) for name in names.split(",") if name.strip()]


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
