"""Configurations that extend another one: what that one says holds where they say nothing.

Tables are merged key by key, lists are replaced. Globs and paths stay relative to the file that they stand in. What is
wrong with `extend` is a problem at its place, and the rest still applies.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from plancheck.tuples import NamedTuple
from plancheck.workspace.config import ConfigText, read_config
from plancheck.workspace.config_model import Around, Config, NamedFiles, RuleChoices
from plancheck.workspace.problem import ConfigProblem
from plancheck.workspace.reading import MOST_BYTES_OF_SETTINGS, ReadError, read_text

MOST_EXTENDED = 10
"""Files that one leads to, each by way of the one before."""
_WITH_GLOBS = ("include", "exclude", "overrides")

MayFollow: TypeAlias = "Callable[[str, str], bool]"
"""Whether a configuration file, the one that all began with, may lead to another file; both are absolute paths."""


class ConfigFile(NamedTuple):
    """A configuration file with what it extends put under it."""

    path: str
    config: Config
    text: str
    problems: tuple[ConfigProblem, ...]


class _Text(NamedTuple):
    text: str
    found: ConfigText


class ConfigFiles:
    """Reads configuration files, each once."""

    def __init__(self, may_follow: MayFollow | None = None) -> None:
        self._may_follow = may_follow
        self._texts: dict[str, _Text | ReadError] = {}
        self.extended: dict[str, ConfigFile] = {}
        """The files that others extend, by their paths."""
        self.roots: dict[str, set[str]] = {}
        """Of each path that is extended, be there a file or not, the files with which the ways to it begin."""
        self.refused: set[str] = set()
        """The files that lead to where they may not lead."""

    def load(self, path: str) -> ConfigFile | ReadError:
        return self._load((path,))

    def problems_of(self, given: Mapping[str, Any], path: str) -> list[ConfigProblem]:
        """What is wrong with the `extend` of a file that may be other than on the disk."""
        problem = self._base(given.get("extend"), (path,))[1]
        return [] if problem is None else [problem]

    def _load(self, chain: tuple[str, ...]) -> ConfigFile | ReadError:
        """The file at the end of a chain, each of which is extended by the one before."""
        path = chain[-1]
        read = self._texts.get(path)
        if read is None:
            read = self._texts[path] = _read(path)
        if isinstance(read, ReadError):
            return read
        base, problem = self._base(read.found.given.get("extend"), chain)
        problems = read.found.problems if problem is None else sorted((*read.found.problems, problem))
        config = _over(base, os.path.dirname(path), read.found.given)
        return ConfigFile(path, config, read.text, tuple(problems))

    def _base(
        self, extend: NamedFiles | None, chain: tuple[str, ...]
    ) -> tuple[ConfigFile | None, ConfigProblem | None]:
        """What a file extends, and what is wrong with that."""
        if extend is None:
            return None, None
        if "\0" in extend.text:
            return None, _problem(extend, "no file can have this name.")
        path = os.path.normpath(os.path.join(os.path.dirname(chain[-1]), extend.text))
        if self._may_follow is not None and not self._may_follow(chain[0], path):
            self.refused.add(chain[-1])
            return None, None
        self.roots.setdefault(path, set()).add(chain[0])
        found, wrong = self._followed(path, chain)
        return found, _problem(extend, wrong) if wrong else None

    def _followed(self, path: str, chain: tuple[str, ...]) -> tuple[ConfigFile | None, str]:
        if os.path.realpath(path) in map(os.path.realpath, chain):
            return None, "it leads back to this file." if len(chain) == 1 else "it leads in a circle."
        if len(chain) > MOST_EXTENDED:
            return None, f"at most {MOST_EXTENDED} files can be extended one by way of the other."
        found = self._load((*chain, path))
        if isinstance(found, ReadError):
            return None, found.message
        if not self._has_section(path):
            return None, "that pyproject.toml has no `[tool.plancheck]`."
        known = self.extended.get(path)
        problems = dict.fromkeys((*(known.problems if known is not None else ()), *found.problems))
        self.extended[path] = found._replace(problems=tuple(sorted(problems)))
        return found, ""

    def _has_section(self, path: str) -> bool:
        read = self._texts[path]
        return not isinstance(read, ReadError) and (read.found.has_section or bool(read.found.problems))


def _problem(extend: NamedFiles, wrong: str) -> ConfigProblem:
    return ConfigProblem(extend.start, extend.end, f"`extend` cannot be followed: {wrong}", extend.pointer)


def _read(path: str) -> _Text | ReadError:
    text = read_text(path, most=MOST_BYTES_OF_SETTINGS)
    if isinstance(text, ReadError):
        return text
    return _Text(text, read_config(text, os.path.basename(path) == "pyproject.toml"))


def _over(base: ConfigFile | None, folder: str, given: Mapping[str, Any]) -> Config:
    """What a file in a folder says, on top of what it extends."""
    around = Around(folder.replace(os.sep, "/"))
    if base is None:
        return Config(**given, around=around)
    own = dict(given)
    below = _as_seen_from_elsewhere(base)
    if "rules" in own:
        rules, others = own["rules"], below.rules
        own["rules"] = RuleChoices({**others.severities, **rules.severities}, {**others.options, **rules.options})
    origins = {key: origin for key, origin in below.around.origins.items() if key not in own}
    return below._replace(**own, around=around._replace(origins=origins))


def _as_seen_from_elsewhere(base: ConfigFile) -> Config:
    """A configuration of which nothing is relative to the file that extends it."""
    config, around, folder = base.config, base.config.around, os.path.dirname(base.path)
    return config._replace(
        policy=tuple(os.path.normpath(os.path.join(folder, name)) for name in config.policy),
        baseline=None if config.baseline is None else os.path.normpath(os.path.join(folder, config.baseline)),
        tools=tuple(entry if entry.folder is not None else entry._replace(folder=folder) for entry in config.tools),
        around=Around(origins={key: around.origins.get(key, around.folder) for key in _WITH_GLOBS}),
    )
