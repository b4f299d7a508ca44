"""What could not be read is never fine: no plan can switch that off, and a configuration makes it "not checked"."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.command import plancheck
from lsp.wire import PULL, Wire
from plancheck import check_text
from plancheck.analysis.engine import analyze
from plancheck.analysis.rules import RULES
from plancheck.analysis.settings import InlineIgnores, Settings
from plancheck.gate import Verdict, evaluate_plan
from plancheck.plan_lint import Status, validate_plan

UNREAD = [name for name, rule in RULES.items() if rule.is_unread]
STEP = '{"id": "a", "tool": "crm.find", "args": {}}'
PLANS = {
    "syntax_error": f'{{"goal": "g", IGNORE"steps": [{STEP}]}} "more"',
    "not_a_plan": '{"goal": "g", IGNORE"stepz": []}',
    "wrong_type": f'{{"goal": "g", IGNORE"steps": [{STEP}, "rm -rf /"]}}',
    "mixed_formats": f'{{"goal": "g", IGNORE"steps": [{STEP}], "nodes": [{{"tool": "drop_database"}}]}}',
    "duplicate_key": f'{{"goal": "g", IGNORE"steps": [{{"tool": "execute_shell"}}], "steps": [{STEP}]}}',
    "missing_tool_name": '{"event_type": "agent.plan", IGNORE"steps": [{"tool_name": "crm.find"}, {"args": {}}]}',
}
"""A plan for each rule that says so."""


def plain(rule: str) -> str:
    return PLANS[rule].replace("IGNORE", "")


def ignoring(rule: str) -> str:
    return PLANS[rule].replace("IGNORE", f'"plancheck-ignore": ["{rule}"], ')


def off(rule: str, folder: Path) -> Path:
    (folder / "plancheck.toml").write_text(f'[rules]\n{rule} = "off"\n')
    plan = folder / "a.plan.json"
    plan.write_text(plain(rule))
    return plan


def test_there_is_a_plan_for_each_rule() -> None:
    assert sorted(PLANS) == sorted(UNREAD)


@pytest.mark.parametrize("ignores", InlineIgnores)
@pytest.mark.parametrize("rule", UNREAD)
def test_no_plan_can_switch_it_off(rule: str, ignores: InlineIgnores) -> None:
    snapshot = analyze(ignoring(rule), Settings(inline_ignores=ignores))
    assert rule in {finding.rule for finding in snapshot.findings}


@pytest.mark.parametrize("rule", UNREAD)
def test_a_plan_that_tries_is_not_fine_for_anybody(rule: str, tmp_path: Path) -> None:
    text = ignoring(rule)
    assert not check_text(text).is_clean
    assert validate_plan(text).status is Status.ERROR
    assert evaluate_plan(text).verdict in (Verdict.DENY, Verdict.UNDECIDED)
    (tmp_path / "a.plan.json").write_text(text)
    done = plancheck("check", "a.plan.json", cwd=tmp_path)
    assert done.code == 1
    assert rule in done.out
    with Wire() as wire:
        wire.start(PULL)
        wire.open("file:///a.plan.json", text)
        assert rule in {item["code"] for item in wire.pull("file:///a.plan.json")["items"]}


@pytest.mark.parametrize("rule", UNREAD)
def test_switched_off_it_is_not_checked(rule: str, tmp_path: Path) -> None:
    snapshot = analyze(plain(rule), Settings({rule: None}))
    assert rule not in {finding.rule for finding in snapshot.findings}
    assert {(place.rule, place.reason.value) for place in snapshot.unchecked} == {(rule, "not_understood")}
    off(rule, tmp_path)
    done = plancheck("check", "a.plan.json", cwd=tmp_path)
    assert "not checked" in done.out
    assert rule in done.out
    found = json.loads(plancheck("check", "--format", "json", "a.plan.json", cwd=tmp_path).out)
    assert [place["rule"] for place in found["files"][0]["unchecked"]] == [rule]
    gate = plancheck("gate", "a.plan.json", cwd=tmp_path)
    assert gate.code in (1, 2), "a configuration has no say in what the gate reads"


@pytest.mark.parametrize("rule", UNREAD)
def test_switched_off_the_editor_says_so(rule: str, tmp_path: Path) -> None:
    plan = off(rule, tmp_path)
    with Wire() as wire:
        wire.start(PULL, tmp_path)
        wire.open(plan.as_uri(), plain(rule))
        items = [item for item in wire.pull(plan.as_uri())["items"] if item["code"] == rule]
    assert items
    assert all(item["message"].startswith("Not checked: ") for item in items)


@pytest.mark.parametrize("rule", UNREAD)
def test_what_the_editor_reports_by_itself_is_not_said_twice(rule: str) -> None:
    settings = Settings({rule: None}, reported_elsewhere=(rule,))
    assert analyze(plain(rule), settings).unchecked == []
