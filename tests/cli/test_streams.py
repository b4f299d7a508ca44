"""Streams that are closed, names that are not text, and characters that would take the terminal over."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from cli.command import CLEAN, FAULTY, environment, plancheck, plant
from plancheck.cli.terminal import lines, one_line

COMMANDS = (
    ["check", "a.plan.json"],
    ["check", "--format", "json", "a.plan.json"],
    ["report", "a.plan.json"],
    ["graph", "a.plan.json"],
    ["gate", "a.plan.json"],
    ["rules"],
    ["explain", "raw_secret"],
    ["schema", "steps"],
    ["--help"],
    ["--version"],
    ["nonsense"],
)


def shell(redirection: str, args: list[str], cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run the command with some of its streams redirected or closed by a shell."""
    return subprocess.run(
        ["sh", "-c", f'"$@" {redirection}', "sh", sys.executable, "-m", "plancheck", *args],
        cwd=cwd,
        capture_output=True,
        text=True,
        env=environment({}),
        check=False,
        timeout=120,
    )


@pytest.mark.parametrize("args", COMMANDS, ids=" ".join)
def test_a_closed_output_is_one_line_and_exit_code_2(tmp_path: Path, args: list[str]) -> None:
    plant(tmp_path, {"a.plan.json": FAULTY})
    ran = shell(">&-", args, tmp_path)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == "plancheck: standard output is closed, so nothing can be shown.\n"
    assert shell(">&- 2>&-", args, tmp_path).returncode == 2


@pytest.mark.parametrize(("name", "code"), [("a.plan.json", 0), ("b.plan.json", 2)])
def test_where_errors_cannot_be_shown_the_exit_code_still_tells(tmp_path: Path, name: str, code: int) -> None:
    plant(tmp_path, {"a.plan.json": FAULTY})
    expected = shell("", ["check", name], tmp_path)
    assert expected.returncode == code
    ran = shell("2>&-", ["check", name], tmp_path)
    assert (ran.returncode, ran.stdout, ran.stderr) == (code, expected.stdout, "")


def test_a_closed_input_matters_only_where_it_is_read(tmp_path: Path) -> None:
    plant(tmp_path, {"a.plan.json": CLEAN})
    assert shell("<&-", ["check", "a.plan.json"], tmp_path).returncode == 0
    ran = shell("<&-", ["check", "-"], tmp_path)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == "plancheck: standard input is closed, so there is nothing to read.\n"


# ---- what is in a name -----------------------------------------------------------------------------------------------

LOUD = "\x1b[31m\x07"
PLAN = FAULTY.replace("ledger", "led\\u001b[31m\\u0007ger")


@pytest.mark.parametrize(
    "args",
    [
        ["check"],
        *(["check", "--format", name] for name in ("text", "json", "github", "markdown")),
        ["check", "--diff", "--unsafe"],
        ["report"],
        ["report", "--format", "markdown"],
        ["graph"],
        ["graph", "--format", "dot"],
        ["gate"],
    ],
    ids=" ".join,
)
def test_no_control_character_of_a_plan_or_a_name_reaches_the_terminal(tmp_path: Path, args: list[str]) -> None:
    name = f"a{LOUD}.plan.json"
    plant(tmp_path, {name: PLAN, f"missing{LOUD}/x": ""})
    for path in (name, f"missing{LOUD}/y"):
        ran = plancheck(*args, path, cwd=tmp_path)
        assert re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f]", ran.out + ran.err) is None


def test_no_control_character_of_an_argument_reaches_the_terminal(tmp_path: Path) -> None:
    for args in ([LOUD], ["explain", LOUD], ["check", "--format", LOUD], ["check", "--select", LOUD, "x"]):
        ran = plancheck(*args, cwd=tmp_path)
        assert ran.code == 2
        assert "\x1b" not in ran.err


def test_github_shows_what_it_neutralises(tmp_path: Path) -> None:
    plant(tmp_path, {f"a{LOUD}.plan.json": PLAN})
    out = plancheck("check", "--format", "github", ".", cwd=tmp_path).out
    assert out.startswith("::warning file=a\\x1b[31m\\x07.plan.json,line=2,")
    assert "`led\\x1b[31m\\x07ger`" in out


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("é ☃ 𝒳", "é ☃ 𝒳"),
        ("a\tb\nc\x1b\x7f", "a\\x09b\\x0ac\\x1b\\x7f"),
        ("\x85\x9b", "\\x85\\x9b"),
        ("\u202e\u2028", "\\u202e\\u2028"),
        (os.fsdecode(b"\xff\x80"), "\\xff\\x80"),
        ("\ud800", "\\ud800"),
    ],
)
def test_one_line(text: str, shown: str) -> None:
    assert one_line(text) == shown
    assert lines(f"{text}\nx") == (f"{shown}\nx" if "\n" not in text else "a\\x09b\nc\\x1b\\x7f\nx")


def test_a_folder_with_a_name_that_is_not_utf8_is_checked_but_for_that(tmp_path: Path) -> None:
    plant(tmp_path, {"a.plan.json": FAULTY, "c.plan.json": CLEAN})
    (tmp_path / os.fsdecode(b"b\xff.plan.json")).write_text(CLEAN)
    (tmp_path / "d.plan.json").symlink_to("d.plan.json")
    ran = plancheck("check", "--quiet", ".", cwd=tmp_path)
    assert ran.code == 2
    assert ran.out.startswith("a.plan.json:2:")
    assert ran.err.splitlines() == [
        "plancheck: b\\xff.plan.json: its name is not UTF-8, so it was not checked: rename it.",
        "plancheck: d.plan.json: this symbolic link leads back to itself.",
    ]
    named = plancheck("check", "--format", "json", os.fsdecode(b"b\xff.plan.json"), cwd=tmp_path)
    assert (named.code, len(named.json["files"])) == (0, 1)


def test_a_pipe_is_read_where_it_is_named_and_not_waited_for_where_it_is_found(tmp_path: Path) -> None:
    plant(tmp_path, {"a.plan.json": CLEAN})
    pipe = tmp_path / "b.plan.json"
    os.mkfifo(pipe)
    assert plancheck("check", ".", cwd=tmp_path) == (
        2,
        "1 file checked: 1 not checked.\n",
        "plancheck: b.plan.json: this is a pipe, not a file.\n",
    )
    writer = threading.Thread(target=pipe.write_text, args=(FAULTY,))
    writer.start()
    assert plancheck("check", "--quiet", pipe, cwd=tmp_path).out.startswith(f"{pipe}:2:")
    writer.join()
    assert plancheck("check", "--config", pipe, "a.plan.json", cwd=tmp_path) == (
        2,
        "",
        f"plancheck: {pipe}: this is a pipe, not a file.\n",
    )
