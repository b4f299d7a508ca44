"""The configuration of a workspace: `plancheck.toml`, or `[tool.plancheck]` in `pyproject.toml`.

Reading never fails. What is wrong becomes a problem at its place in the file, and the rest still applies.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from plancheck.analysis.finding import Severity
from plancheck.analysis.rules import RULES
from plancheck.analysis.settings import Settings
from plancheck.plan.dialects.keys import nearest
from plancheck.plan.dialects.table import names, one_of
from plancheck.syntax.tree import Problem
from plancheck.text import Span
from plancheck.workspace.globs import GlobSet, bad_glob
from plancheck.workspace.toml import Entry, TomlPath, locate

DEFAULT_INCLUDE = ("**/*.plan.json",)
SEVERITIES: Mapping[str, Severity | None] = {**{severity.word: severity for severity in Severity}, "off": None}
_SEVERITY_WORDS = '"error", "warning", "info", "hint" or "off"'


class Override(NamedTuple):
    """Other severities, or another dialect, for some of the files."""

    files: tuple[str, ...]
    rules: Mapping[str, Severity | None]
    dialect: str | None = None


class Config(NamedTuple):
    """What the workspace says. Globs and paths are relative to the folder of the file."""

    include: tuple[str, ...] = DEFAULT_INCLUDE
    exclude: tuple[str, ...] = ()
    rules: Mapping[str, Severity | None] = {}
    overrides: tuple[Override, ...] = ()
    policy: tuple[str, ...] = ()
    max_findings: int = Settings().max_findings
    max_file_size: int = Settings().max_file_size
    dialect: str | None = None
    """What every plan is written in; None to tell by the content of each."""

    def is_plan(self, relative_path: str) -> bool:
        """Whether a file below the configuration's folder is a plan file, by its name."""
        return _globs(self.include).fits(relative_path) and not self.is_excluded(relative_path)

    def is_excluded(self, relative_path: str) -> bool:
        return _globs(self.exclude).fits(relative_path)

    def settings_for(self, relative_path: str) -> Settings:
        """The settings for one file; later overrides win."""
        severities, dialect = dict(self.rules), self.dialect
        for override in self.overrides:
            if _globs(override.files).fits(relative_path):
                severities.update(override.rules)
                dialect = override.dialect or dialect
        return Settings(severities, self.max_findings, self.max_file_size, dialect)


@lru_cache(maxsize=256)
def _globs(globs: tuple[str, ...]) -> GlobSet:
    return GlobSet(globs)


def parse_config(text: str, is_pyproject: bool = False) -> tuple[Config, list[Problem]]:
    """The configuration in a text, and what is wrong with it, in the order of the text."""
    problems: list[Problem] = []
    accepted, data = _load(text, problems)
    try:
        places = locate(accepted)
    except (ValueError, RecursionError):
        places = {}
    reader = _Reader(places, problems)
    if not is_pyproject:
        return reader.config(data), sorted(problems)
    tool = data.get("tool")
    table = tool.get("plancheck") if isinstance(tool, dict) else None
    return (reader.config(table, ("tool", "plancheck")) if table is not None else Config()), sorted(problems)


_SECTION = re.compile(
    r"""^[ \t]*\[*[ \t]*["']?tool["']?[ \t]*\.[ \t]*["']?plancheck["']?[ \t]*(?:[\].=]|$)""", re.MULTILINE
)


def has_section(pyproject: str) -> bool:
    """Whether a `pyproject.toml` configures plancheck. Broken ones count too, so that somebody says what is broken."""
    return _SECTION.search(pyproject) is not None


# ---- TOML with mistakes --------------------------------------------------------------------------------------------

_MOST_ROUNDS = 30
_AT = re.compile(r"^(.*?) \(at (?:line (\d+), column (\d+)|end of document)\)$", re.DOTALL)
_STARTS_SOMETHING = re.compile(r"""^[ \t]*(?:\[|["'A-Za-z0-9_.-]+[ \t]*=)""")
_TOKEN = re.compile(r"""[^\s,\]}=#]+|.""")


