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
from plancheck.policy.rego.policy import EXTENSION, RegoFault, is_policy_file, read_rego_policy
from plancheck.text import LineIndex, Span
from plancheck.unknown import Reason
from plancheck.workspace.case_files import REGO_TESTS
from plancheck.workspace.files import Configurations, ReadError
from plancheck.workspace.policies import LoadedPolicy, Policies, read_settings
from plancheck.workspace.rego.engine import EngineFault, RegoEngine
from plancheck.workspace.rego.evaluate import compile_faults
from plancheck.workspace.rego.opa_tests import run_rego_tests

REGO_ERROR = "rego_error"


class PolicyChecker:
    """Checks policy files. The tools are those of all plans, where they are known."""

    def __init__(self, engine: RegoEngine | EngineFault, tools: frozenset[str] | None = None) -> None:
        self._engine = engine
        self._tools = tools
        self._configurations = Configurations()
        self._policies = Policies(self._configurations)

    def results(self, path: str) -> Iterator[FileResult]:
        """What there is to say of a file, or of the files of a folder, which are one policy."""
        if os.path.isdir(path):
            yield from self._folder(path)
        elif path.endswith(REGO_TESTS):
            yield from self._rego_tests(path)
        elif path.endswith(EXTENSION):
            yield from self._rego([path])
        else:
            yield self._case_file(path) if is_case_file(path) else self._yaml(path)

    def _folder(self, folder: str) -> Iterator[FileResult]:
        names = sorted(os.listdir(folder))
        paths = [os.path.normpath(os.path.join(folder, name)) for name in names]
        rego = [path for path in paths if is_policy_file(path)]
        if not rego:
            yield unreadable(ReadError(folder, "there are no Rego files in this folder: name the policy files."))
            return
        yield from self._rego(rego)

    def _yaml(self, path: str) -> FileResult:
        loaded = self._policies.load(os.path.abspath(path))
        if isinstance(loaded, ReadError):
            return unreadable(ReadError(path, loaded.message))
        problems = loaded.problems(tools=self._tools)
        settings = self._configurations.above(os.path.dirname(loaded.path)).settings_for(loaded.path)
        shown = LoadedPolicy(path, loaded.text, loaded.found)
        findings = list(policy_findings(shown, problems, settings))
        return FileResult(path, loaded.text, None, findings, list(policy_unchecked(shown, problems)))

    def _case_file(self, path: str) -> FileResult:
        text = read_settings(path)
        if isinstance(text, ReadError):
            return unreadable(text)
        lines = LineIndex(text)
        findings = [_finding(problem, lines) for problem in read_cases(text).problems]
        return FileResult(path, text, None, findings, [])

    def _rego_tests(self, path: str) -> Iterator[FileResult]:
        text = read_settings(path)
        if isinstance(text, ReadError):
            yield unreadable(text)
            return
        lines = LineIndex(text)
        findings: list[CheckedFinding] = []
        unchecked: list[UncheckedPlace] = []
        for problem in run_rego_tests(self._engine, path).problems:
            if problem.path != path or not problem.row:
                unchecked.append(unchecked_file(REGO_ERROR, f"{problem.message} ({problem.path})"))
                continue
            line = lines.line_span(problem.row - 1)
            start = min(line.start + max(problem.column - 1, 0), line.end)
            span = Span(start, min(start + 1, len(text)))
            findings.append(_finding(PolicyProblem(problem.rule, problem.message, span), lines))
        yield FileResult(path, text, None, findings, unchecked)

    def _rego(self, paths: Sequence[str]) -> Iterator[FileResult]:
        texts: dict[str, str] = {}
        for path in paths:
            text = read_settings(path)
            if isinstance(text, ReadError):
                yield unreadable(text)
            else:
                texts[path] = text
        if len(texts) == len(paths):
            yield from _rego_results(texts, compile_faults(self._engine, read_rego_policy(texts)))


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


def policy_errors(paths: Sequence[str], judge: PolicyJudge, engine: RegoEngine | EngineFault) -> list[CaseError]:
    """Why nothing can be judged by a policy: it would not be the policy that its author means."""
    if not judge.faults:
        return []
    checker = PolicyChecker(engine)
    found: list[CaseError] = []
    for result in (result for path in paths for result in checker.results(path)):
        items: list[CheckedFinding | UncheckedPlace] = [*result.findings, *result.unchecked]
        for item in items:
            line, character = item.range.start
            place = TextPlace(result.path, line + 1, character + 1) if result.text else TextPlace(result.path, 0, 0)
            found.append(CaseError(place, item.message))
    return found or [CaseError(TextPlace(paths[0], 0, 0), fault) for fault in judge.faults]
