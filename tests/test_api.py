"""The Python API: `check_text`."""

from __future__ import annotations

import pickle

import pytest

import plancheck
from plancheck import CheckedFinding, check_text
from plancheck.analysis.engine import analyze, update
from plancheck.analysis.finding import Severity
from plancheck.api import Settings, checked_findings, dialect_of, is_valid
from plancheck.text import Edit

PLAN = """\
{"nodes": [
  {"idx": 7, "agent": "🙂", "kind": "tool_call", "reads": [{"id": "q", "volatile": true}]},
  {"idx": 8, "agent": "b", "kind": "decision", "reads": [{"id": "q", "producer": 7}],
   "plancheck-ignore": ["empty_name"]}
]}
"""


def test_a_finding_has_everything() -> None:
    barrier, unused = check_text(PLAN)
    assert (barrier.rule, barrier.severity, barrier.step, barrier.resource) == (
        "missing_revalidation_barrier",
        "warning",
        8,
        "q",
    )
    assert barrier.pointer == "/nodes/1/idx"
    assert PLAN[barrier.start : barrier.end] == "8"
    assert barrier.range == ((2, 10), (2, 11))
    (related,) = barrier.related
    assert PLAN[related.start : related.end] == '"q"'
    assert related.range.start.character == PLAN.splitlines()[1].index('"q"') + 1  # the emoji is two units of UTF-16
    assert related.pointer == "/nodes/0/reads/0/id"
    assert (unused.rule, unused.severity, unused.step) == ("unused_suppression", "hint", None)


def test_findings_are_values() -> None:
    found = check_text(PLAN)
    assert found == check_text(PLAN)
    assert pickle.loads(pickle.dumps(found)) == found
    assert len(set(found)) == len(found)
    with pytest.raises(AttributeError):
        found[0].rule = "other"  # type: ignore[misc]


def test_settings_are_heeded() -> None:
    settings = Settings({"missing_revalidation_barrier": Severity.ERROR, "unused_suppression": None})
    assert [(f.rule, f.severity) for f in check_text(PLAN, settings=settings)] == [
        ("missing_revalidation_barrier", "error")
    ]


def test_bad_text_is_findings_and_never_an_exception() -> None:
    assert [finding.rule for finding in check_text("")] == ["syntax_error"]
    assert "syntax_error" in {finding.rule for finding in check_text("[" * 100_000)}


def test_the_dialect_and_the_validity_of_a_document() -> None:
    def verdict(text: str) -> tuple[str | None, bool]:
        snapshot = analyze(text)
        dialect = dialect_of(snapshot)
        return dialect and dialect.name, is_valid(snapshot)

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
    assert [(f.rule, f.severity) for f in checked_findings(large)] == [("file_too_large", "info")]
    shrunk = update(large, Edit(len(PLAN), len(PLAN) + 1, ""), small)
    assert checked_findings(shrunk) == check_text(PLAN)
    grown = update(shrunk, Edit(len(PLAN), len(PLAN), "]"), small)
    assert [f.rule for f in checked_findings(grown)] == ["file_too_large", "syntax_error"]


def test_the_package_gives_the_api_lazily() -> None:
    assert plancheck.check_text is check_text
    assert plancheck.CheckedFinding is CheckedFinding
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        plancheck.nonsense  # noqa: B018
