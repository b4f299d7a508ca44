"""The tool catalogues of a `plancheck check`: in force for its plans, and checked themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from plancheck.analysis.finding import Severity
from plancheck.analysis.settings import Settings
from plancheck.checked import CheckedFinding, CheckedRelated, Range, UncheckedPlace, range_of
from plancheck.cli.results import FileResult, from_here
from plancheck.unknown import Reason
from plancheck.workspace.catalogues import Catalogues, CheckedCatalogue
from plancheck.workspace.files import Configurations, Loaded, ReadError
from plancheck.workspace.problem import ConfigProblem

if TYPE_CHECKING:
    from plancheck.catalogue.model import CatalogueFile, ToolSite


class CheckedCatalogues:
    def __init__(self, configurations: Configurations, named: Sequence[str] | None = None) -> None:
        self._catalogues = Catalogues(configurations, named=named)

    @property
    def errors(self) -> list[ReadError]:
        return self._catalogues.errors

    @property
    def paths(self) -> Iterator[str]:
        """Every file that was read, or should have been."""
        yield from (checked.file.path for checked in self._catalogues.checked)
        yield from (error.path for error in self.errors)

    def names(self, path: str) -> bool:
        """Whether a configuration names a file as a catalogue, be it there or not."""
        return self._catalogues.names(path)

    def over(self, settings: Settings, plan: str) -> Settings:
        """The settings for a plan with the catalogue in force."""
        return self._catalogues.over(settings, plan)

    def configuration_problems(self, loaded: Loaded) -> list[ConfigProblem]:
        return self._catalogues.configuration_problems(loaded)

    def results(self, settings_for: Callable[[str], Settings]) -> Iterator[FileResult]:
        """The catalogue files with which something is wrong."""
        for checked in self._catalogues.checked:
            settings = settings_for(checked.file.path)
            result = catalogue_result(checked, from_here(checked.file.path), settings.severity)
            if result.findings or result.unchecked:
                yield result


def catalogue_result(checked: CheckedCatalogue, shown: str, severity: Callable[[str], Severity | None]) -> FileResult:
    """What is wrong with a catalogue file. What keeps it from being read is not switched off by any setting."""
    file, problems = checked
    findings: list[CheckedFinding] = []
    unchecked: list[UncheckedPlace] = []
    for rule, message, (start, end), pointer, site, reason in problems:
        where = range_of(file.lines, start, end)
        if reason is Reason.LIMIT:
            unchecked.append(UncheckedPlace(rule, reason.value, message, pointer, start, end, where))
            continue
        grade = severity(rule)
        if grade is None and reason is not None:
            unchecked.append(UncheckedPlace(rule, reason.value, message, pointer, start, end, where))
        elif grade is not None:
            related = () if site is None else (_related(site, checked.file),)
            findings.append(
                CheckedFinding(rule, grade.word, message, None, None, pointer, start, end, where, related, ())
            )
    return FileResult(shown, file.tree.text, None, findings, unchecked)


def _related(site: ToolSite, file: CatalogueFile) -> CheckedRelated:
    path = None if site.path == file.path else site.path
    return CheckedRelated(site.message, "", *site.span, Range(site.start, site.end), path)
