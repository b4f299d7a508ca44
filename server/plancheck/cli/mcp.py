"""`plancheck mcp`: a server of the Model Context Protocol, which agents ask about their plans before these run."""

from __future__ import annotations

import os
import sys

from plancheck.cli.arguments import CommandParser, add_judging_arguments
from plancheck.cli.document import say

MISSING = "plancheck mcp needs the package `mcp`, version 2: pip install 'plancheck[mcp]'"
EXAMPLES = ("plancheck mcp", "plancheck mcp --policy plan-policy.yaml --log decisions.jsonl")


def run(argv: list[str]) -> int:
    parser = CommandParser(
        "mcp", "Serve agents over standard input and output, by the Model Context Protocol.", EXAMPLES
    )
    add_judging_arguments(parser)
    parser.add_argument("--log", metavar="FILE", help="add the decisions of gate_plan to this log")
    parser.add_argument("--log-arguments", action="store_true", help="with --log: the arguments of the calls as well")
    args = parser.parse_args(argv)
    try:
        from mcp import MCPError  # noqa: F401 - whether it is there, and version 2
    except ImportError:
        say(MISSING)
        return 2
    from plancheck.gate import DecisionLog
    from plancheck.mcp_server.judge import read_judge
    from plancheck.mcp_server.server import serve

    log = DecisionLog(args.log, log_arguments=args.log_arguments) if args.log is not None else None
    judge = read_judge(os.getcwd(), args.policy, args.tools, log)
    for fault in dict.fromkeys((*judge.faults, *judge.configuration_faults, *judge.catalogue_faults)):
        say(f"plancheck mcp: {fault}")
    if log is not None:
        try:
            log.open()
        except OSError as error:
            say(f"plancheck mcp: {args.log}: decisions cannot be recorded here: {error.strerror or error}.")
            return 2
    if (args.policy and judge.faults) or (args.tools and judge.catalogue_faults):
        return 2
    if sys.stdin.isatty():
        say("plancheck mcp: this is for agents, which start it themselves: see docs/mcp.md. Ctrl-C ends it.")
    return serve(judge)
