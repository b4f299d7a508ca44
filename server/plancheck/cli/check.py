"""`plancheck check`: check plan files and show what is wrong with them."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Callable

from plancheck.analysis.finding import Severity
from plancheck.analysis.rules import RULES
from plancheck.analysis.settings import Settings
from plancheck.cli.arguments import Parser, job_count, rule_names
from plancheck.cli.checking import STANDARD_INPUT, FileResult, Target, checked
from plancheck.cli.collect import collect
from plancheck.cli.fixing import Fixing, FixMode
from plancheck.cli.output import WORDS, Diff, Github, Json, Markdown, Output, Text
from plancheck.cli.policies import PolicyFiles
from plancheck.cli.progress import Progress
from plancheck.cli.terminal import Painter, one_line, wants_colour
from plancheck.text import LineIndex
from plancheck.workspace.files import Configurations, Loaded, ReadError, load_config

ALWAYS_SELECTED = (
    *("syntax_error", "not_a_plan", "file_too_large"),
    *("policy_syntax", "policy_unknown_key", "policy_bad_value", "policy_bad_regex", "policy_bad_bound"),
    "policy_regex_timeout",
)
"""Rules that say that a plan could not be checked: without them, one that is broken would pass `--select`."""
COLUMNS = 120


def _arguments(argv: list[str]) -> Namespace:
    parser = Parser("check", "Check plan files and show what is wrong with them.")
    parser.add_argument(
        "paths", nargs="+", metavar="PATH", help="a file, a folder, a quoted glob, or - for standard input"
    )
    parser.add_argument("--format", choices=("text", "json", "markdown", "github"), default="text")
    parser.add_argument(
        "--fail-on",
        choices=(*WORDS, "never"),
        default="error",
        help="exit with 1 from this severity on (default: error)",
    )
    parser.add_argument(
        "--select", type=rule_names, action="extend", metavar="RULES", help="these rules only, by comma"
    )
    parser.add_argument(
        "--ignore", type=rule_names, action="extend", default=[], metavar="RULES", help="not these rules"
    )
    parser.add_argument("--fix", action="store_true", help="apply all safe fixes to the files")
    parser.add_argument("--unsafe", action="store_true", help="with --fix or --diff: the unsafe fixes too")
    parser.add_argument("--diff", action="store_true", help="show what --fix would change, and change nothing")
    parser.add_argument("--config", metavar="FILE", help="use this configuration instead of the nearest one")
    parser.add_argument("--quiet", "-q", action="store_true", help="one line for each finding and nothing else")
    parser.add_argument(
        "--jobs", "-j", type=job_count, default=0, metavar="N", help="processes (default: as many as pay)"
    )
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto")
    args = parser.parse_args(argv)
    if args.unsafe and not (args.fix or args.diff):
        parser.error("--unsafe says which fixes to apply: use it with --fix or --diff")
    if args.fix and not args.diff and STANDARD_INPUT in args.paths:
        parser.error("--fix cannot write to standard input: use --diff, or name a file")
    return args


def _fixing(args: Namespace) -> Fixing | None:
    if not (args.fix or args.diff):
        return None
    return Fixing(FixMode.DIFF if args.diff else FixMode.WRITE, args.unsafe)


def run(argv: list[str]) -> int:
    args = _arguments(argv)
    everywhere: Loaded | None = None
    if args.config is not None:
        loaded = load_config(os.path.abspath(args.config), os.getcwd())
        if isinstance(loaded, ReadError):
            _complain(ReadError(args.config, loaded.message))
            return 2
        everywhere = loaded
    configurations = Configurations(everywhere)
    policies = PolicyFiles(configurations, sees_all=any(os.path.isdir(path) for path in args.paths))
    failed = False
    targets: list[Target] = []
    for found in collect(args.paths, configurations):
        if isinstance(found, ReadError):
            _complain(found)
            failed = True
        else:
            settings = policies.over(_settings(found[1], configurations, args), found[1])
            targets.append(Target(*found, settings, args.format == "json", _lists_fixes(args), _fixing(args)))
    failed |= _complain_about(configurations, policies)
    counts, unreadable = _check(targets, args, policies, lambda path: _settings(path, configurations, args))
    if failed or unreadable:
        return 2
    return 1 if any(counts[word] for word in _failing(args.fail_on)) else 0


def _lists_fixes(args: Namespace) -> bool:
    return not args.diff and (args.format == "json" or (args.format == "text" and not args.quiet))


def _failing(fail_on: str) -> tuple[str, ...]:
    return () if fail_on == "never" else WORDS[: WORDS.index(fail_on) + 1]


def _settings(absolute: str, configurations: Configurations, args: Namespace) -> Settings:
    """The settings for a file, with what the command line says on top."""
    if absolute == STANDARD_INPUT:
        folder = os.getcwd()
        absolute = os.path.join(folder, "stdin.plan.json")
    else:
        folder = os.path.dirname(absolute)
    settings = configurations.above(folder).settings_for(absolute)
    if args.select is None and not args.ignore:
        return settings
    severities: dict[str, Severity | None] = dict(settings.severities)
    if args.select is not None:
        for rule in RULES:
            if rule in args.select:
                severities[rule] = settings.severity(rule) or RULES[rule].severity
            elif rule not in ALWAYS_SELECTED:
                severities[rule] = None
    severities.update(dict.fromkeys(args.ignore))
    return settings._replace(severities=severities)


def _check(
    targets: list[Target], args: Namespace, policies: PolicyFiles, settings_for: Callable[[str], Settings]
) -> tuple[Counter[str], bool]:
    """Check and print; how many findings of which severity there are, and whether a file could not be read."""
    output = _output(args)
    counts: Counter[str] = Counter()
    files = 0
    progress = Progress(len(targets), sys.stderr, wanted=not args.quiet)
    with checked(targets, args.jobs) as results:
        for done, result in enumerate(results, 1):
            if isinstance(result, FileResult):
                files += 1
                policies.note(result, targets[done - 1].absolute)
                counts.update(finding.severity for finding in result.findings)
                if result.findings:
                    progress.hide()
                output.file(result)
            else:
                progress.hide()
                _complain(result)
            progress.show(done)
    progress.hide()
    about_policies = list(policies.results(settings_for))
    for result in about_policies:
        counts.update(finding.severity for finding in result.findings)
        output.file(result)
    output.end(files + len(about_policies), counts)
    return counts, files < len(targets)


def _output(args: Namespace) -> Output:
    stream = sys.stdout
    if args.diff:
        return Diff(stream)
    if args.format == "json":
        return Json(stream)
    if args.format == "github":
        return Github(stream)
    if args.format == "markdown":
        return Markdown(stream)
    columns = os.get_terminal_size(stream.fileno()).columns if stream.isatty() else COLUMNS
    return Text(stream, Painter(wants_colour(args.color, stream)), args.quiet, max(columns, 40))


def _complain(error: ReadError) -> None:
    print(f"plancheck: {one_line(error.path)}: {one_line(error.message)}", file=sys.stderr)


def _complain_about(configurations: Configurations, policies: PolicyFiles) -> bool:
    """Print what is wrong with the configurations, and which files cannot be read; whether something is."""
    errors = [*configurations.errors, *policies.errors]
    for error in errors:
        _complain(ReadError(_from_here(error.path), error.message))
    is_bad = bool(errors)
    for loaded in configurations.loaded:
        lines = LineIndex(loaded.text)
        for problem in loaded.problems:
            line, character = lines.position(problem.start)
            place = f"{_from_here(loaded.path or '')}:{line + 1}:{character + 1}"
            print(f"{one_line(place)}: {one_line(problem.message)}", file=sys.stderr)
            is_bad = True
    return is_bad


def _from_here(path: str) -> str:
    folder = os.path.join(os.getcwd(), "")
    return path.removeprefix(folder)
