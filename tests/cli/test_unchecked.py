"""What could not be checked is said in every format and by the exit code, and is never called fine."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cli.command import CLEAN, FAULTY, plancheck, plant
from plancheck.cli.main import run
from plancheck.unknown import Reason
from probe import BLOCKING, MESSAGE, NAME, put_in

SEVERITY = {
    Reason.RUNTIME: "info",
    Reason.NOT_UNDERSTOOD: "warning",
    Reason.LIMIT: "error",
    Reason.FAILURE: "error",
}
RANGE = {"start": {"line": 0, "character": 11}, "end": {"line": 0, "character": 12}}


@pytest.fixture(params=Reason)
def reason(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Reason:
    """A folder with a clean plan, and a rule that cannot check it."""
    found: Reason = request.param
    put_in(monkeypatch, found)
    plant(tmp_path, {"a.plan.json": CLEAN})
    monkeypatch.chdir(tmp_path)
    return found


def check(capfd: pytest.CaptureFixture[str], *args: str) -> tuple[int, str]:
    code = run(["check", "--no-cache", *args, "a.plan.json"])
    out, err = capfd.readouterr()
    assert err == ""
    return code, out


@pytest.mark.parametrize(
    "args",
    [
        [],
        ["--fail-on", "error"],
        ["--fail-on", "never"],
        ["--select", "wrong_type,probe"],
        ["--ignore", "wrong_type"],
        ["--format", "json"],
        ["--quiet"],
    ],
)
def test_the_exit_code(reason: Reason, capfd: pytest.CaptureFixture[str], args: list[str]) -> None:
    assert check(capfd, *args)[0] == (2 if reason in BLOCKING else 0)


@pytest.mark.parametrize("least", ["warning", "info", "hint"])
def test_what_was_not_understood_fails_like_a_warning(
    reason: Reason, capfd: pytest.CaptureFixture[str], least: str
) -> None:
    expected = {Reason.RUNTIME: 0, Reason.NOT_UNDERSTOOD: 1, Reason.LIMIT: 2, Reason.FAILURE: 2}
    assert check(capfd, "--fail-on", least)[0] == expected[reason]


def test_two_wins_over_one(reason: Reason, capfd: pytest.CaptureFixture[str]) -> None:
    Path("a.plan.json").write_text(FAULTY)
    assert check(capfd, "--fail-on", "warning")[0] == (2 if reason in BLOCKING else 1)


def test_json(reason: Reason, capfd: pytest.CaptureFixture[str]) -> None:
    document = json.loads(check(capfd, "--format", "json")[1])
    (file,) = document["files"]
    assert file["findings"] == []
    assert file["unchecked"] == [
        {"rule": NAME, "reason": reason.value, "message": MESSAGE, "pointer": "/nodes/0", "range": RANGE}
    ]
    assert document["summary"] == {
        "files": 1,
        "error": 0,
        "warning": 0,
        "info": 0,
        "hint": 0,
        "unchecked": 1,
        "rules": {},
    }


def test_text(reason: Reason, capfd: pytest.CaptureFixture[str]) -> None:
    line = f"a.plan.json:1:12: {SEVERITY[reason]}[{NAME}] not checked: {MESSAGE}\n"
    source = f"  1 | {CLEAN}    |            ^\n"
    assert check(capfd)[1] == f"{line}{source}1 file checked: 1 not checked.\n"
    assert check(capfd, "--quiet")[1] == line


def test_github(reason: Reason, capfd: pytest.CaptureFixture[str]) -> None:
    level = {"info": "notice"}.get(SEVERITY[reason], SEVERITY[reason])
    place = "file=a.plan.json,line=1,col=12,endLine=1,endColumn=13"
    assert check(capfd, "--format", "github")[1] == (
        f"::{level} {place},title=plancheck {SEVERITY[reason]}[{NAME}]::not checked: {MESSAGE}\n"
    )


def test_markdown(reason: Reason, capfd: pytest.CaptureFixture[str]) -> None:
    out = check(capfd, "--format", "markdown")[1]
    assert f"| 1:12 | {SEVERITY[reason]} | `{NAME}` | not checked: {MESSAGE} |\n" in out
    assert out.endswith("\n1 file checked: 1 not checked.\n")


def test_a_diff_says_it_beside_the_diff(reason: Reason, capfd: pytest.CaptureFixture[str]) -> None:
    code = run(["check", "--diff", "a.plan.json"])
    out, err = capfd.readouterr()
    assert (code, out) == (2 if reason in BLOCKING else 0, "")
    assert err == f"a.plan.json:1:12: {SEVERITY[reason]}[{NAME}] not checked: {MESSAGE}\n"


@pytest.mark.parametrize("form", ["sarif", "junit", "gitlab", "rdjson"])
def test_formats_for_programs(reason: Reason, capfd: pytest.CaptureFixture[str], form: str) -> None:
    code, out = check(capfd, "--format", form)
    assert code == (2 if reason in BLOCKING else 0)
    assert MESSAGE in out
    assert NAME in out


@pytest.mark.parametrize("form", ["text", "markdown", "json"])
def test_the_report(reason: Reason, capfd: pytest.CaptureFixture[str], form: str) -> None:
    code = run(["report", "--format", form, "a.plan.json"])
    out, err = capfd.readouterr()
    assert (code, err) == (2 if reason in BLOCKING else 0, "")
    assert MESSAGE in out
    assert "1 place not checked." in out
    assert "everything was checked" not in out


# ---- the real reasons ------------------------------------------------------------------------------------------------


def unchecked(ran: Any) -> list[tuple[str, str, str]]:
    return [(file["path"], u["rule"], u["reason"]) for file in ran.json["files"] for u in file["unchecked"]]


@pytest.mark.parametrize(
    "args", [[], ["--fail-on", "never"], ["--ignore", "file_too_large"], ["--select", "empty_plan"]]
)
def test_a_file_past_the_limit_has_its_syntax_checked(tmp_path: Path, args: list[str]) -> None:
    plant(tmp_path, {"a.plan.json": FAULTY, "b.plan.json": FAULTY + "]", "plancheck.toml": "max-file-size = 20\n"})
    ran = plancheck("check", "--format", "json", *args, ".", cwd=tmp_path)
    assert ran.code == 2
    assert unchecked(ran) == [("a.plan.json", "file_too_large", "limit"), ("b.plan.json", "file_too_large", "limit")]
    assert [[f["rule"] for f in file["findings"]] for file in ran.json["files"]] == [[], ["syntax_error"]]
    assert plancheck("check", "a.plan.json", cwd=tmp_path).out.endswith("1 file checked: 1 not checked.\n")


def test_a_plan_past_the_limit_has_no_graph_and_a_report_that_says_so(tmp_path: Path) -> None:
    plant(tmp_path, {"a.plan.json": FAULTY, "plancheck.toml": "max-file-size = 20\n"})
    report = plancheck("report", "a.plan.json", cwd=tmp_path)
    assert (report.code, report.err) == (2, "")
    assert "This plan was not checked: it is past a limit.\n1 place not checked.\n" in report.out
    ran = plancheck("graph", "a.plan.json", cwd=tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("plancheck: a.plan.json:1:1: Only the JSON text was checked, because the file has ")


def test_what_cannot_be_read_is_among_the_files(tmp_path: Path) -> None:
    plant(tmp_path, {"a.plan.json": CLEAN})
    ran = plancheck("check", "--format", "json", "a.plan.json", "nope.plan.json", cwd=tmp_path)
    assert (ran.code, ran.err) == (2, "plancheck: nope.plan.json: there is no such file or folder.\n")
    nowhere = {"line": 0, "character": 0}
    assert ran.json["files"][1] == {
        "path": "nope.plan.json",
        "dialect": None,
        "findings": [],
        "unchecked": [
            {
                "rule": "unreadable_file",
                "reason": "failure",
                "message": "there is no such file or folder.",
                "pointer": "",
                "range": {"start": nowhere, "end": nowhere},
            }
        ],
        "report": None,
    }
    assert ran.json["summary"] == {
        "files": 1,
        "error": 0,
        "warning": 0,
        "info": 0,
        "hint": 0,
        "unchecked": 1,
        "rules": {},
    }


@pytest.mark.parametrize("args", [[], ["--fail-on", "never"], ["--ignore", "policy_unknown_key,policy_bad_value"]])
@pytest.mark.parametrize(
    ("policy", "message"),
    [
        (
            "max_steps: 3\nallow_tool: [a]\n",
            "The policy plan-policy.yaml has a mistake in line 2, so not all of it was checked: `allow_tool` is no",
        ),
        (
            "max_steps: many\n",
            "The policy plan-policy.yaml has a mistake in line 1, so not all of it was checked: `max_steps` must be",
        ),
    ],
)
def test_a_policy_with_a_mistake_leaves_its_plans_unchecked(
    tmp_path: Path, policy: str, message: str, args: list[str]
) -> None:
    plant(tmp_path, {"p/a.plan.json": CLEAN, "p/plan-policy.yaml": policy, "b.plan.json": CLEAN})
    ran = plancheck("check", "--format", "json", *args, ".", cwd=tmp_path)
    assert (ran.code, ran.err) == (2, "")
    assert unchecked(ran) == [("p/a.plan.json", "policy_fault", "failure")]
    place = next(file for file in ran.json["files"] if file["unchecked"])["unchecked"][0]
    assert place["message"].startswith(message)


def test_a_named_policy_that_cannot_be_read_leaves_its_plans_unchecked(tmp_path: Path) -> None:
    plant(tmp_path, {"a.plan.json": CLEAN, "plancheck.toml": 'policy = ["ci/none.yaml"]\n'})
    ran = plancheck("check", "--format", "json", "a.plan.json", cwd=tmp_path)
    assert (ran.code, ran.err) == (2, "plancheck: ci/none.yaml: there is no such file or folder.\n")
    assert unchecked(ran) == [
        ("ci/none.yaml", "unreadable_file", "failure"),
        ("a.plan.json", "policy_fault", "failure"),
    ]
    assert ran.json["files"][1]["unchecked"][0]["message"] == (
        "The policy none.yaml cannot be read, so nothing was checked against it: there is no such file or folder."
    )


def test_a_configuration_with_a_mistake_is_among_the_files(tmp_path: Path) -> None:
    plant(tmp_path, {"a.plan.json": CLEAN, "plancheck.toml": "# mine\ninclud = []\n"})
    ran = plancheck("check", "--format", "json", "a.plan.json", cwd=tmp_path)
    assert ran.code == 2
    assert unchecked(ran) == [("plancheck.toml", "configuration_fault", "failure")]
    assert ran.json["files"][0]["unchecked"][0]["range"]["start"] == {"line": 1, "character": 0}
    assert plancheck("check", "a.plan.json", cwd=tmp_path).out == "1 file checked: 1 not checked.\n"


def test_a_pattern_that_is_stopped_is_a_limit_at_its_place(tmp_path: Path) -> None:
    steps = '{"goal": "g", "steps": [{"id": "a", "tool": "t", "args": {"k": "' + "a" * 60 + '!"}}]}'
    plant(tmp_path, {"a.plan.json": steps, "plan-policy.yaml": 'deny_tokens_regex: ["(a+)+$"]\n'})
    ran = plancheck("check", "--format", "json", "--fail-on", "never", "a.plan.json", cwd=tmp_path)
    assert ran.code == 2
    assert ("plan-policy.yaml", "policy_regex_timeout", "limit") in unchecked(ran)
