"""`plancheck check --fix`, `--unsafe` and `--diff`, as a process with real files."""

from __future__ import annotations

import json
import shutil
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cli.command import EXAMPLES, environment, plancheck, plant

FAULTY = """\
{"nodes": [
  {"idx": "0", "agent": "clerk", "kind": "Tool-Call", "reads": "order"},
  {"idx": 1, "agent": "payer", "kind": "tool_call", "reads": ["order"], "writes": ["ledger"]}
]}
"""
SAFE = FAULTY.replace('"0"', "0").replace("Tool-Call", "tool_call").replace('"order"}', '["order"]}')
UNSAFE = SAFE.replace('"writes": ["ledger"]', '"writes": [{"id": "ledger", "creates": true}]')


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    plant(tmp_path, {"a.plan.json": FAULTY})
    return tmp_path / "a.plan.json"


def test_fix_applies_the_safe_fixes_and_shows_the_rest(plan: Path) -> None:
    ran = plancheck("check", "--fix", plan)
    assert ran.code == 0
    assert plan.read_text() == SAFE
    assert "write_with_no_prior_read" in ran.out
    unsafe = "1 fix is unsafe: add --unsafe to apply it.\n"
    assert ran.out.endswith(f"1 file checked, 3 fixes applied: 1 warning.\n{unsafe}")
    assert plancheck("check", "--fix", plan).out.endswith(f"1 file checked, 0 fixes applied: 1 warning.\n{unsafe}")
    assert plan.read_text() == SAFE


def test_exit_codes_are_about_what_is_left(plan: Path) -> None:
    assert plancheck("check", plan).code == 1
    assert plancheck("check", "--fix", "--fail-on", "warning", plan).code == 1
    assert plancheck("check", "--fix", "--unsafe", "--fail-on", "warning", plan).code == 0
    assert plan.read_text() == UNSAFE


def test_json_says_how_many_were_applied_and_which_are_on_offer(plan: Path) -> None:
    (file,) = plancheck("check", "--format", "json", plan).json["files"]
    assert "fixed" not in file
    where = {"start": {"line": 1, "character": 10}, "end": {"line": 1, "character": 13}}
    edits = [{"range": where, "newText": "0"}]
    assert file["findings"][0]["fixes"] == [{"title": "Write `0`", "safe": True, "edits": edits}]
    (file,) = plancheck("check", "--fix", "--format", "json", plan).json["files"]
    assert file["fixed"] == 3
    assert [finding["fixes"][0]["safe"] for finding in file["findings"]] == [False]


def test_diff_shows_what_would_change_and_changes_nothing(plan: Path) -> None:
    ran = plancheck("check", "--diff", "--unsafe", "a.plan.json", cwd=plan.parent)
    assert ran.code == 1  # the errors are still there
    assert plan.read_text() == FAULTY
    assert ran.out.startswith("--- a/a.plan.json\n+++ b/a.plan.json\n@@ -1,4 +1,4 @@\n")
    applied = subprocess.run(["git", "apply", "-"], cwd=plan.parent, input=ran.out.encode(), check=False)
    assert applied.returncode == 0
    assert plan.read_text() == UNSAFE
    assert plancheck("check", "--diff", "--unsafe", "a.plan.json", cwd=plan.parent) == (0, "", "")


