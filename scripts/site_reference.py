"""The Python reference of the documentation's site: which names and members of the public modules it shows."""

from __future__ import annotations

import inspect
import re
from importlib import import_module
from pathlib import Path
from types import ModuleType

from plancheck.api import Settings

MODULES = {
    "plancheck": "Checking and fixing",
    "plancheck.api": "Findings, fixes, settings",
    "plancheck.gate": "The gate",
    "plancheck.plan_lint": "Validation with codes",
    "plancheck.pre": "The PRE report",
}
"""The public modules, and what each is for."""

GUIDE = Path(__file__).resolve().parent.parent / "docs" / "python.md"


def page_of(module: str) -> str:
    return f"reference/{module}.md"


def page(name: str) -> str:
    """A module's page: what it says of itself, and each of its public names."""
    module = import_module(name)
    parts = [f"# {name}", f"{MODULES[name]}. [How to use it](../python.md)", _shown(name, heading=False, members=[])]
    parts += [_shown(f"{name}.{member}", heading=True, members=members(module, member)) for member in names(module)]
    return "\n\n".join(parts) + "\n"


def names(module: ModuleType) -> list[str]:
    """The public names of a module, but for those of `plancheck.api` that `plancheck` has, too."""
    return [name for name in module.__all__ if not name.startswith("_") and not _is_elsewhere(module, name)]


def members(module: ModuleType, name: str) -> list[str]:
    """The fields of a class, and those of its methods that the guide to Python names: only these are stable. Of
    `Settings` nothing but the fields is."""
    value = getattr(module, name)
    if not inspect.isclass(value):
        return []
    named = set(re.findall(r"\w+", GUIDE.read_text(encoding="utf-8")))
    fields = [field for base in reversed(value.__mro__) for field in getattr(base, "__annotations__", {})]
    methods = [name for name in vars(value) if name in named and value is not Settings]
    return [member for member in dict.fromkeys([*fields, *methods]) if not member.startswith("_")]


def _is_elsewhere(module: ModuleType, name: str) -> bool:
    return module.__name__ == "plancheck.api" and name in import_module("plancheck").__all__


def _shown(path: str, *, heading: bool, members: list[str]) -> str:
    head = "true" if heading else "false"
    options = {"show_root_heading": head, "show_root_toc_entry": head, "members": members or "false"}
    return f"::: {path}\n    options:\n" + "\n".join(f"      {key}: {value}" for key, value in options.items())
