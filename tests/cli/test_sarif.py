"""SARIF: valid by its schema and by Microsoft's validator, and what GitHub makes of it is what was meant."""

from __future__ import annotations

import json
import os
import subprocess
from collections import Counter
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from cli.command import CLEAN, EXAMPLES, FAULTY, ROOT, plancheck, plant
from cli.hostile import plant_hostile
from cli.test_program_formats import TOO_DEEP, WITH_A_HINT, on_linux
from plancheck.analysis.engine import analyze
from plancheck.analysis.finding import Finding, Related, Severity
from plancheck.analysis.rule import Category, Precision, Rule, whole_plan
from plancheck.analysis.rules import RULES
from plancheck.analysis.settings import Settings
from plancheck.checked import CheckedFinding, checked_findings
from plancheck.cli.formats.sarif import Sarif
from plancheck.cli.formats.sarif_rules import rule_descriptor, taxonomies
from plancheck.cli.results import FileResult, Tally
from plancheck.plan.model import Place
from plancheck.text import Edit, LineIndex, apply_edits

TOOL = ROOT / ".cache" / "sarif" / "node_modules" / "@microsoft" / "sarif-multitool-linux"
VALIDATOR = TOOL / "Sarif.Multitool"
CHOICES = ("--rule-kind", "Sarif;Ghas", "--level", "Error;Warning;Note")
needs_validator = pytest.mark.skipif(
    not os.access(VALIDATOR, os.X_OK), reason="there is no validator of SARIF: run scripts/set-up-sarif.sh"
)


def log_of(folder: Path, *args: str) -> Any:
    """The log about a folder, as seen from the folder above it."""
    return json.loads(plancheck("check", "--no-cache", "--format", "sarif", *args, folder.name, cwd=folder.parent).out)


def run_of(folder: Path, *args: str) -> Any:
    (run,) = log_of(folder, *args)["runs"]
    return run


