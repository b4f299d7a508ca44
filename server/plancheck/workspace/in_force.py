"""One plan file with what is in force for it: its text, its settings, and what is wrong with its configuration."""

from __future__ import annotations

import os

from plancheck.analysis.settings import Settings
from plancheck.text import LineIndex
from plancheck.tuples import NamedTuple
from plancheck.workspace.catalogues import Catalogues
from plancheck.workspace.files import Configurations, Loaded, ReadError, read_text
from plancheck.workspace.policies import Policies


class PlanInForce(NamedTuple):
    text: str | ReadError
    settings: Settings
    configuration_faults: tuple[str, ...]
    """What is wrong with the configuration, in sentences."""


def plan_in_force(path: str) -> PlanInForce:
    """The plan in a file, as the nearest configuration and policy above it want it checked."""
    absolute = os.path.abspath(path)
    configurations = Configurations()
    catalogues = Catalogues(configurations)
    settings = settings_in_force(absolute, configurations, catalogues)
    return PlanInForce(read_text(absolute), settings, tuple(faults_in_force(configurations, catalogues)))


def faults_in_force(configurations: Configurations, catalogues: Catalogues) -> list[str]:
    """What is wrong with the configurations that were read, in sentences."""
    faults = [f"{os.path.basename(error.path)}: {error.message}" for error in configurations.errors]
    for loaded in configurations.loaded:
        faults += configuration_faults(loaded)
        faults += configuration_faults(loaded._replace(problems=tuple(catalogues.configuration_problems(loaded))))
    return faults


def settings_in_force(absolute: str, configurations: Configurations, catalogues: Catalogues) -> Settings:
    """The settings for a plan file, given by its absolute path, with the policy and the catalogue in force for it."""
    above = configurations.above(os.path.dirname(absolute))
    settings = Policies(configurations).over(above.settings_for(absolute), absolute)
    return catalogues.over(settings, absolute)


def configuration_faults(loaded: Loaded) -> list[str]:
    """What is wrong with a configuration file, each in a sentence with its place."""
    lines, name = LineIndex(loaded.text), os.path.basename(loaded.path or "")
    return [
        f"{name}:{start.line + 1}:{start.character + 1}: {problem.message}"
        for problem in loaded.problems
        for start in [lines.position(problem.start)]
    ]
