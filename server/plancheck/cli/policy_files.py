"""Policy files, checked by themselves: what is wrong with each, at its place."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence

from plancheck.analysis.finding import Severity
from plancheck.checked import CheckedFinding, UncheckedPlace, range_of, unchecked_file
from plancheck.cli.case_results import CaseError, TextPlace
from plancheck.cli.policies import policy_findings, policy_unchecked
from plancheck.cli.results import FileResult, unreadable
from plancheck.gate.cases import PolicyJudge
from plancheck.policy.cases import is_case_file, read_cases
from plancheck.policy.problems import PolicyProblem
from plancheck.policy.rego.policy import RegoFault
from plancheck.text import LineIndex, Span
from plancheck.unknown import Reason
from plancheck.workspace.files import Configurations, ReadError
from plancheck.workspace.policies import LoadedRego, Policies, read_settings
from plancheck.workspace.rego.asker import shared_asker
from plancheck.workspace.rego.opa_tests import run_rego_tests
from plancheck.workspace.rego_files import TESTS

REGO_ERROR = "rego_error"


class PolicyChecker:
    """Checks policy files. The tools are those of all plans, where they are known."""

    def __init__(self, opa: str | None, tools: frozenset[str] | None = None) -> None:
        self._opa = opa
        self._tools = tools
        self._configurations = Configurations()

    def results(self, path: str) -> Iterator[FileResult]:
        """What there is to say of a file, or of the files of a folder, which are one policy."""
        if path.endswith(TESTS):
            yield self._rego_tests(path)
        elif is_case_file(path):
            yield self._case_file(path)
        else:
            yield from self._policy(path)

    def _policy(self, path: str) -> Iterator[FileResult]:
        policies = Policies(self._configurations, named=[path])
        (entry,) = policies.entries_for(os.path.join(os.getcwd(), "plan"))
        loaded = policies.load(entry)
        if isinstance(loaded, ReadError):
            yield unreadable(ReadError(_shown(loaded.path, path), loaded.message))
        elif isinstance(loaded, LoadedRego):
            texts = {_shown(file, path): text for file, text in loaded.rego.files}
            faults = shared_asker(self._opa).faults(loaded.rego)
            yield from _rego_results(texts, [_with_shown(fault, path) for fault in faults])
        else:
            problems = loaded.problems(tools=self._tools)
            settings = self._configurations.above(os.path.dirname(loaded.path)).settings_for(loaded.path)
            findings = list(policy_findings(loaded, problems, settings))
            yield FileResult(path, loaded.text, None, findings, list(policy_unchecked(loaded, problems)))

    def _case_file(self, path: str) -> FileResult:
        text = read_settings(path)
        if isinstance(text, ReadError):
            return unreadable(text)
        lines = LineIndex(text)
        findings = [_finding(problem, lines) for problem in read_cases(text).problems]
        return FileResult(path, text, None, findings, [])

    def _rego_tests(self, path: str) -> FileResult:
        text = read_settings(path)
        if isinstance(text, ReadError):
            return unreadable(text)
        lines = LineIndex(text)
        findings: list[CheckedFinding] = []
        unchecked: list[UncheckedPlace] = []
        for problem in run_rego_tests(shared_asker(self._opa).engine, path).problems:
            if problem.path != path or not problem.row:
                unchecked.append(unchecked_file(REGO_ERROR, f"{problem.message} ({problem.path})"))
                continue
            line = lines.line_span(problem.row - 1)
            start = min(line.start + max(problem.column - 1, 0), line.end)
            span = Span(start, min(start + 1, len(text)))
            findings.append(_finding(PolicyProblem(problem.rule, problem.message, span), lines))
        return FileResult(path, text, None, findings, unchecked)


def _shown(file: str, named: str) -> str:
    """A file of a policy, which has an absolute path, as the user names it."""
    return os.path.normpath(os.path.join(named, os.path.relpath(file, os.path.abspath(named))))


def _with_shown(fault: RegoFault, named: str) -> RegoFault:
    return fault if fault.path is None else fault._replace(path=_shown(fault.path, named))


def _rego_results(texts: Mapping[str, str], faults: Sequence[RegoFault]) -> Iterator[FileResult]:
    first = next(iter(texts))
    for path, text in texts.items():
        lines = LineIndex(text)
        findings: list[CheckedFinding] = []
        unchecked: list[UncheckedPlace] = []
        for fault in faults:
            if fault.path is None and path == first:
                unchecked.append(unchecked_file(fault.rule, fault.message))
            elif fault.path == path and fault.reason is Reason.FAILURE:
                findings.append(_finding(PolicyProblem(fault.rule, fault.message, fault.span), lines))
            elif fault.path == path:
                where = range_of(lines, *fault.span)
                unchecked.append(UncheckedPlace(fault.rule, fault.reason.value, fault.message, "", *fault.span, where))
        yield FileResult(path, text, None, findings, unchecked)


def _finding(problem: PolicyProblem, lines: LineIndex) -> CheckedFinding:
    start, end = problem.span
    where = range_of(lines, start, end)
    return CheckedFinding(
        *(problem.rule, Severity.ERROR.word, problem.message, None, None, problem.pointer, start, end, where, (), ())
    )


def policy_errors(paths: Sequence[str], judge: PolicyJudge, opa: str | None) -> list[CaseError]:
    """Why nothing can be judged by a policy: it would not be the policy that its author means."""
    if not judge.faults:
        return []
    checker = PolicyChecker(opa)
    found: list[CaseError] = []
    for result in (result for path in paths for result in checker.results(path)):
        items: list[CheckedFinding | UncheckedPlace] = [*result.findings, *result.unchecked]
        for item in items:
            start = item.range.start
            place = (
                TextPlace(result.path, start.line + 1, start.character + 1)
                if result.text
                else TextPlace(result.path, 0, 0)
            )
            found.append(CaseError(place, item.message))
    return found or [CaseError(TextPlace(paths[0], 0, 0), fault) for fault in judge.faults]
