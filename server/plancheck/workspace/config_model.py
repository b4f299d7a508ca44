"""What a configuration says: frozen values without a place."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from plancheck.analysis.finding import Severity
from plancheck.analysis.settings import InlineIgnores, Profile, Settings
from plancheck.tuples import NamedTuple
from plancheck.workspace.globs import GlobSet, is_anywhere

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
    folder: str | None = None
    """What it is relative to, where it stands in a file that this one extends; its place is one in that file then."""


class Around(NamedTuple):
    """What a file does not say itself."""

    folder: str = ""
    """Where it is, with forward slashes; needed where globs come from another file."""
    origins: Mapping[str, str] = {}
    """Of `include`, `exclude` and `overrides`, those that come from a file that it extends, with the folder of that."""
    include_too: tuple[str, ...] = ()
    """Further globs for plans, relative to its own folder: the editor's settings add them."""


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
    baseline: str | None = None
    """The file with the findings that do not count in `plancheck check`."""
    fail_on: str | None = None
    """From which severity on findings fail; None where nothing is said about it."""
    extend: NamedFiles | None = None
    """The file that holds where this one says nothing."""
    around: Around = Around()

    def is_plan(self, relative_path: str) -> bool:
        """Whether a file below the configuration's folder is a plan file, by its name."""
        is_included = self._fits("include", self.include, relative_path) or _globs(self.around.include_too).fits(
            relative_path
        )
        return is_included and not self.is_excluded(relative_path)

    def is_excluded(self, relative_path: str) -> bool:
        return self._fits("exclude", self.exclude, relative_path)

    def settings_for(self, relative_path: str) -> Settings:
        """The settings for one file; later overrides win."""
        severities, options, dialect = dict(self.rules.severities), dict(self.rules.options), self.dialect
        for override in self.overrides:
            if self._fits("overrides", override.files, relative_path):
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

    def _fits(self, key: str, globs: tuple[str, ...], relative_path: str) -> bool:
        """Whether a file fits the globs under a key. Outside of the folder that they are relative to, only those for
        any folder count."""
        origin = self.around.origins.get(key)
        if origin is None:
            return _globs(globs).fits(relative_path)
        whole, above = f"{self.around.folder.rstrip('/')}/{relative_path}", f"{origin.rstrip('/')}/"
        if whole.startswith(above):
            return _globs(globs).fits(whole[len(above) :])
        return _globs(tuple(filter(is_anywhere, globs))).fits(relative_path)


@lru_cache(maxsize=4 * MOST_OVERRIDES)
def _globs(globs: tuple[str, ...]) -> GlobSet:
    return GlobSet(globs)
