"""The configuration of a workspace: `plancheck.toml`, or `[tool.plancheck]` in `pyproject.toml`.

Reading never fails. What is wrong becomes a problem at its place in the file, and the rest still applies.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from plancheck.tuples import NamedTuple
from plancheck.workspace.config_model import DEFAULT_INCLUDE, Config, Override
from plancheck.workspace.config_reading import SEVERITIES, ConfigReader
from plancheck.workspace.problem import ConfigProblem
from plancheck.workspace.toml import locate
from plancheck.workspace.toml_recovery import load

__all__ = [
    "DEFAULT_INCLUDE",
    "SEVERITIES",
    "Config",
    "ConfigProblem",
    "ConfigText",
    "Override",
    "has_section",
    "parse_config",
    "read_config",
]


class ConfigText(NamedTuple):
    """A configuration file by itself, whatever it extends."""

    given: Mapping[str, Any]
    """What it says, by the names of the fields of a configuration; the rest is what it extends, or the defaults."""
    problems: list[ConfigProblem]
    """In the order of the text."""
    has_section: bool = True
    """Whether it is about plancheck at all."""


def parse_config(text: str, is_pyproject: bool = False) -> tuple[Config, list[ConfigProblem]]:
    """The configuration in a text by itself, and what is wrong with it."""
    found = read_config(text, is_pyproject)
    return Config(**found.given), found.problems


def read_config(text: str, is_pyproject: bool = False) -> ConfigText:
    problems: list[ConfigProblem] = []
    accepted, data = load(text, problems)
    try:
        places = locate(accepted)
    except ValueError:
        places = {}
    reader = ConfigReader(places, problems)
    if not is_pyproject:
        return ConfigText(reader.given(data), sorted(problems))
    tool = data.get("tool")
    table = tool.get("plancheck") if isinstance(tool, dict) else None
    given = reader.given(table, ("tool", "plancheck")) if table is not None else {}
    return ConfigText(given, sorted(problems), table is not None)


def has_section(pyproject: str) -> bool:
    """Whether a `pyproject.toml` configures plancheck. A broken one with the word in it counts too, so that somebody
    says what is broken. Most are somebody else's, so they are looked over without the TOML reader."""
    try:
        return ("tool", "plancheck") in locate(pyproject)
    except ValueError:
        problems: list[ConfigProblem] = []
        tool = load(pyproject, problems)[1].get("tool")
        return (isinstance(tool, dict) and "plancheck" in tool) or (bool(problems) and "plancheck" in pyproject)
