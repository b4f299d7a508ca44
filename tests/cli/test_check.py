"""`plancheck check`: exit codes, inputs and options."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cli.command import BROKEN, CLEAN, EXAMPLES, FAULTY, ROOT, plancheck, plant
from plancheck import __version__


@pytest.mark.parametrize(
    ("text", "fail_on", "code"),
    [
        (CLEAN, "hint", 0),
        (FAULTY, "error", 0),
        (FAULTY, "warning", 1),
        (FAULTY, "info", 1),
        (BROKEN, "error", 1),
        (BROKEN, "never", 0),
    ],
)
def test_exit_codes(tmp_path: Path, text: str, fail_on: str, code: int) -> None:
    plant(tmp_path, {"a.plan.json": text})
    assert plancheck("check", "--fail-on", fail_on, "a.plan.json", cwd=tmp_path).code == code
    if fail_on == "error":
        assert plancheck("check", "a.plan.json", cwd=tmp_path).code == code


def test_files_folders_globs_and_each_file_once(tmp_path: Path) -> None:
    plant(tmp_path, {"a.plan.json": CLEAN, "x/b.plan.json": CLEAN, "x/c.json": CLEAN, "x/y/d.plan.json": CLEAN})

    def paths(*args: str) -> list[str]:
        ran = plancheck("check", "--format", "json", *args, cwd=tmp_path)
        assert (ran.code, ran.err) == (0, "")
        return [file["path"] for file in ran.json["files"]]

    assert paths(".") == ["a.plan.json", "x/b.plan.json", "x/y/d.plan.json"]
    assert paths("x", "a.plan.json", "x/b.plan.json") == ["x/b.plan.json", "x/y/d.plan.json", "a.plan.json"]
    assert paths("x/*.json") == ["x/b.plan.json", "x/c.json"]
    assert paths("**/*.plan.json") == ["a.plan.json", "x/b.plan.json", "x/y/d.plan.json"]
    assert paths("x/c.json") == ["x/c.json"]
    assert paths(str(tmp_path / "x" / "y")) == [str(tmp_path / "x" / "y" / "d.plan.json")]
    assert paths("x*") == ["x/b.plan.json", "x/y/d.plan.json"]


def test_a_file_named_like_a_glob_is_a_file(tmp_path: Path) -> None:
    plant(tmp_path, {"[a].plan.json": CLEAN})
    assert plancheck("check", "[a].plan.json", cwd=tmp_path).out == "1 file checked: no findings.\n"


def test_standard_input(tmp_path: Path) -> None:
    ran = plancheck("check", "-", stdin=FAULTY.encode(), cwd=tmp_path)
    assert ran.code == 0
    assert ran.out.startswith("<stdin>:2:84: warning[write_with_no_prior_read] ")
    ran = plancheck("check", "-", stdin=b"\xff", cwd=tmp_path)
    assert (ran.code, ran.err) == (2, "plancheck: <stdin>: byte 0 (0xff) is not UTF-8: save the file as UTF-8.\n")


def test_what_cannot_be_read_is_said_in_one_line_each_and_the_rest_is_checked(tmp_path: Path) -> None:
    plant(tmp_path, {"good.plan.json": FAULTY, "empty/README.md": ""})
    (tmp_path / "latin.plan.json").write_bytes(b'{"nodes": "\xe9"}')
    (tmp_path / "wide.plan.json").write_bytes(CLEAN.encode("utf-16"))
    args = ("missing.plan.json", "empty", "latin.plan.json", "no*.json", "wide.plan.json", "good.plan.json")
    ran = plancheck("check", *args, cwd=tmp_path)
    assert ran.code == 2
    assert sorted(ran.err.splitlines()) == [
        "plancheck: empty: there are no plan files in this folder "
        "(looked for **/*.plan.json, **/*.calls.json, **/*.trace.json).",
        "plancheck: latin.plan.json: byte 11 (0xe9) is not UTF-8: save the file as UTF-8.",
        "plancheck: missing.plan.json: there is no such file or folder.",
        "plancheck: no*.json: no file matches this glob.",
        "plancheck: wide.plan.json: this is UTF-16 text: save it as UTF-8.",
    ]
    assert "write_with_no_prior_read" in ran.out
    assert ran.out.endswith("1 file checked: 1 warning, 5 not checked.\n")


def test_a_link_that_leads_to_itself(tmp_path: Path) -> None:
    (tmp_path / "a.plan.json").symlink_to(tmp_path / "a.plan.json")
    ran = plancheck("check", "a.plan.json", cwd=tmp_path)
    assert ran.code == 2
    assert ran.err == "plancheck: a.plan.json: this symbolic link leads back to itself.\n"


@pytest.mark.parametrize(
    ("text", "rule"),
    [("", "syntax_error"), ("   \n", "syntax_error"), ("nonsense", "syntax_error"), ('{"x": 1}', "not_a_plan")],
)
def test_what_is_no_plan_is_a_finding(tmp_path: Path, text: str, rule: str) -> None:
    plant(tmp_path, {"a.plan.json": text})
    ran = plancheck("check", "--format", "json", "a.plan.json", cwd=tmp_path)
    assert (ran.code, ran.err) == (1, "")
    (file,) = ran.json["files"]
    assert rule in [finding["rule"] for finding in file["findings"]]
    assert (file["dialect"], file["report"]) == (None, None)


def test_a_bad_configuration_is_said_line_by_line_and_the_rest_applies(tmp_path: Path) -> None:
    plant(
        tmp_path,
        {
            "a.plan.json": FAULTY,
            "plancheck.toml": 'includ = []\nmax-findings = "x"\n\n[rules]\n'
            'write_with_no_prior_read = "error"\nno_such = "off"\nunknown_key = "loud"\n',
        },
    )
    ran = plancheck("check", "-q", "a.plan.json", cwd=tmp_path)
    assert ran.code == 2
    assert ran.err.splitlines() == [
        "plancheck.toml:1:1: `includ` is not a setting of plancheck: did you mean `include`?",
        "plancheck.toml:2:16: `max-findings` must be a whole number above zero, not a string.",
        "plancheck.toml:6:1: Unknown rule `no_such`: `plancheck rules` lists them.",
        'plancheck.toml:7:15: Unknown severity `loud`: use "error", "warning", "info", "hint" or "off".',
    ]
    assert ran.out.startswith("a.plan.json:2:84: error[write_with_no_prior_read]")


def test_a_configuration_that_is_not_toml(tmp_path: Path) -> None:
    plant(tmp_path, {"a.plan.json": CLEAN, "plancheck.toml": "max-findings = 5\n[rules\n"})
    ran = plancheck("check", "a.plan.json", cwd=tmp_path)
    assert ran.code == 2
    assert ran.err.startswith("plancheck.toml:2:7: This is not TOML: ")
    assert ran.err.count("\n") == 1


def test_the_configuration_by_option(tmp_path: Path) -> None:
    plant(
        tmp_path,
        {
            "plans/a.plan.json": FAULTY,
            "plans/plancheck.toml": '[rules]\nwrite_with_no_prior_read = "off"\n',
            "ci/strict.toml": '[[overrides]]\nfiles = ["plans/**"]\nrules = {write_with_no_prior_read = "error"}\n',
        },
    )
    assert plancheck("check", "plans", "--fail-on", "hint", cwd=tmp_path).code == 0
    ran = plancheck("check", "plans", "--config", "ci/strict.toml", cwd=tmp_path)
    assert (ran.code, ran.err) == (1, "")
    ran = plancheck("check", "plans", "--config", "nope.toml", cwd=tmp_path)
    assert (ran.code, ran.out, ran.err) == (2, "", "plancheck: nope.toml: there is no such file or folder.\n")


def rules_shown(*args: str, cwd: Path) -> list[str]:
    ran = plancheck("check", "--format", "json", *args, cwd=cwd)
    return sorted({finding["rule"] for file in ran.json["files"] for finding in file["findings"]})


def test_select_and_ignore(tmp_path: Path) -> None:
    text = FAULTY.replace('"reads"', '"plancheck-ignore": ["unknown_key"], "read": [], "Scope": [], "reads"')
    plant(tmp_path, {"a.plan.json": text, "b.plan.json": "{", "plancheck.toml": '[rules]\nunknown_key = "off"\n'})
    everything = rules_shown("a.plan.json", cwd=tmp_path)
    assert everything == ["write_with_no_prior_read"]
    assert rules_shown("a.plan.json", "--ignore", "write_with_no_prior_read", cwd=tmp_path) == []
    assert rules_shown("a.plan.json", "--select", "scope_vs_snapshot,wrong_type", cwd=tmp_path) == []
    assert rules_shown("a.plan.json", "--select", "write_with_no_prior_read", cwd=tmp_path) == everything
    assert rules_shown("b.plan.json", "--select", "wrong_type", cwd=tmp_path) == ["syntax_error"]
    assert rules_shown("b.plan.json", "--select", "wrong_type", "--ignore", "syntax_error", cwd=tmp_path) == []
    ran = plancheck("check", "a.plan.json", "--select", "scope_vs_snapsot", cwd=tmp_path)
    assert ran.code == 2
    assert ran.err == (
        "plancheck check: argument --select: unknown rule 'scope_vs_snapsot': did you mean scope_vs_snapshot? "
        "(see `plancheck check --help`)\n"
    )


def test_select_switches_on_what_the_configuration_switched_off(tmp_path: Path) -> None:
    plant(tmp_path, {"a.plan.json": FAULTY, "plancheck.toml": '[rules]\nwrite_with_no_prior_read = "off"\n'})
    assert rules_shown("a.plan.json", cwd=tmp_path) == []
    assert rules_shown("a.plan.json", "--select", "write_with_no_prior_read", cwd=tmp_path) == [
        "write_with_no_prior_read"
    ]


def test_several_processes_say_the_same_as_one() -> None:
    one = plancheck("check", "--jobs", "1", EXAMPLES)
    assert plancheck("check", "--jobs", "3", EXAMPLES) == one
    assert plancheck("check", EXAMPLES) == one
    assert one.out.count("\n") > 20


def test_several_processes_and_a_missing_file(tmp_path: Path) -> None:
    plant(tmp_path, {"a.plan.json": CLEAN, "b.plan.json": CLEAN})
    ran = plancheck("check", "a.plan.json", "nope.json", "b.plan.json", "-j", "2", cwd=tmp_path)
    assert (ran.code, ran.out) == (2, "2 files checked: 1 not checked.\n")
    assert ran.err == "plancheck: nope.json: there is no such file or folder.\n"


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["check"], "the following arguments are required: PATH"),
        (["check", "x", "--jobs", "two"], "argument --jobs/-j: 'two' is not a number of processes"),
        (["check", "x", "--format", "xml"], "argument --format: invalid choice: 'xml'"),
        (["chek", "x"], "unknown command `chek`: did you mean `check`?"),
        (["frobnicate"], "unknown command `frobnicate`: there are check, report"),
        (["explain", "unknown_stepp"], "did you mean unknown_step?"),
        (["graph"], "the following arguments are required: FILE"),
        (["schema", "nope"], "argument WHAT: invalid choice: 'nope'"),
    ],
)
def test_usage_mistakes_are_one_line(args: list[str], message: str) -> None:
    ran = plancheck(*args)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
    assert ran.err.count("\n") == 1


def test_help_and_version() -> None:
    ran = plancheck("--version")
    assert (ran.code, ran.err) == (0, "")
    assert re.fullmatch(rf"plancheck {re.escape(__version__)}( \([0-9a-f]{{10}}\))?\n", ran.out)
    ran = plancheck("--help")
    assert ran.code == 0
    for command in ("check", "report", "graph", "rules", "explain", "schema", "lsp"):
        assert f"\n  {command} " in ran.out
    assert plancheck().code == 2
    assert "--fail-on" in plancheck("check", "--help").out


def test_the_examples_in_the_makefile_command() -> None:
    ran = plancheck("check", "--fail-on", "never", "examples", cwd=ROOT)
    assert (ran.code, ran.err) == (0, "")
