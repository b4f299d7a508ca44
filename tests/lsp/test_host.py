"""A host without threads, processes or streams serves the same server by handing in what it has."""

from __future__ import annotations

import subprocess
import sys

from lsp.wire import SERVER_PATH

SCRIPT = """
import asyncio, json, sys, tempfile, threading, pathlib

def no_thread(self):
    raise RuntimeError("can't start new thread")

threading.Thread.start = no_thread

from plancheck.lsp.host import Host
from plancheck.lsp.server import Server
from plancheck.policy.regexes import Outcome

class NoProcess:
    stopped = ()

    def known(self, pattern, value):
        return Outcome.STOPPED

    __call__ = known

    def forget(self): ...

async def at_once(function, *args):
    return function(*args)

class Writer:
    def __init__(self):
        self.sent = []

    def write(self, data):
        self.sent.append(json.loads(data.split(b"\\r\\n\\r\\n", 1)[1]))

    def close(self): ...

async def main():
    folder = pathlib.Path(tempfile.mkdtemp())
    plan = '{"nodes": [{"idx": 0, "agent": "a", "kind": "desicion", "writes": ["x"]}]}'
    (folder / "closed.plan.json").write_text(plan)
    endpoint, writer = Server(Host(at_once, NoProcess())).protocol, Writer()
    endpoint.set_writer(writer)

    def send(**message):
        endpoint.receive(json.dumps({"jsonrpc": "2.0", **message}).encode())

    async def ask(number, method, params):
        send(id=number, method=method, params=params)
        for _ in range(200):
            await asyncio.sleep(0.01)
            for message in writer.sent:
                if message.get("id") == number and "method" not in message:
                    assert "error" not in message, (method, message)
                    return message["result"]
        raise AssertionError(method + " was not answered")

    folders = [{"uri": folder.as_uri(), "name": "f"}]
    capabilities = {"textDocument": {"diagnostic": {}}}
    client = {"processId": None, "rootUri": None, "capabilities": capabilities, "workspaceFolders": folders}
    await ask(1, "initialize", client)
    send(method="initialized", params={})
    for name, text in (("small", plan), ("large", plan + " " * 300_000)):
        uri = (folder / (name + ".plan.json")).as_uri()
        opened = {"uri": uri, "languageId": "json", "version": 1, "text": text}
        send(method="textDocument/didOpen", params={"textDocument": opened})
        document = {"textDocument": {"uri": uri}}
        assert (await ask(name + "1", "textDocument/diagnostic", document))["items"]
        assert await ask(name + "2", "textDocument/hover", {**document, "position": {"line": 0, "character": 20}})
        everything = {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}
        wanted = {**document, "range": everything, "context": {"diagnostics": []}}
        assert await ask(name + "3", "textDocument/codeAction", wanted)
        assert await ask(name + "4", "plancheck/graph", document)
    assert (await ask(5, "workspace/diagnostic", {"previousResultIds": []}))["items"]
    assert await ask(6, "workspace/symbol", {"query": ""})
    forbidden = {"subprocess", "fcntl", "msvcrt", "multiprocessing"} & ours
    print("answered", sorted(forbidden))

before = set(sys.modules)
import plancheck.lsp.server
ours = {
    name for name in ("subprocess", "fcntl", "msvcrt", "multiprocessing")
    if any(name in vars(module) for key, module in list(sys.modules.items()) if key.startswith("plancheck"))
}
asyncio.run(main())
"""


def test_a_host_without_threads_and_processes_is_served() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=False, env={"PYTHONPATH": SERVER_PATH}
    )
    assert done.stdout == "answered []\n", done.stderr[-3000:]
