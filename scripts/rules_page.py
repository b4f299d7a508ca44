"""Write docs/rules.md from the rules themselves. With `--check`, say whether it is up to date, and change nothing."""

from __future__ import annotations

import sys
from pathlib import Path

from plancheck.analysis.rule import Rule
from plancheck.analysis.rule_page import sections
from plancheck.analysis.rules import RULES
from plancheck.cli.formats.markdown import markdown
from plancheck.cli.rules import severity_of

PAGE = Path(__file__).parent.parent / "docs" / "rules.md"

HEAD = """\
# Rules

Made from the rules by `python scripts/rules_page.py`: do not edit. `plancheck explain RULE` shows a rule's page.

A fix is offered only where it holds: applied by itself, it leaves proper JSON, makes its finding disappear, and adds no
error and no finding of the same rule at that step. **Safe** fixes are applied by `plancheck check --fix` and by
`source.fixAll.plancheck`; unsafe ones by an editor's quick fix, or all at once by `check --fix --unsafe`. Where several
fixes are possible, the first in the list that holds is the preferred one.

| rule | severity | what it means | fixes |
|---|---|---|---|
"""


def rules_page() -> str:
    return overview() + "".join(f"\n{_section(rule)}" for rule in RULES.values())


def overview() -> str:
    """The table of rules alone."""
    return HEAD + "".join(f"{_row(rule)}\n" for rule in RULES.values())


def _row(rule: Rule) -> str:
    fixes: dict[str, None] = {}
    for remedy in rule.remedies:
        what = markdown(remedy.what)
        fixes[f"**safe:** {what}" if remedy.safe else what] = None
    listed = "; ".join(fixes) or "–"
    severity = severity_of(rule)
    return f"| [`{rule.name}`](#{rule.name}) | {severity} | {markdown(rule.summary)} | {listed} |"


def _section(rule: Rule) -> str:
    """The rule's page, one level further down."""
    lines = "\n\n".join(sections(rule)).split("\n")
    is_code = False
    lowered = []
    for line in lines:
        is_code ^= line.startswith("```")
        lowered.append(f"#{line}" if line.startswith("#") and not is_code else line)
    return f"## {rule.name}\n\nSeverity: {severity_of(rule)}.\n\n" + "\n".join(lowered) + "\n"


def main() -> int:
    wanted = rules_page()
    if "--check" in sys.argv:
        is_fresh = PAGE.exists() and PAGE.read_text(encoding="utf-8") == wanted
        if not is_fresh:
            print("docs/rules.md is out of date: run `python scripts/rules_page.py`.", file=sys.stderr)
        return int(not is_fresh)
    PAGE.write_text(wanted, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
