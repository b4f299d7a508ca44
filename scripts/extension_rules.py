"""Write the rules that the server knows into the extension's settings, where VS Code completes and explains them.

With `--check`, say whether they are there already, and change nothing.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from plancheck.analysis.rule import Rule
from plancheck.analysis.rules import RULES

MANIFEST = Path(__file__).parent.parent / "vscode-extension" / "package.json"
SEVERITIES = ["error", "warning", "info", "hint", "off"]


def rule_settings() -> dict[str, object]:
    return {rule.name: _setting(rule) for rule in sorted(RULES.values(), key=lambda rule: rule.name)}


def _setting(rule: Rule) -> dict[str, object]:
    """A severity or, of a rule with options, an object with one and with these."""
    severity: dict[str, object] = {"type": "string", "enum": SEVERITIES}
    tags = f" ({', '.join(rule.tags)})" if rule.tags else ""
    described = {
        "default": rule.severity.word if rule.is_on else "off",
        "description": f"{rule.summary} [{rule.category.value}]{tags}",
    }
    if not rule.options:
        return {**severity, **described}
    numbers = {
        option.name: {
            "type": "integer",
            "default": option.default,
            "minimum": option.least,
            "maximum": option.most,
            "description": option.what,
        }
        for option in rule.options
    }
    whole = {"type": "object", "additionalProperties": False, "properties": {"severity": severity, **numbers}}
    return {"anyOf": [severity, whole], **described}


def main() -> int:
    text = MANIFEST.read_text(encoding="utf-8")
    manifest = json.loads(text)
    manifest["contributes"]["configuration"]["properties"]["plancheck.rules"]["properties"] = rule_settings()
    wanted = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
    if "--check" in sys.argv:
        return int(wanted != text)
    MANIFEST.write_text(wanted, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
