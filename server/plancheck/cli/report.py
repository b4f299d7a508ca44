"""`plancheck report`: the PRE report of a plan."""

from __future__ import annotations

from plancheck.checked import checked_findings, is_valid
from plancheck.cli.arguments import CommandParser
from plancheck.cli.document import load, place, say
from plancheck.cli.terminal import lines


def run(argv: list[str]) -> int:
    parser = CommandParser("report", "Show the PRE report of a plan: what can be known before it runs.")
    parser.add_argument("file", metavar="FILE", help="a plan file, or - for standard input")
    parser.add_argument("--format", choices=("text", "markdown", "json"), default="text")
    parser.add_argument(
        "--tools", action="append", metavar="FILE", help="use this catalogue of tools instead of those in force"
    )
    args = parser.parse_args(argv)
    snapshot = load(args.file, args.tools)
    if snapshot is None:
        return 2
    if not is_valid(snapshot):
        errors = [
            finding for finding in checked_findings(snapshot, with_fingerprints=False) if finding.severity == "error"
        ]
        where = f"{place(args.file, errors[0])}: {errors[0].message}" if errors else f"{args.file}: it has errors."
        more = f" (and {len(errors) - 1} more: see `plancheck check`)" if len(errors) > 1 else ""
        say(f"plancheck: an invalid plan has no report: {where}{more}")
        return 2
    from plancheck.pre import report_of

    report = report_of(snapshot.graph)
    if args.format == "json":
        import json

        print(json.dumps(report.to_dict(), indent=2))
    else:
        print(lines(report.to_markdown() if args.format == "markdown" else str(report)))
    return 0
