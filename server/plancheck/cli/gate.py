"""`plancheck gate`: decide whether a plan of tool calls may run.

Exit codes: 0 allow, 1 deny, 3 a human must look first, 2 it could not be decided. Only 0 lets a plan through.
"""

from __future__ import annotations

import json
import os
import sys
from argparse import Namespace
from typing import Any

from plancheck.cli.arguments import CommandParser
from plancheck.cli.checking import STANDARD_INPUT
from plancheck.cli.document import say
from plancheck.cli.terminal import one_line
from plancheck.gate import PolicyDecision, Verdict, evaluate_plan
from plancheck.gate.log import DecisionLog
from plancheck.policy.model import NO_POLICY, Policy
from plancheck.policy.reading import joined
from plancheck.syntax.json import read
from plancheck.syntax.tree import Tree, repeated_keys
from plancheck.text import LineIndex
from plancheck.workspace.files import Configurations, ReadError, decode, read_text
from plancheck.workspace.policies import LoadedPolicy, Policies
from plancheck.workspace.regex_process import RegexProcess

EXIT = {Verdict.ALLOW: 0, Verdict.DENY: 1, Verdict.HUMAN: 3, Verdict.UNDECIDED: 2}


def _arguments(argv: list[str]) -> Namespace:
    parser = CommandParser(
        "gate", "Decide whether a plan of tool calls may run: 0 allow, 1 deny, 3 ask a human, 2 undecided."
    )
    parser.add_argument("file", metavar="FILE", help="a plan file, or - for standard input")
    parser.add_argument(
        "--policy", action="append", metavar="FILE", help="the policy (default: the one in force for the file)"
    )
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.add_argument("--log", metavar="FILE", help="add the decision to this log, one JSON object a line")
    return parser.parse_args(argv)


def run(argv: list[str]) -> int:
    args = _arguments(argv)
    policy = _policy(args)
    plan = _plan(args.file)
    if policy is None or isinstance(plan, ReadError):
        if isinstance(plan, ReadError):
            say(f"plancheck: {plan.path}: {plan.message}")
        return 2
    matcher = RegexProcess()
    try:
        log = DecisionLog(args.log) if args.log is not None else None
        decision = evaluate_plan(plan, policy=policy, log=log, matcher=matcher)
    except ValueError as error:
        say(f"plancheck: {args.file}: {error}.")
        return 2
    except OSError as error:
        say(f"plancheck: {args.log}: the decision cannot be recorded, so there is none: {error.strerror or error}.")
        return 2
    finally:
        matcher.close()
    print(json.dumps(decision.to_dict(), indent=2) if args.format == "json" else _text(decision))
    return EXIT[decision.verdict]


def _text(decision: PolicyDecision) -> str:
    words = {
        Verdict.ALLOW: "allow",
        Verdict.DENY: "deny",
        Verdict.HUMAN: "needs a human",
        Verdict.UNDECIDED: "could not decide",
    }
    lines = [f"{words[decision.verdict]}: {one_line(decision.reason)} [{decision.rule_matched}]"]
    lines += (
        f"  also: {one_line(vote.reason)} [{vote.rule}]" for vote in decision.votes if vote.reason != decision.reason
    )
    return "\n".join([*lines, f"policy: {decision.policy_version}"])


def _policy(args: Namespace) -> Policy | None:
    """The policy in force; None where there is one that cannot be relied on."""
    policies = Policies(Configurations())
    if args.policy is not None:
        paths = [os.path.abspath(path) for path in args.policy]
    else:
        here = os.getcwd() if args.file == STANDARD_INPUT else os.path.dirname(os.path.abspath(args.file))
        paths = list(policies.paths_for(os.path.join(here, "plan")))
    files = [policies.load(path) for path in paths]
    for file in files:
        if isinstance(file, ReadError):
            say(f"plancheck: {file.path}: {file.message}")
        else:
            _complain(file)
    good = [file for file in files if isinstance(file, LoadedPolicy) and not file.found.problems]
    if len(good) < len(files):
        return None
    return joined(file.found for file in good) if good else NO_POLICY


def _complain(file: LoadedPolicy) -> None:
    """A policy with a mistake forbids less than its author meant, so that nothing is decided by it."""
    lines = LineIndex(file.text)
    for problem in file.problems():
        line, character = lines.position(problem.span.start)
        say(f"{file.path}:{line + 1}:{character + 1}: {problem.message}")


def _plan(path: str) -> Any:
    """The document in a plan file; ReadError for one that two readers could understand in two ways."""
    shown = "<stdin>" if path == STANDARD_INPUT else path
    text = decode(shown, sys.stdin.buffer.read()) if path == STANDARD_INPUT else read_text(path, may_wait=True)
    if isinstance(text, ReadError):
        return ReadError(shown, text.message)
    tree = read(text)
    if tree.problems:
        line, character = LineIndex(text).position(tree.problems[0].start)
        return ReadError(f"{shown}:{line + 1}:{character + 1}", tree.problems[0].message)
    repeated = _repeated(tree)
    if repeated is not None:
        return ReadError(shown, f"`{repeated}` is there more than once, and only one of them can be meant.")
    return tree.value()


def _repeated(tree: Tree) -> str | None:
    keys = [top.key for top in tree.root] if isinstance(tree.root, list) else []
    twice = next((key for key in keys if keys.count(key) > 1), None)
    if twice is not None:
        return twice
    chunks = [chunk for _, chunk in tree.chunks()]
    return next((str(path[-1]) for chunk in chunks for path in repeated_keys(chunk.value)), None)
