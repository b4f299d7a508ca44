"""Policies in the editor: in force as they are typed, their mistakes shown in them, no pattern holds anything up."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lsp.test_workspace import ACCEPTING, CONFIGURABLE
from lsp.wire import PULL, Wire

POLICY = "allow_tools: [look]\nmax_step: 5\nbounds:\n  nobody.x: [0, 1]\n"
PLAN = '{"goal": "g", "steps": [\n  {"id": "a", "tool": "pay", "args": {"x": 1}}\n]}\n'
HANGS = "deny_tokens_regex: ['(a+)+$']\nbounds: {pay.amount: [0, 10]}\n"
HANGING = '{"goal": "g", "steps": [{"id": "a", "tool": "pay", "args": {"amount": 11, "note": "%s!"}}]}' % ("a" * 60)


@pytest.fixture
def wire() -> Iterator[Wire]:
    with Wire(answers=ACCEPTING) as connected:
        yield connected


def rules(items: list[dict[str, Any]]) -> list[str]:
    return [item["code"] for item in items]


def until_published(wire: Wire, uri: str, expected: list[str]) -> list[dict[str, Any]]:
    """The diagnostics once they are what is expected; what is published before that does not count."""
    end = time.monotonic() + 20
    while time.monotonic() < end:
        items = wire.published(uri)
        if rules(items) == expected:
            return items
    raise AssertionError(f"never published for {uri}: {expected}")


def test_a_policy_on_disk_is_in_force_and_checked_itself(tmp_path: Path, wire: Wire) -> None:
    (tmp_path / "plan-policy.yaml").write_text(POLICY)
    (tmp_path / "a.plan.json").write_text(PLAN)
    wire.start(root=tmp_path)
    plan, policy = (tmp_path / "a.plan.json").as_uri(), (tmp_path / "plan-policy.yaml").as_uri()
    assert rules(wire.published(plan)) == ["policy_fault", "tool_deny"]
    items = until_published(wire, policy, ["policy_unknown_key", "policy_unused_bound"])
    assert items[0]["range"] == {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 8}}
    assert [item["severity"] for item in items] == [1, 4]


def test_a_policy_that_changes_on_disk_checks_open_plans_again(tmp_path: Path, wire: Wire) -> None:
    path = tmp_path / "plan-policy.yaml"
    path.write_text("allow_tools: [look]\n")
    wire.start(root=tmp_path)
    plan = (tmp_path / "a.plan.json").as_uri()
    wire.open(plan, PLAN)
    assert rules(wire.published(plan, 1)) == ["tool_deny"]
    path.write_text("allow_tools: [pay]\n")
    wire.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": path.as_uri(), "type": 2}]})
    until_published(wire, plan, [])
    path.unlink()
    wire.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": path.as_uri(), "type": 3}]})
    until_published(wire, plan, [])


def test_a_policy_is_in_force_while_it_is_typed(tmp_path: Path, wire: Wire) -> None:
    path = tmp_path / "plan-policy.yaml"
    path.write_text("allow_tools: [pay]\n")
    wire.start(root=tmp_path)
    plan, policy = (tmp_path / "a.plan.json").as_uri(), path.as_uri()
    wire.open(plan, PLAN)
    assert rules(wire.published(plan, 1)) == []
    wire.open(policy, "allow_tools: [pay]\n")
    wire.change(policy, 2, {"text": "allow_tools: [look]\nmax_steps: x\n"})
    until_published(wire, policy, ["policy_bad_value"])
    until_published(wire, plan, ["policy_fault", "tool_deny"])
    wire.notify("textDocument/didClose", {"textDocument": {"uri": policy}})
    until_published(wire, plan, [])


def test_a_configuration_may_name_the_policy(tmp_path: Path, wire: Wire) -> None:
    (tmp_path / "plancheck.toml").write_text('policy = ["rules/ours.yaml"]\n')
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "ours.yaml").write_text("allow_tools: [look]\nmax_stepz: 1\n")
    (tmp_path / "a.plan.json").write_text(PLAN)
    wire.start(root=tmp_path)
    assert rules(wire.published((tmp_path / "a.plan.json").as_uri())) == ["policy_fault", "tool_deny"]
    until_published(wire, (tmp_path / "rules" / "ours.yaml").as_uri(), ["policy_unknown_key"])


def test_a_pattern_that_hangs_delays_nothing_and_is_named_in_the_policy(tmp_path: Path, wire: Wire) -> None:
    path = tmp_path / "plan-policy.yaml"
    path.write_text("max_steps: 5\n")
    wire.start(root=tmp_path)
    plan = (tmp_path / "a.plan.json").as_uri()
    wire.open(plan, HANGING)
    assert rules(wire.published(plan, 1)) == []
    path.write_text(HANGS)
    wire.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": path.as_uri(), "type": 2}]})
    until_published(wire, plan, ["bound_violation"])
    shown = time.monotonic()
    items = until_published(wire, path.as_uri(), ["policy_regex_timeout"])
    assert "(a+)+$" in items[0]["message"]
    assert time.monotonic() - shown > 0.15, "the finding waited for the pattern to be stopped"


def test_a_slow_answer_comes_in_later(tmp_path: Path, wire: Wire) -> None:
    (tmp_path / "plan-policy.yaml").write_text("deny_tokens_regex: ['(b+)+$']\n")
    wire.start(root=tmp_path)
    plan = (tmp_path / "a.plan.json").as_uri()
    wire.open(plan, PLAN.replace("1}", '"bbb"}'))
    until_published(wire, plan, ["raw_secret"])


def test_an_editor_that_asks_is_told_to_ask_again(tmp_path: Path, wire: Wire) -> None:
    (tmp_path / "plan-policy.yaml").write_text("deny_tokens_regex: ['(b+)+$']\n")
    wire.start({**PULL, "workspace": {"diagnostics": {"refreshSupport": True}}}, root=tmp_path)
    plan = (tmp_path / "a.plan.json").as_uri()
    wire.open(plan, PLAN.replace("1}", '"bbb"}'))
    assert rules(wire.pull(plan)["items"]) == []
    wire.until(lambda message: message.get("method") == "workspace/diagnostic/refresh")
    assert rules(wire.pull(plan)["items"]) == ["raw_secret"]


def test_policies_are_watched(tmp_path: Path, wire: Wire) -> None:
    (tmp_path / "plancheck.toml").write_text('policy = ["rules/ours.yaml"]\n')
    wire.start({**CONFIGURABLE, "workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}}, root=tmp_path)
    asked = wire.until(lambda message: message.get("method") == "client/registerCapability")
    globs = str(asked["params"]["registrations"])
    assert all(name in globs for name in ("**/plan-policy.yaml", "**/plan-policy.yml", "**/ours.yaml"))
