"""What a configuration says: frozen values without a file or a place."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from plancheck.analysis.finding import Severity
from plancheck.analysis.settings import InlineIgnores, Profile, Settings
from plancheck.tuples import NamedTuple
from plancheck.workspace.globs import GlobSet

DEFAULT_INCLUDE = ("**/*.plan.json", "**/*.calls.json", "**/*.trace.json")
MOST_OVERRIDES = 500


class RuleChoices(NamedTuple):
    """What is said about rules."""

    severities: Mapping[str, Severity | None] = {}
    options: Mapping[str, int] = {}
    """As `rule.option`."""


class Override(NamedTuple):
    """Other choices for rules, or another dialect, for some of the files."""

    files: tuple[str, ...]
    rules: RuleChoices
    dialect: str | None = None


class NamedFiles(NamedTuple):
    """A path or a glob, and where in the configuration it is."""

    text: str
    start: int = 0
    end: int = 0
    pointer: str = ""


class Config(NamedTuple):
    """What the workspace says. Globs and paths are relative to the folder of the file."""

    include: tuple[str, ...] = DEFAULT_INCLUDE
    exclude: tuple[str, ...] = ()
    rules: RuleChoices = RuleChoices()
    overrides: tuple[Override, ...] = ()
    policy: tuple[str, ...] = ()
    rego_package: str | None = None
    """The package whose rules decide in Rego policies; None for the usual ones."""
    tools: tuple[NamedFiles, ...] = ()
    """The catalogues of the tools that there are."""
    max_findings: int = Settings().max_findings
    max_file_size: int = Settings().max_file_size
    dialect: str | None = None
    """What every plan is written in; None to tell by the content of each."""
    inline_ignores: InlineIgnores = InlineIgnores.ADVICE
    profile: Profile = Profile.RECOMMENDED

    def is_plan(self, relative_path: str) -> bool:
        """Whether a file below the configuration's folder is a plan file, by its name."""
        return _globs(self.include).fits(relative_path) and not self.is_excluded(relative_path)

    def is_excluded(self, relative_path: str) -> bool:
        return _globs(self.exclude).fits(relative_path)

    def settings_for(self, relative_path: str) -> Settings:
        """The settings for one file; later overrides win."""
        severities, options, dialect = dict(self.rules.severities), dict(self.rules.options), self.dialect
        for override in self.overrides:
            if _globs(override.files).fits(relative_path):
                severities.update(override.rules.severities)
                options.update(override.rules.options)
                dialect = override.dialect or dialect
        return Settings(
            severities,
            self.max_findings,
            self.max_file_size,
            dialect,
            inline_ignores=self.inline_ignores,
            profile=self.profile,
            options=options,
        )


@lru_cache(maxsize=4 * MOST_OVERRIDES)
def _globs(globs: tuple[str, ...]) -> GlobSet:
    return GlobSet(globs)
