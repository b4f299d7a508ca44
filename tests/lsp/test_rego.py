"""Rego policies in the editor: shown while either file is typed, and nothing else ever waits for them."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lsp.test_policies import rules, until_published
from lsp.test_workspace import ACCEPTING, CONFIGURABLE
from lsp.wire import Wire, replace
from rego.engines import NAMES, opa_program

POLICY = """\
package plancheck

# A payment needs an approval before it.
deny if {
	some position, step in input.steps
	startswith(step.tool_name, "payments.")
	not approved_before(position)
}

approved_before(position) if {
	some earlier, step in input.steps
	earlier < position
	step.tool_name == "approvals.request"
}

requires_hitl contains "A large payment." if {
	some step in input.steps
	step.args.amount > 1000
}
"""
PLAN = """\
[
  {"tool_name": "crm.find", "args": {"name": "Ada"}},
  {"tool_name": "payments.send", "args": {"account": "A1", "amount": 10}}
]
"""
APPROVED = PLAN.replace("crm.find", "approvals.request")
ENDLESS = """\
package plancheck

deny if {
	some a in numbers.range(1, 3000)
	some b in numbers.range(1, 3000)
	some c in numbers.range(1, 3000)
	a + b + c == 0
}
"""
MESSAGE = "A payment needs an approval before it."


def opa() -> str:
    program = opa_program()
    if program is None:
        pytest.skip("there is no opa: install one, or Go and run scripts/set-up-opa.sh")
    return program


@pytest.fixture
def wire() -> Iterator[Wire]:
    with Wire(answers=ACCEPTING) as connected:
        yield connected


def place(folder: Path, policy: str = POLICY) -> tuple[str, str]:
    """A policy on disk; its address, and that of a plan beside it that is not on disk."""
    (folder / "plan-policy.rego").write_text(policy)
    return (folder / "a.plan.json").as_uri(), (folder / "plan-policy.rego").as_uri()


@pytest.mark.parametrize("engine", NAMES)
def test_a_plan_is_judged_while_it_is_typed(tmp_path: Path, wire: Wire, engine: str) -> None:
    plan, policy = place(tmp_path)
    wire.start(root=tmp_path, options={"opa": opa()} if engine == "opa" else None, capabilities=RELATED)
    wire.open(plan, PLAN)
    (item,) = until_published(wire, plan, ["rego_deny"])
    assert (item["message"], item["severity"]) == (MESSAGE, 1)
    assert item["range"] == {"start": {"line": 2, "character": 16}, "end": {"line": 2, "character": 31}}
    assert item["relatedInformation"] == [
        {
            "location": {
                "uri": policy,
                "range": {"start": {"line": 3, "character": 0}, "end": {"line": 3, "character": 4}},
            },
            "message": "the rule `plancheck.deny`",
        }
    ]
    wire.change(plan, 2, replace(1, 17, 25, "approvals.request"))
    until_published(wire, plan, [])
    wire.change(plan, 3, replace(2, 69, 71, "5000"))
    until_published(wire, plan, ["rego_needs_human"])


RELATED: dict[str, Any] = {"textDocument": {"publishDiagnostics": {"relatedInformation": True}}}


def test_previous_findings_stay_with_their_step_until_the_new_ones_are_there(tmp_path: Path, wire: Wire) -> None:
    plan, _ = place(tmp_path)
    wire.start(root=tmp_path)
    wire.open(plan, PLAN)
    until_published(wire, plan, ["rego_deny"])
    wire.change(plan, 2, replace(0, 1, 1, '\n  {"tool_name": "crm.find", "args": {"name": "Bo"}},'))
    items = wire.published(plan, 2)
    assert [(item["code"], item["range"]["start"]["line"]) for item in items] == [("rego_deny", 3)]
    wire.change(plan, 3, replace(3, 0, 73, ""), replace(2, 52, 53, ""))
    items = wire.published(plan, 3)
    assert rules(items) == []  # the step that it was about has gone


def test_a_policy_is_in_force_while_it_is_typed(tmp_path: Path, wire: Wire) -> None:
    plan, policy = place(tmp_path)
    wire.start(root=tmp_path, options={"opa": opa()})
    wire.open(plan, PLAN)
    until_published(wire, plan, ["rego_deny"])
    wire.open(policy, POLICY)
    wire.change(policy, 2, {"text": POLICY.replace('"payments."', '"shell."')})
    until_published(wire, plan, [])
    wire.change(policy, 3, {"text": POLICY.replace("deny if {", "deny if {{")})
    items = until_published(wire, plan, ["rego_syntax"])
    assert items[0]["message"].startswith("Not checked: The policy plan-policy.rego cannot be evaluated")
    (item,) = until_published(wire, policy, ["rego_syntax"])
    assert item["range"]["start"] == {"line": 4, "character": 1}
    wire.notify("textDocument/didClose", {"textDocument": {"uri": policy}})
    until_published(wire, plan, ["rego_deny"])


def test_a_policy_that_changes_on_disk_checks_open_plans_again(tmp_path: Path, wire: Wire) -> None:
    plan, policy = place(tmp_path)
    wire.start(root=tmp_path)
    wire.open(plan, PLAN)
    until_published(wire, plan, ["rego_deny"])
    (tmp_path / "plan-policy.rego").write_text(POLICY.replace('"payments."', '"shell."'))
    wire.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": policy, "type": 2}]})
    until_published(wire, plan, [])


def test_a_folder_of_policies_is_watched_and_its_mistakes_are_shown(tmp_path: Path, wire: Wire) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules/one.rego").write_text(POLICY)
    (tmp_path / "rules/two.rego").write_text("package plancheck\n\nhelper := no_such_thing\n")
    (tmp_path / "plancheck.toml").write_text('policy = ["rules/"]\n')
    (tmp_path / "a.plan.json").write_text(PLAN)
    wire.start({"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}}, root=tmp_path)
    until_published(wire, (tmp_path / "rules/two.rego").as_uri(), ["rego_error"])
    watched = [m["params"] for m in wire.log if m.get("method") == "client/registerCapability"]
    globs = [glob["globPattern"] for glob in watched[-1]["registrations"][0]["registerOptions"]["watchers"]]
    assert "**/*.rego" in globs
    (tmp_path / "rules/two.rego").write_text("package plancheck\n\nhelper := 1\n")
    change = {"uri": (tmp_path / "rules/two.rego").as_uri(), "type": 2}
    wire.notify("workspace/didChangeWatchedFiles", {"changes": [change]})
    until_published(wire, (tmp_path / "a.plan.json").as_uri(), ["rego_deny"])


def test_an_engine_that_is_not_there_is_said(tmp_path: Path, wire: Wire) -> None:
    plan, _ = place(tmp_path)
    wire.start(root=tmp_path, options={"opa": "/no/such/opa"})
    wire.open(plan, PLAN)
    (item,) = until_published(wire, plan, ["rego_error"])
    assert "There is no opa at `/no/such/opa`" in item["message"]


def test_another_engine_is_asked_when_the_setting_changes(tmp_path: Path, wire: Wire) -> None:
    plan, _ = place(tmp_path)
    (tmp_path / "closed.plan.json").write_text(PLAN)
    wire.start(root=tmp_path, options={"opa": "/no/such/opa"})
    wire.open(plan, PLAN)
    until_published(wire, plan, ["rego_error"])
    wire.notify("workspace/didChangeConfiguration", {"settings": {"plancheck": {"opa": opa()}}})
    until_published(wire, plan, ["rego_deny"])
    closed = (tmp_path / "closed.plan.json").as_uri()
    published = [m["params"] for m in wire.log if m.get("method") == "textDocument/publishDiagnostics"]
    last = [params["diagnostics"] for params in published if params["uri"] == closed][-1:]
    if [rules(items) for items in last] != [["rego_deny"]]:
        until_published(wire, closed, ["rego_deny"])


# ---- where the rule stands -------------------------------------------------------------------------------------------


def at(uri: str, line: int, character: int) -> dict[str, Any]:
    return {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}


def test_hover_shows_the_rule_and_definition_leads_there(tmp_path: Path, wire: Wire) -> None:
    plan, policy = place(tmp_path)
    wire.start(root=tmp_path)
    wire.open(plan, PLAN)
    until_published(wire, plan, ["rego_deny"])
    shown = wire.request("textDocument/hover", at(plan, 2, 20))["contents"]["value"]
    assert "**Rule** `plancheck.deny` (`plan-policy.rego`, line 4)" in shown
    assert "```rego\ndeny if {\n\tsome position" in shown
    assert "**Rule**" not in wire.request("textDocument/hover", at(plan, 1, 20))["contents"]["value"]
    found = wire.request("textDocument/definition", at(plan, 2, 20))
    assert [(way["uri"], way["range"]["start"]["line"]) for way in found] == [(plan, 2), (policy, 3)]
    assert [way["uri"] for way in wire.request("textDocument/definition", at(plan, 1, 20))] == [plan]


def test_a_lens_says_how_many_plans_a_rule_is_against(tmp_path: Path, wire: Wire) -> None:
    _, policy = place(tmp_path)
    for number in range(3):
        (tmp_path / f"denied{number}.plan.json").write_text(PLAN)
    (tmp_path / "fine.plan.json").write_text(APPROVED)
    (tmp_path / "large.plan.json").write_text(APPROVED.replace("10}", "5000}"))
    refreshing = {"workspace": {"codeLens": {"refreshSupport": True}}}
    wire.start(refreshing, root=tmp_path)
    wire.open(policy, POLICY)
    lenses: list[Any] = []
    for _ in range(100):
        lenses = wire.request("textDocument/codeLens", {"textDocument": {"uri": policy}})
        if lenses:
            break
        time.sleep(0.05)
    titles = [(lens["range"]["start"]["line"], lens["command"]["title"]) for lens in lenses]
    assert titles == [(3, "3 of 5 plans denied"), (15, "1 of 5 plans need a human")]
    assert any(m.get("method") == "workspace/codeLens/refresh" for m in wire.log + wire.quiet())


# ---- an editor that asks ---------------------------------------------------------------------------------------------


def test_an_editor_that_asks_is_told_to_ask_again(tmp_path: Path) -> None:
    plan, _ = place(tmp_path)
    settings = {**ACCEPTING, "workspace/configuration": lambda p: [None] * len(p["items"])}
    with Wire(answers=settings) as wire:
        wire.start(CONFIGURABLE, tmp_path)
        wire.open(plan, PLAN)
        report = wire.pull(plan)
        for _ in range(50):
            if rules(report["items"]) == ["rego_deny"]:
                break
            wire.until(lambda m: m.get("method") == "workspace/diagnostic/refresh")
            report = wire.pull(plan)
        assert rules(report["items"]) == ["rego_deny"]
        assert wire.pull(plan, report["resultId"])["kind"] == "unchanged"


# ---- hostile policies ------------------------------------------------------------------------------------------------


def children(pid: int) -> list[str]:
    """The processes that a process started, by their commands."""
    shown = subprocess.run(["ps", "-o", "args=", "--ppid", str(pid)], capture_output=True, text=True, check=False)
    return shown.stdout.splitlines()


def test_an_endless_policy_holds_nothing_up(tmp_path: Path, wire: Wire) -> None:
    plan, _ = place(tmp_path, ENDLESS)
    wire.start(root=tmp_path, options={"opa": opa()})
    wire.open(plan, PLAN.replace("crm.find", "run_command"))
    until_published(wire, plan, ["blocked_tool"])
    slowest = 0.0
    end = time.monotonic() + 2.0
    version = 1
    while time.monotonic() < end:
        started = time.monotonic()
        wire.request("textDocument/hover", at(plan, 1, 20))
        slowest = max(slowest, time.monotonic() - started)
        version += 1
        wire.change(plan, version, replace(2, 69, 71, f"{10 + version % 10}"))
        time.sleep(0.05)
    assert slowest < 0.1
    items = until_published(wire, plan, ["rego_error", "blocked_tool"])
    assert "was stopped" in items[0]["message"]


def test_the_engine_is_gone_when_the_server_is(tmp_path: Path) -> None:
    plan, _ = place(tmp_path, ENDLESS)
    with Wire(answers=ACCEPTING) as wire:
        wire.start(root=tmp_path, options={"opa": opa()})
        wire.open(plan, PLAN)
        end = time.monotonic() + 10
        while not any("opa eval" in child for child in children(wire.process.pid)) and time.monotonic() < end:
            time.sleep(0.02)
        assert any("opa eval" in child for child in children(wire.process.pid))
        started = time.monotonic()
        assert wire.stop() == 0
        assert time.monotonic() - started < 2
    assert not any("plancheck-opa-" in line for line in children(1)), "it goes on without its server"
