"""`plancheck check --baseline` and `--write-baseline`: only new findings count, nothing unchecked is hidden."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from cli.command import CLEAN, EXAMPLES, FAULTY, plancheck, plant
from plancheck.analysis.engine import analyze
from plancheck.analysis.settings import Settings
from plancheck.checked import checked_findings
from plancheck.cli.baseline import Baseline, KnownFinding
from plancheck.cli.results import FileResult

NAME = "plancheck-baseline.json"
OTHER = FAULTY.replace("ledger", "audit")
BOTH = FAULTY.replace('"ledger"', '"ledger", "audit"')
SHELL = '[{"tool_name": "execute_shell", "args": {"command": "ls"}}]\n'
STRICT = ("--fail-on", "hint")


def entries(folder: Path, name: str = NAME) -> list[dict[str, str]]:
    found: list[dict[str, str]] = json.loads((folder / name).read_text(encoding="utf-8"))["findings"]
    return found


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Two plans with a finding each, which are known."""
    plant(tmp_path, {"a.plan.json": FAULTY, "sub/b.plan.json": OTHER, "c.plan.json": CLEAN})
    ran = plancheck("check", "--write-baseline", ".", cwd=tmp_path)
    assert ran == (0, f"3 files checked: no findings.\n2 findings written to {NAME}.\n", "")
    return tmp_path


def test_only_new_findings_count(project: Path) -> None:
    ran = plancheck("check", "--baseline", NAME, *STRICT, ".", cwd=project)
    assert ran == (0, "3 files checked: no findings.\n2 known findings hidden.\n", "")
    plant(project, {"a.plan.json": BOTH})
    ran = plancheck("check", "--baseline", NAME, *STRICT, ".", cwd=project)
    assert ran.code == 1
    assert ran.out.count("write_with_no_prior_read") == 1
    assert "`audit`" in ran.out
    assert ran.out.endswith("2 known findings hidden.\n")
    assert plancheck("check", *STRICT, ".", cwd=project).out.count("write_with_no_prior_read") == 3


def test_edits_elsewhere_do_not_make_a_finding_new(project: Path) -> None:
    step = '{"idx": 7, "agent": "clerk", "kind": "decision", "reads": ["order"]},\n'
    plant(project, {"a.plan.json": "\n" + FAULTY.replace('  {"idx"', f'  {step}    {{"idx"')})
    assert plancheck("check", "--baseline", NAME, *STRICT, ".", cwd=project).code == 0


def test_what_is_fixed_is_counted_and_leaves_when_it_is_written_again(project: Path) -> None:
    plant(project, {"a.plan.json": CLEAN})
    (project / "sub" / "b.plan.json").unlink()
    ran = plancheck("check", "--baseline", NAME, ".", cwd=project)
    assert ran.out.endswith("0 known findings hidden; 2 of the baseline are fixed: run --write-baseline.\n")
    assert ran.code == 0
    ran = plancheck("check", "--write-baseline", ".", cwd=project)
    assert ran.out.endswith(f"0 findings written to {NAME}; 2 of the baseline are fixed.\n")
    assert (project / NAME).read_text() == '{"plancheck-baseline": 1, "findings": []}\n'


def test_the_same_finding_twice_hides_two_and_not_more() -> None:
    """Two branches may both have written a finding down."""
    (finding,) = checked_findings(analyze(FAULTY, Settings()))
    known = KnownFinding("a.plan.json", finding.rule, finding.fingerprint, "")
    baseline = Baseline(str(Path(NAME).absolute()), [known, known])
    result = FileResult("a.plan.json", FAULTY, "declared", [finding] * 10, [])
    split = baseline.split(result, Settings(), records=False)
    assert (len(split.findings), len(split.known or ()), baseline.gone) == (8, 2, 0)
    baseline = Baseline(str(Path(NAME).absolute()), [known] * 5)
    split = baseline.split(result._replace(findings=[finding] * 2), Settings(), records=False)
    assert (len(split.findings), len(split.known or ()), baseline.gone) == (0, 2, 3)


