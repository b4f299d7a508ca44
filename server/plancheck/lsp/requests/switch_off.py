"""Switching a rule off in a configuration file, changing nothing else in it."""

from __future__ import annotations

from plancheck.text import Edit
from plancheck.workspace.toml import locate


def switched_off(text: str, rule: str, is_pyproject: bool) -> Edit:
    """The edit that adds `rule = "off"` to the table of rules, or changes the entry that is there."""
    table: tuple[str, ...] = ("tool", "plancheck", "rules") if is_pyproject else ("rules",)
    try:
        places = locate(text)
    except ValueError:
        places = {}
    if (entry := places.get((*table, rule))) is not None:
        return Edit(entry.value.start, entry.value.end, '"off"')
    rules = places.get(table)
    if rules is None:
        gap = "" if not text else "\n" if text.endswith("\n") else "\n\n"
        return Edit(len(text), len(text), f'{gap}[{".".join(table)}]\n{rule} = "off"\n')
    if text.startswith("{", rules.value.start):
        more = "" if text[rules.value.start + 1 : rules.value.end - 1].strip() == "" else ","
        return Edit(rules.value.start + 1, rules.value.start + 1, f' {rule} = "off"{more}')
    if not text.startswith("[", rules.value.start):  # dotted keys: one more of them, before the first
        line_start = text.rfind("\n", 0, rules.value.start) + 1
        prefix = text[line_start:].partition("=")[0].rpartition(".")[0].strip()
        return Edit(line_start, line_start, f'{prefix}.{rule} = "off"\n')
    line_end = text.find("\n", rules.value.end)
    if line_end < 0:
        return Edit(len(text), len(text), f'\n{rule} = "off"\n')
    return Edit(line_end + 1, line_end + 1, f'{rule} = "off"\n')
