"""The formats for other programs: each is what its reader demands, and says the same as JSON."""

from __future__ import annotations

import json
import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import unquote_to_bytes
from xml.etree import ElementTree as ET

import jsonschema
import pytest

from cli.command import CLEAN, EXAMPLES, FAULTY, ROOT, plancheck, plant
from cli.hostile import plant_hostile
from plancheck.cli.terminal import one_line
from plancheck.text import Encoding, LineIndex

Found: TypeAlias = Counter[tuple[str, str, str]]
"""Findings and unchecked places: the file, `line:column` (from 1, in UTF-16), and the rule."""

TOO_DEEP = "[" * 600 + "]" * 600
WITH_A_HINT = CLEAN.replace('"reads"', '"plancheck-ignore": ["redundant_edge"], "reads"')
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")


@pytest.fixture(params=["examples", pytest.param("hostile", marks=on_linux)])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return EXAMPLES if request.param == "examples" else plant_hostile(tmp_path / "plans")


def output(folder: Path, format_name: str) -> str:
    """What is printed about a folder, as seen from the folder above it."""
    ran = plancheck("check", "--no-cache", "--format", format_name, folder.name, cwd=folder.parent)
    assert ran.code in (1, 2)
    assert ran.out.isascii(), "it can be read whatever the encoding"
    assert "\x1b" not in ran.out
    return ran.out


def files_of(folder: Path) -> list[dict[str, Any]]:
    files: list[dict[str, Any]] = json.loads(output(folder, "json"))["files"]
    return files


def by_json(folder: Path, path_of: Callable[[str], str]) -> Found:
    items = (
        (path_of(file["path"]), item) for file in files_of(folder) for item in (*file["findings"], *file["unchecked"])
    )
    return Counter((path, _place(item["range"]["start"]), item["rule"]) for path, item in items)


def _place(start: dict[str, int]) -> str:
    return f"{start['line'] + 1}:{start['character'] + 1}"


def plain(path: str) -> str:
    return os.fsencode(path).decode("utf-8", "replace")


# ---- the same findings -----------------------------------------------------------------------------------------------


def test_sarif_says_the_same_as_json(folder: Path) -> None:
    (run,) = json.loads(output(folder, "sarif"))["runs"]
    found: Found = Counter()
    notifications = [item for items in run["invocations"][0].values() if isinstance(items, list) for item in items]
    for item in (*run["results"], *notifications):
        physical = item["locations"][0]["physicalLocation"]
        assert physical["artifactLocation"]["uriBaseId"] in run["originalUriBaseIds"]
        path = os.fsdecode(unquote_to_bytes(physical["artifactLocation"]["uri"]))
        region = physical.get("region", {"startLine": 1, "startColumn": 1})
        rule = item["ruleId"] if "ruleId" in item else item["descriptor"]["id"]
        found[path, f"{region['startLine']}:{region['startColumn']}", rule] += 1
    assert found == by_json(folder, str)


def test_junit_says_the_same_as_json(folder: Path) -> None:
    found: Found = Counter()
    for case in ET.fromstring(output(folder, "junit")).iter("testcase"):
        for verdict in case:
            path, place, rule = re.fullmatch(r"(?s)(.*?):(\d+:\d+): \w+\[(\w+)\] .*", verdict.text or "").groups()  # type: ignore[union-attr]
            assert case.get("file") == path
            found[path, place, rule] += 1
    assert found == by_json(folder, one_line)


def test_gitlab_says_the_same_as_json(folder: Path) -> None:
    issues = json.loads(output(folder, "gitlab"))
    found = Counter(
        (issue["location"]["path"], str(issue["location"]["lines"]["begin"]), issue["check_name"]) for issue in issues
    )
    expected: Found = Counter()
    for (path, place, rule), count in by_json(folder, plain).items():
        expected[path, place.partition(":")[0], rule] += count
    assert found == expected


