"""`plancheck rules`: all rules with their severities and summaries."""

from __future__ import annotations

from typing import Any

from plancheck.analysis.rule import Rule
from plancheck.analysis.rules import RULES
from plancheck.cli.arguments import CommandParser


def run(argv: list[str]) -> int:
    parser = CommandParser(
        "rules", "List all rules.", ("plancheck rules", "plancheck rules --format json > rules.json")
    )
    parser.add_argument("--format", choices=("text", "json", "markdown"), default="text")
    args = parser.parse_args(argv)
    rules = list(RULES.values())
    if args.format == "json":
        import json

        print(json.dumps([_described(rule) for rule in rules], indent=2))
    elif args.format == "markdown":
        from plancheck.cli.formats.markdown import markdown

        print("| rule | severity | category | since | tags | what it reports |\n|---|---|---|---|---|---|")
        for rule in rules:
            name, *others = _row(rule)
            print(f"| `{name}` | {' | '.join(others)} | {markdown(rule.summary)} |")
    else:
        rows = [(*_row(rule), rule.summary) for rule in rules]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for row in rows:
            cells = (cell.ljust(width) for cell, width in zip(row[:-1], widths, strict=False))
            print("  ".join([*cells, row[-1]]))
    return 0


def _row(rule: Rule) -> tuple[str, ...]:
    return rule.name, severity_of(rule), rule.category.value, rule.since, " ".join(rule.tags) or "–"


def severity_of(rule: Rule) -> str:
    """What the findings of a rule count as, and whether it has to be asked for."""
    return rule.severity.word if rule.is_on else f"{rule.severity.word} (off)"


def _described(rule: Rule) -> dict[str, Any]:
    """All that is known about a rule, but for its page."""
    return {
        "rule": rule.name,
        "severity": rule.severity.word,
        "on": rule.is_on,
        "category": rule.category.value,
        "since": rule.since,
        "tags": list(rule.tags),
        "precision": rule.precision.value,
        "security_severity": rule.security_severity,
        "options": [
            {"name": o.name, "default": o.default, "least": o.least, "most": o.most, "what": o.what}
            for o in rule.options
        ],
        "fixes": [{"what": remedy.what, "safe": remedy.safe} for remedy in rule.remedies],
        "summary": rule.summary,
    }
