"""plancheck: a language server, linter and library for agent plans.

`check_text` gives the findings of a plan's text; `plancheck.pre.analyze_plan` the PRE report of a plan as a dict.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plancheck.api import CheckedFinding, check_text

__version__ = "0.1.0"
__all__ = ["CheckedFinding", "__version__", "check_text"]


def __getattr__(name: str) -> object:
    """The API is imported when it is used: `import plancheck` alone stays cheap."""
    if name in ("check_text", "CheckedFinding"):
        from plancheck import api

        return getattr(api, name)
    raise AttributeError(f"module 'plancheck' has no attribute {name!r}")
