"""`plancheck graph`: the control and data flow of a plan as a drawing or as data."""

from __future__ import annotations

from plancheck.analysis.finding import Severity
from plancheck.cli.arguments import CommandParser
from plancheck.cli.document import load, say


def run(argv: list[str]) -> int:
    parser = CommandParser(
        "graph",
        "Draw the control and data flow of a plan.",
        ("plancheck graph refund.plan.json", "plancheck graph --format dot refund.plan.json > refund.dot"),
    )
    parser.add_argument("file", metavar="FILE", help="a plan file, or - for standard input")
    parser.add_argument("--format", choices=("mermaid", "dot", "json"), default="mermaid")
    args = parser.parse_args(argv)
    snapshot = load(args.file)
    if snapshot is None:
        return 2
    errors = sum(finding.severity is Severity.ERROR for finding in snapshot.findings)
    if errors:
        count = "an error" if errors == 1 else f"{errors} errors"
        say(f"plancheck: {args.file}: the plan has {count}; the graph shows only what could be read.")
    from plancheck.plan.graph.export import describe, to_dot, to_mermaid

    picture = describe(snapshot.plan, snapshot.graph)
    if args.format == "json":
        import json

        print(json.dumps(picture.to_dict(), indent=2))
    else:
        print(to_dot(picture) if args.format == "dot" else to_mermaid(picture), end="")
    return 0
