"""Standard streams of every kind: pipes that are full, and what is no pipe at all."""

from __future__ import annotations

import json
import os
import subprocess
import threading
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import IO, Any

from lsp.wire import PLANCHECK, SERVER_PATH, Wire

ENVIRONMENT = {**os.environ, "PYTHONPATH": SERVER_PATH}
URI = "file:///streams/a.plan.json"
STEPS = [{"idx": i, "agent": "a", "kind": "tool_call", "reads": [], "writes": [f"out.{i}"]} for i in range(200)]


def framed(message: dict[str, Any]) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def conversation(pulls: int) -> bytes:
    document = {"uri": URI, "languageId": "json", "version": 1, "text": json.dumps({"nodes": STEPS})}
    pull = {"textDocument": {"uri": URI}}
    capabilities: dict[str, Any] = {"textDocument": {"diagnostic": {}}}
    messages: list[dict[str, Any]] = [
        {"id": 0, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": capabilities}},
        {"method": "initialized", "params": {}},
        {"method": "textDocument/didOpen", "params": {"textDocument": document}},
        *({"id": i, "method": "textDocument/diagnostic", "params": pull} for i in range(1, pulls + 1)),
    ]
    return b"".join(map(framed, messages))


GOODBYE = framed({"id": "bye", "method": "shutdown"}) + framed({"method": "exit"})


def answered(output: IO[bytes]) -> Iterator[Any]:
    """The ids of the answers, in their order."""
    while head := output.readline():
        length = int(head.split(b":")[1])
        while output.readline().strip():
            pass
        message = json.loads(output.read(length))
        if "method" not in message:
            yield message["id"]


def test_a_client_that_says_all_before_it_reads_anything_gets_every_answer() -> None:
    """Both pipes are full many times over: whoever waits for one of them waits for ever."""
    process = subprocess.Popen(PLANCHECK, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=ENVIRONMENT)
    assert process.stdin is not None
    assert process.stdout is not None
    said = threading.Event()

    def say() -> None:
        assert process.stdin is not None
        process.stdin.write(conversation(100))
        process.stdin.flush()
        time.sleep(1)  # the server has filled its pipe with answers by now, and has more of them
        process.stdin.write(framed({"method": "$/setTrace", "params": {"value": "off"}}) * 4_000)
        process.stdin.flush()
        said.set()

    threading.Thread(target=say, daemon=True).start()
    try:
        assert said.wait(30), "the server does not read while its answers wait to be read"
        assert set(islice(answered(process.stdout), 101)) == set(range(101))
        process.stdin.write(GOODBYE)
        process.stdin.close()
        assert list(answered(process.stdout)) == ["bye"]
        assert process.wait(20) == 0
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def test_a_file_is_read_and_written_like_a_pipe(tmp_path: Path) -> None:
    heard, told = tmp_path / "in", tmp_path / "out"
    heard.write_bytes(conversation(0) + GOODBYE)
    with heard.open("rb") as stdin, told.open("wb") as stdout:
        assert subprocess.run(PLANCHECK, stdin=stdin, stdout=stdout, env=ENVIRONMENT, timeout=60).returncode == 0
    with told.open("rb") as answers:
        assert list(answered(answers)) == [0, "bye"]


def test_a_client_that_no_longer_reads_ends_the_server() -> None:
    with Wire() as wire:
        wire.start()
        assert wire.process.stdout is not None
        wire.process.stdout.close()
        wire.ask("shutdown")
        wire.notify("exit")
        assert wire.process.wait(20) == 0