def test_a_file_that_has_a_line_for_each_finding_and_is_stable(project: Path) -> None:
    text = (project / NAME).read_text()
    first, second = entries(project)
    assert list(first) == ["path", "rule", "fingerprint", "message"]
    assert (first["path"], second["path"]) == ("a.plan.json", "sub/b.plan.json")
    assert first["message"].startswith("Step 0 changes `ledger`, which no step has read before")
    assert text.count("\n") == 4
    plancheck("check", "--write-baseline", "-j", "2", "sub", "c.plan.json", "a.plan.json", cwd=project)
    assert (project / NAME).read_text() == text
    (project / "deep").mkdir()
    plancheck("check", f"--write-baseline=../{NAME}", "..", cwd=project / "deep")
    assert (project / NAME).read_text() == text
    plancheck("check", "--write-baseline", "deep/known.json", ".", cwd=project)
    assert [entry["path"] for entry in entries(project, "deep/known.json")] == ["../a.plan.json", "../sub/b.plan.json"]
    assert plancheck("check", "--baseline", "known.json", *STRICT, "..", cwd=project / "deep").code == 0


def test_files_and_rules_that_were_not_looked_at_stay_as_they_were(project: Path) -> None:
    text = (project / NAME).read_text()
    for args in (["a.plan.json"], ["--select", "unknown_key", "."], ["--ignore", "write_with_no_prior_read", "."]):
        ran = plancheck("check", "--baseline", NAME, *args, cwd=project)
        assert "fixed" not in ran.out
        plancheck("check", "--write-baseline", NAME, *args, cwd=project)
        assert (project / NAME).read_text() == text
    plant(project, {"a.plan.json": '{"nodes": [\n'})
    ran = plancheck("check", "--baseline", NAME, ".", cwd=project)
    assert ran.code == 1
    assert "fixed" not in ran.out


def test_the_configuration_names_it(project: Path) -> None:
    plant(project, {"plancheck.toml": 'baseline = "known/all.json"\n'})
    ran = plancheck("check", ".", cwd=project)
    expected = "plancheck: known/all.json: there is no such baseline: make it with --write-baseline.\n"
    assert ran == (2, "", expected)
    (project / "known").mkdir()
    ran = plancheck("check", "--write-baseline", "sub", cwd=project)
    assert ran.out.endswith("1 finding written to known/all.json.\n")
    assert [entry["path"] for entry in entries(project, "known/all.json")] == ["../sub/b.plan.json"]
    assert plancheck("check", *STRICT, "b.plan.json", cwd=project / "sub").code == 0
    assert plancheck("check", *STRICT, ".", cwd=project).code == 1
    assert plancheck("check", *STRICT, "--baseline", NAME, ".", cwd=project).code == 0
    plant(project, {"plancheck.toml": "baseline = 3\n"})
    ran = plancheck("check", ".", cwd=project)
    assert ran.err == "plancheck.toml:1:12: `baseline` must be the path of a file, not a number.\n"
    assert ran.code == 2


# ---- what is never hidden --------------------------------------------------------------------------------------------


def test_what_says_that_a_plan_was_not_read_is_never_known(tmp_path: Path) -> None:
    plant(tmp_path, {"a.plan.json": '{"nodes": [', "b.plan.json": FAULTY.replace('"tool_call"', "7")})
    ran = plancheck("check", "--write-baseline", ".", cwd=tmp_path)
    assert ran.code == 1
    assert "findings cannot be in a baseline: syntax_error (2), wrong_type (1).\n" in ran.out
    assert "error[syntax_error]" in ran.out
    before = entries(tmp_path)
    forged = [{**before[0], "path": "a.plan.json", "rule": "syntax_error"}, *before]
    found = plancheck("check", "--format", "json", "a.plan.json", cwd=tmp_path).json["files"][0]["findings"]
    forged += [{"path": "a.plan.json", "message": "", **{k: f[k] for k in ("rule", "fingerprint")}} for f in found]
    plant(tmp_path, {NAME: json.dumps({"plancheck-baseline": 1, "findings": forged})})
    assert "error[syntax_error]" in plancheck("check", "--baseline", NAME, "a.plan.json", cwd=tmp_path).out


