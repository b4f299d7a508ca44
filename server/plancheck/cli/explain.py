"""`plancheck explain RULE`: the page of a rule."""

from __future__ import annotations

from plancheck.analysis.rule import Rule
from plancheck.analysis.rules import RULES
from plancheck.cli.arguments import Parser, rule_name


def run(argv: list[str]) -> int:
    parser = Parser("explain", "Show the page of a rule.")
    parser.add_argument("rule", type=rule_name, metavar="RULE")
    print(page(RULES[parser.parse_args(argv).rule]), end="")
    return 0


def page(rule: Rule) -> str:
    """The rule's whole page in Markdown: its documentation, its severity, its examples."""
    pieces = [f"# {rule.name} ({rule.severity.word})", rule.page.strip()]
    if rule.bad:
        pieces += ["## Example", _code(rule.bad)]
    if rule.good:
        pieces += ["Put right:", _code(rule.good)]
    return "\n\n".join(pieces) + "\n"


def _code(plan: str) -> str:
    return f"```json\n{plan.rstrip()}\n```"
