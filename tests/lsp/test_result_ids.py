"""A result id changes with everything that diagnostics are made from, so that "unchanged" is never wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lsp.plans import FAULTY
from lsp.test_policies import rules, until_published
from lsp.test_workspace import ACCEPTING, changed, pull_workspace
from lsp.wire import PULL, Wire
from plancheck.analysis.finding import Severity
from plancheck.analysis.settings import Settings
from plancheck.lsp.result_ids import result_id, settings_inputs
from plancheck.policy.model import Policy

REFRESHED: dict[str, Any] = {**PULL, "workspace": {"diagnostics": {"refreshSupport": True}}}
BOUNDED = "bounds:\n  pay.amount: [0, 1]\n"


def plan(tool: str) -> str:
    return f'{{"goal": "g", "steps": [{{"id": "a", "tool": "{tool}", "args": {{}}}}]}}\n'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", 'exclude = ["*.plan.json"]\n'),
        ('exclude = ["*.plan.json"]\n', ""),
        ("", 'include = ["*.flow.json"]\n'),
    ],
)
def test_a_plan_that_is_left_out_or_taken_in_is_reported_anew(tmp_path: Path, before: str, after: str) -> None:
    configuration = tmp_path / "plancheck.toml"
    configuration.write_text(before)
    uri = (tmp_path / "x.plan.json").as_uri()
    with Wire(answers=ACCEPTING) as wire:
        wire.start(REFRESHED, tmp_path)
        wire.open(uri, FAULTY)
        first = wire.pull(uri)
        configuration.write_text(after)
        changed(wire, configuration, 2)
        again = wire.pull(uri, first["resultId"])
        assert again["kind"] == "full"
        assert bool(again["items"]) is not bool(first["items"])
        assert wire.pull(uri, again["resultId"])["kind"] == "unchanged"


def test_settings_of_the_editor_that_change_nothing_leave_the_result_as_it_is(tmp_path: Path) -> None:
    uri = (tmp_path / "x.plan.json").as_uri()
    with Wire() as wire:
        wire.start(PULL, tmp_path)
        wire.open(uri, FAULTY)
        first = wire.pull(uri)
        for include, kind in ((["**/*.x"], "unchanged"), ([], "unchanged")):
            wire.notify("workspace/didChangeConfiguration", {"settings": {"plancheck": {"include": include}}})
            assert wire.pull(uri, first["resultId"])["kind"] == kind
        wire.notify("workspace/didChangeConfiguration", {"settings": {"plancheck": {"maxFindings": 1}}})
        assert wire.pull(uri, first["resultId"])["kind"] == "full"


def test_every_setting_is_part_of_the_id() -> None:
    different = [
        Settings(),
        Settings(severities={"unknown_kind": Severity.HINT}),
        Settings(severities={"unknown_kind": None}),
        Settings(max_findings=1),
        Settings(max_file_size=1),
        Settings(policy=Policy()),
        Settings(policy=Policy(max_steps=3)),
    ]
    assert len({result_id(settings_inputs(settings)) for settings in different}) == len(different)
    one = Settings(severities={"unknown_kind": None, "empty_plan": None})
    other = Settings(severities={"empty_plan": None, "unknown_kind": None})
    assert result_id(settings_inputs(one)) == result_id(settings_inputs(other))


# ---- a policy depends on the plans under it


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "plan-policy.yaml").write_text(BOUNDED)
    (tmp_path / "a.plan.json").write_text(plan("look"))
    return tmp_path


def test_the_unused_bound_of_an_open_policy_comes_and_goes_with_an_open_plan(folder: Path) -> None:
    policy, uri = (folder / "plan-policy.yaml").as_uri(), (folder / "a.plan.json").as_uri()
    with Wire() as wire:
        wire.start(root=folder)
        wire.open(policy, BOUNDED)
        until_published(wire, policy, ["policy_unused_bound"])
        wire.open(uri, plan("look"))
        wire.change(uri, 2, {"text": plan("pay")})
        until_published(wire, policy, [])
        wire.change(uri, 3, {"text": plan("look")})
        until_published(wire, policy, ["policy_unused_bound"])


def test_the_unused_bound_of_an_open_policy_comes_and_goes_with_a_plan_on_disk(folder: Path) -> None:
    policy, path = (folder / "plan-policy.yaml").as_uri(), folder / "a.plan.json"
    with Wire() as wire:
        wire.start(root=folder)
        wire.open(policy, BOUNDED)
        until_published(wire, policy, ["policy_unused_bound"])
        path.write_text(plan("pay"))
        changed(wire, path, 2)
        until_published(wire, policy, [])


def test_an_editor_that_asks_is_told_when_a_bound_is_used(folder: Path) -> None:
    policy, uri = (folder / "plan-policy.yaml").as_uri(), (folder / "a.plan.json").as_uri()
    with Wire(answers=ACCEPTING) as wire:
        wire.start(REFRESHED, root=folder)
        wire.open(policy, BOUNDED)
        wire.open(uri, plan("look"))
        pull_workspace(wire)
        first = wire.pull(policy)
        assert rules(first["items"]) == ["policy_unused_bound"]
        wire.quiet(0.5)
        wire.change(uri, 2, {"text": plan("pay")})
        assert refreshed(wire, uri)
        again = wire.pull(policy, first["resultId"])
        assert (again["kind"], again["items"]) == ("full", [])
        wire.change(uri, 3, {"text": plan("pay") + " "})
        assert not refreshed(wire, uri), "nothing is new"


def refreshed(wire: Wire, uri: str) -> bool:
    """Whether a pull of a document makes the server have everything pulled again."""
    before = len(wire.log)
    wire.pull(uri)
    wire.quiet()
    return any(message.get("method") == "workspace/diagnostic/refresh" for message in wire.log[before:])