def test_what_could_not_be_checked_is_never_known(tmp_path: Path) -> None:
    plant(tmp_path, {"a.plan.json": "[" * 600, "b.plan.json": FAULTY})
    (tmp_path / "c.plan.json").write_bytes(b"\xff")
    for args in (["--write-baseline"], ["--baseline", NAME]):
        ran = plancheck("check", *args, "--", ".", cwd=tmp_path)
        assert ran.code == 2
        assert "error[nested_too_deeply] not checked" in ran.out
        assert ran.err == "plancheck: c.plan.json: byte 0 (0xff) is not UTF-8: save the file as UTF-8.\n"
    assert [entry["path"] for entry in entries(tmp_path)] == ["b.plan.json"]


def test_the_gate_does_not_ask_for_it(tmp_path: Path) -> None:
    plant(tmp_path, {"a.calls.json": SHELL, "plancheck.toml": f'baseline = "{NAME}"\n'})
    ran = plancheck("check", "--write-baseline", ".", cwd=tmp_path)
    assert ran.out.endswith(
        f"1 finding written to {NAME}, 1 of them against the policy (`plancheck gate` counts them).\n"
    )
    assert plancheck("check", ".", cwd=tmp_path).code == 0
    ran = plancheck("gate", "a.calls.json", cwd=tmp_path)
    assert ran.code == 1
    assert ran.out.startswith("deny: ")


def test_every_finding_is_compared_and_not_only_those_that_would_be_shown(tmp_path: Path) -> None:
    many = ", ".join(f'"r{number}"' for number in range(30))
    plant(tmp_path, {"a.plan.json": FAULTY.replace('"ledger"', many), "plancheck.toml": "max-findings = 2\n"})
    plancheck("check", "--write-baseline", ".", cwd=tmp_path)
    assert len(entries(tmp_path)) == 30
    plant(tmp_path, {"a.plan.json": FAULTY.replace('"ledger"', f'{many}, "late"')})
    ran = plancheck("check", "--baseline", NAME, "-q", *STRICT, ".", cwd=tmp_path)
    assert ran.code == 1
    assert "`late`" in ran.out
    assert ran.out.count("\n") == 1


# ---- files that are no baselines -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "this baseline is not valid JSON in line 1: write it again with --write-baseline."),
        ("", "this baseline is not valid JSON in line 1: write it again with --write-baseline."),
        ("[" * 100_000, "this is not a baseline: it is nested too deeply."),
        ("9" * 10_000, "this baseline is not valid JSON: write it again with --write-baseline."),
        ("[]", "this is not a baseline: make one with --write-baseline."),
        (CLEAN, "this is not a baseline: make one with --write-baseline."),
        ('{"plancheck-baseline": 2}', "this baseline has format 2, and only 1 is known here: write it again."),
        ('{"plancheck-baseline": "\\u001b["}', r"this baseline has format \x1b[, and only 1 is known here: write it"),
        ('{"plancheck-baseline": 1}', "this baseline has no list of `findings`: write it again with --write-baseline."),
        ('{"plancheck-baseline": 1, "findings": [7]}', "finding 1 of this baseline is not complete: write it again."),
        (
            '{"plancheck-baseline": 1, "findings": [{"path": "a", "rule": "b", "fingerprint": 3, "message": ""}]}',
            "finding 1 of this baseline is not complete: write it again.",
        ),
    ],
)
def test_a_broken_baseline_is_one_line(tmp_path: Path, text: str, message: str) -> None:
    plant(tmp_path, {"a.plan.json": FAULTY, "known.json": text})
    ran = plancheck("check", "--baseline", "known.json", ".", cwd=tmp_path)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert ran.err.startswith(f"plancheck: known.json: {message}")


def test_a_baseline_that_is_no_file(tmp_path: Path) -> None:
    plant(tmp_path, {"a.plan.json": FAULTY, "folder/x": ""})
    os.mkfifo(tmp_path / "pipe")
    with (tmp_path / "huge.json").open("wb") as file:
        file.truncate(65_000_000)
    messages = {
        "none.json": "there is no such baseline: make it with --write-baseline.",
        "folder": "this is a folder, not a file.",
        "pipe": "this is a pipe, not a file.",
        "huge.json": "it is too large: at most 64 MB are read.",
    }
    for name, message in messages.items():
        ran = plancheck("check", "--baseline", name, ".", cwd=tmp_path)
        assert ran == (2, "", f"plancheck: {name}: {message}\n")
    for name in ("pipe", "huge.json"):
        ran = plancheck("check", f"--write-baseline={name}", ".", cwd=tmp_path)
        assert ran == (2, "", f"plancheck: {name}: {messages[name]}\n")


