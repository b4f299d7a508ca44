"""`plancheck policy check`: check policy files and show what is wrong with them."""

from __future__ import annotations

import sys
from argparse import Namespace

from plancheck.cli.arguments import CommandParser
from plancheck.cli.collect import Collecting, collect
from plancheck.cli.formats.format import SEVERITIES, exit_code
from plancheck.cli.formats.table import FORMATS, Look
from plancheck.cli.policy_files import PolicyChecker
from plancheck.cli.results import FileResult, Tally, announce, unreadable
from plancheck.cli.terminal import Painter, columns_of, wants_colour
from plancheck.plan.lower import lower
from plancheck.syntax.json import read
from plancheck.workspace.files import Configurations, ReadError, read_text


def _arguments(argv: list[str]) -> Namespace:
    parser = CommandParser(
        "policy check",
        "Check policy files and case files, and show what is wrong with them.",
        ("plancheck policy check plan-policy.yaml", "plancheck policy check --plans plans/ plan-policy.yaml"),
    )
    parser.add_argument(
        "paths", nargs="+", metavar="FILE", help="a policy, a case file, or a folder of Rego files that are one policy"
    )
    parser.add_argument("--format", choices=tuple(FORMATS), default="text")
    parser.add_argument(
        "--fail-on",
        choices=(*SEVERITIES, "never"),
        default="error",
        help="exit with 1 from this severity on (default: error)",
    )
    parser.add_argument(
        "--plans",
        action="append",
        metavar="PATH",
        help="all plans that there are: report bounds for tools that none of them uses; may be given more than once",
    )
    parser.add_argument("--opa", metavar="PROGRAM", help="the opa that evaluates Rego (default: the one on PATH)")
    parser.add_argument("--quiet", "-q", action="store_true", help="one line for each finding and nothing else")
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto")
    return parser.parse_args(argv)


def run(argv: list[str]) -> int:
    args = _arguments(argv)
    tally = Tally()
    stream = sys.stdout
    look = Look(Painter(wants_colour(args.color, stream)), args.quiet, columns_of(stream))
    output = FORMATS[args.format](stream, look)

    def show(result: FileResult) -> None:
        tally.add(result)
        if not result.is_checked:
            announce(result)
        output.file(result)

    tools, errors = _tools(args.plans)
    for error in errors:
        show(unreadable(error))
    checker = PolicyChecker(args.opa, tools)
    for path in dict.fromkeys(args.paths):
        for result in checker.results(path):
            show(result)
    output.end(tally)
    return exit_code(tally, args.fail_on)


def _tools(plans: list[str] | None) -> tuple[frozenset[str] | None, list[ReadError]]:
    """The tools of all plans; None where nobody says which these are, or one of them cannot be read."""
    if plans is None:
        return None, []
    tools: set[str] = set()
    errors: list[ReadError] = []
    for found in collect(plans, Collecting(Configurations())):
        text = found if isinstance(found, ReadError) else read_text(found.absolute)
        if isinstance(text, ReadError):
            errors.append(found if isinstance(found, ReadError) else ReadError(found.path, text.message))
        else:
            tools |= lower(read(text)).tools()
    return None if errors else frozenset(tools), errors
