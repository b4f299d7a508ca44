"""What the user may choose about the analysis of one document."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import TYPE_CHECKING

from plancheck.analysis.finding import Severity
from plancheck.analysis.rules import RULES
from plancheck.frozen import Frozen
from plancheck.policy.model import Policy

if TYPE_CHECKING:
    from plancheck.catalogue.model import Catalogue


class InlineIgnores(str, Enum):
    """Which rules a plan may switch off for itself, by `plancheck-ignore`."""

    NONE = "none"
    ADVICE = "advice"
    """All but those that enforce a policy: who is judged does not choose the rules."""
    ALL = "all"


class Settings(Frozen):
    """What is looked for in a document, and how much of it is shown."""

    severities: Mapping[str, Severity | None] = {}
    """What a rule's findings count as; None switches it off; a rule that is not named keeps its own."""
    max_findings: int = 200
    max_file_size: int = 20_000_000
    """Of a text with more characters only the syntax is looked at."""
    dialect: str | None = None
    """The name of the dialect that the plan is written in; None to tell by its content."""
    policy: Policy | None = None
    """What the plan may do; None where no policy is in force."""
    policy_faults: tuple[str, ...] = ()
    """Why the policy is not what its author meant, in sentences: it cannot be read, or it has a mistake."""

    inline_ignores: InlineIgnores = InlineIgnores.ADVICE
    reported_elsewhere: tuple[str, ...] = ()
    """Rules that are switched off because whoever asks sees the same from another source."""
    catalogue: Catalogue | None = None
    """Which tools there are; None where no catalogue is in force."""

    def severity(self, rule: str) -> Severity | None:
        return self.severities[rule] if rule in self.severities else RULES[rule].severity

    def severity_in_text(self, rule: str) -> Severity | None:
        """The severity of a finding inside a string that holds JSON text: there, nobody else looks."""
        return RULES[rule].severity if rule in self.reported_elsewhere else self.severity(rule)

    def severity_of(self, rule: str, is_error: bool) -> Severity | None:
        """The severity of a finding that may be worse than its rule's usually are; what is configured counts."""
        return Severity.ERROR if is_error and rule not in self.severities else self.severity(rule)
