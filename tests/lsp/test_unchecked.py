"""What could not be checked is shown as such, in every document and however much else there is to show."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from lsp.plans import FAULTY
from lsp.wire import PULL, SERVER_PATH, Wire
from plancheck.analysis.engine import analyze
from plancheck.analysis.finding import Unchecked
from plancheck.analysis.settings import Settings
from plancheck.lsp.convert.findings import diagnostics
from plancheck.plan.model import Place
from plancheck.text import Encoding
from plancheck.unknown import Reason

URI = "file:///tmp/unchecked.plan.json"


@pytest.mark.parametrize(
    ("reason", "severity"),
    [(Reason.RUNTIME, 3), (Reason.NOT_UNDERSTOOD, 2), (Reason.LIMIT, 2), (Reason.FAILURE, 1)],
)
def test_every_reason_has_its_severity(reason: Reason, severity: int) -> None:
    snapshot = analyze(FAULTY, Settings(max_findings=1))
    assert len(snapshot.findings) > 1
    snapshot.unchecked = [
        Unchecked("bound_violation", Place(2, ("idx",)), reason, "the reason why.", step=2, resource="r")
    ]
    items = diagnostics(snapshot, URI, Encoding.UTF16)
    (item,) = [item for item in items if item["code"] == "bound_violation"]
    assert len(items) == 3, "one finding, the note about the others, and what was not checked"
    assert item["severity"] == severity
    assert item["message"] == "Not checked: the reason why."
    assert item["data"] == {
        "rule": "bound_violation",
        "step": 2,
        "resource": "r",
        "pointer": "/nodes/2/idx",
        "unchecked": reason.value,
    }
    assert item["range"]["start"]["line"] == 6, "at its place"
    places = [(item["range"]["start"]["line"], item["range"]["start"]["character"]) for item in items]
    assert places == sorted(places)


def test_a_rule_that_breaks_down_is_an_error_at_the_plan() -> None:
    script = (
        f"import sys\nsys.path.insert(0, {SERVER_PATH!r})\n"
        "from plancheck.analysis.rules import RULES\n"
        "from plancheck.analysis.rule import whole_plan\n"
        "def broken(*_):\n"
        "    raise RuntimeError('broken')\n"
        "    yield\n"
        "name = 'unreachable_step'\n"
        "RULES[name] = RULES[name]._replace(checks=(whole_plan(broken),))\n"
        "from plancheck.lsp.server import main\n"
        "sys.exit(main([]))\n"
    )
    with Wire((sys.executable, "-c", script)) as wire:
        wire.start(PULL)
        wire.open(URI, FAULTY)
        (item,) = [item for item in wire.pull(URI)["items"] if item["code"] == "unreachable_step"]
        assert (item["severity"], item["data"]["unchecked"]) == (1, "failure")
        assert item["message"].startswith("Not checked: ")


def test_a_file_that_cannot_be_read_is_not_taken_for_a_healthy_one(tmp_path: Path) -> None:
    (tmp_path / "x.plan.json").write_bytes(b"\xff")
    with Wire() as wire:
        wire.start(PULL, tmp_path)
        (item,) = wire.pull((tmp_path / "x.plan.json").as_uri())["items"]
        assert (item["severity"], item["data"]) == (1, {"unchecked": "failure"})
        assert item["message"].startswith("Not checked: ")