def test_what_is_no_baseline_is_not_overwritten(tmp_path: Path) -> None:
    plant(tmp_path, {"a.plan.json": FAULTY, "b.plan.json": CLEAN})
    ran = plancheck("check", "--write-baseline", "b.plan.json", "a.plan.json", cwd=tmp_path)
    message = "this file is not a baseline, and is left as it is: name another one."
    assert ran == (2, "", f"plancheck: b.plan.json: {message}\n")
    assert (tmp_path / "b.plan.json").read_text() == CLEAN


@pytest.mark.parametrize("text", ['{"plancheck-baseline": 99, "findings": {}}', '{"plancheck-baseline": 1\n<<<<<<<\n'])
def test_one_of_another_version_or_with_a_conflict_is_made_anew(tmp_path: Path, text: str) -> None:
    plant(tmp_path, {"a.plan.json": FAULTY, NAME: text})
    assert plancheck("check", "--write-baseline", ".", cwd=tmp_path).code == 0
    assert len(entries(tmp_path)) == 1


def test_one_that_cannot_be_written(tmp_path: Path) -> None:
    plant(tmp_path, {"a.plan.json": FAULTY})
    ran = plancheck("check", "--write-baseline=none/known.json", ".", cwd=tmp_path)
    assert ran.code == 2
    message = "the baseline cannot be written: no such file or directory."
    assert ran.err == f"plancheck: none/known.json: {message}\n"
    assert "written to" not in ran.out


@pytest.mark.parametrize(
    "args",
    [
        ["--baseline", "x.json", "--write-baseline", "y.json", "."],
        ["--write-baseline", "--fix", "."],
        ["--write-baseline", "--diff", "."],
    ],
)
def test_what_does_not_go_together_is_one_line(tmp_path: Path, args: list[str]) -> None:
    ran = plancheck("check", *args, cwd=tmp_path)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert not (tmp_path / "y.json").exists()


# ---- everywhere ------------------------------------------------------------------------------------------------------


def test_several_processes_and_the_cache_say_the_same(tmp_path: Path) -> None:
    plant(tmp_path, {f"{n:02}.plan.json": FAULTY.replace("ledger", f"r{n}") for n in range(40)})
    plancheck("check", "--write-baseline", "-j", "3", ".", cwd=tmp_path)
    plant(tmp_path, {"07.plan.json": BOTH})
    args = ("check", "--baseline", NAME, "--format", "json", ".")
    one = plancheck(*args, "-j", "1", "--no-cache", cwd=tmp_path)
    assert one.json["summary"]["baseline"] == {"known": 39, "gone": 1}
    assert one.json["summary"]["warning"] == 2
    for more in (["-j", "3", "--no-cache"], ["-j", "1"], ["-j", "1"]):
        assert plancheck(*args, *more, cwd=tmp_path) == one


@pytest.mark.parametrize("form", ["text", "json", "junit", "gitlab", "rdjson", "github", "markdown"])
def test_every_format_shows_only_what_is_new(project: Path, form: str) -> None:
    plant(project, {"a.plan.json": BOTH})
    out = plancheck("check", "--baseline", NAME, "--format", form, "a.plan.json", cwd=project).out
    if form == "json":  # the report of a plan is always complete
        out = json.dumps(json.loads(out)["files"][0]["findings"])
    assert "`audit`" in out
    assert "`ledger`" not in out
    if form in ("text", "markdown"):
        assert "1 known finding hidden." in out


