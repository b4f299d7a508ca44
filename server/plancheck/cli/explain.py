"""`plancheck explain RULE`: the page of a rule."""

from __future__ import annotations

from plancheck.analysis.rule import Rule
from plancheck.analysis.rules import RULES
from plancheck.cli.arguments import CommandParser, rule_name


def run(argv: list[str]) -> int:
    parser = CommandParser("explain", "Show the page of a rule.")
    parser.add_argument("rule", type=rule_name, metavar="RULE")
    print(page(RULES[parser.parse_args(argv).rule]), end="")
    return 0


def page(rule: Rule) -> str:
    """The rule's whole page in Markdown: its documentation, its severity, its fixes, its examples."""
    return "\n\n".join([f"# {rule.name} ({rule.severity.word})", *sections(rule)]) + "\n"


def sections(rule: Rule) -> list[str]:
    """The page without its heading."""
    pieces = [rule.page.strip(), _facts(rule)]
    if rule.remedies:
        fixes = (f"- {remedy.what} ({'safe' if remedy.safe else 'unsafe'})" for remedy in rule.remedies)
        pieces += ["## Fixes, the best first", "\n".join(dict.fromkeys(fixes))]
    language = "rego" if rule.is_about_rego else "yaml" if rule.is_about_policy else "json"
    if rule.bad:
        pieces += ["## Example", _code(rule.bad, language)]
    if rule.policy:
        pieces += ["with the policy", _code(rule.policy, "yaml")]
    if rule.rego:
        pieces += ["with the policy", _code(rule.rego, "rego")]
    if rule.catalogue:
        pieces += ["with the catalogue of tools", _code(rule.catalogue, "json")]
    if rule.good:
        pieces += ["Put right:", _code(rule.good, language)]
    return pieces


def _facts(rule: Rule) -> str:
    """What is known about a rule besides: a line for each."""
    lines = [f"Category: {rule.category.value}. Since version {rule.since}."]
    if rule.tags:
        lines.append(f"Tags: {', '.join(rule.tags)} (the mapping is our own).")
    if not rule.is_on:
        lines.append(f'Off unless it is asked for: `{rule.name} = "{rule.severity.word}"` under `[rules]`.')
    lines += (f"Option `{option.name}` (default {option.default:,}): {option.what}" for option in rule.options)
    return "\n".join(f"- {line}" for line in lines)


def _code(text: str, language: str) -> str:
    return f"```{language}\n{text.rstrip()}\n```"
