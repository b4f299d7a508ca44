"""The page of a rule in Markdown, for terminals, editors and the documentation."""

from __future__ import annotations

from plancheck.analysis.rule import Rule
from plancheck.analysis.settings import Settings
from plancheck.analysis.suppress import may_ignore
from plancheck.plan.dialects.keys import IGNORE


def whole_page(rule: Rule) -> str:
    """The rule's documentation, its severity, its fixes, its examples, and how to switch it off."""
    return "\n\n".join([f"# {rule.name} ({rule.severity.word})", *sections(rule), switching_off(rule)]) + "\n"


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


def switching_off(rule: Rule) -> str:
    """Where a rule can be switched off, with what to write there."""
    everywhere = f'- everywhere: `{rule.name} = "off"` under `[rules]` in plancheck.toml'
    written = f'`"{IGNORE}": ["{rule.name}"]`'
    in_plan = [f"- in one file: {written} in the plan's object", f"- at one step: {written} in the step"]
    if rule.is_about_policy or rule.is_about_rego or rule.is_about_catalogue:
        in_plan = []
    elif rule.is_unread:
        in_plan = ["- in a plan it cannot be switched off"]
    elif not may_ignore(rule.name, Settings()):
        in_plan = [f'- in a plan only where plancheck.toml has `inline-ignores = "all"`: {written}']
    return "\n".join(["## How to switch it off", "", everywhere, *in_plan])
