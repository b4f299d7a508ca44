"""Writes the bad examples of all rules with fixes into a folder, each with its policy and catalogue, and prints what an
editor is to show of them: the finding, and for each of its fixes the text and the diagnostics after it.

For tests/editor/fixes.test.mjs, which takes them to a real VS Code.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from analysis.test_examples import under_its_policy
from plancheck.analysis.engine import analyze
from plancheck.analysis.fix.offer import fix_edits, offered
from plancheck.analysis.rule import Rule
from plancheck.analysis.rules import RULES
from plancheck.analysis.settings import Settings
from plancheck.catalogue.model import Catalogue, CatalogueSource
from plancheck.frozen import replace
from plancheck.lsp.convert.findings import diagnostics
from plancheck.lsp.settings import parse_client_settings
from plancheck.text import Encoding, apply_edits

PLAN, POLICY, CATALOGUE = "bad.plan.json", "plan-policy.yaml", "shop.tools.json"
REPORTED_BY_VSCODE = {"reportedByEditor": ["syntax_error", "duplicate_key"]}

INSTEAD = {
    "tool_deny": RULES["tool_deny"]._replace(
        bad='{"steps": [\n  {"id": "a", "tool_name": "get_wether", "args": {}}\n]}\n',
        policy="allow_tools: [get_weather]\n",
    )
}
"""Examples in place of those of rules that have a fix, but none for their own."""


def main(folder: Path) -> None:
    rules = [INSTEAD.get(rule.name, rule) for rule in RULES.values() if rule.remedies]
    for rule in rules:
        write(rule, folder / rule.name)
    print(json.dumps([case(rule, folder / rule.name) for rule in rules]))


def write(rule: Rule, folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / PLAN).write_text(rule.bad, encoding="utf-8")
    configuration = f'[rules]\n{rule.name} = "{rule.severity.word}"\n'
    if rule.policy:
        (folder / POLICY).write_text(rule.policy, encoding="utf-8")
    if rule.catalogue:
        (folder / CATALOGUE).write_text(rule.catalogue, encoding="utf-8")
        configuration = f'tools = ["{CATALOGUE}"]\n{configuration}'
    (folder / "plancheck.toml").write_text(configuration, encoding="utf-8")


def case(rule: Rule, folder: Path) -> dict[str, Any]:
    catalogue = Catalogue((CatalogueSource(str(folder / CATALOGUE), rule.catalogue),)) if rule.catalogue else None
    settings = replace(under_its_policy(rule), severities={rule.name: rule.severity}, catalogue=catalogue)
    snapshot = analyze(rule.bad, settings)
    fixes = []
    for finding in snapshot.shown:
        if finding.rule == rule.name:
            place = snapshot.lines.position(snapshot.span(finding).start, Encoding.UTF16)
            for fix in offered(snapshot, finding):
                after = apply_edits(rule.bad, fix_edits(snapshot, fix))
                seen = {"title": fix.title, "after": after, "shown": shown(after, settings)}
                fixes.append({"at": [place.line, place.character], **seen})
    return {"rule": rule.name, "plan": f"{rule.name}/{PLAN}", "shown": shown(rule.bad, settings), "fixes": fixes}


def shown(text: str, settings: Settings) -> list[Any]:
    """What is to be seen in Problems: rule, severity, message and range, as VS Code counts them."""
    client, _ = parse_client_settings(REPORTED_BY_VSCODE)
    snapshot = analyze(text, client.over(settings, is_open=True))
    return [
        [item["code"], item["severity"] - 1, item["message"], *item["range"]["start"].values()]
        for item in diagnostics(snapshot, "file:///x", Encoding.UTF16)
    ]


if __name__ == "__main__":
    main(Path(sys.argv[1]))
