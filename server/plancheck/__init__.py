"""plancheck: a language server, linter and library for agent plans.

`check_text` and `check_file` say what is wrong with a plan and what could not be checked, `fix_text` applies its fixes;
`plancheck.pre.analyze_plan` gives the PRE report of a plan as a dict.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plancheck.api import CheckedFinding, CheckResult, FixResult, UncheckedPlace, check_file, check_text, fix_text

__version__ = "0.2.0"
__all__ = [
    "CheckResult",
    "CheckedFinding",
    "FixResult",
    "UncheckedPlace",
    "__version__",
    "check_file",
    "check_text",
    "fix_text",
]


def __getattr__(name: str) -> object:
    """The API is imported when it is used: `import plancheck` alone stays cheap."""
    if name in __all__:
        from plancheck import api

        return getattr(api, name)
    raise AttributeError(f"module 'plancheck' has no attribute {name!r}")
