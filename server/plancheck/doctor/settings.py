"""The settings in force for a file, under the names of the configuration file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from plancheck.analysis.settings import Settings
from plancheck.tuples import NamedTuple
from plancheck.workspace.config import Config
from plancheck.workspace.files import Loaded


class SettingInForce(NamedTuple):
    name: str
    value: Any
    usual: Any
    """What it is by default."""


def every_setting(loaded: Loaded, settings: Settings) -> Iterator[SettingInForce]:
    """All settings but those of rules, in an order that never changes."""
    config, usual = loaded.config or Config(), Config()
    extend = None if config.extend is None else config.extend.text
    yield SettingInForce("extend", extend, None)
    yield SettingInForce("include", list(config.include), list(usual.include))
    yield SettingInForce("exclude", list(config.exclude), list(usual.exclude))
    yield SettingInForce("policy", list(config.policy), list(usual.policy))
    yield SettingInForce("tools", [entry.text for entry in config.tools], [])
    yield SettingInForce("rego-package", config.rego_package, usual.rego_package)
    yield SettingInForce("profile", settings.profile.value, usual.profile.value)
    yield SettingInForce("baseline", config.baseline, usual.baseline)
    yield SettingInForce("inline-ignores", settings.inline_ignores.value, usual.inline_ignores.value)
    yield SettingInForce("dialect", settings.dialect, usual.dialect)
    yield SettingInForce("max-findings", settings.max_findings, usual.max_findings)
    yield SettingInForce("max-file-size", settings.max_file_size, usual.max_file_size)
    yield SettingInForce("fail-on", loaded.fail_on, "error")


def shown_value(value: object) -> str:
    if value is None or value == []:
        return "none"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