def test_rdjson_says_the_same_as_json(folder: Path) -> None:
    def found() -> Iterator[tuple[str, str, str]]:
        for diagnostic in json.loads(output(folder, "rdjson"))["diagnostics"]:
            path = diagnostic["location"]["path"]
            start = diagnostic["location"].get("range", {"start": {"line": 1, "column": 1}})["start"]
            lines = indexes.get(path, LineIndex(""))
            offset = lines.offset(start["line"] - 1, start["column"] - 1, Encoding.UTF8)
            yield path, _place(lines.position(offset).to_dict()), diagnostic["code"]["value"]

    files = [path for path in folder.rglob("*") if path.is_file()]
    texts = {plain(str(path.relative_to(folder.parent))): path.read_bytes() for path in files}
    indexes = {path: LineIndex(raw.decode("utf-8", "replace")) for path, raw in texts.items()}
    assert Counter(found()) == by_json(folder, plain)


# ---- junit -----------------------------------------------------------------------------------------------------------


def test_junit_counts_and_names(folder: Path) -> None:
    suites = ET.fromstring(output(folder, "junit"))
    assert suites.tag == "testsuites"
    assert len(suites) >= len(files_of(folder))
    for suite in suites:
        cases = list(suite)
        assert {case.tag for case in cases} == {"testcase"}
        counts = {name: len(list(suite.iter(name.removesuffix("s")))) for name in ("failures", "errors")}
        assert counts == {name: int(suite.attrib[name]) for name in counts}
        assert int(suite.attrib["tests"]) == len(cases)
        names = [(case.attrib["classname"], case.attrib["name"]) for case in cases]
        assert len(set(names)) == len(names), "GitLab takes only the first test of a name"


def test_junit_fails_from_warnings_on(tmp_path: Path) -> None:
    plant(tmp_path, {"a.plan.json": CLEAN, "b.plan.json": FAULTY, "c.plan.json": TOO_DEEP, "d.plan.json": WITH_A_HINT})
    ran = plancheck("check", "--no-cache", "--format", "junit", ".", cwd=tmp_path)
    assert ran.code == 2
    outcomes = {
        suite.attrib["name"]: [verdict.tag for case in suite for verdict in case] for suite in ET.fromstring(ran.out)
    }
    assert outcomes == {
        "a.plan.json": [],
        "b.plan.json": ["failure"],
        "c.plan.json": ["error"],
        "d.plan.json": ["system-out"],
    }


# ---- gitlab ----------------------------------------------------------------------------------------------------------

ISSUE = {
    "type": "object",
    "required": ["description", "check_name", "fingerprint", "severity", "location"],
    "additionalProperties": False,
    "properties": {
        "description": {"type": "string", "minLength": 1},
        "check_name": {"type": "string", "pattern": "^[a-z_]+$"},
        "fingerprint": {"type": "string", "pattern": "^[0-9a-f]{32}$"},
        "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
        "location": {
            "type": "object",
            "required": ["path", "lines"],
            "additionalProperties": False,
            "properties": {
                "path": {"type": "string", "pattern": "^[^/.]"},
                "lines": {
                    "type": "object",
                    "required": ["begin"],
                    "additionalProperties": False,
                    "properties": {name: {"type": "integer", "minimum": 1} for name in ("begin", "end")},
                },
            },
        },
    },
}
"""What GitLab's documentation of Code Quality reports asks for."""


def test_gitlab_gets_what_it_asks_for(folder: Path) -> None:
    issues = json.loads(output(folder, "gitlab"))
    jsonschema.validate(issues, {"type": "array", "minItems": 10, "items": ISSUE})
    assert len({issue["fingerprint"] for issue in issues}) == len(issues), "one fingerprint is one issue"


def test_gitlab_knows_two_files_and_two_severities_apart(tmp_path: Path) -> None:
    plant(tmp_path, {"a.plan.json": FAULTY, "b.plan.json": FAULTY, "c.plan.json": TOO_DEEP})
    issues = json.loads(plancheck("check", "--no-cache", "--format", "gitlab", ".", cwd=tmp_path).out)
    assert [issue["severity"] for issue in issues] == ["major", "major", "blocker"]


# ---- rdjson ----------------------------------------------------------------------------------------------------------

