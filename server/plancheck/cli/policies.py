"""The policy files of a `plancheck check`: in force for its plans, and checked themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from plancheck.analysis.settings import Settings
from plancheck.checked import CheckedFinding, UncheckedPlace, range_of
from plancheck.cli.results import FileResult, from_here
from plancheck.policy.reading import PolicyProblem
from plancheck.text import LineIndex
from plancheck.unknown import Reason
from plancheck.workspace.files import Configurations, ReadError
from plancheck.workspace.policies import LoadedPolicy, LoadedRego, Policies

_STOPPED = "policy_regex_timeout"


class CheckedPolicies:
    def __init__(
        self,
        configurations: Configurations,
        sees_all: bool,
        named: Sequence[str] | None = None,
        opa: str | None = None,
    ) -> None:
        self._policies = Policies(configurations, named=named)
        self._opa = opa
        self._sees_all = sees_all
        """Whether whole folders are checked: only then a bound can be called one that no plan needs."""
        self._tools: dict[str, set[str]] = {}
        self._stopped: set[str] = set()

    @property
    def errors(self) -> list[ReadError]:
        return self._policies.errors

    @property
    def paths(self) -> Iterator[str]:
        """Every file that was read, or should have been."""
        yield from (loaded.path for loaded in self._policies.loaded)
        yield from (path for loaded in self._policies.loaded_rego for path in (loaded.path, *loaded.rego.paths))
        yield from (error.path for error in self.errors)

    def over(self, settings: Settings, plan: str) -> Settings:
        """The settings for a plan with the policy in force."""
        return self._policies.over(settings, plan)

    def paths_for(self, plan: str) -> tuple[str, ...]:
        """The policy files in force for a plan."""
        return self._policies.paths_for(plan)

    def note(self, result: FileResult, plan: str) -> None:
        """What checking a plan told about its policies."""
        self._stopped.update(result.stopped)
        if not self._sees_all or not result.tools:
            return
        for path in self._policies.paths_for(plan):
            self._tools.setdefault(path, set()).update(result.tools)

    def results(self, settings_for: Callable[[str], Settings]) -> Iterator[FileResult]:
        """The policy files with which something is wrong."""
        for loaded in self._policies.loaded:
            tools = frozenset(self._tools.get(loaded.path, ())) if self._sees_all else None
            problems = loaded.problems(self._stopped, tools)
            findings = list(policy_findings(loaded, problems, settings_for(loaded.path)))
            unchecked = list(policy_unchecked(loaded, problems))
            if findings or unchecked:
                yield FileResult(from_here(loaded.path), loaded.text, None, findings, unchecked)
        for rego in self._policies.loaded_rego:
            yield from _results_of_rego(rego, settings_for, self._opa)


def _results_of_rego(
    loaded: LoadedRego, settings_for: Callable[[str], Settings], opa: str | None
) -> Iterator[FileResult]:
    """The files of a Rego policy with which something is wrong."""
    from plancheck.workspace.rego.asker import shared_asker

    faults = shared_asker(opa).faults(loaded.rego)
    for path, text in loaded.rego.files:
        lines, settings = LineIndex(text), settings_for(path)
        findings: list[CheckedFinding] = []
        for fault in faults:
            severity = settings.severity(fault.rule)
            if fault.path == path and severity is not None:
                start, end = fault.span
                where = range_of(lines, start, end)
                word = severity.word
                findings.append(
                    CheckedFinding(fault.rule, word, fault.message, None, None, "", start, end, where, (), ())
                )
        if findings:
            yield FileResult(from_here(path), text, None, findings, [])


def policy_findings(
    loaded: LoadedPolicy, problems: list[PolicyProblem], settings: Settings
) -> Iterator[CheckedFinding]:
    lines = LineIndex(loaded.text)
    for problem in problems:
        severity = settings.severity(problem.rule)
        if severity is not None and problem.rule != _STOPPED:
            start, end = problem.span
            where = range_of(lines, start, end)
            yield CheckedFinding(
                problem.rule, severity.word, problem.message, None, None, problem.pointer, start, end, where, (), ()
            )


def policy_unchecked(loaded: LoadedPolicy, problems: list[PolicyProblem]) -> Iterator[UncheckedPlace]:
    """The patterns that were stopped: what they forbid was not looked for, whatever the settings say."""
    lines = LineIndex(loaded.text)
    for problem in problems:
        if problem.rule == _STOPPED:
            start, end = problem.span
            where = range_of(lines, start, end)
            yield UncheckedPlace(_STOPPED, Reason.LIMIT.value, problem.message, problem.pointer, start, end, where)
