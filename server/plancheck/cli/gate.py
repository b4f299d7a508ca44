"""`plancheck gate`: decide whether plans of tool calls may run, each by itself.

Exit codes: 0 allow, 1 deny, 3 a human must look first, 2 it could not be decided. Only 0 lets a plan through. Of
several plans the strictest verdict counts: deny, then undecided, then a human, then allow.
"""

from __future__ import annotations

import json
import os
import sys
from argparse import Namespace
from collections import Counter

from plancheck.cli.arguments import CommandParser, add_judging_arguments
from plancheck.cli.checking import STANDARD_INPUT
from plancheck.cli.document import say
from plancheck.cli.gate_log import show
from plancheck.cli.terminal import one_line
from plancheck.gate import PolicyDecision, Verdict, Vote, evaluate_plan
from plancheck.gate.decision import STRONGEST_FIRST, decide
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


_COUNTED = {
    Verdict.ALLOW: "allowed",
    Verdict.DENY: "denied",
    Verdict.HUMAN: "for a human",
    Verdict.UNDECIDED: "undecided",
}
_NO_DECISION = decide(
    [Vote(Verdict.UNDECIDED, "no_decision", "There is no decision about this plan: standard error says why.")], ""
).to_dict()
EXAMPLES = (
    "plancheck gate calls.json",
    "plancheck gate --policy plan-policy.yaml --log decisions.jsonl calls.json",
    "cat calls.json | plancheck gate --format json -",
)


def _arguments(argv: list[str]) -> Namespace:
    parser = CommandParser(
        "gate", "Decide whether plans of tool calls may run: 0 allow, 1 deny, 3 ask a human, 2 undecided.", EXAMPLES
    )
    parser.add_argument("files", metavar="FILE", nargs="*", help="plan files, or - for standard input")
    add_judging_arguments(parser)
    parser.add_argument("--opa", metavar="PROGRAM", help="the opa that evaluates Rego policies (default: on the PATH)")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.add_argument("--log", metavar="FILE", help="add the decision to this log, one JSON object a line")
    parser.add_argument("--log-arguments", action="store_true", help="with --log: the arguments of the calls as well")
    parser.add_argument("--show", action="store_true", help="with --log: show the log as a table, and decide nothing")
    args = parser.parse_args(argv)
    if args.show and (args.log is None or args.files):
        parser.error("--show takes a log and no plan: plancheck gate --log FILE --show")
    if not args.show and not args.files:
        parser.error("a plan is needed: give a FILE, or - for standard input")
    if args.files.count(STANDARD_INPUT) > 1:
        parser.error("standard input can be read once: give - once")
    return args


def run(argv: list[str]) -> int:
    args = _arguments(argv)
    if args.show:
        return show(args.log)
    judged_by = (*args.files, *(args.policy or ()), *(args.tools or ()))
    if args.log is not None and any(_is_log(path, args.log) for path in judged_by):
        say(f"plancheck: {args.log}: the log would be written into what is read for the decision: name another file.")
        return EXIT[Verdict.UNDECIDED]
    if args.log is not None and DecisionLog(args.log).is_something_else:
        say(f"plancheck: {args.log}: this file is not a log of decisions, and is left as it is: name another one.")
        return EXIT[Verdict.UNDECIDED]
    decided = [_decided(path, args) for path in args.files]
    decision = decided[0]
    if len(decided) > 1:
        return _show_several(args, decided)
    if decision is None:
        return EXIT[Verdict.UNDECIDED]
    shown = _shown(args.files[0])
    print(json.dumps(decision.to_dict(), indent=2) if args.format == "json" else _text(decision, shown))
    return EXIT[decision.verdict]


def _is_log(path: str, log: str) -> bool:
    there = path != STANDARD_INPUT and os.path.exists(path) and os.path.exists(log)
    return there and os.path.samefile(path, log)


def _decided(path: str, args: Namespace) -> PolicyDecision | None:
    """The decision about a plan; None, and a line on standard error, where there is none to be had."""
    text = _plan(path)
    if isinstance(text, ReadError):
        say(f"plancheck: {text.path}: {text.message}")
        return None
    plan = None if path == STANDARD_INPUT else os.path.abspath(path)
    policy, faults, tools = gate_policy(args.policy, os.getcwd(), plan, args.tools)
    log = DecisionLog(args.log, log_arguments=args.log_arguments) if args.log is not None else None
    matcher = RegexProcess()
    try:
        return evaluate_plan(text, policy=policy, faults=faults, log=log, matcher=matcher, opa=args.opa, tools=tools)
    except OSError as error:
        say(f"plancheck: {args.log}: the decision cannot be recorded, so there is none: {error.strerror or error}.")
        return None
    finally:
        matcher.close()


def _show_several(args: Namespace, decided: list[PolicyDecision | None]) -> int:
    """Show what was decided about each of several plans; the strictest verdict is that of all of them."""
    shown = [(_shown(path), decision) for path, decision in zip(args.files, decided, strict=True)]
    counts = Counter(Verdict.UNDECIDED if decision is None else decision.verdict for decision in decided)
    strictest = next(verdict for verdict in STRONGEST_FIRST if counts[verdict])
    if args.format == "json":
        files = [{"path": path, **(_NO_DECISION if found is None else found.to_dict())} for path, found in shown]
        print(json.dumps({"decision": strictest.value, "files": files}, indent=2))
        return EXIT[strictest]
    for path, decision in shown:
        if decision is None:
            print(f"{one_line(path)}: {_WORDS[Verdict.UNDECIDED]}: {_NO_DECISION['reason']}")
        else:
            print(f"{one_line(path)}: {_text(decision, path)}")
    parts = (f"{counts[verdict]} {_COUNTED[verdict]}" for verdict in STRONGEST_FIRST if counts[verdict])
    print(f"{len(decided)} plans: {', '.join(parts)}.")
    return EXIT[strictest]


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
