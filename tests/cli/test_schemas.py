"""`plancheck schema`: what plancheck reads and prints fits its schemas, and what it refuses does not."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from cli.command import BROKEN, EXAMPLES, FAULTY, ROOT, plancheck, plant
from plancheck.plan.dialects.table import names
from plancheck.policy.reading import read_policy
from plancheck.workspace.config import parse_config
from policy.test_reading import MISTAKES as POLICY_MISTAKES
from workspace.test_config import MISTAKES as CONFIG_MISTAKES

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


@cache
def validator(name: str) -> jsonschema.Draft202012Validator:
    ran = plancheck("schema", name)
    assert (ran.code, ran.err) == (0, "")
    jsonschema.Draft202012Validator.check_schema(ran.json)
    return jsonschema.Draft202012Validator(ran.json)


def errors(name: str, value: Any) -> list[str]:
    return [error.message for error in validator(name).iter_errors(value)]


# ---- which there are -------------------------------------------------------------------------------------------------


def test_a_schema_has_a_name() -> None:
    whole = plancheck("schema").json
    assert plancheck("schema", "plan").json == whole
    for name in ("policy", "config", "output", *names()):
        assert plancheck("schema", name).json["$schema"] == whole["$schema"]
    ran = plancheck("schema", "polcy")
    assert (ran.code, ran.out, "policy" in ran.err) == (2, "", True)


# ---- the output ------------------------------------------------------------------------------------------------------


def fits(*args: str | Path, cwd: Path = ROOT, stdin: bytes = b"") -> Any:
    ran = plancheck("check", "--no-cache", "--format", "json", *args, cwd=cwd, stdin=stdin)
    assert errors("output", ran.json) == []
    return ran.json


def test_the_output_about_all_examples_fits() -> None:
    found = fits(EXAMPLES)
    assert found["format_version"] == 1
    assert {file["dialect"] for file in found["files"]} >= set(names())
    assert any(file["report"] for file in found["files"])
    assert any(related.get("path") for file in found["files"] for f in file["findings"] for related in f["related"])


def test_the_output_about_what_is_broken_or_cannot_be_read_fits(tmp_path: Path) -> None:
    plant(
        tmp_path,
        {"a.plan.json": FAULTY, "b.plan.json": BROKEN, "c.plan.json": "{", "d.plan.json": "", "e.plan.json": "3"},
    )
    plant(tmp_path, {"f.plan.json": "[" * 1000, "plancheck.toml": "x = 1\n", "plan-policy.yaml": "max_step: 1\n"})
    (tmp_path / "g.plan.json").write_bytes(b"\xff")
    (tmp_path / "h.plan.json").symlink_to("nowhere")
    found = fits(".", "nowhere.plan.json", "no*", cwd=tmp_path)
    assert found["summary"]["unchecked"] >= 5
    (tmp_path / "none").mkdir()
    fits(".", cwd=tmp_path / "none")
    fits("-", stdin=b"\xff")
    fits("-", "--stdin-filename", "x.plan.json", stdin=FAULTY.encode())
    fits("-j", "2", "--select", "data", "a.plan.json", "b.plan.json", cwd=tmp_path)
    assert "fixed" in fits("--fix", "a.plan.json", cwd=tmp_path)["files"][-2]


def test_the_output_with_a_baseline_or_with_ignores_fits(tmp_path: Path) -> None:
    plant(tmp_path, {"a.plan.json": FAULTY})
    assert fits("--write-baseline", "known.json", "a.plan.json", cwd=tmp_path)["summary"]["baseline"]["known"] > 0
    assert fits("--baseline", "known.json", "a.plan.json", cwd=tmp_path)["files"][0]["findings"] == []
    assert fits("--add-ignores", "a.plan.json", cwd=tmp_path)["files"][0]["ignored"] > 0


def test_the_schema_of_the_output_is_strict() -> None:
    found = fits(EXAMPLES / "declared")
    with_one = next(file for file in found["files"] if file["findings"])
    for place in (
        found,
        found["summary"],
        with_one,
        with_one["findings"][0],
        with_one["findings"][0]["range"]["start"],
    ):
        place["surplus"] = 1
        assert errors("output", found) != []
        del place["surplus"]
    for member in [*with_one["findings"][0]]:
        kept = with_one["findings"][0].pop(member)
        assert errors("output", found) != [], member
        with_one["findings"][0][member] = kept
    assert errors("output", found) == []
    assert errors("output", {**found, "format_version": 2}) != []


# ---- policies and configurations -------------------------------------------------------------------------------------


def blocks_of(language: str) -> Iterator[tuple[str, str]]:
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        for number, text in enumerate(re.findall(rf"```{language}\n(.*?)```", page.read_text(), re.DOTALL)):
            yield f"{page.name} {number}", text


POLICIES = {
    **{str(path.relative_to(ROOT)): path.read_text() for path in sorted(EXAMPLES.rglob("*policy*.y*ml"))},
    **dict(blocks_of("yaml")),
}
SOUND_POLICIES = {
    name: text for name, text in POLICIES.items() if not read_policy(text).problems and read_policy(text).given
}
CONFIGURATIONS = {
    **{str(path.relative_to(ROOT)): path.read_text() for path in sorted(EXAMPLES.rglob("plancheck.toml"))},
    **dict(blocks_of("toml")),
}
SOUND_CONFIGURATIONS = {name: text for name, text in CONFIGURATIONS.items() if not parse_config(text)[1]}


def test_there_are_some() -> None:
    assert len(SOUND_POLICIES) >= 8
    assert len(SOUND_CONFIGURATIONS) >= 8


@pytest.mark.parametrize("name", SOUND_POLICIES)
def test_a_policy_fits(name: str) -> None:
    assert errors("policy", yaml.safe_load(SOUND_POLICIES[name])) == []


@pytest.mark.parametrize("name", SOUND_CONFIGURATIONS)
def test_a_configuration_fits(name: str) -> None:
    assert errors("config", tomllib.loads(SOUND_CONFIGURATIONS[name])) == []


BEYOND_A_SCHEMA = (
    *("deny_tokens_regex: ['", "bounds: {a.b: [5, 1]}", "tools: {'*'", "gate: {at_most: [{tools: ['*']"),
    *("gate: {blocked_tools: ['---']", "gate: {not_first: [", "? ["),
)
"""Whether an expression is valid, the order of two numbers, what a name must have in it."""
NO_JSON = (".nan", "<<", "max_steps: 1\n", "allow_tools: [a", "a: ")
"""What YAML merges or refuses, and what is no number of JSON."""


def is_for_a_schema(text: str) -> bool:
    is_json = not any(part in text for part in NO_JSON[:3]) and text != NO_JSON[3] and not text.startswith(NO_JSON[4])
    return is_json and not text.startswith(BEYOND_A_SCHEMA)


@pytest.mark.parametrize("text", [text for text, *_ in POLICY_MISTAKES if is_for_a_schema(text)])
def test_a_policy_with_a_mistake_does_not_fit(text: str) -> None:
    assert errors("policy", yaml.safe_load(text)) != []


GLOBS = ("/abs", "../x", "{a{b}")


@pytest.mark.parametrize("text", [text for text, *_ in CONFIG_MISTAKES if not any(glob in text for glob in GLOBS)])
def test_a_configuration_with_a_mistake_does_not_fit(text: str) -> None:
    assert errors("config", tomllib.loads(text)) != []


def test_options_of_rules_are_numbers_within_their_limits() -> None:
    text = "[rules.parallel_write_race]\n{}\n"
    for good in ("related = 3", 'severity = "error"', 'severity = "off"\nrelated = 1'):
        assert errors("config", tomllib.loads(text.format(good))) == []
    for bad in ("related = 0", 'related = "3"', 'severity = "loud"', "relatd = 3"):
        assert errors("config", tomllib.loads(text.format(bad))) != []
