"""`graph`, `rules`, `explain` and `schema`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from cli.command import BROKEN, EXAMPLES, FAULTY, plancheck, plant
from plancheck.analysis.rules import RULES

REFUND = EXAMPLES / "declared" / "refund-faulty.plan.json"


@pytest.mark.parametrize("name", ["missing", "."])
def test_a_file_that_cannot_be_read_has_neither_report_nor_graph(tmp_path: Path, name: str) -> None:
    why = {"missing": "there is no such file or folder.", ".": "this is a folder, not a file."}[name]
    for command in ("report", "graph"):
        assert plancheck(command, name, cwd=tmp_path) == (2, "", f"plancheck: {name}: {why}\n")


def test_what_is_no_plan_has_no_graph(tmp_path: Path) -> None:
    plant(tmp_path, {"no.plan.json": "12", "empty.plan.json": ""})
    for name, message in (("no", "1:1: This is not a plan"), ("empty", "1:1: The document is empty")):
        ran = plancheck("graph", f"{name}.plan.json", cwd=tmp_path)
        assert (ran.code, ran.out) == (2, "")
        assert ran.err.startswith(f"plancheck: {name}.plan.json:{message}")
        assert ran.err.count("\n") == 1


def test_an_invalid_plan_has_a_graph(tmp_path: Path) -> None:
    plant(tmp_path, {"a.plan.json": BROKEN})
    ran = plancheck("graph", "a.plan.json", cwd=tmp_path)
    assert ran.code == 0
    assert ran.err == "plancheck: a.plan.json: the plan has an error; the graph shows only what could be read.\n"
    assert 's0{"#35;1 in the list: clerk"}' in ran.out


def test_rules_lists_every_rule() -> None:
    text = plancheck("rules").out
    assert [line.split()[:2] for line in text.splitlines()] == [[r.name, r.severity.word] for r in RULES.values()]
    assert [(r["rule"], r["severity"], r["summary"]) for r in plancheck("rules", "--format", "json").json] == [
        (rule.name, rule.severity.word, rule.summary) for rule in RULES.values()
    ]
    table = plancheck("rules", "--format", "markdown").out
    assert table.count("\n") == len(RULES) + 2


def test_explain_shows_the_page_and_the_examples() -> None:
    rule = RULES["unknown_step"]
    out = plancheck("explain", "unknown_step").out
    assert out.startswith("# unknown_step (error)\n\nA step names another one that does not exist.\n")
    assert rule.page.strip() in out
    assert rule.bad.rstrip() in out
    assert rule.good.rstrip() in out
    assert "```" not in plancheck("explain", "file_too_large").out


# ---- schema ------------------------------------------------------------------------------------------------------


def schema(*dialect: str) -> dict[str, Any]:
    found: dict[str, Any] = plancheck("schema", *dialect).json
    return found


@pytest.mark.parametrize("dialect", [["declared"], ["steps"], ["calls"], []])
def test_a_schema_is_one_and_describes_every_key(dialect: list[str]) -> None:
    found = schema(*dialect)
    jsonschema.Draft202012Validator.check_schema(found)

    def keys(part: Any) -> Any:
        if isinstance(part, dict):
            yield from part.get("properties", {}).items()
            for inner in part.values():
                yield from keys(inner)
        elif isinstance(part, list):
            for inner in part:
                yield from keys(inner)

    described = list(keys(found))
    assert len(described) > 5
    assert [name for name, part in described if not part.get("description")] == []


def test_good_examples_fit_the_schema_and_shapeless_ones_do_not() -> None:
    validator = jsonschema.Draft202012Validator(schema("declared"))
    either = jsonschema.Draft202012Validator(schema())
    plans = [json.loads(path.read_text()) for path in EXAMPLES.rglob("declared/*.plan.json") if "half" not in path.name]
    plans += [json.loads(rule.good) for rule in RULES.values() if rule.good and '"nodes"' in rule.good]
    assert len(plans) > 15
    for plan in plans:
        assert not list(validator.iter_errors(plan))
        assert either.is_valid(plan)
    for name in ("missing_key", "wrong_type", "unknown_kind", "empty_name"):
        assert not validator.is_valid(json.loads(RULES[name].bad)), name


@pytest.mark.parametrize(
    ("dialect", "good", "bad"),
    [
        (
            "steps",
            {"goal": "g", "steps": [{"id": "a", "tool": "t", "args": {}, "depends_on": [], "on_fail": "continue"}]},
            {"steps": [{"id": "a"}]},
        ),
        ("calls", [{"tool_name": "t", "args": {"x": 1}, "reads": [{"id": "r", "producer": 0}]}], [{"tool": "t"}]),
        ("calls", {"event_type": "agent.plan", "steps": [{"tool_name": "t"}]}, {"event_type": "x", "steps": []}),
    ],
)
def test_the_other_dialects(dialect: str, good: Any, bad: Any) -> None:
    validator = jsonschema.Draft202012Validator(schema(dialect))
    assert validator.is_valid(good)
    assert not validator.is_valid(bad)


def test_graph_reads_standard_input_and_prints_each_format() -> None:
    picture = plancheck("graph", "--format", "json", "-", stdin=FAULTY.encode()).json
    assert picture["nodes"][0]["writes"] == ["ledger"]
    assert plancheck("graph", "--format", "dot", REFUND).out.startswith("digraph plan {\n")
    assert plancheck("graph", REFUND).out.startswith("flowchart TD\n")
