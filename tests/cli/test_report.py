"""`plancheck report`: all that `check` finds, what could not be checked, and what PRE says of the plan."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.command import BROKEN, EXAMPLES, FAULTY, plancheck, plant
from plancheck.analysis.engine import analyze
from plancheck.analysis.settings import Settings
from plancheck.policy.reading import read_policy
from plancheck.policy.regexes import Hits, Outcome, RefusingMatcher
from plancheck.pre import analyze_plan
from plancheck.report.model import report_on

REFUND = EXAMPLES / "declared" / "refund-faulty.plan.json"
DENIED = '[{"tool_name": "crm.find", "args": {}},\n {"tool_name": "crm.drop", "args": {}}]\n'
POLICY = "allow_tools: [crm.find]\n"
SCORE = "Score      No risk score: a plan alone does not show what happens at run time.\n"


@pytest.mark.parametrize(
    "plan", ["declared/refund-faulty", "tools/refund-faulty", "flows/report-faulty", "declared/refund", "calls/kyc"]
)
def test_it_has_every_finding_of_check(plan: str) -> None:
    path = EXAMPLES / f"{plan}.plan.json"
    checked = plancheck("check", "--no-cache", "--format", "json", path)
    report = plancheck("report", "--format", "json", path)
    (file,) = checked.json["files"]
    expected = [{k: v for k, v in f.items() if k not in ("fixes", "fingerprint")} for f in file["findings"]]
    found = report.json["document"]
    grades = ["error", "warning", "info", "hint"]
    assert found["findings"] == sorted(expected, key=lambda f: grades.index(f["severity"]))
    assert [{k: v for k, v in p.items() if k != "why"} for p in found["unchecked"]] == file["unchecked"]
    assert (found["dialect"], report.code) == (file["dialect"], checked.code)
    text = plancheck("report", path).out
    assert all(finding["message"] in text for finding in expected)


def test_json_has_the_members_of_the_pre_report_as_they_are() -> None:
    pre = analyze_plan(json.loads(REFUND.read_text())).to_dict()
    found = plancheck("report", "--format", "json", REFUND).json
    assert {name: found[name] for name in found if name != "document"} == json.loads(json.dumps(pre))
    assert plancheck("report", "--format", "json", "-", stdin=REFUND.read_bytes()).json == found


def test_the_policy_in_force_counts(tmp_path: Path) -> None:
    plant(tmp_path, {"a.plan.json": DENIED, "plan-policy.yaml": POLICY})
    ran = plancheck("report", "a.plan.json", cwd=tmp_path)
    assert (ran.code, ran.err) == (1, "")
    assert ran.out == (
        "Report of a.plan.json: 2 steps\n"
        "1 error.\n"
        "\n"
        "1 finding\n"
        "  error    2:16  tool_deny\n"
        "           Step 1 calls `crm.drop`, which the policy does not allow: allowed are `crm.find`.\n"
        "\n"
        "Keystone   Step 0: 1 of 1 other step follows it; no step has more followers.\n"
        "Coverage   No step says what it reads, so the plan does not show which step uses whose data.\n"
        + SCORE
        + "Re-reads   No step reads anything again before it is used.\n"
    )


@pytest.mark.parametrize(
    ("text", "code", "problem"),
    [
        ("", 1, "This document is empty: there is no plan to report on."),
        ("12", 1, "This document is not a plan: there is nothing to report on."),
        ('{"nodes": [', 1, "The JSON is broken: this is only what could be read of the plan."),
        (BROKEN, 1, "The plan has errors in its structure: repair them to see its keystone and its coverage."),
        ('{"nodes": []}', 0, "The plan is empty: it has no steps."),
        ("[" * 600 + "]" * 600, 2, "This plan was not checked: it is past a limit."),
    ],
)
def test_what_is_not_a_whole_plan_never_reads_as_fine(tmp_path: Path, text: str, code: int, problem: str) -> None:
    plant(tmp_path, {"a.plan.json": text})
    assert plancheck("check", "--no-cache", "a.plan.json", cwd=tmp_path).code == code
    for form in ("text", "markdown", "json"):
        ran = plancheck("report", "--format", form, "a.plan.json", cwd=tmp_path)
        assert (ran.code, ran.err) == (code, "")
        assert problem in ran.out
        assert "No findings" not in ran.out
    found = json.loads(ran.out)
    assert ("n_steps" in found) == (code == 0)


def test_unchecked_places_come_with_their_reasons(tmp_path: Path) -> None:
    plan = '[{"tool_name": "sql.query_ro", "args": {"query": "CALL tidy()"}}]'
    plant(tmp_path, {"a.plan.json": plan, "plancheck.toml": "loudness = 3\n"})
    ran = plancheck("report", "a.plan.json", cwd=tmp_path)
    assert ran.code == 2
    assert ran.out.split("\n")[1:7] == [
        "2 places not checked.",
        "",
        "2 places not checked",
        "  configuration_fault: the check could not be done",
        ran.out.split("\n")[5],
        "  1:50  tool_deny: it was not understood",
    ]
    assert ran.out.split("\n")[5].startswith("           plancheck.toml:1:1: `loudness` is not a setting")
    rows = plancheck("report", "--format", "markdown", "a.plan.json", cwd=tmp_path).out
    assert "| 1:50 | `tool_deny` | it was not understood |" in rows


def test_no_finding_is_left_out(tmp_path: Path) -> None:
    plant(
        tmp_path, {"a.plan.json": FAULTY.replace('"ledger"', '"a", "b", "c"'), "plancheck.toml": "max-findings = 1\n"}
    )
    found = plancheck("report", "--format", "json", "a.plan.json", cwd=tmp_path).json["document"]
    assert [finding["rule"] for finding in found["findings"]] == ["write_with_no_prior_read"] * 3


def test_fail_on_decides_about_the_exit_code() -> None:
    assert plancheck("report", REFUND).code == 0
    assert plancheck("report", "--fail-on", "warning", REFUND).code == 1


def test_names_of_users_cannot_forge_lines(tmp_path: Path) -> None:
    plan = {"nodes": [{"idx": 0, "agent": "a", "kind": "decision", "reads": [{"id": "x\n| y", "revalidates": True}]}]}
    plant(tmp_path, {"a.plan.json": json.dumps(plan)})
    assert "Re-reads   x\\x0a| y: step 0\n" in plancheck("report", "a.plan.json", cwd=tmp_path).out
    assert "| `x \\| y` | step 0 |" in plancheck("report", "--format", "markdown", "a.plan.json", cwd=tmp_path).out


def test_a_check_that_is_still_running_is_not_called_fine() -> None:
    asked: list[tuple[str, str]] = []

    class Slow(RefusingMatcher):
        def __call__(self, pattern: str, value: str) -> Hits | Outcome:
            asked.append((pattern, value))
            return Outcome.PENDING

    settings = Settings(policy=read_policy("deny_tokens_regex: ['(a+)+$']").policy)
    text = '{"goal": "g", "steps": [{"id": "p", "tool": "t", "args": {"x": "aaa"}}]}'
    report = report_on(analyze(text, settings, matcher=Slow()), "a.plan.json")
    assert ("(a+)+$", "aaa") in asked
    assert report.is_pending
    assert report.problem == "Some checks are still running: there may be more to report soon."
    assert report.verdict == ""
