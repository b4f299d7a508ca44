"""`plancheck explain RULE`: the page of a rule."""

from __future__ import annotations

from plancheck.analysis.rule_page import whole_page
from plancheck.analysis.rules import RULES
from plancheck.cli.arguments import CommandParser, rule_name


def run(argv: list[str]) -> int:
    parser = CommandParser(
        "explain", "Show the page of a rule.", ("plancheck explain sql_interpolation", "plancheck explain tool_deny")
    )
    parser.add_argument("rule", type=rule_name, metavar="RULE")
    print(whole_page(RULES[parser.parse_args(argv).rule]), end="")
    return 0