def _load(text: str, problems: list[Problem]) -> tuple[str, dict[str, Any]]:
    """The part of the text that is TOML, what stands there instead of the rest being spaces, and its data."""
    for _ in range(_MOST_ROUNDS):
        data = _tried(text)
        if isinstance(data, dict):
            return text, data
        text = _without_mistake(text, data, problems)
    return "", {}


def _tried(text: str) -> dict[str, Any] | str:
    """The data, or what the TOML reader has against the text; imported here, for most folders have no configuration."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        return tomllib.loads(text)
    except RecursionError:
        return "it is nested too deeply"
    except ValueError as error:
        return str(error)


def _without_mistake(text: str, error: str, problems: list[Problem]) -> str:
    """Note what the TOML reader said, and blank the lines that it cannot make out."""
    lines = text.split("\n")
    match = _AT.match(error)
    words = match[1] if match else error
    if match and match[2]:
        number = min(int(match[2]), len(lines)) - 1
        column = min(int(match[3]) - 1, len(lines[number]))
        last = number
        if lines[number].lstrip().startswith("["):  # without its header a section would land in the one before
            last = next((i for i in range(number + 1, len(lines)) if lines[i].startswith("[")), len(lines)) - 1
    else:
        last = len(lines) - 1
        starts = (i for i in range(last, -1, -1) if _STARTS_SOMETHING.match(lines[i]))
        number = next(starts, 0)
        column = len(lines[number]) - len(lines[number].lstrip())
    offset = sum(len(line) + 1 for line in lines[:number]) + column
    token = _TOKEN.match(lines[number], column)
    message = f"This is not TOML: {_sentence(words)}"
    if not (match and match[2]) and problems and problems[-1].message == message:
        problems.pop()  # the end was missing still, so what is not closed stands further up
    problems.append(Problem(offset, offset + (len(token[0]) if token else 0), message))
    lines[number : last + 1] = [" " * len(line) for line in lines[number : last + 1]]
    return "\n".join(lines)


def _sentence(words: str) -> str:
    return f"{words[:1].lower()}{words[1:].rstrip('.')}."


# ---- from TOML to the model ----------------------------------------------------------------------------------------


def _kind(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    names: dict[type, str] = {str: "a string", int: "a number", float: "a number", list: "a list", dict: "a table"}
    return names.get(type(value), "a date or time")


class _Reader:
    """One table on its way to the model: problems are noted at their places, good values are kept."""

    def __init__(self, places: Mapping[TomlPath, Entry], problems: list[Problem]) -> None:
        self.places = places
        self.problems = problems

    def problem(self, path: TomlPath, message: str, at_key: bool = False) -> None:
        entry = self.places.get(path)
        while entry is None and path:
            path = path[:-1]
            entry = self.places.get(path)
        span = Span(0, 0) if entry is None else entry.key if at_key and entry.key is not None else entry.value
        self.problems.append(Problem(span.start, span.end, message))

    def config(self, value: Any, path: TomlPath = ()) -> Config:
        if not isinstance(value, dict):
            self.problem(path, f"`plancheck` must be a table of settings, not {_kind(value)}.")
            return Config()
        readers: dict[str, Callable[[Any, TomlPath], Any]] = {
            "include": self.globs,
            "exclude": self.globs,
            "rules": self.rules,
            "overrides": self.overrides,
            "policy": self.paths,
            "max-findings": self.number,
            "max-file-size": self.number,
            "dialect": self.dialect,
        }
        good = self.table(value, path, readers, "setting of plancheck")
        return Config(**{name.replace("-", "_"): value for name, value in good.items()})

    def table(
        self, table: dict[str, Any], path: TomlPath, readers: Mapping[str, Callable[[Any, TomlPath], Any]], what: str
    ) -> dict[str, Any]:
        """The members that could be read."""
        good: dict[str, Any] = {}
        for name, value in table.items():
            if name not in readers:
                right = nearest(name, readers)
                hint = f"did you mean `{right}`?" if right else f"there are {_listed(readers)}."
                self.problem((*path, name), f"`{name}` is no {what}: {hint}", at_key=True)
            elif (read := readers[name](value, (*path, name))) is not None:
                good[name] = read
        return good

    def strings(self, value: Any, path: TomlPath, what: str) -> list[tuple[str, TomlPath]] | None:
        if not isinstance(value, list):
            self.problem(path, f"`{path[-1]}` must be a list of {what}s, not {_kind(value)}.")
            return None
        found = []
        for number, item in enumerate(value):
            if isinstance(item, str):
                found.append((item, (*path, number)))
            else:
                self.problem((*path, number), f"Each entry of `{path[-1]}` must be a {what}, not {_kind(item)}.")
        return found

    def globs(self, value: Any, path: TomlPath) -> tuple[str, ...] | None:
        found = self.strings(value, path, "glob")
        if found is None:
            return None
        good = []
        for glob, place in found:
            if (wrong := bad_glob(glob)) is not None:
                self.problem(place, f"The glob `{glob}` {wrong}.")
            else:
                good.append(glob)
        return tuple(good) if good or not value else None

    def paths(self, value: Any, path: TomlPath) -> tuple[str, ...] | None:
        found = self.strings(value, path, "path")
        if found is None:
            return None
        for name, place in found:
            if not name.strip():
                self.problem(place, f"An entry of `{path[-1]}` is empty: name a file.")
        return tuple(name for name, _ in found if name.strip())

    def number(self, value: Any, path: TomlPath) -> int | None:
        if isinstance(value, int) and not isinstance(value, bool) and value > 0:
            return value
        given = f"{value}" if isinstance(value, (int, float)) and not isinstance(value, bool) else _kind(value)
        self.problem(path, f"`{path[-1]}` must be a whole number above zero, not {given}.")
        return None

    def dialect(self, value: Any, path: TomlPath) -> str | None:
        if isinstance(value, str) and value in names():
            return value
        given = f"`{value}`" if isinstance(value, str) else _kind(value)
        choice = one_of(tuple(f'"{name}"' for name in names()))
        self.problem(path, f"`dialect` must be {choice}, not {given}.")
        return None

    def rules(self, value: Any, path: TomlPath) -> dict[str, Severity | None] | None:
        if not isinstance(value, dict):
            self.problem(path, f"`rules` must be a table of rule names and severities, not {_kind(value)}.")
            return None
        good: dict[str, Severity | None] = {}
        for name, word in value.items():
            place = (*path, name)
            if name not in RULES:
                right = nearest(name, RULES)
                hint = f"did you mean `{right}`?" if right else "`plancheck rules` lists them."
                self.problem(place, f"There is no rule `{name}`: {hint}", at_key=True)
            elif not isinstance(word, str):
                self.problem(place, f"The severity of `{name}` must be {_SEVERITY_WORDS}, not {_kind(word)}.")
            elif word not in SEVERITIES:
                self.problem(place, f"`{word}` is no severity: write {_SEVERITY_WORDS}.")
            else:
                good[name] = SEVERITIES[word]
        return good

    def overrides(self, value: Any, path: TomlPath) -> tuple[Override, ...] | None:
        if not isinstance(value, list):
            self.problem(path, f"`overrides` must be a list of tables (`[[overrides]]`), not {_kind(value)}.")
            return None
        found = []
        for number, item in enumerate(value):
            place = (*path, number)
            if not isinstance(item, dict):
                self.problem(place, f"Each entry of `overrides` must be a table, not {_kind(item)}.")
                continue
            readers = {"files": self.globs, "rules": self.rules, "dialect": self.dialect}
            good = self.table(item, place, readers, "key of an override")
            for key, why in (("files", "name the files that it is about"), ("rules", "say what changes for them")):
                if key not in item and not (key == "rules" and "dialect" in item):
                    self.problem(place, f"This override has no `{key}`: {why}.")
            if "files" in good and ("rules" in good or "dialect" in good):
                found.append(Override(good["files"], good.get("rules", {}), good.get("dialect")))
        return tuple(found)


def _listed(names: Mapping[str, object]) -> str:
    *most, last = (f"`{name}`" for name in names)
    return f"{', '.join(most)} and {last}"
