"""`plancheck policy diff`: the plans of which another policy says something else.

Exit codes: 0 nothing changes, 1 something does, 2 a policy or a plan could not be read or judged.
"""

from __future__ import annotations

import json
import os
import sys
from argparse import Namespace
from collections.abc import Iterator
from typing import Any

from plancheck import __version__
from plancheck.cli.arguments import CommandParser
from plancheck.cli.case_results import CaseError, TextPlace, complain
from plancheck.cli.collect import Collecting, collect
from plancheck.cli.policy_files import policy_errors
from plancheck.cli.terminal import Painter, one_line, wants_colour
from plancheck.gate.cases import PolicyJudge, shown_steps, step_names
from plancheck.gate.decision import PolicyDecision, Vote
from plancheck.tuples import NamedTuple
from plancheck.workspace.files import Configurations, ReadError, decode, read_text
from plancheck.workspace.regex_process import RegexProcess


class ComparedPlan(NamedTuple):
    """What two policies say of a plan."""

    path: str
    text: str
    before: PolicyDecision
    after: PolicyDecision

    @property
    def has_other_verdict(self) -> bool:
        return self.before.verdict is not self.after.verdict

    @property
    def has_other_grounds(self) -> bool:
        """Whether the verdict has other reasons, be it the same or not."""
        return self.before.findings != self.after.findings

    @property
    def is_undecided(self) -> bool:
        return self.before.undecided or self.after.undecided

    def to_dict(self) -> dict[str, Any]:
        return {"path": self.path, "before": _side(self.before), "after": _side(self.after)}


def _side(decision: PolicyDecision) -> dict[str, Any]:
    vote = _matched(decision)
    return {
        "verdict": decision.verdict.value,
        "rule": decision.rule_matched,
        "steps": list(decision.steps),
        "reason": decision.reason,
        "line": vote.line,
        "column": vote.column,
    }


def _matched(decision: PolicyDecision) -> Vote:
    return next(vote for vote in decision.findings if vote.verdict is decision.verdict)


def _arguments(argv: list[str]) -> Namespace:
    parser = CommandParser(
        "policy diff",
        "List the plans whose verdict changes from one policy to another: 0 none, 1 some, 2 some cannot be judged.",
        ("plancheck policy diff plan-policy.yaml stricter.yaml plans/",),
    )
    parser.add_argument("old", metavar="OLD", help="a policy: a YAML file, a Rego file, or a folder of Rego files")
    parser.add_argument("new", metavar="NEW", help="the policy to compare it with")
    parser.add_argument(
        "plans", nargs="+", metavar="PLAN", help="a plan file, a folder, a quoted glob, or - for standard input"
    )
    parser.add_argument(
        "--all", action="store_true", help="also plans with the same verdict for another reason, rule or step"
    )
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.add_argument("--opa", metavar="PROGRAM", help="the opa that evaluates Rego (default: the one on PATH)")
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto")
    return parser.parse_args(argv)


def run(argv: list[str]) -> int:
    args = _arguments(argv)
    matcher = RegexProcess()
    try:
        judges = [PolicyJudge([path], os.getcwd(), matcher, args.opa) for path in (args.old, args.new)]
        pairs = zip((args.old, args.new), judges, strict=True)
        errors = [error for path, judge in pairs for error in policy_errors([path], judge, args.opa)]
        comparison = _Comparison(list(dict.fromkeys(errors)))
        for error in comparison.errors:
            complain(error)
        if not errors:
            _compare(args, judges, comparison)
    finally:
        matcher.close()
    if args.format == "json":
        print(json.dumps(comparison.to_dict(), indent=2))
    elif not errors:
        print(comparison.summary())
    return comparison.exit_code


def _compare(args: Namespace, judges: list[PolicyJudge], comparison: _Comparison) -> None:
    old, new = judges
    paint = Painter(wants_colour(args.color, sys.stdout))
    for plan in _plans(args.plans):
        if isinstance(plan, ReadError):
            comparison.errors.append(CaseError(TextPlace(plan.path, 0, 0), plan.message))
            complain(comparison.errors[-1])
            continue
        path, text = plan
        found = ComparedPlan(path, text, old.decide(text), new.decide(text))
        is_changed = found.has_other_verdict or (args.all and found.has_other_grounds)
        comparison.count += 1
        comparison.changed += [found] * is_changed
        comparison.undecided += [found] * found.is_undecided
        if args.format == "text" and (is_changed or found.is_undecided):
            print(_shown(found, paint))


class _Comparison:
    """What comes of comparing."""

    def __init__(self, errors: list[CaseError]) -> None:
        self.errors = errors
        self.count = 0
        """Plans that were judged."""
        self.changed: list[ComparedPlan] = []
        self.undecided: list[ComparedPlan] = []

    @property
    def exit_code(self) -> int:
        if self.errors or self.undecided:
            return 2
        return 1 if self.changed else 0

    def summary(self) -> str:
        verdicts = self._other_verdicts()
        others = len(self.changed) - verdicts
        parts = [f"{verdicts:,} with another verdict"]
        parts += [f"{others:,} with the same verdict for another reason"] * (others > 0)
        parts += [f"{len(self.undecided):,} undecided"] * bool(self.undecided)
        return f"{self.count:,} plan{'s' * (self.count != 1)} compared: {', '.join(parts)}."

    def to_dict(self) -> dict[str, Any]:
        return {
            "version": __version__,
            "changed": [plan.to_dict() for plan in self.changed],
            "undecided": [plan.to_dict() for plan in self.undecided],
            "errors": [error.to_dict() for error in self.errors],
            "summary": {
                "plans": self.count,
                "changed": self._other_verdicts(),
                "undecided": len(self.undecided),
                "errors": len(self.errors),
            },
        }

    def _other_verdicts(self) -> int:
        return sum(plan.has_other_verdict for plan in self.changed)


def _plans(paths: list[str]) -> Iterator[tuple[str, str] | ReadError]:
    for found in collect(paths, Collecting(Configurations())):
        if isinstance(found, ReadError):
            yield found
            continue
        shown, absolute, is_input = found
        text = decode(shown, sys.stdin.buffer.read()) if is_input else read_text(absolute, may_wait=True)
        yield ReadError(shown, text.message) if isinstance(text, ReadError) else (shown, text)


def _shown(plan: ComparedPlan, paint: Painter) -> str:
    before, after = plan.before.verdict.value, plan.after.verdict.value
    change = f"{before} -> {after}" if plan.has_other_verdict else f"{after}, as before"
    lines = [f"{paint('bold', f'{one_line(plan.path)}:')} {change}"]
    names = step_names(plan.text)
    for word, decision in (("before", plan.before), ("after", plan.after)):
        vote = _matched(decision)
        place = f" ({one_line(plan.path)}:{vote.line}:{vote.column})" if vote.line else ""
        steps = f" step {one_line(shown_steps(vote.steps, names))}" if vote.steps else ""
        lines.append(f"  {word + ':':<7} {one_line(vote.reason)} [{vote.rule}]{steps}{place}")
    return "\n".join(lines)
