"""Options of `check` about which files are looked at, what is shown of them, where to, and what the exit code says."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cli.command import BROKEN, CLEAN, EXAMPLES, FAULTY, environment, plancheck, plant
from cli.test_process import in_a_group_of_its_own, on_a_terminal
from plancheck.cli.formats.table import FORMATS
from workspace.folders import git

TWICE = FAULTY.replace('"writes": ["ledger"]', '"writes": ["ledger", "journal"]')
TOO_LARGE = "max-file-size = 10\n"


@pytest.fixture
def plans(tmp_path: Path) -> Path:
    return plant(tmp_path, {"a.plan.json": TWICE, "b/c.plan.json": FAULTY, "d.plan.json": BROKEN})


# ---- statistics ------------------------------------------------------------------------------------------------------


def test_statistics_count_the_findings_of_each_rule(plans: Path) -> None:
    (found,) = plancheck("check", "--format", "json", "d.plan.json", cwd=plans).json["summary"]["rules"]
    for more in ([], ["--jobs", "2"], ["--no-cache"], []):
        ran = plancheck("check", "--statistics", *more, ".", cwd=plans)
        head, first, second, summary = ran.out.splitlines()
        assert head.split() == ["count", "severity", "rule", "fix"]
        assert first.split() == ["3", "warning", "write_with_no_prior_read", "unsafe"]
        assert second.split()[:3] == ["1", "error", found]
        assert summary == "3 files checked: 1 error, 3 warnings."
        assert ran.code == 1
    quiet = plancheck("check", "--statistics", "--quiet", ".", cwd=plans)
    assert quiet.out.splitlines() == ran.out.splitlines()[:-1]


def test_statistics_as_markdown_and_of_what_was_not_checked(plans: Path) -> None:
    plant(plans, {"plancheck.toml": TOO_LARGE})
    ran = plancheck("check", "--statistics", "--format", "markdown", "a.plan.json", cwd=plans)
    assert ran.out.splitlines() == [
        "| count | severity | rule | fix |",
        "|--:|---|---|---|",
        "| 1 | error (not checked) | `file_too_large` | - |",
        "",
        "1 file checked: 1 not checked.",
    ]
    assert ran.code == 2


def test_the_json_output_has_the_counts_in_any_case(plans: Path) -> None:
    summary = plancheck("check", "--format", "json", ".", cwd=plans).json["summary"]
    assert next(iter(summary["rules"].items())) == ("write_with_no_prior_read", 3)
    assert sum(summary["rules"].values()) == sum(summary[word] for word in ("error", "warning", "info", "hint"))


@pytest.mark.parametrize("form", sorted(FORMATS.keys() - {"text", "markdown"}))
def test_statistics_have_no_place_in_formats_for_programs(plans: Path, form: str) -> None:
    ran = plancheck("check", "--statistics", "--format", form, ".", cwd=plans)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("plancheck check: --statistics is for --format text and markdown")


def test_statistics_without_findings(tmp_path: Path) -> None:
    plant(tmp_path, {"a.plan.json": CLEAN})
    assert plancheck("check", "--statistics", ".", cwd=tmp_path).out == "1 file checked: no findings.\n"


# ---- a file for the results ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("more", [["--jobs", "1"], ["--jobs", "2"], ["--quiet"], ["--statistics"], ["--diff"]])
def test_what_would_be_printed_is_written(plans: Path, more: list[str]) -> None:
    printed = plancheck("check", *more, ".", cwd=plans)
    written = plancheck("check", *more, "--output-file", "out.txt", ".", cwd=plans)
    assert (plans / "out.txt").read_text() == printed.out
    assert (written.code, written.out, written.err) == (printed.code, "", printed.err)


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_is_written(plans: Path, form: str) -> None:
    printed = plancheck("check", "--format", form, ".", cwd=plans)
    written = plancheck("check", "--format", form, "-o", "out", ".", cwd=plans)
    assert (plans / "out").read_text(encoding="utf-8") == printed.out
    assert (written.code, written.out) == (printed.code, "")


def test_no_colour_is_written_from_a_terminal(plans: Path) -> None:
    code, shown = on_a_terminal(["check", "--color", "always", "-o", "out.txt", "."], plans)
    assert (code, shown) == (1, "")
    assert "\x1b" not in (plans / "out.txt").read_text()


def test_what_was_not_checked_is_2_and_said_on_standard_error_all_the_same(plans: Path) -> None:
    ran = plancheck("check", "-o", "out.json", "--format", "json", "nowhere.plan.json", "a.plan.json", cwd=plans)
    assert (ran.code, ran.err) == (2, "plancheck: nowhere.plan.json: there is no such file or folder.\n")
    assert len(json.loads((plans / "out.json").read_text())["files"]) == 2


def test_a_file_is_replaced_with_its_mode_and_through_a_link(plans: Path) -> None:
    old = plans / "old.txt"
    old.write_text("old")
    old.chmod(0o640)
    (plans / "link.txt").symlink_to("old.txt")
    plancheck("check", "-o", "link.txt", ".", cwd=plans)
    assert (plans / "link.txt").is_symlink()
    assert "write_with_no_prior_read" in old.read_text()
    assert stat.S_IMODE(old.stat().st_mode) == 0o640
    assert list(plans.glob("*.tmp")) == []


def test_a_run_that_is_ended_leaves_the_file_as_it_was(plans: Path) -> None:
    """The plan comes through a pipe that nobody closes: the run is in the middle when it is interrupted."""
    (plans / "out.txt").write_text("before")
    os.mkfifo(plans / "slow.plan.json")
    args = ["check", "--jobs", "1", "-o", "out.txt", "a.plan.json", "slow.plan.json"]
    with in_a_group_of_its_own(args, plans) as process:
        deadline = time.monotonic() + 60
        while not list(plans.glob("out.txt.*.tmp")) and time.monotonic() < deadline:
            time.sleep(0.01)
        assert list(plans.glob("out.txt.*.tmp"))
        process.send_signal(signal.SIGINT)
        process.wait(timeout=60)
    assert (plans / "out.txt").read_text() == "before"
    assert list(plans.glob("*.tmp")) == []


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("b", "plancheck: b: the results cannot be written: this is a folder, so name a file in it.\n"),
        ("no/out.txt", "plancheck: no/out.txt: the results cannot be written: no such file or directory.\n"),
        (
            "a.plan.json",
            "plancheck: a.plan.json: the results would replace a file that is read for them: name another one.\n",
        ),
        ("/dev/full", "plancheck: /dev/full: the results cannot be written: no space left on device.\n"),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_written_is_one_line(plans: Path, path: str, message: str) -> None:
    assert plancheck("check", "-o", path, ".", cwd=plans) == (2, "", message)
    assert (plans / "a.plan.json").read_text() == TWICE


def test_what_is_no_file_is_written_to_and_not_replaced(plans: Path) -> None:
    printed = plancheck("check", "-q", ".", cwd=plans)
    assert plancheck("check", "-q", "-o", "/dev/stdout", ".", cwd=plans) == printed
    os.mkfifo(plans / "pipe")
    command = [sys.executable, "-m", "plancheck", "check", "-q", "-o", "pipe", "."]
    with subprocess.Popen(command, cwd=plans, env=environment({})) as process:
        assert (plans / "pipe").read_text() == printed.out
        assert process.wait(timeout=60) == 1
    assert stat.S_ISFIFO((plans / "pipe").stat().st_mode)


# ---- standard input that stands for a file ---------------------------------------------------------------------------


def test_standard_input_stands_for_a_file(tmp_path: Path) -> None:
    overrides = '[[overrides]]\nfiles = ["x.plan.json"]\nrules = {write_with_no_prior_read = "error"}\n'
    plant(tmp_path, {"inner/plancheck.toml": overrides, "inner/plan-policy.yaml": "allow_writes: []\n"})
    args = ("check", "--quiet", "-", "--stdin-filename", "inner/x.plan.json")
    ran = plancheck(*args, stdin=FAULTY.encode(), cwd=tmp_path)
    found = [line.split(" ")[:2] for line in ran.out.splitlines()]
    assert ["inner/x.plan.json:2:84:", "error[write_with_no_prior_read]"] in found
    assert any("error[write_deny]" in line for _, line in found)
    assert ran.code == 1
    assert plancheck("check", "--quiet", "-", stdin=FAULTY.encode(), cwd=tmp_path).code == 0
    ran = plancheck(*args, "--format", "json", stdin=FAULTY.encode(), cwd=tmp_path)
    assert ran.json["files"][0]["path"] == "inner/x.plan.json"
    ran = plancheck("check", "--diff", "-", "--stdin-filename", "d.plan.json", stdin=BROKEN.encode(), cwd=tmp_path)
    assert ran.out.startswith("--- a/d.plan.json\n") or ran.out == ""


def test_a_name_for_standard_input_needs_standard_input(plans: Path) -> None:
    ran = plancheck("check", "--stdin-filename", "x.plan.json", "a.plan.json", cwd=plans)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("plancheck check: --stdin-filename says what standard input is: give - as the path")


# ---- what is left out ------------------------------------------------------------------------------------------------


def shown_files(folder: Path, *args: str) -> list[str]:
    ran = plancheck("check", "--show-files", *args, cwd=folder)
    assert (ran.code, ran.err) == (0, "")
    return ran.out.splitlines()


def test_what_is_excluded_is_left_out_although_it_is_named(tmp_path: Path) -> None:
    files = ("a.plan.json", "old/a.plan.json", "build/deep/a.plan.json", "keep/a.plan.json", "keep/x/a.plan.json")
    plant(tmp_path, dict.fromkeys(files, FAULTY))
    plant(tmp_path, {"plancheck.toml": 'exclude = ["old"]\n', ".gitignore": "build/\n"})
    plant(tmp_path, {"keep/.gitignore": "x\n"})
    git(tmp_path, "init", "-q")
    assert shown_files(tmp_path, *files) == list(files)
    assert shown_files(tmp_path, "--force-exclude", *files) == ["a.plan.json", "keep/a.plan.json"]
    assert shown_files(tmp_path, "--force-exclude", "old", "build", "**/a.plan.json") == [
        "a.plan.json",
        "keep/a.plan.json",
    ]
    assert plancheck("check", "--force-exclude", "old/a.plan.json", cwd=tmp_path) == (0, "", "")
    ran = plancheck("check", "--force-exclude", "-", "--stdin-filename", "old/new.plan.json", cwd=tmp_path)
    assert ran == (0, "", "")
    assert shown_files(tmp_path / "old", "--force-exclude", "a.plan.json") == []


def test_files_are_listed_and_not_checked(plans: Path) -> None:
    assert shown_files(plans, ".") == ["a.plan.json", "b/c.plan.json", "d.plan.json"]
    plancheck("check", "--show-files", "-o", "list.txt", ".", cwd=plans)
    assert (plans / "list.txt").read_text() == "a.plan.json\nb/c.plan.json\nd.plan.json\n"
    ran = plancheck("check", "--show-files", "nowhere*", "a.plan.json", cwd=plans)
    assert (ran.code, ran.out, ran.err) == (2, "a.plan.json\n", "plancheck: nowhere*: no file matches this glob.\n")


def test_settings_are_shown_as_they_are_in_force(plans: Path) -> None:
    plant(plans, {"plancheck.toml": 'extend = "base.toml"\nexclude = ["old"]\n[rules]\nredundant_edge = "off"\n'})
    plant(
        plans, {"base.toml": 'profile = "strict"\nfail-on = "warning"\npolicy = ["p.yaml"]\n', "p.yaml": "max_steps: 3"}
    )
    ran = plancheck("check", "--show-settings", "--ignore", "sql_*", "a.plan.json", cwd=plans)
    lines = ran.out.splitlines()
    assert lines[:4] == [
        "a.plan.json",
        f"  configuration: {plans / 'plancheck.toml'}",
        "  extend: base.toml",
        "  include: **/*.plan.json, **/*.calls.json, **/*.trace.json",
    ]
    for line in ("exclude: old", "profile: strict", "fail-on: warning", f"policies in force: {plans / 'p.yaml'}"):
        assert f"  {line}" in lines
    for line in ("redundant_edge: off", "sql_interpolation: off", "scope_vs_snapshot: warning"):
        assert f"    {line}" in lines
    assert plancheck("check", "--show-settings", "--ignore", "sql_*", "a.plan.json", cwd=plans).out == ran.out
    assert ran.code == 0
    plant(plans, {"base.toml": "profil = 1\n"})
    ran = plancheck("check", "--show-settings", "a.plan.json", cwd=plans)
    assert (ran.code, "did you mean `profile`?" in ran.err) == (2, True)


# ---- exit codes ------------------------------------------------------------------------------------------------------


def test_findings_may_be_of_no_consequence(plans: Path) -> None:
    assert plancheck("check", ".", cwd=plans).code == 1
    assert plancheck("check", "--exit-zero", ".", cwd=plans).code == 0
    assert plancheck("check", "--exit-zero", "--fail-on", "hint", ".", cwd=plans).code == 0
    assert plancheck("check", "--exit-zero", "nowhere.plan.json", cwd=plans).code == 2
    plant(plans, {"plancheck.toml": TOO_LARGE})
    assert plancheck("check", "--exit-zero", ".", cwd=plans).code == 2


def test_the_configuration_says_what_fails(tmp_path: Path) -> None:
    plant(tmp_path, {"a.plan.json": FAULTY, "plancheck.toml": 'fail-on = "warning"\n'})
    for command in ("check", "report"):
        for more in ([], [], ["--format", "json"]):
            assert plancheck(command, *more, "a.plan.json", cwd=tmp_path).code == 1
        assert plancheck(command, "--fail-on", "error", "a.plan.json", cwd=tmp_path).code == 0
    assert plancheck("check", "-", stdin=FAULTY.encode(), cwd=tmp_path).code == 1
    plant(tmp_path, {"plancheck.toml": 'fail-on = "never"\n', "a.plan.json": BROKEN})
    assert [plancheck(command, "a.plan.json", cwd=tmp_path).code for command in ("check", "report")] == [0, 0]
    assert plancheck("check", "nowhere.plan.json", cwd=tmp_path).code == 2
    plant(tmp_path, {"plancheck.toml": 'fail-on = "loud"\n'})
    ran = plancheck("check", "a.plan.json", cwd=tmp_path)
    message = '`fail-on` must be "error", "warning", "info", "hint" or "never", not `loud`.'
    assert (ran.code, ran.err) == (2, f"plancheck.toml:1:11: {message}\n")


def test_of_several_configurations_the_strictest_counts(tmp_path: Path) -> None:
    plant(tmp_path, {"a/plancheck.toml": 'fail-on = "never"\n', "a/x.plan.json": BROKEN, "b/plancheck.toml": ""})
    plant(tmp_path, {"b/x.plan.json": CLEAN, "c/plancheck.toml": 'fail-on = "warning"\n', "c/x.plan.json": FAULTY})
    assert plancheck("check", "a", cwd=tmp_path).code == 0
    assert plancheck("check", "a", "b", cwd=tmp_path).code == 1
    assert plancheck("check", "c", cwd=tmp_path).code == 1
    plant(tmp_path, {"a/x.plan.json": CLEAN})
    assert plancheck("check", ".", cwd=tmp_path).code == 1


# ---- fixes that are unsafe -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("more", [[], ["--jobs", "2"], ["--no-cache"]])
def test_it_is_said_that_only_unsafe_fixes_are_left(tmp_path: Path, more: list[str]) -> None:
    text = (EXAMPLES / "declared" / "refund-faulty.plan.json").read_text()
    plant(tmp_path, {"a.plan.json": text})
    found = plancheck("check", "--format", "json", "--fix", ".", cwd=tmp_path).json["files"][0]["findings"]
    count = sum(bool(f["fixes"]) and not any(fix["safe"] for fix in f["fixes"]) for f in found)
    assert count > 1
    plant(tmp_path, {"a.plan.json": text})
    note = f"{count} fixes are unsafe: add --unsafe to apply them.\n"
    ran = plancheck("check", "--diff", *more, ".", cwd=tmp_path)
    assert ran.err == note
    assert "unsafe" not in plancheck("check", "--diff", "--quiet", ".", cwd=tmp_path).err
    assert "--unsafe" not in plancheck("check", "--diff", "--unsafe", ".", cwd=tmp_path).err
    assert plancheck("check", "--fix", *more, ".", cwd=tmp_path).out.endswith(note)
    assert "--unsafe" not in plancheck("check", ".", cwd=tmp_path).out
    assert "--unsafe" not in plancheck("check", "--fix", "--unsafe", ".", cwd=tmp_path).out


def test_where_nothing_is_left_nothing_is_said(tmp_path: Path) -> None:
    plant(tmp_path, {"a.plan.json": CLEAN})
    assert plancheck("check", "--diff", ".", cwd=tmp_path) == (0, "", "")


# ---- what an unset variable of a shell leaves, and other slips -------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--select", ""], "--select: no rule is named"),
        (["--select", " , "], "--select: no rule is named"),
        (["-o", ""], "--output-file/-o: the name of a file is empty"),
        (["--baseline", ""], "--baseline: the name of a file is empty"),
        (["--config", ""], "--config: the name of a file is empty"),
        ([""], "PATH: the name of a file is empty"),
        (["--diff", "--statistics"], "--statistics counts findings and --diff shows what fixes change"),
        (["--write-baseline=x", "-o", "x"], "--write-baseline and --output-file name one file"),
    ],
)
def test_a_slip_is_one_line_and_never_passes(plans: Path, args: list[str], words: str) -> None:
    ran = plancheck("check", *args, "a.plan.json", cwd=plans)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert words in ran.err
    assert plancheck("check", "--ignore", "", "a.plan.json", cwd=plans).code == 0


@pytest.mark.parametrize("command", ["graph", "gate", "report"])
def test_an_empty_name_is_none(tmp_path: Path, command: str) -> None:
    ran = plancheck(command, "", cwd=tmp_path)
    assert (ran.code, "the name of a file is empty" in ran.err) == (2, True)


def test_what_the_results_are_made_from_is_not_replaced(plans: Path) -> None:
    catalogue = '[{"name": "crm.find"}]'
    files = {"plancheck.toml": 'policy = ["own.yaml"]\nextend = "base.toml"\n', "base.toml": "", "t.json": catalogue}
    plant(plans, {**files, "own.yaml": "max_steps: 50\n", "b.json": '{"plancheck-baseline": 1, "findings": []}'})
    (plans / "link.yaml").symlink_to("own.yaml")
    for name in ("plancheck.toml", "base.toml", "own.yaml", "link.yaml", "t.json", "b.json"):
        more = ["--tools", "t.json", "--baseline", "b.json"]
        ran = plancheck("check", *more, "-o", name, "a.plan.json", cwd=plans)
        assert (ran.code, ran.out) == (2, ""), name
        assert "would replace a file that is read for them" in ran.err
    for name, text in files.items():
        assert (plans / name).read_text() == text


def test_a_temporary_file_of_somebody_else_stays(plans: Path) -> None:
    script = f"echo precious > out.json.$$.tmp; exec {sys.executable} -m plancheck check -o out.json a.plan.json"
    done = subprocess.run(["sh", "-c", script], cwd=plans, env=environment({}), capture_output=True, check=False)
    assert done.returncode == 2
    (left,) = plans.glob("out.json.*.tmp")
    assert left.read_text() == "precious\n"


def test_what_is_not_there_is_not_shown(plans: Path) -> None:
    for option in ("--show-files", "--show-settings"):
        ran = plancheck("check", option, "nope.plan.json", "a.plan.json", cwd=plans)
        assert (ran.code, ran.err) == (2, "plancheck: nope.plan.json: there is no such file or folder.\n")
        assert "nope" not in ran.out
        assert ran.out.startswith("a.plan.json\n")
