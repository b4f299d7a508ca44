"""The command itself: its transports, its log and trace, and the requests that are ours alone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from typing import Any

import pytest
from websockets.sync.client import connect

from lsp.doors import INITIALIZE, Door, initialize, message
from lsp.plans import EXAMPLES, FAULTY
from lsp.wire import PLANCHECK, PULL, SERVER_PATH, Wire
from plancheck.lsp.requests.switch_off import switched_off
from plancheck.text import apply_edits
from plancheck.workspace.config import parse_config

URI = "file:///tmp/server.plan.json"
OPEN = {"textDocument": {"uri": URI, "languageId": "json", "version": 1, "text": FAULTY}}
NOTHING = {"error": 0, "warning": 0, "info": 0, "hint": 0}
ENVIRONMENT = {**os.environ, "PYTHONPATH": SERVER_PATH}


def test_over_tcp() -> None:
    with Door("--tcp", "127.0.0.1:0") as door, door.knock() as client:
        client.send(initialize(door.token))
        assert client.receive()["result"]["serverInfo"]["name"] == "plancheck"
        client.send(message(method="initialized", params={}))
        client.send(message(method="textDocument/didOpen", params=OPEN))
        assert client.receive()["params"]["diagnostics"]
        client.send(message(id=2, method="shutdown"))
        assert client.receive()["result"] is None
        client.send(message(method="exit"))
        assert door.ended(0) == ""


def test_over_a_websocket() -> None:
    with Door("--ws", "127.0.0.1:0") as door, connect(door.url(door.token)) as client:
        client.send(message(id=1, method="initialize", params=INITIALIZE))
        assert json.loads(client.recv())["result"]["serverInfo"]["name"] == "plancheck"
        client.send(message(method="initialized", params={}))
        client.send(message(method="textDocument/didOpen", params=OPEN))
        assert json.loads(client.recv())["params"]["diagnostics"]
        client.send(message(id=2, method="shutdown"))
        assert json.loads(client.recv())["result"] is None
        client.send(message(method="exit"))
        assert door.ended(0) == ""


LONGEST = 1 << 30


def test_a_message_longer_than_the_limit_ends_the_server_before_it_is_read() -> None:
    with Wire() as wire:
        wire.start(PULL)
        assert wire.process.stdin is not None
        wire.process.stdin.write(b"Content-Length: %d\r\n\r\n{" % (LONGEST + 1))
        wire.process.stdin.flush()
        assert wire.process.wait(20) == 1
        assert wire.process.stderr is not None
        assert wire.process.stderr.read().decode().endswith(": a message is longer than 1,073,741,824 bytes\n")


def test_a_message_of_the_longest_allowed_length_is_waited_for() -> None:
    with Wire() as wire:
        wire.start(PULL)
        assert wire.process.stdin is not None
        wire.process.stdin.write(b"Content-Length: %d\r\n\r\n{" % LONGEST)
        wire.process.stdin.flush()
        with pytest.raises(subprocess.TimeoutExpired):
            wire.process.wait(0.5)


def test_a_message_of_the_longest_allowed_length_is_waited_for_over_tcp() -> None:
    with Door("--tcp", "127.0.0.1:0") as door, door.knock() as client:
        client.send(initialize(door.token))
        assert client.receive()["result"]
        client.socket.sendall(b"Content-Length: %d\r\n\r\n{" % LONGEST)
        with pytest.raises(subprocess.TimeoutExpired):
            door.process.wait(0.5)


@pytest.mark.parametrize("arguments", [["--tcp", "nowhere"], ["--tcp", "x:99999"], ["--ws"], ["--nonsense"]])
def test_wrong_arguments(arguments: list[str]) -> None:
    done = subprocess.run([*PLANCHECK, *arguments], capture_output=True, text=True, env=ENVIRONMENT, check=False)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_a_port_that_is_taken() -> None:
    arguments = [*PLANCHECK, "--tcp", "203.0.113.1:9", "--allow-remote"]
    done = subprocess.run(arguments, capture_output=True, text=True, env=ENVIRONMENT, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("plancheck lsp: ")
    assert "Traceback" not in done.stderr


def test_the_trace_is_written_where_it_was_asked_for() -> None:
    with Wire() as wire:
        wire.start(PULL)
        wire.notify("$/setTrace", {"value": "verbose"})
        wire.change("file:///unknown.plan.json", 1, {"text": ""})
        trace = wire.until(lambda m: m.get("method") == "$/logTrace")
        assert "file:///unknown.plan.json" in trace["params"]["message"]
        wire.notify("$/setTrace", {"value": "off"})
        wire.change("file:///unknown.plan.json", 1, {"text": ""})
        assert not any(m.get("method") == "$/logTrace" for m in wire.quiet())


def test_the_log_has_levels() -> None:
    with Wire((*PLANCHECK, "--log-level", "error")) as wire:
        wire.start(PULL)
        wire.change("file:///unknown.plan.json", 1, {"text": ""})
        assert not any(m.get("method") == "window/logMessage" for m in wire.quiet())


FAILING = """
import sys
sys.path.insert(0, {path!r})
import plancheck.ide.hover
def broken(snapshot, offset, sites):
    raise RuntimeError("broken on purpose")
