"""The server's numbers, as ratios to VS Code's JSON server and to an empty pygls server in one run: `make bench`."""

from __future__ import annotations

import gc
import json
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from benchmarks.measure import show
from benchmarks.shapes import SHAPES, text_of
from lsp.wire import PLANCHECK, PULL, Wire, replace

ROOT = Path(__file__).parents[2]
JSON_SERVER = ROOT / ".cache/peers/node_modules/.bin/vscode-json-language-server"
EMPTY = (sys.executable, str(Path(__file__).parent / "empty_server.py"))
URI = "file:///bench/big.plan.json"
SIZES = (100, 1_000, 10_000)

CAPABILITIES: dict[str, Any] = {**PULL, "workspace": {"configuration": False}}


@pytest.fixture(scope="module", autouse=True)
def peer() -> None:
    assert shutil.which("node"), "node is needed"
    subprocess.run([ROOT / "scripts/set-up-peers.sh"], check=True, capture_output=True)


def tool_steps(steps: int) -> str:
    """A plan of tool steps, each using the result of the one before, one step a line."""
    rows = []
    for i in range(steps):
        call: dict[str, Any] = {"id": f"s{i}", "tool": f"tool{i % 7}", "args": {"note": f"agent{i % 7}", "n": i}}
        if i:
            call["args"]["input"] = f"{{{{s{i - 1}.result.value}}}}"
            call["depends_on"] = [f"s{i - 1}"]
        rows.append(json.dumps(call))
    return '{"goal": "measure", "steps": [\n' + ",\n".join(rows) + "\n]}\n"


def json_server(dialect: str = "declared") -> Wire:
    wire = Wire((str(JSON_SERVER), "--stdio"))
    wire.start(CAPABILITIES)
    schema = json.loads(subprocess.run([*PLANCHECK[:-1], "schema", dialect], check=True, capture_output=True).stdout)
    settings = {"json": {"validate": {"enable": True}, "schemas": [{"fileMatch": ["*.plan.json"], "schema": schema}]}}
    wire.notify("workspace/didChangeConfiguration", {"settings": settings})
    return wire


def our_server() -> Wire:
    wire = Wire()
    wire.start(CAPABILITIES)
    return wire


@pytest.fixture(scope="module", params=[(shape, steps) for steps in SIZES for shape in SHAPES], ids=str)
def opened(request: pytest.FixtureRequest) -> Iterator[tuple[int, str, list[Wire]]]:
    """Both servers with a plan open."""
    shape, steps = request.param
    text = text_of(shape, steps)
    with ExitStack() as stack:
        wires = [stack.enter_context(our_server()), stack.enter_context(json_server())]
        for wire in wires:
            wire.open(URI, text)
            wire.pull(URI)
        yield steps, text, wires


class Edits:
    """The same edit again and again, there and back, at a step in the middle."""

    def __init__(self, text: str, steps: int, old: Callable[[int], str], new: Callable[[int], str]) -> None:
        self.step = steps // 2 + 1
        self.line = self.step + 1
        line = text.split("\n")[self.line]
        self.start = line.index(old(self.step))
        self.words = (old(self.step), new(self.step))

    def apply(self, wire: Wire, version: int) -> float:
        """The seconds from the edit to its diagnostics."""
        before, after = self.words if version % 2 == 0 else self.words[::-1]
        wire.log.clear()  # what our own client has read so far: its collector would walk over all of it, on our time
        start = time.perf_counter()
        wire.change(URI, version, replace(self.line, self.start, self.start + len(before), after))
        wire.pull(URI)
        return time.perf_counter() - start


NAME = (lambda step: f'"agent{step % 7}"', lambda step: f'"agent{step % 7}x"')
RESOURCE = (lambda _: '"]}', lambda _: 'x"]}')  # the one that the step writes
PRODUCER = (lambda step: f'"producer": {step - 1}', lambda step: f'"producer": {step - 2}')
PREDECESSOR = (lambda step: f'"control_preds": [{step - 1}]', lambda step: f'"control_preds": [{step - 2}]')
STRUCTURAL = {"a resource id": RESOURCE, "a producer": PRODUCER, "a control predecessor": PREDECESSOR}
PLAIN_LIMITS = (0.7, 0.25, 0.08)
STRUCTURAL_LIMITS = (0.9, 0.4, 0.25)

_versions: dict[int, int] = {}


def medians(text: str, steps: int, wires: list[Wire], edit: Any, rounds: int) -> list[float]:
    edits = Edits(text, steps, *edit)
    times: list[list[float]] = [[] for _ in wires]
    gc.collect()
    gc.disable()  # as `timeit` does: this process is the client of both, and its garbage is no server's cost
    try:
        for _ in range(rounds):
            for number, wire in enumerate(wires):
                _versions[id(wire)] = version = _versions.get(id(wire), 1) + 1
                times[number].append(edits.apply(wire, version))
    finally:
        gc.enable()
    return [statistics.median(found) for found in times]


