"""The server itself: our values in the terms of the Model Context Protocol, over standard input and output.

Whatever takes its time runs in a thread, a few at once, so that the server goes on answering. A call that is cancelled,
or whose client has gone, is not waited for.
"""

from __future__ import annotations

import json
import os
import signal
from functools import partial
from typing import Any

import anyio
from mcp import MCPError, types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from plancheck import __version__
from plancheck.mcp_server.arguments import ToolRefusal
from plancheck.mcp_server.judge import Judge
from plancheck.mcp_server.messages import readable
from plancheck.mcp_server.resources import RULE_TEMPLATE, ResourceText, UnknownResource, read_resource, resources
from plancheck.mcp_server.tools import TOOLS, ServedTool

MOST_AT_ONCE = 4
"""Calls that are worked on at the same time; the others wait for their turn."""
INSTRUCTIONS = (
    "Before you run a plan of tool calls, give it to `check_plan`, repair it (`fix_plan` applies safe fixes), and ask "
    "`gate_plan`. Run it only after `allow`, and exactly the text that was judged; with `requires_hitl`, ask a human."
)

GONE = 141
"""The exit code where nobody reads any more: as a shell reports a program ended by SIGPIPE."""

Context = ServerRequestContext[Any]


def serve(judge: Judge) -> int:
    """Serve the client at the other end of standard input and output until it goes."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # who waits for a line in a thread cannot be interrupted otherwise
    try:
        anyio.run(_serve, judge)
    except Exception as error:
        if not _is_lost_connection(error):
            raise
    return 0


async def _serve(judge: Judge) -> None:
    server = build_server(judge)
    async with stdio_server() as (incoming, outgoing), incoming, readable(incoming, outgoing.send) as messages:
        try:
            await server.run(messages, outgoing, server.create_initialization_options())
        except anyio.get_cancelled_exc_class():  # by the SDK, which would wait for another line before it ends
            os._exit(GONE)


def _is_lost_connection(error: BaseException) -> bool:
    """Whether nothing went wrong but that the client has gone while it was being written to."""
    inner = getattr(error, "exceptions", None)
    return all(map(_is_lost_connection, inner)) if inner else isinstance(error, ConnectionError)


def build_server(judge: Judge) -> Server[Any]:
    turns = anyio.CapacityLimiter(MOST_AT_ONCE)

    async def list_tools(_: Context, __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[described(tool, judge) for tool in TOOLS.values()])

    async def call_tool(_: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        tool = TOOLS.get(params.name)
        if tool is None:
            message = f"Unknown tool: there are {', '.join(TOOLS)}."
            raise MCPError(types.INVALID_PARAMS, message)
        work = partial(_answer, tool, judge, params.arguments or {})
        return await anyio.to_thread.run_sync(work, abandon_on_cancel=True, limiter=turns)

    async def list_resources(_: Context, __: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
        return types.ListResourcesResult(resources=[types.Resource(**one._asdict()) for one in resources()])

    async def list_templates(_: Context, __: types.PaginatedRequestParams | None) -> types.ListResourceTemplatesResult:
        template = types.ResourceTemplate(
            uri_template=RULE_TEMPLATE, name="rule", title="The page of a rule", mime_type="text/markdown"
        )
        return types.ListResourceTemplatesResult(resource_templates=[template])

    async def read(_: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        try:
            texts = read_resource(params.uri, judge)
        except UnknownResource as error:
            raise MCPError(types.INVALID_PARAMS, str(error), {"uri": params.uri}) from error
        return types.ReadResourceResult(contents=[_contents(text) for text in texts])

    return Server(
        "plancheck",
        version=__version__,
        title="plancheck",
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_list_resource_templates=list_templates,
        on_read_resource=read,
    )


def described(tool: ServedTool, judge: Judge) -> types.Tool:
    """A tool as clients see it. One that writes to the log does not only read, and each call of it adds a record."""
    records = tool.is_recorded and judge.log is not None
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.input_schema,
        output_schema=dict(tool.output_schema),
        annotations=types.ToolAnnotations(
            read_only_hint=not records, destructive_hint=False, idempotent_hint=not records, open_world_hint=False
        ),
    )


def _answer(tool: ServedTool, judge: Judge, given: dict[str, Any]) -> types.CallToolResult:
    try:
        result = tool.call(judge, given)
    except ToolRefusal as refusal:
        return _refused(str(refusal))
    except Exception as error:  # a mistake of our own must not be taken for the end of the server, or for an answer
        return _refused(f"Something went wrong inside plancheck ({type(error).__name__}: {error}): please report it.")
    text = json.dumps(result, ensure_ascii=False)
    writable = _writable(text)
    structured = result if writable == text else json.loads(writable)
    return types.CallToolResult(content=[_text(writable)], structured_content=structured)


def _refused(why: str) -> types.CallToolResult:
    return types.CallToolResult(content=[_text(_writable(why))], is_error=True)


def _contents(resource: ResourceText) -> types.TextResourceContents:
    return types.TextResourceContents(uri=resource.uri, mime_type=resource.mime_type, text=_writable(resource.text))


def _text(text: str) -> types.TextContent:
    return types.TextContent(type="text", text=text)


def _writable(text: str) -> str:
    """A text without halves of characters, which plans can hold as escapes and no message can."""
    return text.encode("utf-8", "replace").decode()
