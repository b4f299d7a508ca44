"""`plancheck report`: everything that there is to say about a plan before it runs."""

from __future__ import annotations

from plancheck.checked import CONFIGURATION_FAULT, unchecked_file
from plancheck.cli.arguments import CommandParser
from plancheck.cli.checking import analyzed
from plancheck.cli.document import read
from plancheck.cli.formats.format import SEVERITIES, exit_code
from plancheck.cli.results import FileResult, Tally
from plancheck.cli.terminal import lines, one_line
from plancheck.report.model import Report, report_on


def run(argv: list[str]) -> int:
    parser = CommandParser(
        "report",
        "Report all that is known about a plan before it runs.",
        ("plancheck report refund.plan.json", "plancheck report --format markdown refund.plan.json > report.md"),
    )
    parser.add_argument("file", metavar="FILE", help="a plan file, or - for standard input")
    parser.add_argument("--format", choices=("text", "markdown", "json"), default="text")
    parser.add_argument(
        "--fail-on",
        choices=(*SEVERITIES, "never"),
        help="exit with 1 from this severity on (default: `fail-on` of the configuration, else error)",
    )
    parser.add_argument(
        "--tools", action="append", metavar="FILE", help="use this catalogue of tools instead of those in force"
    )
    args = parser.parse_args(argv)
    document = read(args.file, args.tools)
    if document is None:
        return 2
    faults = [unchecked_file(CONFIGURATION_FAULT, fault) for fault in document.configuration_faults]
    report = report_on(analyzed(document.text, document.settings), document.shown, faults)
    print(_rendered(report, args.format))
    tally = Tally()
    tally.add(FileResult(report.name, document.text, report.dialect, [*report.findings], [*report.unchecked]))
    return exit_code(tally, args.fail_on or document.fail_on)


def _rendered(report: Report, form: str) -> str:
    if form == "json":
        import json

        return json.dumps(report.to_dict(), indent=2)
    if form == "markdown":
        from plancheck.report.markdown import to_markdown

        return lines(to_markdown(report))
    from plancheck.report.text import text_lines

    return "\n".join(map(one_line, text_lines(report)))
