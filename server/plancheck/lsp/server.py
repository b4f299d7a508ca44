"""`plancheck lsp`: the server object, what it starts with, and the command's own arguments."""

from __future__ import annotations

import argparse
import asyncio
import gc
import logging
import sys
from collections.abc import Sequence
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from plancheck import __version__
from plancheck.lsp import handlers, lifecycle, pull
from plancheck.lsp.admission import Admission, is_loopback, new_token
from plancheck.lsp.background import Background
from plancheck.lsp.catalogue_files import CatalogueFiles
from plancheck.lsp.client import Client, client_of
from plancheck.lsp.configuration_files import ConfigurationFiles
from plancheck.lsp.convert import messages, options
from plancheck.lsp.described_files import DescribedFiles
from plancheck.lsp.diagnostics import Publisher
from plancheck.lsp.host import Host, own_host
from plancheck.lsp.log import ClientLog
from plancheck.lsp.plan_files import PlanFiles
from plancheck.lsp.policy_files import PolicyFiles
from plancheck.lsp.progress import Progress
from plancheck.lsp.protocol import Protocol
from plancheck.lsp.rego_policies import RegoPolicies
from plancheck.lsp.requests import own
from plancheck.lsp.scan import Scanner
from plancheck.lsp.served import ServedFiles
from plancheck.lsp.session import Session
from plancheck.lsp.shown import Shown
from plancheck.lsp.watchers import Watchers


class Server(LanguageServer):
    """One server for one client. Everything it knows hangs on this object."""

    protocol: Protocol

    def __init__(self, host: Host | None = None) -> None:
        super().__init__("plancheck", __version__, protocol_cls=Protocol)
        self.host = host if host is not None else own_host()
        self.session = Session(self.host)
        self.client = Client()
        self.background = Background()
        self.publisher = Publisher(self)
        self.plan_files = PlanFiles(self)
        self.scanner = Scanner(self)
        self.configuration_files = ConfigurationFiles(self)
        self.policy_files = PolicyFiles(self)
        self.catalogue_files = CatalogueFiles(self)
        self.described_files = DescribedFiles(self)
        self.rego_policies = RegoPolicies(self)
        self.watchers = Watchers(self)
        self.served_files = ServedFiles(self)
        self.answered = Shown()
        """What an editor that asks was answered."""
        self.running: dict[types.ProgressToken, Progress] = {}
        """Work that the user may cancel, by its token."""
        for method, handler in {**lifecycle.HANDLERS, **handlers.HANDLERS}.items():
            self.feature(method, options.OPTIONS.get(method))(handler)
        for name, command in own.COMMANDS.items():
            self.command(name)(command)

    def connect(self, params: types.InitializeParams) -> None:
        """Settle, once for this client, what it can do and which way diagnostics go."""
        self.client = client_of(params.capabilities)
        if self.client.pulls:
            self.feature(types.TEXT_DOCUMENT_DIAGNOSTIC, options.diagnostic_options())(pull.document)
            self.feature(types.WORKSPACE_DIAGNOSTIC)(pull.workspace)

    def follow_configuration(self) -> None:
        """Which files there are to watch and to send depends on the configuration files that are known by now."""
        self.watchers.update()
        self.served_files.update()

    def refresh_diagnostics(self) -> None:
        """Have an editor that asks for diagnostics ask again, if it can be told to."""
        if self.client.pulls and self.client.refreshes_diagnostics:
            self.workspace_diagnostic_refresh(None)

    def report_server_error(self, error: Exception, source: Any) -> None:  # noqa: ARG002 - pygls calls it so
        """pygls would open a message box for each of these."""
        logging.getLogger(__name__).error("%s: %s", type(error).__name__, error)

    def publish(self, params: dict[str, Any]) -> None:
        """Push the diagnostics of a file."""
        self.protocol.notify_plain(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, params)

    def tell(self, params: types.LogMessageParams) -> None:
        """Write into the editor's log."""
        if self.protocol.is_running:
            self.window_log_message(params)

    def trace(self, message: str, verbose: str | None = None) -> None:
        """Write into the trace, where the user asked for one."""
        if self.protocol.trace != types.TraceValue.Off and self.protocol.is_running:
            details = verbose if self.protocol.trace == types.TraceValue.Verbose else None
            self.log_trace(messages.log_trace(message, details))