@pytest.mark.parametrize(
    "text", [FAULTY.replace("\n", "\r\n"), FAULTY.rstrip("\n"), FAULTY.replace("clerk", "é😀\u2028")]
)
def test_a_diff_of_any_text_can_be_applied(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.plan.json"
    path.write_bytes(text.encode())
    ran = subprocess.run(
        ["git", "apply", "-"],
        cwd=tmp_path,
        input=plancheck("check", "--diff", "a.plan.json", cwd=tmp_path).out.encode(),
        check=False,
    )
    diffed = path.read_bytes()
    path.write_bytes(text.encode())
    plancheck("check", "--fix", "a.plan.json", cwd=tmp_path)
    assert ran.returncode == 0
    assert diffed == path.read_bytes() != text.encode()


def test_standard_input_has_a_diff_but_cannot_be_fixed() -> None:
    ran = plancheck("check", "--diff", "-", stdin=FAULTY.encode())
    assert '+  {"idx": 0, "agent": "clerk", "kind": "tool_call", "reads": ["order"]},\n' in ran.out
    ran = plancheck("check", "--fix", "-", stdin=FAULTY.encode())
    assert (ran.code, ran.out) == (2, "")
    assert "--diff" in ran.err


def test_unsafe_alone_is_a_mistake(plan: Path) -> None:
    ran = plancheck("check", "--unsafe", plan)
    assert ran.code == 2
    assert plan.read_text() == FAULTY


def test_only_selected_rules_are_fixed(plan: Path) -> None:
    plancheck("check", "--fix", "--select", "unknown_kind", plan)
    assert plan.read_text() == FAULTY.replace("Tool-Call", "tool_call")


def test_mode_links_and_byte_order_mark_survive(plan: Path) -> None:
    plan.write_bytes(b"\xef\xbb\xbf" + FAULTY.encode())
    plan.chmod(0o640)
    link = plan.parent / "link.plan.json"
    link.symlink_to(plan)
    assert plancheck("check", "--fix", link).code == 0
    assert link.is_symlink()
    assert plan.read_bytes() == b"\xef\xbb\xbf" + SAFE.encode()
    assert stat.S_IMODE(plan.stat().st_mode) == 0o640
    assert sorted(path.name for path in plan.parent.iterdir()) == ["a.plan.json", "link.plan.json"]


def test_a_file_that_cannot_be_written_stays_and_is_named(plan: Path) -> None:
    """The folder has no room for the new file next to the old one: its name would be too long."""
    long = plan.parent / ("x" * 240 + ".plan.json")
    plan.rename(long)
    ran = plancheck("check", "--fix", long)
    assert ran.code == 2
    assert "the changes cannot be written" in ran.err
    assert long.read_text() == FAULTY


CHANGED_MEANWHILE = """
import sys
from plancheck.cli.main import run

path, opened = sys.argv[1], []

def change(event, args):
    if event == "open" and args[0] == path:
        opened.append(path)
        if len(opened) == 2:  # the first time it is read, the second time compared
            with open(path, "a") as file:
                file.write("\\n")

sys.addaudithook(change)
sys.exit(run(["check", "--fix", path]))
"""


def test_a_file_that_somebody_changed_meanwhile_is_left_alone(plan: Path) -> None:
    """Somebody else saves the file between the moment it was read and the moment its fixes are to be written."""
    path = plan.resolve()
    done = subprocess.run(
        [sys.executable, "-c", CHANGED_MEANWHILE, path],
        capture_output=True,
        text=True,
        env=environment({}),
        check=False,
    )
    assert path.read_text() == FAULTY + "\n"
    assert done.returncode == 2
    assert "it was changed meanwhile, and is left as it is: try again." in done.stderr
    assert "Traceback" not in done.stderr
    assert list(path.parent.iterdir()) == [path]


def test_broken_files_are_left_alone_and_others_fixed(plan: Path) -> None:
    plant(plan.parent, {"b.plan.json": FAULTY[:-4], "c.plan.json": FAULTY})
    ran = plancheck("check", "--fix", plan.parent)
    assert ran.code == 1
    assert (plan.parent / "b.plan.json").read_text() == FAULTY[:-4]
    assert plan.read_text() == (plan.parent / "c.plan.json").read_text() == SAFE


def test_several_processes_fix_as_one_does(plan: Path) -> None:
    for number in range(6):
        shutil.copy(plan, plan.parent / f"{number}.plan.json")
    ran = plancheck("check", "--fix", "--jobs", "2", plan.parent)
    assert "7 files checked, 21 fixes applied: 7 warnings.\n" in ran.out
    assert ran.out.endswith("7 fixes are unsafe: add --unsafe to apply them.\n")
    assert all(path.read_text() == SAFE for path in plan.parent.iterdir())


def _count(summary: dict[str, Any]) -> int:
    return sum(number for number in summary.values() if isinstance(number, int))


@pytest.mark.parametrize("path", sorted((EXAMPLES / "declared").glob("*faulty*.json")), ids=lambda path: path.name)
def test_faulty_examples_reach_a_fixpoint(tmp_path: Path, path: Path) -> None:
    target = tmp_path / path.name
    shutil.copy(path, target)
    before = _count(plancheck("check", "--format", "json", target).json["summary"])
    plancheck("check", "--fix", "--unsafe", target)
    once = target.read_bytes()
    json.loads(once)
    left = plancheck("check", "--fix", "--unsafe", "--format", "json", target).json["summary"]
    assert target.read_bytes() == once
    assert _count(left) < before
    assert list(tmp_path.iterdir()) == [target]
