"""The policies of a workspace: which is in force for a plan, every file read once."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from plancheck.analysis.finding import Severity
from plancheck.analysis.rules import RULES
from plancheck.analysis.settings import Settings
from plancheck.frozen import replace
from plancheck.policy.model import NO_POLICY, split_key
from plancheck.policy.reading import NAMES, OTHER_NAMES, PolicyProblem, PolicyText, joined, read_policy, rego_text
from plancheck.policy.rego.files import RegoFiles
from plancheck.policy.showing import shortened
from plancheck.text import Span
from plancheck.tuples import NamedTuple
from plancheck.workspace.files import Configurations
from plancheck.workspace.reading import MOST_BYTES_OF_SETTINGS, ReadError, read_text
from plancheck.workspace.rego_files import is_policy_in_rego, is_rego, read_rego_files


class PolicyEntry(NamedTuple):
    """A policy that is in force."""

    path: str
    package: str | None = None
    """The package whose rules decide, of a Rego policy, where a configuration names one."""
    is_named: bool = False
    """Whether somebody names it, and it is not only found: then a folder stands for the Rego files in it."""

    @property
    def is_rego(self) -> bool:
        return is_policy_in_rego(self.path) if self.is_named else is_rego(self.path)


class LoadedRego(NamedTuple):
    """A Rego policy, which is evaluated elsewhere."""

    path: str
    """Its file, or the folder of its files."""
    rego: RegoFiles

    @property
    def found(self) -> PolicyText:
        return rego_text(self.rego)


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


LoadedFile: TypeAlias = "LoadedPolicy | LoadedRego"


def policy_fault(file: LoadedFile | ReadError, may_be_quoted: bool = True) -> str | None:
    """Why nobody can rely on a policy file, in a sentence; None where it is sound."""
    name = os.path.basename(file.path)
    if isinstance(file, ReadError):
        return f"The policy {name} cannot be read, so nothing was checked against it: {file.message}"
    if isinstance(file, LoadedRego):
        return None
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

_SAYS_NOTHING = "This policy has no rules, so only the defaults apply: add some, such as `allow_tools`, or remove it."
_NOT_READ = "policies are read from YAML and Rego only: rename it to plan-policy.yaml, or move it away."

Reader = Callable[[str], "str | ReadError"]


def read_settings(path: str) -> str | ReadError:
    return read_text(path, most=MOST_BYTES_OF_SETTINGS)


class Policies:
    """The policies below some configurations. A configuration names them, or else the nearest file of the usual name
    in the plan's folder or above it is the one."""

    def __init__(
        self, configurations: Configurations, read: Reader = read_settings, named: Sequence[str] | None = None
    ) -> None:
        self._configurations = configurations
        self._read = read
        self._named = named
        """The policies that the user names: they take the place of all others."""
        self._files: dict[PolicyEntry, LoadedFile | ReadError] = {}
        self._by_name: dict[str, tuple[str, ...]] = {}
        self._in_force: dict[tuple[PolicyEntry, ...], Settings] = {}

    @property
    def loaded(self) -> list[LoadedPolicy]:
        """Every YAML file that was read."""
        return [file for file in self._files.values() if isinstance(file, LoadedPolicy)]

    @property
    def loaded_rego(self) -> list[LoadedRego]:
        """Every Rego policy that was read."""
        return [file for file in self._files.values() if isinstance(file, LoadedRego)]

    @property
    def errors(self) -> list[ReadError]:
        """Those that are named, or have the usual name, and cannot be read."""
        return [file for file in self._files.values() if isinstance(file, ReadError)]

    def over(self, settings: Settings, plan: str) -> Settings:
        """The settings for a plan, given by its absolute path, with the policy that is in force for it."""
        entries = self.entries_for(plan)
        if not entries:
            return settings
        known = self._in_force.get(entries)
        if known is None:
            files = [self.load(entry) for entry in entries]
            found = [file.found for file in files if not isinstance(file, ReadError)]
            faults = tuple(fault for file in files if (fault := policy_fault(file)) is not None)
            known = self._in_force[entries] = Settings(policy=joined(found) if found else None, policy_faults=faults)
        return replace(settings, policy=known.policy, policy_faults=known.policy_faults)

    def load(self, entry: PolicyEntry) -> LoadedFile | ReadError:
        known = self._files.get(entry)
        if known is None:
            known = self._files[entry] = self._loaded(entry)
        return known

    def _loaded(self, entry: PolicyEntry) -> LoadedFile | ReadError:
        path = entry.path
        if os.path.basename(path) in OTHER_NAMES:
            return ReadError(path, _NOT_READ)
        if entry.is_rego:
            files = read_rego_files(path, self._read, may_be_folder=entry.is_named)
            return files if isinstance(files, ReadError) else LoadedRego(path, RegoFiles(files, entry.package))
        text = self._read(path)
        return text if isinstance(text, ReadError) else LoadedPolicy(path, text, read_policy(text))

    def paths_for(self, plan: str) -> tuple[str, ...]:
        """The policy files for a plan; of a folder of Rego files, these."""
        return tuple(path for entry in self.entries_for(plan) for path in self._paths(entry))

    def _paths(self, entry: PolicyEntry) -> tuple[str, ...]:
        if not entry.is_rego:
            return (entry.path,)
        loaded = self.load(entry)
        return loaded.rego.paths if isinstance(loaded, LoadedRego) else (entry.path,)

    def entries_for(self, plan: str) -> tuple[PolicyEntry, ...]:
        """The policies for a plan."""
        folder = os.path.dirname(plan)
        if self._named is not None:
            return tuple(self._named_entry(os.path.abspath(name), folder) for name in self._named)
        above = self._configurations.above(folder)
        config = above.config
        package = None if config is None else config.rego_package
        if config is not None and config.policy:
            paths = (os.path.normpath(os.path.join(above.folder, name)) for name in config.policy)
            return tuple(PolicyEntry(path, package, True) for path in paths)
        return tuple(PolicyEntry(path, package) for path in self._named_above(folder))

    def _named_entry(self, path: str, folder: str) -> PolicyEntry:
        entry = PolicyEntry(path, None, True)
        config = self._configurations.above(folder).config if entry.is_rego else None
        return entry if config is None else entry._replace(package=config.rego_package)

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
