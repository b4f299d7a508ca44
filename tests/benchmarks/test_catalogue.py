"""What catalogues of tools cost in the editor, in the same run as VS Code's JSON server: `make bench`."""

from __future__ import annotations

import json
import statistics
import time
from pathlib import Path
from typing import Any

from benchmarks.measure import show
from benchmarks.test_lsp import CAPABILITIES, json_server, peer  # noqa: F401 - a fixture that sets the peer up
from lsp.wire import Wire, replace

STEPS, TOOLS = 1_000, 300


def catalogue(tools: int, description: str = "Does something.") -> str:
    properties: dict[str, Any] = {
        "note": {"type": "string", "maxLength": 200},
        "n": {"type": "integer", "minimum": 0},
        "mode": {"enum": ["fast", "slow"]},
        "input": {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "array"}}},
    }
    schema = {"type": "object", "properties": properties, "required": ["note", "n"], "additionalProperties": False}
    listed = [{"name": f"tool{i}", "description": description, "inputSchema": schema} for i in range(tools)]
    return json.dumps({"tools": listed}, indent=1)


def plan(steps: int) -> str:
    rows = []
    for i in range(steps):
        call: dict[str, Any] = {"id": f"s{i}", "tool": f"tool{i % TOOLS}", "args": {"note": f"agent{i % 7}", "n": i}}
        call["args"]["mode"] = "fast"
        if i:
            call["args"]["input"] = f"{{{{s{i - 1}.result.value}}}}"
            call["depends_on"] = [f"s{i - 1}"]
        rows.append(json.dumps(call))
    return '{"goal": "measure", "steps": [\n' + ",\n".join(rows) + "\n]}\n"


def folder_with(tmp_path: Path, tools: str) -> str:
    (tmp_path / "plancheck.toml").write_text('tools = ["tools.json"]\n')
    (tmp_path / "tools.json").write_text(tools)
    (tmp_path / "big.plan.json").write_text(plan(STEPS))
    return (tmp_path / "big.plan.json").as_uri()


def test_typing_an_argument_with_a_catalogue_of_three_hundred_tools(tmp_path: Path) -> None:
    uri, text = folder_with(tmp_path, catalogue(TOOLS)), plan(STEPS)
    line = STEPS // 2
    start = text.split("\n")[line].index('"agent')
    times: list[list[float]] = [[], []]
    with Wire() as ours, json_server("steps") as peer_server:
        ours.start(CAPABILITIES, tmp_path)
        for wire in (ours, peer_server):
            wire.open(uri, text)
            assert wire.pull(uri)["items"] == []
        word = text.split("\n")[line][start:].split('"')[1]
        for version in range(2, 102):
            before, after = (f'"{word}"', f'"{word}x"') if version % 2 == 0 else (f'"{word}x"', f'"{word}"')
            for wire, found in zip((ours, peer_server), times, strict=True):
                begin = time.perf_counter()
                wire.change(uri, version, replace(line, start, start + len(before), after))
                wire.pull(uri)
                found.append(time.perf_counter() - begin)
    mine, other = (statistics.median(found) for found in times)
    print(f"\n  {1000 * mine:.2f} ms against {1000 * other:.2f} ms", end="")
    show(f"edit of an argument, {STEPS} steps, {TOOLS} tools", mine / other, 0.25)


def test_a_catalogue_of_five_megabytes_holds_nothing_up(tmp_path: Path) -> None:
    """Another request is answered while it is read."""
    tools = catalogue(4_800, "Does something that takes a while to say. " * 12)
    assert len(tools) > 5_000_000
    uri = folder_with(tmp_path, catalogue(TOOLS))
    small = (tmp_path / "small.plan.json").as_uri()
    with Wire() as wire:
        wire.start(CAPABILITIES, tmp_path)
        wire.open(uri, plan(STEPS))
        wire.open(small, plan(3))
        wire.pull(uri)
        (tmp_path / "tools.json").write_text(tools)
        wire.open((tmp_path / "tools.json").as_uri(), tools)
        slowest = 0.0
        for _ in range(200):
            begin = time.perf_counter()
            position = {"line": 1, "character": 4}
            wire.request("textDocument/hover", {"textDocument": {"uri": small}, "position": position})
            slowest = max(slowest, time.perf_counter() - begin)
            time.sleep(0.01)
    show("ms until another request is answered", 1000 * slowest, 100)