POSITION = {
    "type": "object",
    "required": ["line", "column"],
    "additionalProperties": False,
    "properties": {name: {"type": "integer", "minimum": 1} for name in ("line", "column")},
}
RANGE = {
    "type": "object",
    "required": ["start", "end"],
    "additionalProperties": False,
    "properties": {"start": POSITION, "end": POSITION},
}
NAMED = {"type": "object", "additionalProperties": False, "properties": {"value": {}, "name": {}, "url": {}}}
DIAGNOSTIC = {
    "type": "object",
    "required": ["message", "location", "severity", "code"],
    "additionalProperties": False,
    "properties": {
        "message": {"type": "string", "minLength": 1},
        "severity": {"enum": ["ERROR", "WARNING", "INFO"]},
        "code": {**NAMED, "required": ["value"]},
        "location": {
            "type": "object",
            "required": ["path"],
            "additionalProperties": False,
            "properties": {"path": {"type": "string"}, "range": RANGE},
        },
        "suggestions": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "required": ["range", "text"],
                "additionalProperties": False,
                "properties": {"range": RANGE, "text": {"type": "string"}},
            },
        },
    },
}
"""Stricter than reviewdog's own schema (proto/rdf/jsonschema), which takes any member and demands none."""


def test_rdjson_is_what_reviewdog_reads(folder: Path) -> None:
    document = json.loads(output(folder, "rdjson"))
    diagnostics = {"type": "array", "minItems": 10, "items": DIAGNOSTIC}
    members = {"source": {**NAMED, "required": ["name"]}, "diagnostics": diagnostics}
    jsonschema.validate(
        document,
        {"type": "object", "required": [*members], "additionalProperties": False, "properties": members},
    )


def test_rdjson_counts_bytes_and_suggests_what_is_safe(tmp_path: Path) -> None:
    text = '{"nodes": [\r\n{"a𐐀b": "é", "idx": "0", "agent": "a", "kind": "decision"}]}'
    (tmp_path / "a.plan.json").write_bytes(text.encode())
    found = json.loads(plancheck("check", "--format", "rdjson", "a.plan.json", cwd=tmp_path).out)["diagnostics"]
    (wrong,) = [diagnostic for diagnostic in found if diagnostic["suggestions"]]
    raw = text.encode().split(b"\r\n")[1]
    start, end = (wrong["location"]["range"][name] for name in ("start", "end"))
    assert (start["line"], end["line"]) == (2, 2)
    assert raw[start["column"] - 1 : end["column"] - 1] == b'"0"'
    assert wrong["suggestions"] == [{"range": wrong["location"]["range"], "text": "0"}]


# ---- all of them -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("format_name", ["json", "sarif", "junit", "gitlab", "rdjson"])
def test_a_run_that_finds_nothing_is_whole(format_name: str, tmp_path: Path) -> None:
    plant(tmp_path, {"a.plan.json": CLEAN})
    ran = plancheck("check", "--format", format_name, "a.plan.json", cwd=tmp_path)
    assert (ran.code, ran.err) == (0, "")
    parsed: Any = ET.fromstring(ran.out) if format_name == "junit" else json.loads(ran.out)
    if format_name == "sarif":
        assert parsed["runs"][0]["results"] == []
        assert parsed["runs"][0]["invocations"] == [{"executionSuccessful": True}]


@pytest.mark.parametrize("format_name", ["json", "sarif", "gitlab"])
def test_the_cache_gives_back_the_same(format_name: str, tmp_path: Path) -> None:
    args = ("check", "--cache-dir", tmp_path / "cache", "--format", format_name, "examples")
    assert plancheck("check", "--cache-dir", tmp_path / "cache", "-q", "examples", cwd=ROOT).code == 1
    first, second = plancheck(*args, cwd=ROOT), plancheck(*args, cwd=ROOT)
    assert first.out == second.out == plancheck(*args, "--no-cache", cwd=ROOT).out


@pytest.mark.parametrize("format_name", ["sarif", "junit", "gitlab", "rdjson"])
def test_results_are_written_as_they_come(format_name: str) -> None:
    """Of 5,000 files, none is held: each is written before the next one is handed in."""
    from io import StringIO

    from plancheck.api import check_text
    from plancheck.cli.formats.table import FORMATS, Look
    from plancheck.cli.results import FileResult
    from plancheck.cli.terminal import Painter

    stream = StringIO()
    output = FORMATS[format_name](stream, Look(Painter(False), False, 80))
    found = check_text(FAULTY)
    sizes = []
    for number in range(3):
        output.file(FileResult(f"{number}.plan.json", FAULTY, "declared", list(found.findings), []))
        assert f"{number}.plan.json" in stream.getvalue()
        sizes.append(len(stream.getvalue()))
    assert sizes[2] - sizes[1] == sizes[1] - sizes[0]