def main(argv: Sequence[str] | None = None) -> int:
    """Run the server until its client exits."""
    arguments = _arguments(argv)
    # What was imported stays. And answers about a large plan are many small objects without circles: at Python's usual
    # threshold the collector would look through the whole plan again and again while one of them is made.
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
    try:
        return asyncio.run(_serve(arguments))
    except OSError as error:
        _tell(error.strerror or str(error))
        return 2
    except ModuleNotFoundError as error:
        _tell(f"--ws needs the package `{error.name}`: install it with pip.")
        return 2


async def _serve(arguments: argparse.Namespace) -> int:
    server = Server()
    log = logging.getLogger("plancheck")
    log.setLevel(arguments.log_level.upper())
    log.propagate = False
    log.addHandler(ClientLog(server))
    for library in ("pygls", "websockets"):
        logging.getLogger(library).setLevel(logging.CRITICAL)
    asyncio.get_running_loop().set_exception_handler(_log_exception)

    try:
        problem = await _serve_client(server, arguments)
    finally:
        server.rego_policies.close()
    if problem is not None:
        _tell(f"the connection was closed: {problem}")
    return server.protocol.exit_code


async def _serve_client(server: Server, arguments: argparse.Namespace) -> str | None:
    """Serve until the client has gone; what was wrong with what it sent, if that was why."""
    from plancheck.lsp import streams, transport  # with threads and sockets, which another host may not have

    address = arguments.tcp or arguments.ws
    if address is None:
        return await streams.serve_streams(server.protocol, *streams.own_streams())
    admission = Admission(new_token(), frozenset(arguments.allow_origin))

    def ready(url: str) -> None:
        print(f"plancheck lsp is listening on {url}", file=sys.stderr)
        _tell(f"it takes one client, who must send this token: {admission.token}")

    host, port = address
    door = transport.Door(host, port, admission, ready, _tell)
    if arguments.tcp:
        return await transport.serve_tcp(server.protocol, door)
    await transport.serve_websocket(server.protocol, door)
    return None


def _tell(words: str) -> None:
    """Tell the person who started the server, not its client."""
    print(f"plancheck lsp: {words}", file=sys.stderr, flush=True)


def _log_exception(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    logging.getLogger(__name__).error("%s", context["message"], exc_info=context.get("exception"))


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="plancheck lsp",
        description="The language server, over standard streams.",
        epilog="examples:\n  plancheck lsp\n  plancheck lsp --stdio",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    way = parser.add_mutually_exclusive_group()
    way.add_argument("--stdio", action="store_true", help="talk over standard input and output (the default)")
    way.add_argument("--tcp", metavar="HOST:PORT", type=_address, help="wait for one client on a TCP port")
    way.add_argument("--ws", metavar="HOST:PORT", type=_address, help="wait for one client on a WebSocket")
    parser.add_argument(
        "--allow-remote", action="store_true", help="let --tcp and --ws listen where other machines can connect"
    )
    parser.add_argument(
        "--allow-origin",
        metavar="ORIGIN",
        action="append",
        default=[],
        help="let web pages of this origin connect to --ws, such as https://ide.example (may be repeated)",
    )
    parser.add_argument("--log-level", choices=("debug", "info", "warning", "error"), default="info")
    arguments = parser.parse_args(argv)
    address = arguments.tcp or arguments.ws
    if arguments.allow_origin and not arguments.ws:
        parser.error("--allow-origin is only for --ws")
    if arguments.allow_remote and address is None:
        parser.error("--allow-remote is only for --tcp and --ws")
    if address is not None and not arguments.allow_remote and not is_loopback(address[0]):
        place = f"`{address[0]}` is not this machine's own address (127.0.0.1)"
        parser.error(f"{place}: add --allow-remote to let other machines connect")
    return arguments


def _address(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not port.isdigit() or int(port) > 65535:
        raise argparse.ArgumentTypeError(f"`{text}` is not an address: write HOST:PORT, such as 127.0.0.1:2087")
    return host.strip("[]") or "127.0.0.1", int(port)
