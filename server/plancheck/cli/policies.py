"""The policy files of a `plancheck check`: in force for its plans, and checked themselves."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

from plancheck.analysis.settings import Settings
from plancheck.api import CheckedFinding, Range
from plancheck.cli.checking import STANDARD_INPUT, FileResult
from plancheck.text import LineIndex
from plancheck.workspace.files import Configurations, ReadError
from plancheck.workspace.policies import LoadedPolicy, Policies


class PolicyFiles:
    def __init__(self, configurations: Configurations, sees_all: bool) -> None:
        self._policies = Policies(configurations)
        self._sees_all = sees_all
        """Whether whole folders are checked: only then a bound can be called one that no plan needs."""
        self._tools: dict[str, set[str]] = {}
        self._stopped: set[str] = set()

    @property
    def errors(self) -> list[ReadError]:
        return self._policies.errors

    def over(self, settings: Settings, plan: str) -> Settings:
        """The settings for a plan with the policy in force."""
        return self._policies.over(settings, _path(plan))

    def note(self, result: FileResult, plan: str) -> None:
        """What checking a plan told about its policies."""
        self._stopped.update(result.stopped)
        for path in self._policies.paths_for(_path(plan)):
            self._tools.setdefault(path, set()).update(result.tools)

    def results(self, settings_for: Callable[[str], Settings]) -> Iterator[FileResult]:
        """The policy files with which something is wrong."""
        for loaded in self._policies.loaded:
            tools = frozenset(self._tools.get(loaded.path, ())) if self._sees_all else None
            found = list(_checked(loaded, self._stopped, tools, settings_for(loaded.path)))
            if found:
                shown = loaded.path.removeprefix(os.path.join(os.getcwd(), ""))
                yield FileResult(shown, loaded.text, None, found, None)


def _path(plan: str) -> str:
    return os.path.join(os.getcwd(), "stdin.plan.json") if plan == STANDARD_INPUT else plan


def _checked(
    loaded: LoadedPolicy, stopped: set[str], tools: frozenset[str] | None, settings: Settings
) -> Iterator[CheckedFinding]:
    lines = LineIndex(loaded.text)
    for rule, message, (start, end), pointer in loaded.problems(stopped, tools):
        severity = settings.severity(rule)
        if severity is not None:
            range_ = Range(lines.position(start), lines.position(end))
            yield CheckedFinding(rule, severity.word, message, None, None, pointer, start, end, range_, (), ())
