"""Files that come and go: what is shown of them goes with them, watchers and memory follow."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path
from typing import Any

import pytest

from lsp.plans import FAULTY, HEALTHY
from lsp.test_policies import until_published
from lsp.test_workspace import ACCEPTING, BROKEN, CONFIGURABLE, changed, pull_workspace
from lsp.wire import PULL, Wire
from plancheck.lsp.identity import file_at
from plancheck.lsp.server import Server

ANSWERS = {**ACCEPTING, "workspace/configuration": lambda params: [None] * len(params["items"])}


# ---- problems that are no more


def test_the_problems_of_a_removed_configuration_are_taken_back(tmp_path: Path) -> None:
    configuration = tmp_path / "plancheck.toml"
    configuration.write_text(BROKEN)
    with Wire() as wire:
        wire.start(PULL, tmp_path)
        assert pull_workspace(wire)[configuration.as_uri()]["items"]
        configuration.unlink()
        changed(wire, configuration, 3)
        assert pull_workspace(wire)[configuration.as_uri()]["items"] == []
        assert configuration.as_uri() not in pull_workspace(wire), "said once"


def test_a_renamed_plan_is_taken_back_although_the_editor_kept_no_id(tmp_path: Path) -> None:
    old, new = tmp_path / "old.plan.json", tmp_path / "new.plan.json"
    old.write_text(FAULTY)
    with Wire() as wire:
        wire.start(PULL, tmp_path)
        wire.open(old.as_uri(), FAULTY)
        assert wire.pull(old.as_uri())["items"]
        wire.notify("textDocument/didClose", {"textDocument": {"uri": old.as_uri()}})
        old.rename(new)
        changed(wire, old, 3)
        changed(wire, new, 1)
        reports = pull_workspace(wire)
        assert reports[old.as_uri()]["items"] == []
        assert reports[new.as_uri()]["items"]


def test_a_removed_policy_is_taken_back(tmp_path: Path) -> None:
    policy = tmp_path / "plan-policy.yaml"
    policy.write_text("max_step: 5\n")
    (tmp_path / "x.plan.json").write_text(HEALTHY)
    with Wire() as wire:
        wire.start(PULL, tmp_path)
        assert pull_workspace(wire)[policy.as_uri()]["items"]
        policy.unlink()
        changed(wire, policy, 3)
        assert pull_workspace(wire)[policy.as_uri()]["items"] == []


def test_a_policy_that_a_configuration_names_may_come_later(tmp_path: Path) -> None:
    policy, plan = tmp_path / "ours.yaml", tmp_path / "x.plan.json"
    (tmp_path / "plancheck.toml").write_text('policy = ["ours.yaml"]\n')
    plan.write_text('{"goal": "g", "steps": [{"id": "a", "tool": "pay", "args": {}}]}')
    with Wire() as wire:
        wire.start(root=tmp_path)
        assert "Not checked" in wire.published(policy.as_uri())[0]["message"]
        policy.write_text("allow_tools: [look]\n")
        changed(wire, policy, 1)
        until_published(wire, plan.as_uri(), ["tool_deny"])
        assert wire.published(policy.as_uri()) == []


# ---- memory


async def test_what_is_known_of_a_deleted_plan_is_forgotten(tmp_path: Path) -> None:
    path = tmp_path / "x.plan.json"
    path.write_text(FAULTY)
    server = Server()
    server.session.add_folder(tmp_path.as_uri())
    (file,) = await server.plan_files.all()
    assert file == file_at(str(path))
    checked, snapshot = await server.plan_files.check(file), await server.plan_files.snapshot(file)
    assert checked is not None
    assert checked.items
    known = weakref.ref(snapshot)
    del checked, snapshot
    gc.collect()
    assert known() is not None
    path.unlink()
    server.plan_files.changed()
    assert await server.plan_files.all() == []
    gc.collect()
    assert known() is None
    assert await server.plan_files.check(file) is None


# ---- watchers


def registered(wire: Wire) -> dict[str, set[str]]:
    """The globs that are being watched, by the id of the registration."""
    found: dict[str, set[str]] = {}
    for message in wire.log:
        params: Any = message.get("params")
        if message.get("method") == "client/registerCapability":
            for registration in params["registrations"]:
                watchers = registration["registerOptions"].get("watchers", ())
                if watchers:
                    assert registration["id"] not in found
                    found[registration["id"]] = {watcher["globPattern"] for watcher in watchers}
        elif message.get("method") == "client/unregisterCapability":
            for registration in params["unregisterations"]:
                del found[registration["id"]]
    return found


def test_watchers_follow_the_configuration(tmp_path: Path) -> None:
    configuration = tmp_path / "plancheck.toml"
    with Wire(answers=ANSWERS) as wire:
        wire.start(CONFIGURABLE, tmp_path)
        wire.quiet(1)
        (globs,) = registered(wire).values()
        assert "**/*.plan.json" in globs
        configuration.write_text('include = ["flows/*.json"]\npolicy = ["rules/ours.yaml"]\n')
        changed(wire, configuration, 1)
        wire.until(lambda message: message.get("method") == "client/unregisterCapability")
        (globs,) = registered(wire).values()
        assert {"**/flows/*.json", "**/ours.yaml", "**/plancheck.toml", "**/plan-policy.yaml"} <= globs
        assert "**/*.plan.json" not in globs
        before = len(wire.log)
        configuration.write_text('include = ["flows/*.json"]\npolicy = ["rules/ours.yaml"]\nmax-findings = 7\n')
        changed(wire, configuration, 2)
        wire.quiet(0.5)
        assert not any("Capability" in message.get("method", "") for message in wire.log[before:])


def test_watchers_follow_a_configuration_that_comes_to_light_on_the_way(tmp_path: Path) -> None:
    nested = tmp_path / "deep"
    nested.mkdir()
    (nested / "plancheck.toml").write_text('include = ["flows/*.json"]\npolicy = ["rules/ours.yaml"]\n')
    with Wire(answers=ANSWERS) as wire:
        wire.start({**CONFIGURABLE, **PULL, "workspace": {**CONFIGURABLE["workspace"]}}, tmp_path)
        wire.quiet(1)
        pull_workspace(wire)
        wire.quiet(1)
        (globs,) = registered(wire).values()
        assert {"**/flows/*.json", "**/ours.yaml"} <= globs


# ---- broken JSON


@pytest.mark.parametrize("text", ['{"nodes": [', '{"nodes": [], "nodes": []}'])
def test_what_the_editor_reports_of_open_files_is_reported_of_closed_ones(tmp_path: Path, text: str) -> None:
    plan = tmp_path / "broken.plan.json"
    plan.write_text(text)
    codes = {"syntax_error", "duplicate_key"}
    with Wire() as wire:
        wire.start(PULL, tmp_path, options={"reportedByEditor": sorted(codes)})

        def reported(items: list[Any]) -> bool:
            return bool(codes & {item["code"] for item in items})

        assert reported(pull_workspace(wire)[plan.as_uri()]["items"])
        wire.open(plan.as_uri(), text)
        assert not reported(wire.pull(plan.as_uri())["items"])
        wire.notify("textDocument/didClose", {"textDocument": {"uri": plan.as_uri()}})
        assert reported(pull_workspace(wire)[plan.as_uri()]["items"])


def test_broken_text_is_not_fine_where_the_user_switched_syntax_errors_off(tmp_path: Path) -> None:
    """Open, it is left to the editor's own check; closed, nobody else looks at it."""
    plan = tmp_path / "broken.plan.json"
    plan.write_text('{"nodes": [')
    options = {"reportedByEditor": ["syntax_error"], "rules": {"syntax_error": "off"}}
    with Wire() as wire:
        wire.start(PULL, tmp_path, options=options)
        closed = [item["message"] for item in pull_workspace(wire)[plan.as_uri()]["items"]]
        assert closed[0].startswith("Not checked: This text is not JSON, and `syntax_error` is switched off")
        wire.open(plan.as_uri(), plan.read_text())
        assert not any("syntax_error" in item["message"] for item in wire.pull(plan.as_uri())["items"])


def test_a_rule_that_the_user_has_set_is_ours_in_open_files_too(tmp_path: Path) -> None:
    plan = tmp_path / "broken.plan.json"
    options = {"reportedByEditor": ["syntax_error"], "rules": {"syntax_error": "warning"}}
    with Wire() as wire:
        wire.start(PULL, tmp_path, options=options)
        wire.open(plan.as_uri(), '{"nodes": [')
        severities = {item["severity"] for item in wire.pull(plan.as_uri())["items"] if item["code"] == "syntax_error"}
        assert severities == {2}
