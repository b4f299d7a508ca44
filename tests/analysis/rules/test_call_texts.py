"""What the rules about the texts of calls have in common: whose word counts about a tool, and what they cost."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from analysis.rules.in_dialects import findings_of
from plancheck.analysis.engine import analyze
from plancheck.analysis.settings import Settings
from plancheck.analysis.snapshot import Snapshot
from plancheck.catalogue.model import Catalogue, CatalogueSource
from plancheck.policy.reading import read_policy

REFERENCE = "{{a.result.x}}"
RULES_ABOUT_TEXTS = (
    *("sql_interpolation", "command_interpolation", "code_interpolation", "unfiltered_write", "internal_address"),
    *("path_traversal", "cleartext_endpoint", "unpinned_remote_code", "placeholder_left"),
)


def analyzed(tool: str, arguments: Any, policy: str = "", catalogue: str = "") -> Snapshot:
    steps = [{"id": "a", "tool": "look.up"}, {"id": "b", "tool": tool, "depends_on": ["a"], "args": arguments}]
    settings = Settings(
        policy=read_policy(policy).policy if policy else None,
        catalogue=Catalogue((CatalogueSource("tools.json", catalogue),)) if catalogue else None,
    )
    return analyze(json.dumps({"goal": "g", "steps": steps}), settings)


def found(snapshot: Snapshot) -> list[str]:
    return sorted({finding.rule for finding in snapshot.findings if finding.rule in RULES_ABOUT_TEXTS})


@pytest.mark.parametrize(
    ("tool", "arguments", "policy", "rules"),
    [
        ("helper", {"command": f"rm {REFERENCE}"}, "tools: {helper: exec}", ["command_interpolation"]),
        ("helper", {"do": f"rm {REFERENCE}"}, "tools: {helper: exec}", ["command_interpolation"]),
        ("helper", {"do": f"rm {REFERENCE}", "cwd": "x"}, "tools: {helper: exec}", []),
        ("helper", {"command": f"rm {REFERENCE}"}, "", []),
        ("bash", {"command": f"rm {REFERENCE}"}, "tools: {bash: send}", []),
        ("bash", {"command": f"rm {REFERENCE}"}, "tools: {bash: read}", ["command_interpolation"]),
        ("warehouse", {"query": REFERENCE}, "tools: {warehouse: sql}", ["sql_interpolation"]),
        ("warehouse", {"query": REFERENCE}, "", []),
        ("notes", {"path": "../x"}, "tools: {notes: file}", ["path_traversal"]),
        ("notes", {"path": "../x"}, "", []),
        ("file.read", {"path": "../x"}, "tools: {file.read: send}", []),
    ],
)
def test_the_policy_says_what_a_tool_takes(tool: str, arguments: Any, policy: str, rules: list[str]) -> None:
    assert found(analyzed(tool, arguments, policy)) == rules


def test_a_catalogue_that_says_that_a_tool_reads_says_nothing_else() -> None:
    catalogue = '{"tools": [{"name": "read_file", "inputSchema": {}, "annotations": {"readOnlyHint": true}}]}'
    assert found(analyzed("read_file", {"path": "../x"}, catalogue=catalogue)) == ["path_traversal"]


def test_arguments_beside_the_arguments() -> None:
    text = (
        '{"goal": "g", "steps": [{"id": "a", "tool": "look.up"}, {"id": "b", "tool": "bash", "depends_on": ["a"], '
        '"command": "rm {{a.result.x}}"}]}'
    )
    assert findings_of("command_interpolation", analyze(text)) == [f"{text.index('a.result')}: a.result.x"]


def test_a_call_in_a_list_with_its_tool() -> None:
    snapshot = analyzed("queue", {"calls": [["bash", {"command": f"rm {REFERENCE}"}]]})
    assert found(snapshot) == ["command_interpolation"]
    assert snapshot.unchecked == []


def test_one_finding_for_a_text_with_several_references() -> None:
    snapshot = analyzed("db.query", {"query": f"SELECT a FROM t WHERE x = {REFERENCE} AND y = {REFERENCE}"})
    (finding,) = (finding for finding in snapshot.findings if finding.rule == "sql_interpolation")
    assert [snapshot.text[slice(*snapshot.place_span(related.place))] for related in finding.related] == ["a.result.x"]


HOSTILE = {
    "many downloads": ("bash", {"command": "curl " * 100_000}),
    "many conditions": ("db.query", {"query": "delete from t where x=1 or " * 3_500}),
    "many comments": ("db.query", {"query": "/*!" * 30_000 + " delete"}),
    "many quotes": ("db.query", {"query": "'" + "\\'" * 40_000 + " delete"}),
    "many parentheses": ("db.query", {"query": "DELETE FROM t WHERE " + "(" * 50_000}),
    "many interpreters": ("exec", {"command": ["python"] * 5_000 + [REFERENCE]}),
    "many shells": ("exec", {"command": ["pwsh", "-c"] * 5_000 + [REFERENCE]}),
    "many commands": ("bash", {"commands": [f"rm {REFERENCE}"] * 3_000}),
    "percent signs": ("file.read", {"path": "%25" * 300_000}),
    "numbers": ("http.get", {"url": "http://" + "1." * 400_000}),
    "brackets": ("x.y", {"id": "<insert " + "a " * 400_000}),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_text_is_looked_at_in_time(case: str) -> None:
    """Each of these takes a fraction of a second, and took minutes where time grew with the square of the text."""
    start = time.perf_counter()
    snapshot = analyzed(*HOSTILE[case])
    assert time.perf_counter() - start < 5
    assert [item for item in snapshot.unchecked if item.rule in RULES_ABOUT_TEXTS] == []
