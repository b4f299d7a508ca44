"""`plancheck rules`: all rules with their severities and summaries."""

from __future__ import annotations

from plancheck.analysis.rules import RULES
from plancheck.cli.arguments import CommandParser


def run(argv: list[str]) -> int:
    parser = CommandParser("rules", "List all rules.")
    parser.add_argument("--format", choices=("text", "json", "markdown"), default="text")
    args = parser.parse_args(argv)
    rules = list(RULES.values())
    if args.format == "json":
        import json

        listed = [{"rule": rule.name, "severity": rule.severity.word, "summary": rule.summary} for rule in rules]
        print(json.dumps(listed, indent=2))
    elif args.format == "markdown":
        from plancheck.cli.formats.markdown import markdown

        print("| rule | severity | what it reports |\n|---|---|---|")
        for rule in rules:
            print(f"| `{rule.name}` | {rule.severity.word} | {markdown(rule.summary)} |")
    else:
        width = max(len(rule.name) for rule in rules)
        for rule in rules:
            print(f"{rule.name:<{width}}  {rule.severity.word:<7}  {rule.summary}")
    return 0
