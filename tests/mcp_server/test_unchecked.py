"""What could not be checked is never called clean, and is in every answer."""

from __future__ import annotations

from pathlib import Path

import jsonschema
import pytest

from cli.command import CLEAN
from plancheck.mcp_server.judge import read_judge
from plancheck.mcp_server.tools import TOOLS
from plancheck.unknown import Reason
from probe import MESSAGE, NAME, put_in


@pytest.mark.parametrize("reason", Reason)
@pytest.mark.parametrize("tool", ["check_plan", "fix_plan"])
def test_it_is_in_the_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reason: Reason, tool: str) -> None:
    judge = read_judge(str(tmp_path), None, None)
    before = TOOLS[tool].call(judge, {"plan": CLEAN})
    assert before["unchecked"] == []
    put_in(monkeypatch, reason)
    found = TOOLS[tool].call(judge, {"plan": CLEAN})
    jsonschema.validate(found, TOOLS[tool].output_schema)
    assert [(place["rule"], place["reason"], place["message"]) for place in found["unchecked"]] == [
        (NAME, reason.value, MESSAGE)
    ]
    assert found["summary"]["unchecked"] == 1
    assert (before.get("clean"), found.get("clean")) == ((True, False) if tool == "check_plan" else (None, None))