@pytest.fixture(params=["examples", pytest.param("hostile", marks=on_linux)])
def log(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    return log_of(EXAMPLES if request.param == "examples" else plant_hostile(tmp_path / "plans"))


# ---- valid -----------------------------------------------------------------------------------------------------------


@needs_validator
def test_the_log_fits_the_schema(log: Any) -> None:
    schema = json.loads((TOOL / "sarif-2.1.0.json").read_text(encoding="utf-8-sig"))
    jsonschema.validate(log, schema)


def complaints(log: Any, folder: Path) -> Counter[tuple[str, str]]:
    """What the validator says, as the rules that it names and how bad that is."""
    (folder / "log.sarif").write_text(json.dumps(log))
    ran = subprocess.run(
        [VALIDATOR, "validate", "log.sarif", "--output", "said.sarif", "--log", "ForceOverwrite", "--quiet", *CHOICES],
        cwd=folder,
        env={**os.environ, "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    (run,) = json.loads((folder / "said.sarif").read_text(encoding="utf-8-sig"))["runs"]
    assert run["invocations"][0]["executionSuccessful"]
    return Counter((result["ruleId"], result.get("level", "warning")) for result in run["results"])


@needs_validator
def test_the_validator_has_nothing_against_it(log: Any, tmp_path: Path) -> None:
    said = complaints(log, tmp_path)
    assert said, "it has notes at least"
    assert {rule for rule, level in said if level != "note"} == set()
    assert {rule for rule, _ in said} <= {
        "SARIF2002",  # a message by its id and arguments: ours are made of more than arguments
        "SARIF2003",  # under version control: the command does not know
        "SARIF2006",  # links are followed, which takes a network
        "SARIF2009",  # rules with numbers for names
        "SARIF2010",  # snippets, which would show secrets
        "SARIF2011",  # likewise
    }


@needs_validator
def test_the_validator_looks_at_what_github_demands(tmp_path: Path) -> None:
    log = log_of(EXAMPLES)
    (run,) = log["runs"]
    run["results"][0]["ruleIndex"] = 1000
    del run["tool"]["driver"]["rules"][0]["shortDescription"]
    said = complaints(log, tmp_path)
    assert {rule for rule, level in said if level == "error"} == {"SARIF1009", "GH2012"}


# ---- rules -----------------------------------------------------------------------------------------------------------


def test_rules_are_those_that_occur() -> None:
    run = run_of(EXAMPLES)
    rules = run["tool"]["driver"]["rules"]
    assert {rule["id"] for rule in rules} == {result["ruleId"] for result in run["results"]}
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]


@pytest.mark.parametrize("name", RULES)
def test_what_github_knows_of_a_rule(name: str) -> None:
    rule = RULES[name]
    found = rule_descriptor(rule)
    assert found["name"].lower() == name.replace("_", "")
    assert all(0 < len(found[text]["text"]) <= 1024 for text in ("shortDescription", "fullDescription"))
    assert found["help"]["markdown"].startswith(found["help"]["text"])
    assert found["helpUri"].endswith(f"/rules.md#{name}")
    properties = found["properties"]
    assert properties["problem.severity"] in ("error", "warning", "recommendation")
    assert ("security-severity" in properties) is (rule.security_severity is not None)
    assert "security" in properties["tags"] or "security-severity" not in properties
    assert len(properties["tags"]) == 1 + len(rule.tags) <= 10


def tagged(**more: Any) -> Rule:
    tags = ("CWE-89", "CWE-1104", "ASI02")
    return Rule("probe", Severity.ERROR, Category.SECURITY, "A probe.", "", "", tags=tags, **more)


def test_tags_precision_and_severity() -> None:
    found = rule_descriptor(tagged(security_severity=8, precision=Precision.VERY_HIGH, is_on=False))
    assert found["properties"] == {
        "tags": ["security", "external/cwe/cwe-089", "external/cwe/cwe-1104", "external/owasp/asi02"],
        "precision": "very-high",
        "problem.severity": "error",
        "security-severity": "8.0",
    }
    assert found["defaultConfiguration"] == {"level": "error", "enabled": False}


def test_relationships_lead_into_the_taxonomies() -> None:
    rule = tagged()
    there = taxonomies([rule])
    targets = [relationship["target"] for relationship in rule_descriptor(rule)["relationships"]]
    assert [target["id"] for target in targets] == list(rule.tags)
    for target in targets:
        taxonomy = there[target["toolComponent"]["index"]]
        assert taxonomy["name"] == target["toolComponent"]["name"]
        assert target["id"] in {taxon["id"] for taxon in taxonomy["taxa"]}
    assert [len(taxonomy["taxa"]) for taxonomy in there] == [2, 1]


# ---- places ----------------------------------------------------------------------------------------------------------


def token(text: str, region: dict[str, int]) -> str:
    lines = LineIndex(text)
    start = lines.offset(region["startLine"] - 1, region["startColumn"] - 1)
    return text[start : lines.offset(region["endLine"] - 1, region["endColumn"] - 1)]


def test_a_region_is_one_token_in_utf_16(tmp_path: Path) -> None:
    text = '{"nodes": [\r\n{"note": "🙂\u2028",\r"🙂": "é", "idx": 0, "agent": "a", "kind": "maybe"}\n]}'
    plant(tmp_path / "plans", {"a.plan.json": ""})
    (tmp_path / "plans" / "a.plan.json").write_bytes(text.encode())
    run = run_of(tmp_path / "plans")
    assert run["columnKind"] == "utf16CodeUnits"
    assert run["newlineSequences"] == ["\r\n", "\n", "\r"]
    (result,) = run["results"]
    location = result["locations"][0]
    region = location["physicalLocation"]["region"]
    assert (region["startLine"], region["endLine"]) == (3, 3)
    line = text.split("\r")[2].encode("utf-16-le")
    assert line[2 * (region["startColumn"] - 1) : 2 * (region["endColumn"] - 1)].decode("utf-16-le") == '"maybe"'
    assert location["logicalLocations"] == [{"fullyQualifiedName": "/nodes/0/kind", "name": "kind"}]


def test_files_elsewhere_are_absolute(tmp_path: Path) -> None:
    plant(tmp_path, {"here/a.plan.json": FAULTY, "b c.plan.json": FAULTY})
    inside, outside = Path("a.plan.json"), Path("..", "b c.plan.json")
    ran = plancheck("check", "--format", "sarif", inside, outside, cwd=tmp_path / "here")
    artifacts = [
        result["locations"][0]["physicalLocation"]["artifactLocation"]
        for result in json.loads(ran.out)["runs"][0]["results"]
    ]
    assert artifacts == [
        {"uri": "a.plan.json", "uriBaseId": "SRCROOT"},
        {"uri": (tmp_path / "b c.plan.json").as_uri()},
    ]


def test_links_lead_to_related_places() -> None:
    run = run_of(EXAMPLES)
    linked = [result for result in run["results"] if "relatedLocations" in result]
    assert len(linked) > 10
    elsewhere = set()
    for result in linked:
        own = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        text = result["message"]["text"]
        for number, related in enumerate(result["relatedLocations"], 1):
            assert related["id"] == number
            assert f"]({number})" in text
            artifact = related["physicalLocation"]["artifactLocation"]
            assert (ROOT / artifact["uri"]).exists()
            elsewhere |= {artifact["uri"]} - {own}
        assert text.endswith(".")
    assert "examples/tools/shop.tools.json" in elsewhere, "the catalogue that a finding comes from"


def one(finding: CheckedFinding) -> Any:
    """The result that a finding becomes."""
    stream = StringIO()
    output = Sarif(stream)
    output.file(FileResult("a.plan.json", "", "steps", [finding], []))
    output.end(Tally())
    (result,) = json.loads(stream.getvalue())["runs"][0]["results"]
    return result


def flowing() -> CheckedFinding:
    """A finding about a way of data, of a rule that there is."""

    def check() -> Iterator[Finding]:
        way = (Related(Place(0), r"read [here](x)\y"), Related(Place(1), "handed on"))
        yield Finding(Place(2), "See [this](http://evil): it gets out.", related=way, is_flow=True)

    rule = Rule("unused_write", Severity.ERROR, Category.SECURITY, "A probe.", "", "", (whole_plan(check),))
    text = json.dumps([{"tool_name": name} for name in "abc"])
    (found,) = checked_findings(analyze(text, Settings({rule.name: rule.severity}), {rule.name: rule}))
    return found


def test_a_flow_is_a_code_flow() -> None:
    found = flowing()
    assert [place.message for place in found.path] == [r"read [here](x)\y", "handed on"]
    result = one(found)
    ((flow,),) = [code_flow["threadFlows"] for code_flow in result["codeFlows"]]
    names = [item["location"]["logicalLocations"][0]["fullyQualifiedName"] for item in flow["locations"]]
    assert names == ["/0", "/1", "/2"]
    assert [item["location"]["message"]["text"] for item in flow["locations"]][1] == "handed on"


def test_a_message_cannot_link_where_it_likes() -> None:
    text = one(flowing())["message"]["text"]
    assert text == r"See \[this\](http://evil): it gets out. See [read \[here\](x)\\y](1), [handed on](2)."


def test_findings_about_flows_have_one_and_no_others() -> None:
    results = run_of(EXAMPLES)["results"]
    assert {result["ruleId"] for result in results if "codeFlows" in result} == {
        "untrusted_into_effect",
        "private_data_out",
    }


def test_fixes_are_those_of_json() -> None:
    files = plancheck("check", "--no-cache", "--format", "json", "examples").json["files"]
    expected = [fix for file in files for finding in file["findings"] for fix in finding["fixes"]]
    fixes = [fix for result in run_of(EXAMPLES)["results"] for fix in result.get("fixes", [])]
    assert len(fixes) == len(expected) > 20
    for fix, other in zip(fixes, expected, strict=True):
        (change,) = fix["artifactChanges"]
        text = (ROOT / change["artifactLocation"]["uri"]).read_text(encoding="utf-8")
        assert apply_edits(text, _replacements(text, change)) == apply_edits(text, _edits(text, other["edits"]))


def _replacements(text: str, change: Any) -> Iterator[Edit]:
    lines = LineIndex(text)
    for replacement in change["replacements"]:
        region = replacement["deletedRegion"]
        start = lines.offset(region["startLine"] - 1, region["startColumn"] - 1)
        end = lines.offset(region["endLine"] - 1, region["endColumn"] - 1)
        yield Edit(start, end, replacement["insertedContent"]["text"])


def _edits(text: str, edits: Any) -> Iterator[Edit]:
    lines = LineIndex(text)
    for edit in edits:
        start, end = (lines.offset(*edit["range"][name].values()) for name in ("start", "end"))
        yield Edit(start, end, edit["newText"])


# ---- what could not be checked ---------------------------------------------------------------------------------------


def test_what_could_not_be_checked_is_a_notification(tmp_path: Path) -> None:
    plans = {"a.plan.json": CLEAN, "deep.plan.json": TOO_DEEP, "plancheck.toml": "no-such-key = 1\n"}
    plant(tmp_path / "plans", plans)
    (tmp_path / "plans" / "b.plan.json").write_bytes(b"\xff\xfe")
    run = run_of(tmp_path / "plans")
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is False
    assert run["results"] == []
    (fault,) = invocation["toolConfigurationNotifications"]
    assert fault["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "plans/plancheck.toml"
    notices = invocation["toolExecutionNotifications"]
    assert {notice["descriptor"]["id"] for notice in notices} == {"unreadable_file", "nested_too_deeply"}
    descriptors = run["tool"]["driver"]["notifications"]
    for notice in (fault, *notices):
        assert notice["level"] == "error"
        assert notice["properties"]["reason"] in ("limit", "failure")
        assert descriptors[notice["descriptor"]["index"]]["id"] == notice["descriptor"]["id"]


def test_a_hint_is_a_note(tmp_path: Path) -> None:
    plant(tmp_path / "plans", {"a.plan.json": WITH_A_HINT})
    assert [result["level"] for result in run_of(tmp_path / "plans")["results"]] == ["note"]


def test_fingerprints_are_those_of_json() -> None:
    files = plancheck("check", "--no-cache", "--format", "json", "examples").json["files"]
    expected = [finding["fingerprint"] for file in files for finding in file["findings"]]
    found = [result["partialFingerprints"] for result in run_of(EXAMPLES)["results"]]
    assert found == [{"plancheckFinding/v1": name, "primaryLocationLineHash": name} for name in expected]
    assert all(expected)
