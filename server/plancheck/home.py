"""Where the project is found."""

from __future__ import annotations

HOME = "https://github.com/plancheck/plancheck"
RULE_PAGES = f"{HOME}/blob/main/docs/rules.md#"
"""Where a rule's page is found: this and the rule's name."""
