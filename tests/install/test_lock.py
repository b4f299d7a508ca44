"""requirements.lock pins everything that is installed for developing, once for each Python."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from install.environments import ROOT, VERSIONS

LOCK = [
    Requirement(line)
    for line in (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]
tomllib = pytest.importorskip("tomllib", reason="the reader of TOML came with Python 3.11")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def named() -> list[Requirement]:
    """What pyproject.toml itself names."""
    project = PROJECT["project"]
    groups = [text for group in PROJECT["dependency-groups"].values() for text in group]
    extras = [text for group in project["optional-dependencies"].values() for text in group]
    return [Requirement(text) for text in [*project["dependencies"], *extras, *groups]]


def environment(version: str, platform: str = "linux") -> dict[str, str]:
    python = {"python_version": version, "python_full_version": f"{version}.0", "sys_platform": platform, "extra": ""}
    return {**{name: str(value) for name, value in default_environment().items()}, **python}


def applies(requirement: Requirement, where: dict[str, str], extras: frozenset[str] = frozenset()) -> bool:
    marker = requirement.marker
    return marker is None or any(marker.evaluate({**where, "extra": extra}) for extra in ("", *extras))


def needed() -> Iterator[Requirement]:
    """What is named, and all that it asks for in turn, as installed here."""
    where = environment("3.11")
    todo, seen = [item for item in named() if applies(item, where)], set[tuple[str, frozenset[str]]]()
    while todo:
        requirement = todo.pop()
        extras = frozenset(requirement.extras)
        if (requirement.name, extras) in seen:
            continue
        seen.add((requirement.name, extras))
        yield requirement
        try:
            asked = [Requirement(text) for text in requires(requirement.name) or ()]
        except PackageNotFoundError:
            continue
        todo += [item for item in asked if applies(item, where, extras)]


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
def test_every_name_has_one_pin_that_fits(version: str, platform: str) -> None:
    where = environment(version, platform)
    pins = [pin for pin in LOCK if applies(pin, where)]
    names = [canonicalize_name(pin.name) for pin in pins]
    assert sorted(set(names)) == sorted(names)
    by_name = dict(zip(names, pins, strict=True))
    for requirement in named():
        if not applies(requirement, where):
            continue
        pin = by_name.get(canonicalize_name(requirement.name))
        assert pin is not None, f"{requirement.name}: run scripts/lock.sh"
        (exact,) = pin.specifier
        assert exact.operator == "=="
        assert requirement.specifier.contains(exact.version), f"{pin} and {requirement}: run scripts/lock.sh"


def test_what_they_ask_for_is_pinned_too() -> None:
    pinned = {canonicalize_name(pin.name) for pin in LOCK if applies(pin, environment("3.11"))}
    found = {canonicalize_name(requirement.name) for requirement in needed()}
    assert len(found) > 30
    assert found - pinned == set()
