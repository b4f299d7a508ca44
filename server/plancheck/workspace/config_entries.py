"""What stands where in a configuration file, for whoever looks at the file itself: its keys and values in the order of
the text, as much of it as can be read."""

from __future__ import annotations

from typing import Any

from plancheck.policy.described import EntryPath, PlacedEntry
from plancheck.workspace.problem import ConfigProblem
from plancheck.workspace.toml import locate
from plancheck.workspace.toml_recovery import load

IN_PYPROJECT = ("tool", "plancheck")


def config_entries(text: str, is_pyproject: bool = False) -> tuple[PlacedEntry, ...]:
    problems: list[ConfigProblem] = []
    accepted, data = load(text, problems)
    try:
        places = locate(accepted)
    except ValueError:
        return ()
    above = IN_PYPROJECT if is_pyproject else ()
    found = [
        PlacedEntry(path[len(above) :], entry.key, entry.value, _scalar(data, path))
        for path, entry in places.items()
        if len(path) > len(above) and path[: len(above)] == above
    ]
    return tuple(sorted(found, key=lambda entry: (entry.key or entry.value).start))


def _scalar(data: Any, path: EntryPath) -> str | int | float | bool | None:
    for part in path:
        if isinstance(data, list) and isinstance(part, int):
            data = data[part] if part < len(data) else None
        else:
            data = data.get(part) if isinstance(data, dict) else None
    return data if isinstance(data, (str, int, float, bool)) else None
