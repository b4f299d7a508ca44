"""Options of `check` for living with the findings that there are: a baseline, ignores, and watching files change."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from typing import TYPE_CHECKING

from plancheck.cli.checking import STANDARD_INPUT, CheckTask
from plancheck.cli.results import announce, from_here, unreadable
from plancheck.workspace.files import Configurations, ReadError

if TYPE_CHECKING:
    from plancheck.cli.baseline import Baselines
    from plancheck.cli.fixing import Fixing

BASELINE = "plancheck-baseline.json"
"""Where `--write-baseline` puts it, unless something else is said."""


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("--baseline", metavar="FILE", help="only findings that are not in this file count")
    parser.add_argument(
        "--write-baseline",
        type=str,
        nargs="?",
        const="",
        metavar="FILE",
        help="put all findings into a baseline, so that only new ones count from now on (default: the one in force, "
        f"else {BASELINE})",
    )
    parser.add_argument(
        "--add-ignores", action="store_true", help="write a `plancheck-ignore` into the plans for every finding"
    )
    parser.add_argument("--reason", metavar="TEXT", help="with --add-ignores: why, for whoever reads the plans")
    parser.add_argument("--watch", action="store_true", help="check again whenever a file changes, until Ctrl-C")


def separated(argv: list[str]) -> list[str]:
    """The words of the command line, where a folder behind `--write-baseline`, or a plan that ends the line, is what is
    checked, and not its FILE."""
    if "--write-baseline" not in argv:
        return argv
    return [
        f"{word}=" if word == "--write-baseline" and _is_to_be_checked(following, number == len(argv)) else word
        for number, (word, following) in enumerate(zip(argv, [*argv[1:], ""], strict=True), 2)
    ]


def _is_to_be_checked(path: str, is_last: bool) -> bool:
    from plancheck.cli.baseline import is_baseline

    return os.path.isdir(path) or (is_last and os.path.isfile(path) and not is_baseline(path))


def mistake(args: Namespace) -> str | None:
    """What is wrong with a combination of options, and what to do instead."""
    return next(_mistakes(args), None)


def _mistakes(args: Namespace) -> Iterator[str]:
    changes = [f"--{name}" for name in ("fix", "diff", "add-ignores") if getattr(args, name.replace("-", "_"))]
    if args.reason is not None and not args.add_ignores:
        yield "--reason goes into the ignores that are written: use it with --add-ignores"
    if args.reason is not None and not args.reason.strip():
        yield "--reason is empty: say why, or leave it out"
    if args.add_ignores and args.fix:
        yield "--add-ignores and --fix are two steps: run --fix first, then --add-ignores"
    if args.add_ignores and args.unsafe:
        yield "--unsafe is about fixes, and --add-ignores writes none: leave one of them out"
    if args.add_ignores and args.no_inline_ignores:
        yield "--no-inline-ignores would not listen to what --add-ignores writes: leave one of them out"
    if args.add_ignores and not args.diff and STANDARD_INPUT in args.paths:
        yield "--add-ignores cannot write to standard input: add --diff, or name a file"
    if args.baseline is not None and args.write_baseline is not None:
        yield "--baseline reads a baseline and --write-baseline writes one: use one of them"
    if args.write_baseline and args.output_file and _are_one(args.write_baseline, args.output_file):
        yield "--write-baseline and --output-file name one file: name two"
    if args.write_baseline is not None and changes:
        yield f"--write-baseline and {changes[0]} are two steps: run one after the other"
    if args.watch:
        yield from _mistakes_with_watch(args, changes)


def _are_one(path: str, other: str) -> bool:
    return os.path.realpath(path) == os.path.realpath(other)


def _mistakes_with_watch(args: Namespace, changes: list[str]) -> Iterator[str]:
    if STANDARD_INPUT in args.paths:
        yield "--watch waits for files to change, and standard input does not: name a file or a folder"
    if changes:
        yield f"--watch only looks, and {changes[0]} is for one run: leave one of them out"
    if args.write_baseline is not None:
        yield "--watch only looks, and --write-baseline is for one run: leave one of them out"
    if args.format != "text":
        yield "--watch shows text on a terminal: leave out --format"


def changing(args: Namespace) -> Fixing | None:
    """What the run changes in the plans, or would change; None where it only looks."""
    if not (args.fix or args.diff or args.add_ignores):
        return None
    from plancheck.cli.fixing import Fixing, FixMode

    return Fixing(FixMode.DIFF if args.diff else FixMode.WRITE, args.unsafe, args.add_ignores, args.reason)


def baseline_for(absolute: str, args: Namespace, configurations: Configurations) -> str | None:
    """The baseline that is read or written for a file; None where there is none."""
    named: str | None = args.baseline or args.write_baseline
    if named:
        return os.path.abspath(named)
    folder = os.getcwd() if absolute == STANDARD_INPUT else os.path.dirname(absolute)
    above = configurations.above(folder)
    if above.config is not None and above.config.baseline is not None:
        return os.path.normpath(os.path.join(above.folder, above.config.baseline))
    return os.path.abspath(BASELINE) if args.write_baseline is not None else None


def baselines_of(tasks: list[CheckTask], args: Namespace) -> Baselines | None:
    """The baselines of a run; None where one cannot be used, which was said."""
    from plancheck.cli.baseline import Baselines

    baselines = Baselines(writes=args.write_baseline is not None)
    errors = baselines.load(task.baseline for task in tasks if task.baseline is not None)
    for error in errors:
        announce(unreadable(ReadError(from_here(error.path), error.message)))
    return None if errors else baselines