plancheck.ide.hover.hover = broken
from plancheck.lsp.server import main
sys.exit(main([]))
"""


def test_a_handler_that_fails_answers_an_error_and_is_logged() -> None:
    with Wire((sys.executable, "-c", FAILING.format(path=SERVER_PATH))) as wire:
        wire.start(PULL)
        wire.open(URI, FAULTY)
        params = {"textDocument": {"uri": URI}, "position": {"line": 4, "character": 20}}
        error = wire.error("textDocument/hover", params)
        assert error["code"] == -32603
        assert "Traceback" not in json.dumps(error)
        assert "data" not in error
        logged = [m["params"]["message"] for m in wire.log if m.get("method") == "window/logMessage"]
        assert any("broken on purpose" in line for line in logged)
        assert not any("Traceback" in line for line in logged)
        assert not any(m.get("method") == "window/showMessage" for m in wire.log)
        assert wire.pull(URI)["items"]


# ---- our own requests, as docs/protocol.md promises them


def test_the_graph() -> None:
    with Wire() as wire:
        wire.start(PULL)
        wire.open(URI, FAULTY, version=3)
        found = wire.request("plancheck/graph", {"textDocument": {"uri": URI}})
        assert (found["uri"], found["version"]) == (URI, 3)
        path = EXAMPLES / "refund-faulty.plan.json"
        command = [*PLANCHECK[:-1], "graph", str(path), "--format", "json"]
        printed = subprocess.run(command, capture_output=True, env=ENVIRONMENT, check=True).stdout
        assert found["graph"] == json.loads(printed)
        assert set(found["graph"]) == {"dialect", "nodes", "control_edges", "data_edges"}
        first = found["steps"][0]
        assert set(first) == {"position", "range", "selection", "counts", "findings"}
        assert first["range"]["start"] == {"line": 4, "character": 4}
        assert first["selection"]["start"] == {"line": 4, "character": FAULTY.split("\n")[4].index("0")}
        assert {finding["rule"] for finding in first["findings"]} >= {"scope_vs_snapshot"}
        assert set(first["findings"][0]) == {"rule", "severity", "message"}
        assert first["counts"] == {"error": 0, "warning": 1, "info": 0, "hint": 0}


def test_the_graph_counts_findings_that_are_not_shown() -> None:
    with Wire() as wire:
        wire.start(PULL)
        wire.open(URI, FAULTY)
        asked = {"textDocument": {"uri": URI}}
        whole = wire.request("plancheck/graph", asked)
        wire.notify("workspace/didChangeConfiguration", {"settings": {"plancheck": {"maxFindings": 1}}})
        few = wire.request("plancheck/graph", asked)
        assert sum(len(step["findings"]) for step in few["steps"]) == 1
        assert few["counts"] == whole["counts"] == {"error": 0, "warning": 5, "info": 1, "hint": 0}
        assert [step["counts"] for step in few["steps"]] == [step["counts"] for step in whole["steps"]]
        for step in whole["steps"]:
            assert step["counts"] == {**NOTHING, **Counter(finding["severity"] for finding in step["findings"])}


def test_the_followers_of_a_step_are_listed_by_their_names() -> None:
    with Wire() as wire:
        wire.start(PULL)
        wire.open(URI, FAULTY, version=3)
        lenses = wire.request("textDocument/codeLens", {"textDocument": {"uri": URI}})
        lens = next(lens for lens in lenses if lens["command"]["title"] == "4 followers")
        assert lens["command"]["command"] == "plancheck.showSteps"
        uri, position = lens["command"]["arguments"]
        found = wire.request("plancheck/followers", {"textDocument": {"uri": uri}, "position": position})
        assert (found["uri"], found["version"], found["total"]) == (URI, 3, 4)
        lines = FAULTY.split("\n")
        ranges = [location["range"] for location in found["locations"]]
        names = [lines[r["start"]["line"]][r["start"]["character"] : r["end"]["character"]] for r in ranges]
        assert names == ["5", "6", "7", "8"]
        outside = {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 0}}
        assert wire.request("plancheck/followers", outside) is None
        for wrong in (None, 7, {"line": 0}, {"line": "0", "character": 0}, {"line": True, "character": -1}):
            assert (
                wire.error("plancheck/followers", {"textDocument": {"uri": URI}, "position": wrong})["code"] == -32602
            )


def test_the_report() -> None:
    with Wire() as wire:
        wire.start(PULL)
        wire.open(URI, FAULTY)
        found = wire.request("plancheck/report", {"textDocument": {"uri": URI}})
        assert set(found) == {"uri", "version", "report", "markdown"}
        path = EXAMPLES / "refund-faulty.plan.json"
        command = [*PLANCHECK[:-1], "report", str(path), "--format", "json"]
        printed = json.loads(subprocess.run(command, capture_output=True, env=ENVIRONMENT, check=True).stdout)
        assert found["report"] == printed
        assert found["markdown"].startswith("# Report of server.plan.json\n\n9 steps.\n\n**5 warnings, 1 info.**\n")


def test_the_report_has_what_the_editor_reports_itself() -> None:
    options = {"reportedByEditor": ["syntax_error", "duplicate_key"]}
    for text, rule in (('{"nodes": [', "syntax_error"), ('{"nodes": [], "nodes": []}', "duplicate_key")):
        with Wire() as wire:
            wire.start(PULL, options=options)
            wire.open(URI, text)
            found = wire.request("plancheck/report", {"textDocument": {"uri": URI}})["report"]["document"]
            assert rule in {finding["rule"] for finding in found["findings"]}
            assert found["problem"]


def test_what_the_editor_cannot_see_is_reported_though_it_reports_others_of_the_rule() -> None:
    """JSON knows nothing of two names for the same thing; a repeated key it sees."""
    step = '{"goal": "g", "steps": [{"id": "a", "tool": "t", "args": {}, "parameters": {}, "tool": "t"}]}'
    with Wire() as wire:
        wire.start(PULL, options={"reportedByEditor": ["syntax_error", "duplicate_key"]})
        wire.open(URI, step)
        found = [item for item in wire.pull(URI)["items"] if item["code"] == "duplicate_key"]
        assert [item["message"].partition(" means")[0] for item in found] == ["`parameters`"]


@pytest.mark.parametrize("method", ["plancheck/graph", "plancheck/followers", "plancheck/report"])
@pytest.mark.parametrize("params", [None, [], {}, {"textDocument": 7}, {"textDocument": {"uri": 7}}])
def test_our_requests_with_wrong_parameters(method: str, params: Any) -> None:
    with Wire() as wire:
        wire.start(PULL)
        assert wire.error(method, params)["code"] == -32602


# ---- switching a rule off in a configuration file


@pytest.mark.parametrize(
    "text",
    [
        "",
        "max-findings = 7\n",
        "max-findings = 7",
        "[rules]\n",
        "[rules]",
        '# mine\n[rules] # all\nunknown_kind = "off"\n\n[[overrides]]\nfiles = ["x"]\nrules = {}\n',
        '[rules]\nscope_vs_snapshot = "error" # for now\n',
        "rules = {}\n",
        'rules = { unknown_kind = "off" }\n',
        'rules.unknown_kind = "off"\nmax-findings = 3\n',
    ],
)
@pytest.mark.parametrize("is_pyproject", [False, True])
def test_switching_a_rule_off_changes_nothing_else(text: str, is_pyproject: bool) -> None:
    if is_pyproject and text:
        text = (
            f"[tool.plancheck]\n{text}"
            if not text.startswith(("[", "#"))
            else text.replace("[rules]", "[tool.plancheck.rules]")
        )
        text = text.replace("[[overrides]]", "[[tool.plancheck.overrides]]")
    before, problems = parse_config(text, is_pyproject)
    assert not problems
    after, problems = parse_config(
        apply_edits(text, [switched_off(text, "scope_vs_snapshot", is_pyproject)]), is_pyproject
    )
    assert not problems
    assert after == before._replace(
        rules=before.rules._replace(severities={**before.rules.severities, "scope_vs_snapshot": None})
    )