@pytest.mark.parametrize(
    ("what", "edit", "limits"),
    [
        ("an agent's name", NAME, PLAIN_LIMITS),
        *((what, edit, STRUCTURAL_LIMITS) for what, edit in STRUCTURAL.items()),
    ],
)
def test_from_an_edit_to_its_diagnostics(
    opened: tuple[int, str, list[Wire]], what: str, edit: Any, limits: tuple[float, ...]
) -> None:
    steps, text, wires = opened
    rounds = {100: 200, 1_000: 100, 10_000: 30}[steps]
    ours, peer = medians(text, steps, wires, edit, rounds)
    print(f"\n  {1000 * ours:.2f} ms against {1000 * peer:.2f} ms", end="")
    show(f"edit of {what}, {steps} steps", ours / peer, limits[SIZES.index(steps)])


@pytest.mark.parametrize("what", STRUCTURAL)
def test_hover_right_after_a_structural_edit(opened: tuple[int, str, list[Wire]], what: str) -> None:
    steps, text, wires = opened
    edits = Edits(text, steps, *STRUCTURAL[what])
    times: list[list[float]] = [[], []]
    for _ in range(20):
        for wire, found in zip(wires, times, strict=True):
            _versions[id(wire)] = version = _versions.get(id(wire), 1) + 1
            edits.apply(wire, version)
            hover_times(wire, URI, text, steps, found)
    ours, peer = (statistics.median(found) for found in times)
    print(f"\n  {1000 * ours:.2f} ms against {1000 * peer:.2f} ms", end="")
    show(f"hover right after an edit of {what}, {steps} steps", ours / peer, 2)


def test_tool_steps_from_an_edit_to_its_diagnostics() -> None:
    """The numbers of declared plans hold for tool steps: a value in an argument, and a reference."""
    steps = 1_000
    text = tool_steps(steps)
    value = (lambda step: f'"agent{step % 7}"', lambda step: f'"agent{step % 7}x"')
    reference = (lambda step: f"{{{{s{step - 1}.", lambda step: f"{{{{s{step - 2}.")
    with our_server() as ours, json_server("steps") as peer:
        for wire in (ours, peer):
            wire.open(URI, text)
            assert wire.pull(URI)["items"] == []
        for what, edit, limit in (("an argument", value, 0.5), ("a reference", reference, 0.6)):
            times = medians(text, steps, [ours, peer], edit, 100)
            show(f"edit of {what}, {steps} tool steps", times[0] / times[1], limit)


def hover_times(wire: Wire, uri: str, text: str, steps: int, times: list[float]) -> None:
    """Add the time of one hover in the middle of a plan."""
    line = steps // 2
    character = text.split("\n")[line].index('"agent"') + 2
    params = {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}
    start = time.perf_counter()
    assert wire.request("textDocument/hover", params) is not None
    times.append(time.perf_counter() - start)


def test_hover(opened: tuple[int, str, list[Wire]]) -> None:
    steps, text, wires = opened
    times: list[list[float]] = [[], []]
    for _ in range(100):
        for wire, found in zip(wires, times, strict=True):
            hover_times(wire, URI, text, steps, found)
    ours, peer = (statistics.median(found) for found in times)
    print(f"\n  {1000 * ours:.2f} ms against {1000 * peer:.2f} ms", end="")
    show(f"hover, {steps} steps", ours / peer, 2)


def test_hover_takes_the_same_in_a_large_plan() -> None:
    sizes = (SIZES[0], SIZES[-1])
    texts = [text_of("documents passed on", steps) for steps in sizes]
    times: list[list[float]] = [[], []]
    with our_server() as wire:
        for steps, text in zip(sizes, texts, strict=True):
            wire.open(f"file:///bench/{steps}.plan.json", text)
        for _ in range(100):
            for steps, text, found in zip(sizes, texts, times, strict=True):
                hover_times(wire, f"file:///bench/{steps}.plan.json", text, steps, found)
    small, large = (statistics.median(found) for found in times)
    show("hover, 10,000 steps against 100", large / small, 2)


def test_memory(opened: tuple[int, str, list[Wire]]) -> None:
    steps, _, wires = opened
    ours, peer = (_resident(wire.process.pid) for wire in wires)
    print(f"\n  {ours / 1024:.0f} MB against {peer / 1024:.0f} MB", end="")
    if steps == SIZES[-1]:
        show("resident memory, 10,000 steps", ours / peer, 1.0)


def _resident(pid: int) -> int:
    """Kilobytes."""
    status = Path(f"/proc/{pid}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))


def test_start() -> None:
    """From the spawn to the answer to `initialize`."""

    def start(command: tuple[str, ...]) -> float:
        begin = time.perf_counter()
        with Wire(command) as wire:
            wire.start(CAPABILITIES)
            return time.perf_counter() - begin

    times: list[list[float]] = [[], []]
    for _ in range(9):
        for number, command in enumerate((PLANCHECK, EMPTY)):
            times[number].append(start(command))
    ours, empty = (min(found) for found in times)
    print(f"\n  {1000 * ours:.0f} ms against {1000 * empty:.0f} ms", end="")
    show("start", ours / empty, 1.15)
