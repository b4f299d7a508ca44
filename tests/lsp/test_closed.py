"""Plans that were closed: what VS Code goes on showing of them is put right by the next report on the workspace.

It asks about a document once more as it closes it, and may drop the answer. It also drops what a report on the
workspace says of a file while it waits for that answer, and remembers the result id all the same.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from lsp.plans import FAULTY, HEALTHY
from lsp.test_workspace import changed, pull_workspace
from lsp.wire import PULL, Wire


def close_and_ask(wire: Wire, plan: Path) -> None:
    """What VS Code does when a tab is closed."""
    wire.notify("textDocument/didClose", {"textDocument": {"uri": plan.as_uri()}})
    wire.pull(plan.as_uri())


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    path = tmp_path / "refund.plan.json"
    path.write_text(FAULTY)
    return path


@pytest.mark.parametrize("setting", [False, True])
def test_a_plan_put_right_and_closed_has_no_problems_any_more(plan: Path, setting: bool) -> None:
    with Wire() as wire:
        wire.start(PULL, plan.parent, options={"workspaceDiagnostics": setting})
        wire.open(plan.as_uri(), FAULTY)
        assert wire.pull(plan.as_uri())["items"]
        plan.write_text(HEALTHY)
        changed(wire, plan, 2)
        close_and_ask(wire, plan)
        assert pull_workspace(wire)[plan.as_uri()]["items"] == []


@pytest.mark.parametrize("setting", [False, True])
def test_a_plan_deleted_while_it_was_open_has_no_problems_any_more(plan: Path, setting: bool) -> None:
    with Wire() as wire:
        wire.start(PULL, plan.parent, options={"workspaceDiagnostics": setting})
        wire.open(plan.as_uri(), FAULTY)
        assert wire.pull(plan.as_uri())["items"]
        plan.unlink()
        changed(wire, plan, 3)
        close_and_ask(wire, plan)
        assert pull_workspace(wire)[plan.as_uri()]["items"] == []
        assert pull_workspace(wire) == {}, "said once"


def test_a_closed_plan_is_left_alone_where_plans_that_are_not_open_are(plan: Path) -> None:
    with Wire() as wire:
        wire.start(PULL, plan.parent, options={"workspaceDiagnostics": False})
        wire.open(plan.as_uri(), FAULTY)
        assert wire.pull(plan.as_uri())["items"]
        close_and_ask(wire, plan)
        assert pull_workspace(wire)[plan.as_uri()]["items"] == []
        assert pull_workspace(wire) == {}, "said once"


def test_a_report_that_came_while_a_plan_was_being_closed_is_made_again(plan: Path) -> None:
    with Wire() as wire:
        wire.start(PULL, plan.parent)
        wire.open(plan.as_uri(), HEALTHY)
        assert wire.pull(plan.as_uri())["items"] == []
        wire.notify("textDocument/didClose", {"textDocument": {"uri": plan.as_uri()}})
        dropped = pull_workspace(wire)[plan.as_uri()]
        wire.pull(plan.as_uri())
        ids = {plan.as_uri(): dropped["resultId"]}
        assert pull_workspace(wire, ids)[plan.as_uri()]["items"] == dropped["items"]
        assert pull_workspace(wire, ids)[plan.as_uri()]["kind"] == "unchanged"
