"""The policies of a workspace: which is in force for a plan, every file read once."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import NamedTuple

from plancheck.analysis.finding import Severity
from plancheck.analysis.rules import RULES
from plancheck.analysis.settings import Settings
from plancheck.policy.model import NO_POLICY, split_key
from plancheck.policy.reading import NAMES, OTHER_NAMES, PolicyProblem, PolicyText, joined, read_policy
from plancheck.policy.showing import shortened
from plancheck.text import Span
from plancheck.workspace.files import Configurations
from plancheck.workspace.reading import MOST_BYTES_OF_SETTINGS, ReadError, read_text


class LoadedPolicy(NamedTuple):
    path: str
    text: str
    found: PolicyText

    def problems(self, stopped: Iterable[str] = (), tools: frozenset[str] | None = None) -> list[PolicyProblem]:
        """What is wrong with the file: by itself, because patterns were stopped, and, where the tools of all plans
        are known, because a bound is about none of them."""
        problems = list(self.found.problems)
        if not problems and not any(self.found.given.values()) and self.found.policy == NO_POLICY:
            problems.append(PolicyProblem("policy_empty", _SAYS_NOTHING, Span(0, min(1, len(self.text)))))
        stopped = set(stopped)
        for number, (pattern, place) in enumerate(self.found.patterns, 1):
            if pattern in stopped:
                message = (
                    f"Pattern {number}, `{shortened(pattern)}`, took too long on a value and was stopped: write it "
                    "without a repetition inside another one."
                )
                problems.append(PolicyProblem("policy_regex_timeout", message, *place))
        for key, place in self.found.bounds if tools is not None else ():
            if tools is not None and split_key(key, tools) is None:
                message = f"No plan uses a tool that `{key}` could be about: is its name right?"
                problems.append(PolicyProblem("policy_unused_bound", message, *place))
        return sorted(problems, key=lambda problem: problem.span)


def policy_fault(file: LoadedPolicy | ReadError, may_be_quoted: bool = True) -> str | None:
    """Why nobody can rely on a policy file, in a sentence; None where it is sound."""
    name = os.path.basename(file.path)
    if isinstance(file, ReadError):
        return f"The policy {name} cannot be read, so nothing was checked against it: {file.message}"
    for problem in mistakes_in(file.found):
        line = file.text.count("\n", 0, problem.span.start) + 1
        what = f": {problem.message}" if may_be_quoted else "."
        return f"The policy {name} has a mistake in line {line}, so not all of it was checked{what}"
    return None


def mistakes_in(found: PolicyText) -> list[PolicyProblem]:
    """What is wrong with a policy so that it does not forbid what its author meant."""
    return [
        problem
        for problem in found.problems
        if RULES[problem.rule].severity is Severity.ERROR and not problem.pointer.startswith(_WEIGHTS)
    ]


_WEIGHTS = "/risk_weights/"
"""Weights under names that are no codes keep nothing from being checked, and plan-lint's own policies have them."""

_SAYS_NOTHING = "This policy says nothing, so only the defaults hold: add rules such as `allow_tools`, or remove it."
_NOT_YAML = "policies are read from YAML only: rename it to plan-policy.yaml, or move it away."

Reader = Callable[[str], "str | ReadError"]


def read_settings(path: str) -> str | ReadError:
    return read_text(path, most=MOST_BYTES_OF_SETTINGS)


class Policies:
    """The policies below some configurations. A configuration names them, or else the nearest file of the usual name
    in the plan's folder or above it is the one."""

    def __init__(self, configurations: Configurations, read: Reader = read_settings) -> None:
        self._configurations = configurations
        self._read = read
        self._files: dict[str, LoadedPolicy | ReadError] = {}
        self._by_name: dict[str, tuple[str, ...]] = {}
        self._in_force: dict[tuple[str, ...], Settings] = {}

    @property
    def loaded(self) -> list[LoadedPolicy]:
        """Every policy file that was read."""
        return [file for file in self._files.values() if isinstance(file, LoadedPolicy)]

    @property
    def errors(self) -> list[ReadError]:
        """Those that are named, or have the usual name, and cannot be read."""
        return [file for file in self._files.values() if isinstance(file, ReadError)]

    def over(self, settings: Settings, plan: str) -> Settings:
        """The settings for a plan, given by its absolute path, with the policy that is in force for it."""
        paths = self.paths_for(plan)
        if not paths:
            return settings
        known = self._in_force.get(paths)
        if known is None:
            files = [self.load(path) for path in paths]
            found = [file.found for file in files if isinstance(file, LoadedPolicy)]
            faults = tuple(fault for file in files if (fault := policy_fault(file)) is not None)
            known = self._in_force[paths] = Settings(policy=joined(found) if found else None, policy_faults=faults)
        return settings._replace(policy=known.policy, policy_faults=known.policy_faults)

    def load(self, path: str) -> LoadedPolicy | ReadError:
        known = self._files.get(path)
        if known is None:
            is_other = os.path.basename(path) in OTHER_NAMES
            text = ReadError(path, _NOT_YAML) if is_other else self._read(path)
            known = text if isinstance(text, ReadError) else LoadedPolicy(path, text, read_policy(text))
            self._files[path] = known
        return known

    def paths_for(self, plan: str) -> tuple[str, ...]:
        """The policy files for a plan."""
        folder = os.path.dirname(plan)
        above = self._configurations.above(folder)
        named = above.config.policy if above.config is not None else ()
        if named:
            return tuple(os.path.normpath(os.path.join(above.folder, name)) for name in named)
        return self._named_above(folder)

    def _named_above(self, folder: str) -> tuple[str, ...]:
        """The nearest policies of the usual names; all of them, where a folder has several."""
        passed: list[str] = []
        found: tuple[str, ...] = ()
        while not found:
            if folder in self._by_name:
                found = self._by_name[folder]
                break
            passed.append(folder)
            candidates = (os.path.join(folder, name) for name in (*NAMES, *OTHER_NAMES))
            # a folder, a pipe or a link that leads nowhere in its place is a policy that cannot be read, not none
            found = tuple(path for path in candidates if os.path.lexists(path))
            parent = os.path.dirname(folder)
            if parent == folder:
                break
            folder = parent
        self._by_name.update(dict.fromkeys(passed, found))
        return found
