"""`plancheck check`: check plan files and show what is wrong with them."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, TextIO

from plancheck.analysis.finding import Severity
from plancheck.analysis.rules import RULES
from plancheck.analysis.settings import InlineIgnores, Profile, Settings
from plancheck.checked import CONFIGURATION_FAULT, UncheckedPlace, range_of, with_fingerprints
from plancheck.cli.adopting import add_options, baseline_for, baselines_of, changing, mistake, separated
from plancheck.cli.arguments import CommandParser, add_output_arguments, chosen_rules, job_count, rule_selection
from plancheck.cli.catalogues import CheckedCatalogues
from plancheck.cli.checking import STANDARD_INPUT, CheckTask, checked
from plancheck.cli.collect import Collecting, collect
from plancheck.cli.formats.format import SEVERITIES, Format, exit_code
from plancheck.cli.formats.table import FORMATS, WITH_FINGERPRINTS, WITH_FIXES, WITH_STATISTICS, Look
from plancheck.cli.policies import CheckedPolicies
from plancheck.cli.progress import ProgressBar
from plancheck.cli.results import FileResult, Tally, announce, from_here, unreadable
from plancheck.cli.terminal import Painter, columns_of, wants_colour
from plancheck.frozen import replace
from plancheck.text import LineIndex
from plancheck.tuples import NamedTuple
from plancheck.unknown import Reason
from plancheck.workspace.files import NAMES, Configurations, ReadError
from plancheck.workspace.problem import ConfigProblem

if TYPE_CHECKING:
    from plancheck.cli.baseline import Baselines
    from plancheck.cli.cache import CacheWriter, ResultCache
    from plancheck.cli.watch import Watched

EXAMPLES = (
    "plancheck check plans/",
    "plancheck check --fail-on warning --select security,CWE-89 refund.plan.json",
    "plancheck check --fix refund.plan.json",
    "plancheck check --format sarif --output-file plancheck.sarif plans/",
)
ALWAYS_SELECTED = (
    *("syntax_error", "not_a_plan"),
    *("policy_syntax", "policy_unknown_key", "policy_bad_value", "policy_bad_regex", "policy_bad_bound"),
    *("rego_syntax", "rego_error", "catalogue_shape", "catalogue_bad_tool"),
)
"""Rules that say that a plan could not be checked: without them, one that is broken would pass `--select`."""
MOST_NUMBER = 2**31 - 1
CACHE_FOLDER = ".plancheck_cache"
FILES_WITH_FIXES = 50
"""Of so many files the text format lists the fixes. Each has to be tried, which takes longer than checking the file."""


def _arguments(argv: list[str]) -> Namespace:
    parser = CommandParser("check", "Check plan files and show what is wrong with them.", EXAMPLES)
    parser.add_argument(
        "paths", nargs="+", metavar="PATH", help="a file, a folder, a quoted glob, or - for standard input"
    )
    parser.add_argument(
        "--format",
        choices=tuple(FORMATS),
        default="text",
        help="text for people (default); markdown for a comment; github for the log of a workflow; "
        "json, sarif, junit, gitlab (Code Quality), rdjson (reviewdog) for programs",
    )
    parser.add_argument(
        "--fail-on",
        choices=(*SEVERITIES, "never"),
        help="exit with 1 from this severity on (default: `fail-on` of the configuration, else error)",
    )
    parser.add_argument(
        "--exit-zero", action="store_true", help="findings do not change the exit code; what could not be checked does"
    )
    parser.add_argument(
        "--select",
        type=chosen_rules,
        action="extend",
        metavar="RULES",
        help="only these rules, separated by commas: names, `sql_*`, category:security, ASI02, CWE-89",
    )
    parser.add_argument(
        "--ignore", type=rule_selection, action="extend", default=[], metavar="RULES", help="not these, likewise"
    )
    parser.add_argument(
        "--profile",
        choices=[profile.value for profile in Profile],
        help="which rules are looked for, and how strictly, instead of what the configuration says",
    )
    parser.add_argument(
        "--no-inline-ignores", action="store_true", help="report also what a plan's `plancheck-ignore` switches off"
    )
    parser.add_argument("--fix", action="store_true", help="apply all safe fixes to the files")
    parser.add_argument("--unsafe", action="store_true", help="with --fix or --diff: the unsafe fixes too")
    parser.add_argument("--diff", action="store_true", help="show what --fix would change, and change nothing")
    parser.add_argument(
        "--policy",
        action="append",
        metavar="PATH",
        help="use this policy instead of those in force: YAML, .rego, or a folder of .rego files; may be repeated",
    )
    parser.add_argument(
        "--tools",
        action="append",
        metavar="FILE",
        help="use this catalogue of tools instead of those in force; may be repeated",
    )
    parser.add_argument("--opa", metavar="PROGRAM", help="the opa that evaluates Rego policies (default: on the PATH)")
    parser.add_argument("--config", metavar="FILE", help="use this configuration instead of the nearest one")
    parser.add_argument("--quiet", "-q", action="store_true", help="one line for each finding and nothing else")
    add_output_arguments(parser)
    parser.add_argument(
        "--jobs", "-j", type=job_count, default=0, metavar="N", help="how many processes (default: chosen by plancheck)"
    )
    parser.add_argument("--no-cache", action="store_true", help="check files again that were checked before")
    parser.add_argument(
        "--cache-dir",
        metavar="DIR",
        default=os.environ.get("PLANCHECK_CACHE_DIR") or None,
        help=f"where results are kept (default: PLANCHECK_CACHE_DIR, else {CACHE_FOLDER} beside the configuration)",
    )
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto")
    add_options(parser)
    args = parser.parse_args(separated(argv))
    if (wrong := mistake(args)) is not None:
        parser.error(wrong)
    if args.unsafe and not (args.fix or args.diff):
        parser.error("--unsafe says which fixes to apply: use it with --fix or --diff")
    if args.fix and not args.diff and STANDARD_INPUT in args.paths:
        parser.error("--fix cannot write to standard input: use --diff, or name a file")
    if args.stdin_filename is not None and STANDARD_INPUT not in args.paths:
        parser.error("--stdin-filename says what standard input is: give - as the path")
    if args.statistics and args.diff:
        parser.error("--statistics counts findings and --diff shows what fixes change: leave one of them out")
    if args.statistics and args.format not in WITH_STATISTICS:
        parser.error(f"--statistics is for --format {' and '.join(WITH_STATISTICS)}: json counts rules in any case")
    return args


class _FilesInForce(NamedTuple):
    """The files beside the plans, which are checked themselves."""

    policies: CheckedPolicies
    catalogues: CheckedCatalogues


def run(argv: list[str]) -> int:
    args = _arguments(argv)
    if not args.watch:
        return _run(args)
    from plancheck.cli.watch import watch

    return watch(args, lambda watched: _run(args, watched))


def _run(args: Namespace, watched: Watched | None = None) -> int:
    configurations = Configurations()
    if args.config is not None:
        error = configurations.put_everywhere(os.path.abspath(args.config), os.getcwd())
        if error is not None:
            announce(unreadable(ReadError(args.config, error.message)))
            return 2
    sees_all = any(os.path.isdir(path) for path in args.paths)
    policies = CheckedPolicies(configurations, sees_all=sees_all, named=args.policy, opa=args.opa)
    catalogues = CheckedCatalogues(configurations, args.tools)
    tasks, errors = _collected(args, configurations, policies, catalogues)
    if watched is not None:
        watched.note(tasks, configurations, policies, catalogues)
    faults = [*map(unreadable, errors), *_faults(configurations, policies, catalogues)]
    baselines = baselines_of(tasks, args) if any(task.baseline for task in tasks) else None
    if baselines is None and any(task.baseline for task in tasks):
        return 2
    files = _FilesInForce(policies, catalogues)
    read = (*(task.absolute for task in tasks), *(task.baseline or "" for task in tasks), *policies.paths)
    read += (*catalogues.paths, *(loaded.path or "" for loaded in configurations.loaded))
    with _destination(args.output_file, read) as stream:
        if args.show_files or args.show_settings:
            from plancheck.cli.showing import show_instead

            return show_instead(args, tasks, faults, configurations, policies, stream)
        output = _format(args, stream)
        tally = _check(
            tasks, faults, args, files, baselines, lambda path: _settings(path, configurations, args), output
        )
    return exit_code(tally, _fail_on(args, tasks, configurations))


def _destination(path: str | None, read: Iterable[str]) -> AbstractContextManager[TextIO]:
    """Where the results go; not into a file that they are made from."""
    if path is None:
        return nullcontext(sys.stdout)
    from plancheck.cli.output_file import written_whole

    return written_whole(path, filter(None, read))


def _fail_on(args: Namespace, tasks: list[CheckTask], configurations: Configurations) -> str:
    """From which severity on findings fail: the strictest word that holds for one of the files."""
    if args.exit_zero:
        return "never"
    if args.fail_on is not None:
        return str(args.fail_on)
    words = {configurations.above(os.path.dirname(task.absolute)).fail_on for task in tasks}
    return next((word for word in (*reversed(SEVERITIES), "never") if word in words), "error")


def _collected(
    args: Namespace, configurations: Configurations, policies: CheckedPolicies, catalogues: CheckedCatalogues
) -> tuple[list[CheckTask], list[ReadError]]:
    """What is to be checked, and what cannot be."""
    cache = _cache(args)
    tasks: list[CheckTask] = []
    errors: list[ReadError] = []
    for found in collect(args.paths, Collecting(configurations, args.stdin_filename, args.force_exclude)):
        if isinstance(found, ReadError):
            errors.append(found)
        else:
            path, absolute, is_standard_input = found
            settings = policies.over(_settings(absolute, configurations, args), absolute)
            settings = catalogues.over(settings, absolute)
            with_fixes = _lists_fixes(args, len(tasks))
            with_report = args.format == "json"
            baseline = baseline_for(absolute, args, configurations)
            if baseline is not None:  # what is not shown could not be known again
                settings = replace(settings, max_findings=MOST_NUMBER)
            shown = (with_report, with_fixes, args.format in WITH_FINGERPRINTS or baseline is not None)
            task = CheckTask(path, absolute, settings, *shown, changing(args), cache, args.opa)
            tasks.append(task._replace(baseline=baseline, is_standard_input=is_standard_input))
    return _with_keys(tasks) if cache is not None else tasks, errors


def _with_keys(tasks: list[CheckTask]) -> list[CheckTask]:
    """The tasks with the keys of their settings, which are mostly the same from one file to the next."""
    from plancheck.cli.entries import settings_key

    found: list[CheckTask] = []
    settings: Settings | None = None
    key = ""
    for task in tasks:
        if task.settings != settings:
            settings, key = task.settings, settings_key(task.settings)
        found.append(task._replace(settings_key=key))
    return found


def _cache(args: Namespace) -> ResultCache | None:
    if args.no_cache or args.fix or args.diff or args.add_ignores or args.paths == [STANDARD_INPUT]:
        return None
    from plancheck.cli.cache import opened

    return opened(args.cache_dir or os.path.join(_project(), CACHE_FOLDER))


def _project() -> str:
    """The folder that the work is about: the nearest one with a configuration, at the working directory or above."""
    here = folder = os.getcwd()
    while not any(os.path.isfile(os.path.join(folder, name)) for name in NAMES):
        parent = os.path.dirname(folder)
        if parent == folder:
            return here
        folder = parent
    return folder


def _lists_fixes(args: Namespace, number: int) -> bool:
    """Whether the fixes of a file are worth trying. People read about the first files; programs read everything."""
    if args.diff or args.statistics:
        return False
    return args.format in WITH_FIXES or (args.format == "text" and not args.quiet and number < FILES_WITH_FIXES)


def _settings(absolute: str, configurations: Configurations, args: Namespace) -> Settings:
    """The settings for a file, with what the command line says on top."""
    settings = configurations.above(os.path.dirname(absolute)).settings_for(absolute)
    if args.no_inline_ignores:
        settings = replace(settings, inline_ignores=InlineIgnores.NONE)
    if args.profile is not None:
        settings = replace(settings, profile=Profile(args.profile))
    if args.select is None and not args.ignore:
        return settings
    severities: dict[str, Severity | None] = dict(settings.severities)
    if args.select is not None:
        for rule in RULES:
            if rule in args.select:
                severities[rule] = settings.severity_if_asked_for(rule)
            elif rule not in ALWAYS_SELECTED:
                severities[rule] = None
    severities.update(dict.fromkeys(args.ignore))
    return replace(settings, severities=severities)


def _check(
    tasks: list[CheckTask],
    faults: list[FileResult],
    args: Namespace,
    files: _FilesInForce,
    baselines: Baselines | None,
    settings_for: Callable[[str], Settings],
    output: Format,
) -> Tally:
    """Check and print. The faults come first, for whoever reads on should know of them."""
    tally = Tally()
    progress = ProgressBar(len(tasks), sys.stderr, wanted=not args.quiet)

    def show(result: FileResult) -> None:
        if result.findings or result.unchecked:
            progress.hide()
        tally.add(result)
        if not result.is_checked:
            announce(result)
        output.file(result)

    for fault in faults:
        show(fault)
    writer: CacheWriter | None = None
    with checked(tasks, args.jobs) as results:
        for done, (task, result) in enumerate(zip(tasks, results, strict=True), 1):
            files.policies.note(result, task.absolute)
            show(result if baselines is None else baselines.without_known(task, result))
            if result.entry is not None and task.cache is not None:
                writer = writer or task.cache.writer()
                writer.add(task.cache, result.entry)
            progress.show(done)
    if writer is not None:
        writer.flush()
    progress.hide()
    for result in (*files.policies.results(settings_for), *files.catalogues.results(settings_for)):
        show(_fingerprinted(result) if args.format in WITH_FINGERPRINTS else result)
    if baselines is not None:
        tally.baseline = baselines.tally(tally.known)
        for error in baselines.write():
            tally.baseline = None
            show(unreadable(ReadError(from_here(error.path), error.message)))
    output.end(tally)
    return tally


def _fingerprinted(result: FileResult) -> FileResult:
    return result._replace(findings=with_fingerprints(result.text, result.findings))


def _format(args: Namespace, stream: TextIO) -> Format:
    if args.diff:
        from plancheck.cli.formats.diff import Diff

        return Diff(stream, sys.stderr, args.quiet)
    paint = Painter(args.output_file is None and wants_colour(args.color, stream))
    if args.statistics:
        from plancheck.cli.formats.statistics import Statistics

        return Statistics(stream, paint, args.quiet, is_markdown=args.format == "markdown")
    return FORMATS[args.format](stream, Look(paint, args.quiet, columns_of(stream)))


def _faults(
    configurations: Configurations, policies: CheckedPolicies, catalogues: CheckedCatalogues
) -> Iterator[FileResult]:
    """What is wrong with the configurations, and which files that they name cannot be read."""
    for error in (*configurations.errors, *policies.errors, *catalogues.errors):
        yield unreadable(ReadError(from_here(error.path), error.message))
    for loaded in configurations.loaded:
        lines = LineIndex(loaded.text)
        problems = sorted((*loaded.problems, *catalogues.configuration_problems(loaded)))
        places = [_fault(problem, lines) for problem in problems]
        if places:
            yield FileResult(from_here(loaded.path or ""), loaded.text, None, [], places)


def _fault(problem: ConfigProblem, lines: LineIndex) -> UncheckedPlace:
    start, end = problem.start, problem.end
    where = range_of(lines, start, end)
    return UncheckedPlace(
        CONFIGURATION_FAULT, Reason.FAILURE.value, problem.message, problem.pointer, start, end, where
    )