def test_sarif_has_all_of_them_and_says_which_are_new(project: Path) -> None:
    plant(project, {"a.plan.json": BOTH})
    ran = plancheck("check", "--baseline", NAME, "--format", "sarif", ".", cwd=project)
    results = ran.json["runs"][0]["results"]
    assert [(result["baselineState"], "suppressions" in result) for result in results] == [
        ("new", False),
        ("unchanged", True),
        ("unchanged", True),
    ]
    assert results[1]["suppressions"][0]["kind"] == "external"
    plain = plancheck("check", "--format", "sarif", ".", cwd=project).json["runs"][0]["results"]
    assert not any("baselineState" in result for result in plain)


def test_with_fixes_what_they_leave_is_compared(tmp_path: Path) -> None:
    text = FAULTY.replace('"tool_call"', '"Tool-Call"')
    plant(tmp_path, {"a.plan.json": text})
    plancheck("check", "--write-baseline", ".", cwd=tmp_path)
    assert [entry["rule"] for entry in entries(tmp_path)] == ["unknown_kind", "write_with_no_prior_read"]
    ran = plancheck("check", "--fix", "--baseline", NAME, *STRICT, ".", cwd=tmp_path)
    assert ran.code == 0
    assert "\n1 known finding hidden; 1 of the baseline is fixed: run --write-baseline.\n" in ran.out


def test_standard_input(project: Path) -> None:
    ran = plancheck("check", "--baseline", NAME, *STRICT, "-", stdin=FAULTY.encode(), cwd=project)
    assert ran.code == 1  # it is none of the files that are known


def test_names_of_files_that_are_hard_to_write_down(tmp_path: Path) -> None:
    names = ["a b.plan.json", "é\u202e\n🙂.plan.json", os.fsdecode(b"\xff.plan.json")]
    plant(tmp_path, dict.fromkeys(names, FAULTY))
    plancheck("check", "--write-baseline=known.json", *names, cwd=tmp_path)
    assert (tmp_path / "known.json").read_text(encoding="utf-8").isprintable() is False  # but for line ends
    assert (tmp_path / "known.json").read_text(encoding="utf-8").replace("\n", "").isprintable()
    assert plancheck("check", "--baseline=known.json", *STRICT, *names, cwd=tmp_path).code == 0


def test_all_examples(tmp_path: Path) -> None:
    """Every finding that can be known is, and the whole survives git."""
    where = tmp_path / NAME
    first = plancheck("check", f"--write-baseline={where}", EXAMPLES)
    second = plancheck("check", f"--baseline={where}", "--format", "json", EXAMPLES).json
    rules = {finding["rule"] for file in second["files"] for finding in file["findings"]}
    assert rules == {"syntax_error", "wrong_type", "duplicate_key", "missing_tool_name", "raw_secret"}
    assert second["summary"]["baseline"]["gone"] == 0
    assert f"{second['summary']['baseline']['known']} findings written" in first.out
    check: Any = subprocess.run(
        ["git", "diff", "--no-index", "--check", "/dev/null", NAME], cwd=tmp_path, capture_output=True, check=False
    )
    assert check.stdout == b""


def test_a_secret_and_another_value_against_the_policy_are_not_known(tmp_path: Path) -> None:
    """What is at the same place as before may be something else: another key, another amount."""
    call = '[{{"id": "a", "tool_name": "pay", "args": {{"amount": {}, "key": "{}"}}}}]'
    plant(tmp_path, {"plan-policy.yaml": "bounds: {pay.amount: [0, 100]}\n"})
    plant(tmp_path, {"a.calls.json": call.format(500, "AKIAQYLPMN5HFIQR7XYZ")})
    assert plancheck("check", "--write-baseline", "a.calls.json", cwd=tmp_path).code == 1
    known = (tmp_path / "plancheck-baseline.json").read_text()
    assert "bound_violation" in known
    assert "raw_secret" not in known
    args = ("check", "--quiet", "--baseline", "plancheck-baseline.json", "a.calls.json")
    assert [line.partition("[")[2].partition("]")[0] for line in plancheck(*args, cwd=tmp_path).out.splitlines()] == [
        "raw_secret"
    ]
    plant(tmp_path, {"a.calls.json": call.format(99_999, "${KEY}")})
    ran = plancheck(*args, cwd=tmp_path)
    assert (ran.code, "bound_violation" in ran.out) == (1, True)
