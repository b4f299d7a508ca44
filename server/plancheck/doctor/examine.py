"""Finding out what runs, what is in force for a file, and what is wrong with either."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from plancheck import __version__
from plancheck.analysis.engine import analyze
from plancheck.analysis.settings import Settings
from plancheck.checked import dialect_name
from plancheck.doctor.diagnosis import FileDiagnosis, Installation
from plancheck.doctor.settings import every_setting
from plancheck.frozen import replace
from plancheck.policy.regexes import Outcome
from plancheck.tuples import NamedTuple
from plancheck.workspace.catalogues import Catalogues
from plancheck.workspace.files import Configurations, Loaded, ReadError, read_text
from plancheck.workspace.in_force import configuration_faults
from plancheck.workspace.policies import LoadedRego, Policies, policy_fault
from plancheck.workspace.regex_process import RegexProcess
from plancheck.workspace.rego.engine import EngineFault, RegoEngine
from plancheck.workspace.rego.locate import NO_ENGINE, find_engine
from plancheck.workspace.rego.opa import Opa

EXTRAS = ("mcp", "regopy", "websockets")


class Workspace(NamedTuple):
    """What files are looked at with."""

    configurations: Configurations
    policies: Policies
    catalogues: Catalogues


def examine_installation(opa: str | None) -> Installation:
    engine = find_engine(opa)
    rego, problem = _rego(engine)
    patterns = RegexProcess()
    has_patterns = patterns("a", "a") is not Outcome.STOPPED
    patterns.close()
    problems = [] if problem is None else [problem]
    if not has_patterns:
        problems.append("The process that runs the patterns of policies does not start: check that Python can be run.")
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    return Installation(
        __version__,
        package,
        package.endswith(os.path.join("bundled", "libs", "plancheck")),
        ".".join(map(str, sys.version_info[:3])),
        sys.executable,
        rego,
        engine.program if isinstance(engine, Opa) else None,
        {name: _installed(name) for name in EXTRAS},
        has_patterns,
        tuple(problems),
    )


def _rego(engine: RegoEngine | EngineFault) -> tuple[str | None, str | None]:
    """The engine with its version, and what is wrong with it. That there is none matters to Rego policies only."""
    if engine is NO_ENGINE:
        return None, None
    if isinstance(engine, EngineFault):
        return None, engine.message
    if not isinstance(engine, Opa):
        return f"{engine.name} {_installed(engine.name) or ''}".strip(), None
    found = engine.version()
    if isinstance(found, EngineFault):
        return None, f"{found.message.rstrip('.')}: install another opa, or name one with `--opa`."
    return f"opa {found}", None


def _installed(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def examine_file(path: str, workspace: Workspace, has_rego: bool) -> FileDiagnosis:
    """What is in force for a file, or for a folder."""
    is_folder = os.path.isdir(path)
    plan = os.path.join(path, "plan") if is_folder else path
    loaded = workspace.configurations.above(os.path.dirname(plan))
    settings = loaded.settings_for(plan)
    problems = [*_configuration_problems(workspace, loaded), *_policy_problems(workspace, plan, has_rego)]
    catalogue = workspace.catalogues.for_plan(plan)
    problems += (
        f"{error.path}: {error.message} Correct the entry in `tools`." for error in workspace.catalogues.errors
    )
    problems += _baseline_problems(loaded)
    text = "" if is_folder else read_text(path)
    found = FileDiagnosis(
        path,
        loaded.path,
        dict(_set_otherwise(loaded, settings)),
        loaded.include,
        None if is_folder else loaded.is_plan(path),
        None,
        workspace.policies.paths_for(plan),
        () if catalogue is None else tuple(file.path for file in catalogue.files),
    )
    if isinstance(text, ReadError):
        return found._replace(problems=(f"{path}: {text.message}", *problems), is_readable=False)
    if not is_folder:
        found = found._replace(format=dialect_name(analyze(text, _to_tell_by(settings))))
        problems += _name_problems(found, loaded)
    return found._replace(problems=tuple(dict.fromkeys(problems)))


def _to_tell_by(settings: Settings) -> Settings:
    """Settings under which a text shows what it is, and nothing further is looked for."""
    return replace(settings, policy=None, catalogue=None)


def _configuration_problems(workspace: Workspace, loaded: Loaded) -> Iterator[str]:
    for error in workspace.configurations.errors:
        yield f"{error.path}: {error.message}"
    yield from configuration_faults(loaded)
    extended = workspace.configurations.extended
    for other in workspace.configurations.loaded:
        if loaded.path in extended.get(other.path or "", ()):
            yield from configuration_faults(other)
    unfitting = tuple(workspace.catalogues.configuration_problems(loaded))
    yield from configuration_faults(loaded._replace(problems=unfitting))


def _baseline_problems(loaded: Loaded) -> Iterator[str]:
    name = loaded.config.baseline if loaded.config is not None else None
    if name is not None and not os.path.isfile(os.path.join(loaded.folder, name)):
        yield f"There is no baseline at `{name}`: make it with `plancheck check --write-baseline .`, or leave it out."


def _policy_problems(workspace: Workspace, plan: str, has_rego: bool) -> Iterator[str]:
    for entry in workspace.policies.entries_for(plan):
        loaded = workspace.policies.load(entry)
        fault = policy_fault(loaded)
        if fault is not None:
            yield fault
        if isinstance(loaded, LoadedRego) and not has_rego:
            yield f"The policy {os.path.basename(loaded.path)} cannot be evaluated. {NO_ENGINE.message}"


def _name_problems(file: FileDiagnosis, loaded: Loaded) -> Iterator[str]:
    """A plan that nobody checks because of its name."""
    if file.format is None or file.is_plan:
        return
    name = os.path.basename(file.path)
    if loaded.is_excluded(file.path):
        yield f"{name} is a plan, and `exclude` leaves it out: take its glob out of {loaded.path}."
    else:
        better = f"{name.partition('.')[0]}.plan.json"
        yield f"{name} is a plan, and `include` does not match it: name it {better}, or add a glob to `include`."


def _set_otherwise(loaded: Loaded, settings: Settings) -> Iterator[tuple[str, Any]]:
    """The settings in force that are not the defaults, under the names of the configuration file."""
    yield from ((name, value) for name, value, usual in every_setting(loaded, settings) if value != usual)
    for rule, severity in sorted(settings.severities.items()):
        yield f"rules.{rule}", "off" if severity is None else severity.word
    yield from sorted((f"rules.{option}", value) for option, value in settings.options.items())
