"""The Python API: `check_text`, `check_file` and `fix_text`."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError, replace
from pathlib import Path

import pytest

import plancheck
from cli.command import CLEAN, FAULTY, plant
from plancheck import CheckedFinding, CheckResult, check_file, check_text, fix_text
from plancheck.analysis.engine import analyze, update
from plancheck.analysis.finding import Severity
from plancheck.api import AppliedFix, Range, Settings
from plancheck.checked import checked_findings, dialect_name, is_valid, unchecked_places
from plancheck.text import Edit, Position
from plancheck.unknown import Reason
from probe import MESSAGE, NAME, put_in

PLAN = """\
{"nodes": [
  {"idx": 7, "agent": "🙂", "kind": "tool_call", "reads": [{"id": "q", "volatile": true}]},
  {"idx": 8, "agent": "b", "kind": "decision", "reads": [{"id": "q", "producer": 7}],
   "plancheck-ignore": ["empty_name"]}
]}
"""


def test_a_finding_has_everything() -> None:
    barrier, unused = check_text(PLAN).findings
    assert (barrier.rule, barrier.severity, barrier.step, barrier.resource) == (
        "missing_revalidation_barrier",
        "warning",
        8,
        "q",
    )
    assert barrier.pointer == "/nodes/1/idx"
    assert PLAN[barrier.start : barrier.end] == "8"
    assert barrier.range == Range(Position(2, 10), Position(2, 11))
    (related,) = barrier.related
    assert PLAN[related.start : related.end] == '"q"'
    assert related.range.start.character == PLAN.splitlines()[1].index('"q"') + 1  # the emoji is two units of UTF-16
    assert related.pointer == "/nodes/0/reads/0/id"
    assert (unused.rule, unused.severity, unused.step) == ("unused_suppression", "hint", None)


def test_findings_are_values() -> None:
    result = check_text(PLAN)
    assert result == check_text(PLAN)
    assert pickle.loads(pickle.dumps(result)) == result
    assert len({result, check_text(PLAN), *result.findings}) == 1 + len(result.findings)
    with pytest.raises(AttributeError):
        result.findings[0].rule = "other"  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        result.dialect = "steps"  # type: ignore[misc]
    assert not hasattr(result, "__dict__")


def test_a_result_cannot_be_mistaken_for_a_list_of_findings() -> None:
    result = check_text(CLEAN)
    assert (result, result.is_clean) == (CheckResult((), (), "declared"), True)
    with pytest.raises(TypeError, match="not iterable"):
        iter(result)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="has no len"):
        len(result)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"neither true nor false: ask for \.is_clean, \.findings or \.unchecked"):
        bool(result)


@pytest.mark.parametrize("reason", Reason)
def test_what_was_not_checked_is_never_clean(reason: Reason, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    put_in(monkeypatch, reason)
    plant(tmp_path, {"a.plan.json": CLEAN})
    result = check_text(CLEAN)
    (place,) = result.unchecked
    assert (place.rule, place.reason, place.message, place.pointer) == (NAME, reason.value, MESSAGE, "/nodes/0")
    assert CLEAN[place.start : place.end] == "{"
    assert place.range == Range(Position(0, 11), Position(0, 12))
    assert (result.findings, result.is_clean) == ((), False)
    assert check_file(tmp_path / "a.plan.json") == result
    assert fix_text(CLEAN).unchecked == result.unchecked


def test_fixes_are_left_out_on_demand() -> None:
    with_fixes, without = check_text(FAULTY), check_text(FAULTY, fixes=False)
    assert [[fix.safe for fix in finding.fixes] for finding in with_fixes.findings] == [[False]]
    assert without.findings == tuple(replace(finding, fixes=()) for finding in with_fixes.findings)


def test_a_file_is_checked_with_the_configuration_and_the_policy_in_force(tmp_path: Path) -> None:
    call = '[{"tool_name": "crm.find"}]'
    plant(
        tmp_path,
        {
            "a.plan.json": call,
            "plancheck.toml": 'policy = ["own.yaml"]\n[rules]\ntool_deny = "warning"\n',
            "own.yaml": "allow_tools: [crm.send]\n",
        },
    )
    result = check_file(tmp_path / "a.plan.json")
    assert [(finding.rule, finding.severity) for finding in result.findings] == [("tool_deny", "warning")]
    assert (result.unchecked, result.dialect) == ((), "calls")
    plant(
        tmp_path,
        {"own.yaml": "allow_tools: [crm.find]\nmax_stepps: 3\n", "plancheck.toml": 'policy = ["own.yaml"]\nx = 1\n'},
    )
    result = check_file(str(tmp_path / "a.plan.json"), fixes=False)
    assert [(place.rule, place.reason) for place in result.unchecked] == [
        ("configuration_fault", "failure"),
        ("policy_fault", "failure"),
    ]
    assert result.unchecked[0].message.startswith("plancheck.toml:2:1: ")
    assert not result.is_clean


def test_a_file_that_cannot_be_read_is_not_checked(tmp_path: Path) -> None:
    result = check_file(tmp_path / "none.plan.json")
    assert [(place.rule, place.reason, place.message) for place in result.unchecked] == [
        ("unreadable_file", "failure", "there is no such file or folder.")
    ]
    assert (result.findings, result.dialect, result.is_clean) == ((), None, False)


def test_fixing_a_text() -> None:
    text = FAULTY.replace('"idx": 0', '"idx": "0"')
    fixed = fix_text(text)
    assert fixed.text == FAULTY
    assert fixed.applied == (AppliedFix("wrong_type", None, "Write `0`", True),)
    assert fixed.findings == check_text(FAULTY, fixes=False).findings
    assert fixed.unchecked == ()
    unsafe = fix_text(text, unsafe=True)
    assert [fix.safe for fix in unsafe.applied] == [True, False]
    assert unsafe.findings == ()
    off = Settings({"wrong_type": None})
    assert fix_text(text, settings=off).text == text


def test_settings_are_heeded() -> None:
    settings = Settings({"missing_revalidation_barrier": Severity.ERROR, "unused_suppression": None})
    assert [(f.rule, f.severity) for f in check_text(PLAN, settings=settings).findings] == [
        ("missing_revalidation_barrier", "error")
    ]


def test_bad_text_is_findings_and_never_an_exception() -> None:
    assert [finding.rule for finding in check_text("").findings] == ["syntax_error"]
    assert "syntax_error" in {finding.rule for finding in check_text("[" * 100_000).findings}


def test_the_dialect_and_the_validity_of_a_document() -> None:
    def verdict(text: str) -> tuple[str | None, bool]:
        snapshot = analyze(text)
        return dialect_name(snapshot), is_valid(snapshot)

    assert verdict(PLAN) == ("declared", True)
    assert verdict(PLAN + "x") == ("declared", False)
    assert verdict(PLAN.replace("8,", "7,")) == ("declared", False)
    assert verdict(PLAN.replace('"idx": 8', '"idx": 8, "idx": 8')) == ("declared", False)
    assert verdict(PLAN.replace('"scope"', '"Scope"')) == ("declared", True)
    assert verdict('{"nodes": []}') == ("declared", True)
    assert verdict('[{"tool_name": "t"}]') == ("calls", True)
    assert verdict("[]")[0] == "calls"
    assert verdict('{"steps": [{"id": "a", "tool": "t"}]}')[0] == "steps"
    assert verdict("{}") == (None, False)
    assert verdict("") == (None, False)


def test_a_text_past_the_limit_gets_its_syntax_checked_also_after_edits() -> None:
    small = Settings(max_file_size=len(PLAN))
    large = analyze(PLAN + " ", small)
    assert checked_findings(large) == []
    assert [(place.rule, place.reason) for place in unchecked_places(large)] == [("file_too_large", "limit")]
    shrunk = update(large, Edit(len(PLAN), len(PLAN) + 1, ""), small)
    assert tuple(checked_findings(shrunk)) == check_text(PLAN).findings
    assert unchecked_places(shrunk) == []
    grown = update(shrunk, Edit(len(PLAN), len(PLAN), "]"), small)
    assert [f.rule for f in checked_findings(grown)] == ["syntax_error"]
    assert [place.rule for place in unchecked_places(grown)] == ["file_too_large"]


def test_the_package_gives_the_api_lazily() -> None:
    assert plancheck.check_text is check_text
    assert plancheck.CheckedFinding is CheckedFinding
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        plancheck.nonsense  # noqa: B018
