"""`plancheck gate`: decide whether a plan of tool calls may run.

Exit codes: 0 allow, 1 deny, 3 a human must look first, 2 it could not be decided. Only 0 lets a plan through.
"""

from __future__ import annotations

import json
import os
import sys
from argparse import Namespace

from plancheck.cli.arguments import CommandParser
from plancheck.cli.checking import STANDARD_INPUT
from plancheck.cli.document import say
from plancheck.cli.gate_log import show
from plancheck.cli.terminal import one_line
from plancheck.gate import PolicyDecision, Verdict, Vote, evaluate_plan
from plancheck.gate.log import DecisionLog
from plancheck.workspace.files import ReadError, decode, read_text
from plancheck.workspace.gate_policy import gate_policy
from plancheck.workspace.regex_process import RegexProcess

EXIT = {Verdict.ALLOW: 0, Verdict.DENY: 1, Verdict.HUMAN: 3, Verdict.UNDECIDED: 2}
_WORDS = {
    Verdict.ALLOW: "allow",
    Verdict.DENY: "deny",
    Verdict.HUMAN: "needs a human",
    Verdict.UNDECIDED: "could not decide",
}


def _arguments(argv: list[str]) -> Namespace:
    parser = CommandParser(
        "gate", "Decide whether a plan of tool calls may run: 0 allow, 1 deny, 3 ask a human, 2 undecided."
    )
    parser.add_argument("file", metavar="FILE", nargs="?", help="a plan file, or - for standard input")
    parser.add_argument(
        "--policy",
        action="append",
        metavar="PATH",
        help="the policy: YAML, .rego or a folder of .rego files (default: the one in force in the working directory), "
        "may be given more than once",
    )
    parser.add_argument(
        "--tools",
        action="append",
        metavar="FILE",
        help="the catalogue of tools (default: the one in force in the working directory); may be given more than once",
    )
    parser.add_argument("--opa", metavar="PROGRAM", help="the opa that evaluates Rego policies (default: on the PATH)")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.add_argument("--log", metavar="FILE", help="add the decision to this log, one JSON object a line")
    parser.add_argument("--log-arguments", action="store_true", help="with --log: the arguments of the calls as well")
    parser.add_argument("--show", action="store_true", help="with --log: show the log as a table, and decide nothing")
    args = parser.parse_args(argv)
    if args.show and (args.log is None or args.file is not None):
        parser.error("--show takes a log and no plan: plancheck gate --log FILE --show")
    if not args.show and args.file is None:
        parser.error("a plan is needed: give a FILE, or - for standard input")
    return args


def run(argv: list[str]) -> int:
    args = _arguments(argv)
    if args.show:
        return show(args.log)
    text = _plan(args.file)
    if isinstance(text, ReadError):
        say(f"plancheck: {text.path}: {text.message}")
        return EXIT[Verdict.UNDECIDED]
    plan = None if args.file == STANDARD_INPUT else os.path.abspath(args.file)
    if args.log is not None and plan is not None and os.path.exists(args.log) and os.path.samefile(args.log, plan):
        say(f"plancheck: {args.log}: the log would be written into the plan: name another file.")
        return EXIT[Verdict.UNDECIDED]
    policy, faults, tools = gate_policy(args.policy, os.getcwd(), plan, args.tools)
    log = DecisionLog(args.log, log_arguments=args.log_arguments) if args.log is not None else None
    matcher = RegexProcess()
    try:
        decision = evaluate_plan(
            text, policy=policy, faults=faults, log=log, matcher=matcher, opa=args.opa, tools=tools
        )
    except OSError as error:
        say(f"plancheck: {args.log}: the decision cannot be recorded, so there is none: {error.strerror or error}.")
        return EXIT[Verdict.UNDECIDED]
    finally:
        matcher.close()
    print(json.dumps(decision.to_dict(), indent=2) if args.format == "json" else _text(decision, _shown(args.file)))
    return EXIT[decision.verdict]


def _text(decision: PolicyDecision, shown: str) -> str:
    matched, *others = sorted(decision.findings, key=lambda vote: vote.verdict is not decision.verdict)
    lines = [f"{_WORDS[decision.verdict]}: {_sentence(matched, shown)}"]
    lines += (f"  also: {_sentence(vote, shown)}" for vote in others)
    return "\n".join([*lines, f"policy: {decision.policy_version}"])


def _sentence(vote: Vote, shown: str) -> str:
    where = f" ({one_line(shown)}:{vote.line}:{vote.column})" if vote.line else ""
    return f"{one_line(vote.reason)} [{vote.rule}]{where}"


def _plan(path: str) -> str | ReadError:
    """The text of a plan."""
    if path == STANDARD_INPUT:
        return decode(_shown(path), sys.stdin.buffer.read())
    text = read_text(path, may_wait=True)
    return text if isinstance(text, str) else ReadError(path, text.message)


def _shown(path: str) -> str:
    return "<stdin>" if path == STANDARD_INPUT else path
