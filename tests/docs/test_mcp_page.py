"""The settings for clients in docs/mcp.md start a server that answers."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from cli.command import ROOT, environment
from docs.test_pages import blocks
from plancheck.gate import DecisionLog

SETTINGS = [json.loads(block) for _, language, block in blocks(ROOT / "docs/mcp.md") if language == "json"]


@pytest.mark.parametrize("settings", SETTINGS, ids=lambda settings: next(iter(settings)))
async def test_a_client_with_these_settings_has_a_server(settings: dict[str, Any], tmp_path: Path) -> None:
    [servers] = settings.values()
    command, words = servers["plancheck"]["command"], servers["plancheck"]["args"]
    for folder in ("policies", "logs"):
        (tmp_path / folder).mkdir()
    (tmp_path / "policies/agent.yaml").write_text("allow_tools: [crm.find]\n")
    assert command == "plancheck"
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    server = StdioServerParameters(
        command=command,
        args=[word.replace("/home/me", str(tmp_path)) for word in words],
        env=environment({"PATH": path}),
        cwd="/",
    )
    async with Client(stdio_client(server)) as client:
        answer = await client.call_tool("gate_plan", {"plan": '[{"tool_name": "crm.find"}]'})
        assert answer.structured_content["allow"] is True
    logs = list((tmp_path / "logs").iterdir())
    assert [len(list(DecisionLog(log).records())) for log in logs] == [1] * ("--log" in words)


def test_both_kinds_of_settings_are_on_the_page() -> None:
    assert [next(iter(settings)) for settings in SETTINGS] == ["mcpServers", "servers"]
