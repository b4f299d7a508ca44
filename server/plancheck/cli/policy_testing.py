"""`plancheck policy test`: run the cases that are kept beside policies.

Exit codes: 0 all of them passed, 1 some failed, 2 something could not be read or run, or there are no cases.
"""

from __future__ import annotations

import json
import os
import sys
from argparse import Namespace

from plancheck.cli.arguments import CommandParser
from plancheck.cli.case_results import (
    CaseError,
    CaseTotals,
    RanCase,
    TestedFile,
    TextPlace,
    complain,
    document_of,
    failures,
)
from plancheck.cli.policy_files import policy_errors
from plancheck.cli.terminal import Painter, wants_colour
from plancheck.gate.cases import PolicyJudge, outcome_of
from plancheck.gate.decision import Vote
from plancheck.gate.documents import NotWritten, document_text
from plancheck.policy.cases import CaseFile, PolicyCase, read_cases
from plancheck.text import LineIndex, Span
from plancheck.workspace.case_files import find_cases, policies_beside
from plancheck.workspace.files import ReadError, read_text
from plancheck.workspace.policies import read_settings
from plancheck.workspace.regex_process import RegexProcess
from plancheck.workspace.rego.asker import shared_asker
from plancheck.workspace.rego.opa_tests import run_rego_tests

NO_CASES = "no cases here: write NAME.test.yaml beside the policy, with a list of `cases`."

_NOWHERE = "there is no such file or folder."


def _arguments(argv: list[str]) -> Namespace:
    parser = CommandParser(
        "policy test",
        "Run the cases kept beside policies: 0 all passed, 1 some failed, 2 some could not be run.",
        ("plancheck policy test policies/", "plancheck policy test --format json policies/"),
    )
    parser.add_argument(
        "paths",
        nargs="*",
        default=["."],
        metavar="PATH",
        help="a case file (NAME.test.yaml, NAME_test.rego), a policy, or a folder (default: the working directory)",
    )
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.add_argument("--opa", metavar="PROGRAM", help="the opa that evaluates Rego (default: the one on PATH)")
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto")
    return parser.parse_args(argv)


def run(argv: list[str]) -> int:
    args = _arguments(argv)
    found = find_cases(args.paths)
    errors = [CaseError(TextPlace(error.path, 0, 0), error.message) for error in found.errors]
    if not (found.case_files or found.rego_tests or errors):
        errors.append(CaseError(TextPlace(", ".join(args.paths), 0, 0), NO_CASES))
    for error in errors:
        complain(error)
    totals = CaseTotals()
    totals.errors += len(errors)
    paint = Painter(wants_colour(args.color, sys.stdout))
    files: list[TestedFile] = []
    matcher = RegexProcess()
    runner = _Runner(args.opa, matcher)
    try:
        for path in (*found.case_files, *found.rego_tests):
            tested = runner.rego_tests(path) if path in found.rego_tests else runner.case_file(path)
            totals.add(tested)
            files.append(tested)
            for error in tested.errors:
                complain(error)
            if args.format == "text":
                print("".join(f"{failure}\n" for failure in failures(tested, paint)), end="")
    finally:
        matcher.close()
    if args.format == "json":
        print(json.dumps(document_of(files, errors, totals), indent=2))
    elif files:
        print(totals.sentence())
    return totals.exit_code


class _Runner:
    def __init__(self, opa: str | None, matcher: RegexProcess) -> None:
        self._opa = opa
        self._matcher = matcher

    def rego_tests(self, path: str) -> TestedFile:
        ran = run_rego_tests(shared_asker(self._opa).engine, path)
        errors = [
            CaseError(TextPlace(problem.path, problem.row, problem.column), problem.message) for problem in ran.problems
        ]
        return TestedFile(path, [], [], list(ran.tests), errors)

    def case_file(self, path: str) -> TestedFile:
        text = read_settings(path)
        if isinstance(text, ReadError):
            return TestedFile(path, [], [], [], [CaseError(TextPlace(path, 0, 0), text.message)])
        given, lines = read_cases(text), LineIndex(text)
        errors = [CaseError(_place(path, lines, problem.span), problem.message) for problem in given.problems]
        policies = _policies(path, given)
        if not policies:
            message = "There is no policy of the same name beside this file: name one with `policy:`."
            errors.append(CaseError(TextPlace(path, 1, 1), message))
            return TestedFile(path, [], [], [], errors)
        missing = [
            CaseError(_place(path, lines, named.span), f"The policy {named.path} cannot be read: {_NOWHERE}")
            for policy, named in zip(policies, given.policies, strict=False)
            if not os.path.lexists(policy)
        ]
        if missing:
            return TestedFile(path, policies, [], [], [*errors, *missing])
        judge = PolicyJudge(policies, os.getcwd(), self._matcher, self._opa)
        faults = policy_errors(policies, judge, self._opa)
        ran: list[RanCase] = []
        for case in () if faults else given.cases:
            done = _ran(path, lines, case, judge)
            if isinstance(done, CaseError):
                errors.append(done)
            else:
                ran.append(done)
        return TestedFile(path, policies, ran, [], [*errors, *faults])


def _policies(path: str, given: CaseFile) -> list[str]:
    folder = os.path.dirname(path)
    if given.policies:
        return [os.path.normpath(os.path.join(folder, named.path)) for named in given.policies]
    return policies_beside(path)


def _ran(path: str, lines: LineIndex, case: PolicyCase, judge: PolicyJudge) -> RanCase | CaseError:
    text = _plan(path, case)
    if not isinstance(text, str):
        return CaseError(_place(path, lines, case.plan.given.span), text.message)
    try:
        decision = judge.decide(text, case.context)
    except ValueError as error:
        return CaseError(_place(path, lines, case.span), f"This context cannot be given to a policy: {error}.")
    outcome = outcome_of(case, text, decision)
    return RanCase(outcome, _place(path, lines, case.span), _decided(path, lines, case, outcome.vote))


def _plan(path: str, case: PolicyCase) -> str | ReadError | NotWritten:
    if case.plan.file is not None:
        named = case.plan.file.path
        text = read_text(os.path.join(os.path.dirname(path), named))
        return text if isinstance(text, str) else ReadError(path, f"The plan {named} cannot be read: {text.message}")
    try:
        return document_text(case.plan.plain())
    except ValueError as error:
        return ReadError(path, f"This plan cannot be written down as JSON: {error}.")


def _decided(path: str, lines: LineIndex, case: PolicyCase, vote: Vote) -> TextPlace:
    """What in the plan decided: in its own file, or where the case has it."""
    if case.plan.file is not None:
        named = os.path.normpath(os.path.join(os.path.dirname(path), case.plan.file.path))
        return TextPlace(named, vote.line, vote.column)
    return _place(path, lines, case.plan.span_of(vote.pointer))


def _place(path: str, lines: LineIndex, span: Span) -> TextPlace:
    start = lines.position(span.start)
    return TextPlace(path, start.line + 1, start.character + 1)
