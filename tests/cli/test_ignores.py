"""`plancheck check --add-ignores`, as a process with real files, and over every example there is."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from cli.command import EXAMPLES, FAULTY, plancheck, plant
from plancheck.analysis.engine import analyze
from plancheck.analysis.ignores import can_ignore, ignore_all
from plancheck.analysis.rules import RULES
from plancheck.analysis.settings import InlineIgnores, Profile, Settings
from plancheck.analysis.snapshot import Snapshot

IGNORING = FAULTY.replace('"writes": ["ledger"]}', '"writes": ["ledger"], "plancheck-ignore": [%s]}')
RULE = "write_with_no_prior_read"
SHELL = '[{"tool_name": "execute_shell", "args": {"command": "ls"}}]\n'


def test_a_second_check_is_quiet(tmp_path: Path) -> None:
    plant(tmp_path, {"a.plan.json": FAULTY, "sub/b.plan.json": FAULTY})
    ran = plancheck("check", "--add-ignores", "--fail-on", "hint", ".", cwd=tmp_path)
    assert ran == (0, "2 files checked: no findings.\n2 ignores written.\n", "")
    assert (tmp_path / "a.plan.json").read_text() == IGNORING % f'"{RULE}"'
    assert plancheck("check", "--fail-on", "hint", ".", cwd=tmp_path) == (0, "2 files checked: no findings.\n", "")


def test_with_a_reason(tmp_path: Path) -> None:
    plant(tmp_path, {"a.plan.json": FAULTY})
    plancheck("check", "--add-ignores", "--reason", 'append-only, "é"', "a.plan.json", cwd=tmp_path)
    after = IGNORING % (f'{{"rule": "{RULE}", "reason": "append-only, ' + r"\"é\"" + '"}')
    assert (tmp_path / "a.plan.json").read_text(encoding="utf-8") == after
    assert plancheck("check", "-q", "--fail-on", "hint", ".", cwd=tmp_path) == (0, "", "")


def test_diff_shows_the_changes_only(tmp_path: Path) -> None:
    plant(tmp_path, {"a.plan.json": FAULTY})
    ran = plancheck("check", "--add-ignores", "--diff", "a.plan.json", cwd=tmp_path)
    assert (ran.code, ran.err) == (0, "")
    assert (tmp_path / "a.plan.json").read_text() == FAULTY
    applied = subprocess.run(["git", "apply", "-"], cwd=tmp_path, input=ran.out.encode(), check=False)
    assert applied.returncode == 0
    assert (tmp_path / "a.plan.json").read_text() == IGNORING % f'"{RULE}"'
    ran = plancheck("check", "--add-ignores", "--diff", "-", cwd=tmp_path, stdin=FAULTY.encode())
    assert '+  {"idx": 0, "agent": "clerk", "kind": "tool_call", "reads": ["order"], "writes": ["ledger"], "plan' in (
        ran.out
    )


def test_what_no_plan_can_switch_off_is_said_in_a_line(tmp_path: Path) -> None:
    plant(tmp_path, {"a.calls.json": SHELL, "b.plan.json": '{"nodes": [}', "c.plan.json": FAULTY})
    ran = plancheck("check", "--add-ignores", ".", cwd=tmp_path)
    assert ran.code == 1
    assert ran.out.splitlines()[-2:] == [
        "1 ignore written.",
        "2 findings cannot be ignored in a plan: blocked_tool (1), syntax_error (1).",
    ]
    assert (tmp_path / "a.calls.json").read_text() == SHELL
    assert (tmp_path / "b.plan.json").read_text() == '{"nodes": [}'
    plant(tmp_path, {"plancheck.toml": 'inline-ignores = "all"\n'})
    ran = plancheck("check", "--add-ignores", "a.calls.json", cwd=tmp_path)
    assert ran == (0, "1 file checked: no findings.\n1 ignore written.\n", "")
    plant(tmp_path, {"plancheck.toml": 'inline-ignores = "none"\n', "d.plan.json": FAULTY})
    ran = plancheck("check", "--add-ignores", "-q", "--format", "json", "d.plan.json", cwd=tmp_path)
    assert ran.json["files"][0]["ignored"] == 0
    assert (tmp_path / "d.plan.json").read_text() == FAULTY


def test_only_what_is_selected_and_more_than_is_shown(tmp_path: Path) -> None:
    text = FAULTY.replace('["ledger"]', '["a", "b", "c"], "Scope": []')
    plant(tmp_path, {"a.plan.json": text, "plancheck.toml": "max-findings = 1\n"})
    plancheck("check", "--add-ignores", "--select", "unknown_key", ".", cwd=tmp_path)
    step = json.loads((tmp_path / "a.plan.json").read_text())["nodes"][0]
    assert step["plancheck-ignore"] == ["unknown_key"]
    plancheck("check", "--add-ignores", ".", cwd=tmp_path)
    step = json.loads((tmp_path / "a.plan.json").read_text())["nodes"][0]
    assert step["plancheck-ignore"] == ["unknown_key", RULE]


@pytest.mark.parametrize(
    "args",
    [
        ["--reason", "x", "."],
        ["--add-ignores", "--reason", " ", "."],
        ["--add-ignores", "--fix", "."],
        ["--add-ignores", "--diff", "--unsafe", "."],
        ["--add-ignores", "--no-inline-ignores", "."],
        ["--add-ignores", "-"],
        ["--add-ignores", "--watch", "."],
        ["--add-ignores", "--write-baseline", "--", "."],
    ],
)
def test_what_does_not_go_together_is_one_line(tmp_path: Path, args: list[str]) -> None:
    plant(tmp_path, {"a.plan.json": FAULTY})
    ran = plancheck("check", *args, cwd=tmp_path)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert ran.err.startswith("plancheck check: --")
    assert (tmp_path / "a.plan.json").read_text() == FAULTY


def test_mode_line_ends_and_byte_order_mark_survive(tmp_path: Path) -> None:
    path = tmp_path / "a.plan.json"
    raw = b"\xef\xbb\xbf" + FAULTY.replace("\n", "\r\n").encode()
    path.write_bytes(raw)
    path.chmod(0o640)
    plancheck("check", "--add-ignores", path)
    assert path.read_bytes() == raw.replace(b'["ledger"]}', b'["ledger"], "plancheck-ignore": ["%s"]}' % RULE.encode())
    assert path.stat().st_mode & 0o777 == 0o640


def test_several_processes_and_no_cache_of_what_was_there_before(tmp_path: Path) -> None:
    plant(tmp_path, {f"{number}.plan.json": FAULTY for number in range(20)})
    plancheck("check", ".", cwd=tmp_path)
    ran = plancheck("check", "--add-ignores", "-j", "3", ".", cwd=tmp_path)
    assert ran.out == "20 files checked: no findings.\n20 ignores written.\n"
    assert plancheck("check", ".", cwd=tmp_path).out == "20 files checked: no findings.\n"


# ---- whatever the plan -----------------------------------------------------------------------------------------------


def suppressible(snapshot: Snapshot) -> list[str]:
    """What a plan could switch off, and has not. Where the steps are the whole document, nothing stands around them."""
    return [
        finding.rule
        for finding in snapshot.findings
        if can_ignore(finding.rule, snapshot.settings)
        and (finding.place.step is not None or not snapshot.text.lstrip("\ufeff \t\r\n").startswith("["))
    ]


def check_ignored(text: str, settings: Settings, reason: str | None) -> None:
    before = analyze(text, settings)
    after, added = ignore_all(before, reason)
    if before.has_syntax_errors:
        assert (after.text, added) == (text, 0)
        return
    assert suppressible(after) == []
    assert suppressible(analyze(after.text, settings)) == []
    assert without(json.loads(after.text)) == without(json.loads(text))
    assert {f.rule for f in after.findings} <= {f.rule for f in before.findings}
    assert ignore_all(after, reason)[1] == 0
    assert ignore_all(analyze(after.text, settings), "another")[0].text == after.text


def without(value: Any) -> Any:
    """A document without its ignores."""
    if isinstance(value, dict):
        return {key: without(inner) for key, inner in value.items() if key != "plancheck-ignore"}
    return [without(inner) for inner in value] if isinstance(value, list) else value


SETTINGS = [
    Settings(),
    Settings(profile=Profile.STRICT),
    Settings(profile=Profile.STRICT, inline_ignores=InlineIgnores.ALL, max_findings=2),
]
PLANS = sorted(path for path in EXAMPLES.rglob("*.json") if path.name.endswith((".plan.json", ".trace.json", "s.json")))


@pytest.mark.parametrize("settings", SETTINGS, ids=["usual", "strict", "all"])
@pytest.mark.parametrize("path", PLANS, ids=lambda path: str(path.relative_to(EXAMPLES)))
def test_examples(path: Path, settings: Settings) -> None:
    check_ignored(path.read_text(encoding="utf-8"), settings, None)


@pytest.mark.parametrize("settings", SETTINGS, ids=["usual", "strict", "all"])
@pytest.mark.parametrize("rule", [name for name, rule in RULES.items() if rule.bad.lstrip()[:1] in ("{", "[")])
def test_bad_examples_of_rules(rule: str, settings: Settings) -> None:
    check_ignored(RULES[rule].bad, settings, "known since May")


def test_all_examples_by_the_command(tmp_path: Path) -> None:
    """With their policies and catalogues."""
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    first = plancheck("check", "--add-ignores", ".", cwd=tmp_path)
    texts = {path: path.read_bytes() for path in (tmp_path / "examples").rglob("*.json")}
    second = plancheck("check", "--add-ignores", ".", cwd=tmp_path)
    assert {path: path.read_bytes() for path in texts} == texts
    assert second.out == first.out.replace(
        next(line for line in first.out.splitlines() if line.endswith(" written.")), "0 ignores written."
    )
    left = plancheck("check", "--format", "json", ".", cwd=tmp_path).json
    for file in left["files"]:
        rules = {finding["rule"] for finding in file["findings"]}
        if "syntax_error" not in rules and not (tmp_path / file["path"]).read_text().startswith("["):
            assert [rule for rule in rules if rule in RULES and can_ignore(rule, Settings())] == [], file["path"]
