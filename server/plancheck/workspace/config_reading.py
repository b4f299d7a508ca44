"""From the data of a TOML file to the configuration. Mistakes are noted at their places, good values are kept."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from plancheck.analysis.finding import Severity
from plancheck.analysis.rule import Option
from plancheck.analysis.rules import RULES
from plancheck.analysis.settings import InlineIgnores, Profile
from plancheck.plan.dialects.keys import nearest
from plancheck.plan.dialects.table import names, one_of
from plancheck.policy.described import DescribedKey, FormId
from plancheck.policy.showing import pointer_to, shortened
from plancheck.text import Span
from plancheck.workspace.config_keys import CONFIG_KEYS, FAIL_ON_WORDS, OVERRIDE_KEYS, PACKAGE, SEVERITY_KEY, ConfigForm
from plancheck.workspace.config_model import MOST_OVERRIDES, NamedFiles, Override, RuleChoices
from plancheck.workspace.globs import MOST_CHARACTERS, MOST_GLOBS, bad_glob, is_glob, size
from plancheck.workspace.problem import ConfigProblem
from plancheck.workspace.toml import TomlEntry, TomlPath

SEVERITIES: Mapping[str, Severity | None] = {**{severity.word: severity for severity in Severity}, "off": None}
_SEVERITY_WORDS = '"error", "warning", "info", "hint" or "off"'
Choice = TypeVar("Choice", InlineIgnores, Profile)
MOST_PROBLEMS = 200
"""Of one file; what else is wrong with it is told when these are mended."""
MOST_NUMBER = 2**31 - 1
_PACKAGE = re.compile(PACKAGE)
_TOO_MANY_GLOBS = f"This file has too many globs: at most {MOST_GLOBS:,}, of {MOST_CHARACTERS:,} characters in all."


def _kind(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    names: dict[type, str] = {str: "a string", int: "a number", float: "a number", list: "a list", dict: "a table"}
    return names.get(type(value), "a date or time")


class ConfigReader:
    """One table on its way to the model: problems are noted at their places, good values are kept."""

    def __init__(self, places: Mapping[TomlPath, TomlEntry], problems: list[ConfigProblem]) -> None:
        self.places = places
        self.problems = problems
        self.globs_left = MOST_GLOBS
        self.characters_left = MOST_CHARACTERS

    def problem(self, path: TomlPath, message: str, at_key: bool = False, meant: str | None = None) -> None:
        if len(self.problems) < MOST_PROBLEMS:
            span, pointer = self.place(path, at_key=at_key)
            self.problems.append(ConfigProblem(span.start, span.end, message, pointer, meant or ""))

    def place(self, path: TomlPath, *, at_key: bool = False) -> tuple[Span, str]:
        """Where something is, or the nearest that is there around it, and the pointer to it."""
        pointer = ""
        for part in path:
            pointer = pointer_to(pointer, part)
        entry = self.places.get(path)
        while entry is None and path:
            path = path[:-1]
            entry = self.places.get(path)
        span = Span(0, 0) if entry is None else entry.key if at_key and entry.key is not None else entry.value
        return span, pointer

    def given(self, value: Any, path: TomlPath = ()) -> dict[str, Any]:
        """What is said, by the names of the fields of a configuration."""
        if not isinstance(value, dict):
            self.problem(path, f"`plancheck` must be a table of settings, not {_kind(value)}.")
            return {}
        readers = self.readers(CONFIG_KEYS)
        good = self.table(value, path, readers, "setting of plancheck")
        return {name.replace("-", "_"): value for name, value in good.items()}

    def readers(self, keys: Iterable[DescribedKey]) -> dict[str, Callable[[Any, TomlPath], Any]]:
        """For each key what reads values of its form."""
        by_form: dict[FormId, Callable[[Any, TomlPath], Any]] = {
            ConfigForm.BASE: self.base,
            ConfigForm.FAIL_ON: self.fail_on,
            ConfigForm.GLOBS: self.globs,
            ConfigForm.POLICIES: self.paths,
            ConfigForm.CATALOGUES: self.files,
            ConfigForm.PACKAGE: self.package,
            ConfigForm.FILE: self.file,
            ConfigForm.NUMBER: self.number,
            ConfigForm.FORMAT: self.dialect,
            ConfigForm.INLINE_IGNORES: self.choice(InlineIgnores),
            ConfigForm.PROFILE: self.choice(Profile),
            ConfigForm.RULES: self.rules,
            ConfigForm.SEVERITY: self.severity,
            ConfigForm.OVERRIDES: self.overrides,
        }
        return {key.name: by_form[key.form] for key in keys}

    def table(
        self, table: dict[str, Any], path: TomlPath, readers: Mapping[str, Callable[[Any, TomlPath], Any]], what: str
    ) -> dict[str, Any]:
        """The members that could be read."""
        good: dict[str, Any] = {}
        for name, value in table.items():
            if name not in readers and len(self.problems) >= MOST_PROBLEMS:
                continue
            if name not in readers:
                right = nearest(name, readers) if name not in _ELSEWHERE else None
                there_are = "there is" if len(readers) == 1 else "there are"
                hint = f"did you mean `{right}`?" if right else f"{there_are} {_listed(readers)}."
                hint = _ELSEWHERE.get(name, hint) if not path else hint
                self.problem((*path, name), f"`{shortened(name)}` is not a {what}: {hint}", at_key=True, meant=right)
            elif (read := readers[name](value, (*path, name))) is not None:
                good[name] = read
        return good

    def strings(self, value: Any, path: TomlPath, what: str) -> list[tuple[str, TomlPath]] | None:
        if not isinstance(value, list):
            self.problem(path, f"`{path[-1]}` must be a list of {what.replace(' or ', 's or ')}s, not {_kind(value)}.")
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
        good: list[str] = []
        for glob, place in found:
            if self.is_good(glob, place):
                good.append(glob)
            elif self.has_too_many:
                break
        return tuple(good) if good or not value else None

    def is_good(self, glob: str, place: TomlPath) -> bool:
        """Whether a glob can be used; what is in the way is noted."""
        if (wrong := bad_glob(glob)) is not None:
            self.problem(place, f"The glob `{shortened(glob)}` {wrong}.")
            return False
        self.globs_left -= 1
        self.characters_left -= size(glob)
        if self.has_too_many:
            self.problem(place, _TOO_MANY_GLOBS)
        return not self.has_too_many

    @property
    def has_too_many(self) -> bool:
        return self.globs_left < 0 or self.characters_left < 0

    def files(self, value: Any, path: TomlPath) -> tuple[NamedFiles, ...] | None:
        """Files, by paths or by globs."""
        good: list[NamedFiles] = []
        for name, place in self.strings(value, path, "path or glob") or ():
            if not name.strip():
                self.problem(place, f"An entry of `{path[-1]}` is empty: name a file.")
            elif not is_glob(name) or self.is_good(name, place):
                span, pointer = self.place(place)
                good.append(NamedFiles(name, span.start, span.end, pointer))
        return tuple(good) if good or not value else None

    def base(self, value: Any, path: TomlPath) -> NamedFiles | None:
        """The file that is extended."""
        text = self.file(value, path, "a configuration file")
        span, pointer = self.place(path)
        return None if text is None else NamedFiles(text, span.start, span.end, pointer)

    def fail_on(self, value: Any, path: TomlPath) -> str | None:
        if isinstance(value, str) and value in FAIL_ON_WORDS:
            return value
        given = f"`{shortened(value)}`" if isinstance(value, str) else _kind(value)
        wanted = one_of(tuple(f'"{word}"' for word in FAIL_ON_WORDS))
        self.problem(path, f"`{path[-1]}` must be {wanted}, not {given}.", meant=_misspelt(value, FAIL_ON_WORDS))
        return None

    def paths(self, value: Any, path: TomlPath) -> tuple[str, ...] | None:
        found = self.strings(value, path, "path")
        if found is None:
            return None
        for name, place in found:
            if not name.strip():
                self.problem(place, f"An entry of `{path[-1]}` is empty: name a file.")
        return tuple(name for name, _ in found if name.strip())

    def file(self, value: Any, path: TomlPath, what: str = "a file") -> str | None:
        """One file, by its path."""
        if isinstance(value, str) and value.strip():
            return value
        given = "an empty string" if isinstance(value, str) else _kind(value)
        self.problem(path, f"`{path[-1]}` must be the path of {what}, not {given}.")
        return None

    def package(self, value: Any, path: TomlPath) -> str | None:
        if isinstance(value, str) and _PACKAGE.fullmatch(value) is not None:
            return value.removeprefix("data.")
        given = f"`{shortened(value)}`" if isinstance(value, str) else _kind(value)
        self.problem(path, f"`rego-package` must be a package such as `company.plans`, not {given}.")
        return None

    def number(self, value: Any, path: TomlPath) -> int | None:
        if isinstance(value, int) and not isinstance(value, bool) and value > 0:
            return min(value, MOST_NUMBER)
        given = f"{value}" if isinstance(value, (int, float)) and not isinstance(value, bool) else _kind(value)
        self.problem(path, f"`{path[-1]}` must be a whole number above zero, not {given}.")
        return None

    def dialect(self, value: Any, path: TomlPath) -> str | None:
        if isinstance(value, str) and value in names():
            return value
        given = f"`{shortened(value)}`" if isinstance(value, str) else _kind(value)
        choice = one_of(tuple(f'"{name}"' for name in names()))
        self.problem(path, f"`dialect` must be {choice}, not {given}.", meant=_misspelt(value, names()))
        return None

    def choice(self, choices: type[Choice]) -> Callable[[Any, TomlPath], Choice | None]:
        """Reads one word of some."""

        def read(value: Any, path: TomlPath) -> Choice | None:
            if isinstance(value, str) and value in list(choices):
                return choices(value)
            given = f"`{shortened(value)}`" if isinstance(value, str) else _kind(value)
            wanted = one_of(tuple(f'"{choice.value}"' for choice in choices))
            meant = _misspelt(value, [choice.value for choice in choices])
            self.problem(path, f"`{path[-1]}` must be {wanted}, not {given}.", meant=meant)
            return None

        return read

    def rules(self, value: Any, path: TomlPath) -> RuleChoices | None:
        if not isinstance(value, dict):
            self.problem(path, f"`rules` must be a table of rule names and severities, not {_kind(value)}.")
            return None
        severities: dict[str, Severity | None] = {}
        options: dict[str, int] = {}
        for name, choice in value.items():
            place = (*path, name)
            if name not in RULES and len(self.problems) >= MOST_PROBLEMS:
                continue
            if name not in RULES:
                right = nearest(name, RULES)
                hint = f"did you mean `{right}`?" if right else "`plancheck rules` lists them."
                self.problem(place, f"Unknown rule `{shortened(name)}`: {hint}", at_key=True, meant=right)
            elif isinstance(choice, dict):
                readers: dict[str, Callable[[Any, TomlPath], Any]] = {
                    **self.readers([SEVERITY_KEY]),
                    **{option.name: self.option(option) for option in RULES[name].options},
                }
                good = self.table(choice, place, readers, f"setting of `{name}`")
                if "severity" in good:
                    severities[name] = SEVERITIES[good.pop("severity")]
                options.update((f"{name}.{option}", number) for option, number in good.items())
            elif (word := self.severity(choice, place)) is not None:
                severities[name] = SEVERITIES[word]
        return RuleChoices(severities, options)

    def severity(self, value: Any, path: TomlPath) -> str | None:
        """A severity's word: of a rule, or under `severity` in the table of one."""
        if isinstance(value, str) and value in SEVERITIES:
            return value
        rule = path[-2] if path[-1] == "severity" and path[-2] in RULES else path[-1]
        if isinstance(value, str):
            message = f"Unknown severity `{shortened(value)}`: use {_SEVERITY_WORDS}."
            self.problem(path, message, meant=_misspelt(value, SEVERITIES))
        else:
            given = _kind(value)
            self.problem(path, f"The severity of `{shortened(str(rule))}` must be {_SEVERITY_WORDS}, not {given}.")
        return None

    def option(self, option: Option) -> Callable[[Any, TomlPath], int | None]:
        """Reads the number that a rule takes."""

        def read(value: Any, path: TomlPath) -> int | None:
            if isinstance(value, int) and not isinstance(value, bool) and option.least <= value <= option.most:
                return value
            given = f"{value}" if isinstance(value, (int, float)) and not isinstance(value, bool) else _kind(value)
            self.problem(path, f"`{option.name}` must be a number from {option.least} to {option.most:,}, not {given}.")
            return None

        return read

    def overrides(self, value: Any, path: TomlPath) -> tuple[Override, ...] | None:
        if not isinstance(value, list):
            self.problem(path, f"`overrides` must be a list of tables (`[[overrides]]`), not {_kind(value)}.")
            return None
        if len(value) > MOST_OVERRIDES:
            self.problem((*path, MOST_OVERRIDES), f"Only the first {MOST_OVERRIDES} overrides are used: join some.")
        found = []
        for number, item in enumerate(value[:MOST_OVERRIDES]):
            place = (*path, number)
            if not isinstance(item, dict):
                self.problem(place, f"Each entry of `overrides` must be a table, not {_kind(item)}.")
                continue
            good = self.table(item, place, self.readers(OVERRIDE_KEYS), "key of an override")
            for key, why in (("files", "name the files that it is about"), ("rules", "say what changes for them")):
                if key not in item and not (key == "rules" and "dialect" in item):
                    self.problem(place, f"This override has no `{key}`: {why}.")
            if "files" in good and ("rules" in good or "dialect" in good):
                found.append(Override(good["files"], good.get("rules", RuleChoices()), good.get("dialect")))
        return tuple(found)


_ELSEWHERE = {
    "tool": "`[tool.plancheck]` is for pyproject.toml, so leave that header out here.",
    **dict.fromkeys(RULES, "rules are listed under `[rules]`."),
}
"""What is a key of something else."""


def _misspelt(value: object, words: Iterable[str]) -> str | None:
    """The word that a value is a misspelling of, if it is one."""
    return nearest(value, words) if isinstance(value, str) else None


def _listed(names: Mapping[str, object]) -> str:
    *most, last = (f"`{name}`" for name in names)
    return f"{', '.join(most)} and {last}" if most else last
