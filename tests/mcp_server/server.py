"""A real server in a process of its own, and the official client at the other end of its pipes."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import jsonschema
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from cli.command import ROOT, environment

STEPS = """\
{"goal": "find a customer", "steps": [
  {"id": "find", "tool": "crm.find", "args": {"name": "Ada"}}
]}
"""
BLOCKED = '[{"tool_name": "execute_shell", "args": {"command": "ls"}}]'


class Answer(NamedTuple):
    result: dict[str, Any] | None
    error: str
    """What the tool says where it has no result."""


class Agent:
    """Calls tools, and compares each answer with what the tool said that it would be."""

    def __init__(self, client: Client, schemas: dict[str, Any], errors: Path) -> None:
        self.client = client
        self.schemas = schemas
        self.errors = errors
        """Where the standard error of the server goes."""

    async def ask(self, tool: str, **arguments: Any) -> Answer:
        found = await self.client.call_tool(tool, arguments)
        [content] = found.content
        assert content.type == "text"
        assert "Traceback" not in content.text
        if found.is_error:
            assert found.structured_content is None
            assert "\n" not in content.text
            return Answer(None, content.text)
        assert json.loads(content.text) == found.structured_content
        jsonschema.validate(found.structured_content, self.schemas[tool])
        return Answer(found.structured_content, "")

    async def result(self, tool: str, **arguments: Any) -> dict[str, Any]:
        found = await self.ask(tool, **arguments)
        assert found.result is not None, found.error
        return found.result

    async def error(self, tool: str, **arguments: Any) -> str:
        found = await self.ask(tool, **arguments)
        assert found.result is None
        return found.error

    async def text(self, uri: str) -> str:
        read = await self.client.read_resource(uri)
        return "".join(getattr(content, "text", "") for content in read.contents)


@asynccontextmanager
async def agent(folder: Path, *options: str, mode: str = "auto") -> AsyncIterator[Agent]:
    """An agent that is connected to a server, which runs in a folder."""
    errors = folder / "stderr.txt"
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "plancheck", "mcp", *options], cwd=folder, env=environment({})
    )
    try:
        with errors.open("w") as stderr:
            async with Client(stdio_client(server, stderr), mode=mode) as client:
                tools = (await client.list_tools()).tools
                for tool in tools:
                    assert tool.output_schema is not None
                    jsonschema.Draft202012Validator.check_schema(tool.input_schema)
                    jsonschema.Draft202012Validator.check_schema(tool.output_schema)
                yield Agent(client, {tool.name: tool.output_schema for tool in tools}, errors)
    except Exception as error:
        raise _only(error) from None
    assert "Traceback" not in errors.read_text()


def _only(error: BaseException) -> BaseException:
    """What went wrong, out of the groups that the client puts it into."""
    inner: tuple[BaseException, ...] = getattr(error, "exceptions", ())
    return _only(inner[0]) if len(inner) == 1 else error


class Pipes:
    """The server without a client: what is written to it and read from it is seen as it is."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "plancheck", "mcp", *options],
            cwd=folder,
            env=environment({}),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "tests", "version": "0"}}
        self.write(json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello}))
        assert self.read()["id"] == 0
        self.write(json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}))

    def write(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line.encode("utf-8", "surrogatepass") + b"\n")
        self.process.stdin.flush()

    def call(self, number: int, tool: str, arguments: str) -> None:
        """A call with its arguments as they are written."""
        params = f'{{"name": "{tool}", "arguments": {arguments}}}'
        self.write(f'{{"jsonrpc": "2.0", "id": {number}, "method": "tools/call", "params": {params}}}')

    def read(self) -> dict[str, Any]:
        """The next line, which is a message like everything on standard output."""
        assert self.process.stdout is not None
        message = json.loads(self.process.stdout.readline())
        assert message["jsonrpc"] == "2.0"
        return dict(message)

    def end(self) -> tuple[int, str]:
        """The exit code and what was said on standard error, once nothing is written any more."""
        out, err = self.process.communicate(timeout=60)
        assert all(json.loads(line)["jsonrpc"] == "2.0" for line in out.splitlines())
        assert b"Traceback" not in err, err.decode()
        return self.process.returncode, err.decode()


__all__ = ["BLOCKED", "ROOT", "STEPS", "Agent", "Pipes", "agent"]
