"""What the user may choose about the analysis of one document."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import TYPE_CHECKING

from plancheck.analysis.finding import Severity
from plancheck.analysis.rule import Category, Rule
from plancheck.analysis.rules import RULES
from plancheck.frozen import Frozen, replace
from plancheck.policy.model import Policy

if TYPE_CHECKING:
    from plancheck.catalogue.model import Catalogue


class InlineIgnores(str, Enum):
    """Which rules a plan may switch off for itself, by `plancheck-ignore`."""

    NONE = "none"
    ADVICE = "advice"
    """All but those that enforce a policy: who is judged does not choose the rules."""
    ALL = "all"


class Profile(str, Enum):
    """What is looked for, and how strictly, where nothing is said about a rule."""

    RECOMMENDED = "recommended"
    STRICT = "strict"
    """Every rule, and no finding counts as less than its rule says."""
    SECURITY = "security"
    """What a policy demands, secrets and other weaknesses, and what keeps a plan from being read."""


_ADVICE = frozenset({Category.STEPS, Category.DATA, Category.TOOLS})
"""What the security profile does not look for."""


class Settings(Frozen):
    """What is looked for in a document, and how much of it is shown."""

    severities: Mapping[str, Severity | None] = {}
    """What a rule's findings count as; None switches it off; a rule that is not named keeps its own."""
    max_findings: int = 200
    """How many findings are listed; `more_findings` says how many there are besides."""
    max_file_size: int = 20_000_000
    """Of a text with more characters only the syntax is looked at."""
    dialect: str | None = None
    """The name of the dialect that the plan is written in; None to tell by its content."""
    policy: Policy | None = None
    """What the plan may do; None where no policy is in force."""
    policy_faults: tuple[str, ...] = ()
    """Why the policy is not what its author meant, in sentences: it cannot be read, or it has a mistake."""

    inline_ignores: InlineIgnores = InlineIgnores.ADVICE
    """Which rules a plan may switch off for itself."""
    reported_elsewhere: tuple[str, ...] = ()
    """Rules that are switched off because whoever asks sees the same from another source."""
    catalogue: Catalogue | None = None
    """Which tools there are; None where no catalogue is in force."""
    profile: Profile = Profile.RECOMMENDED
    """Which rules are looked for, and how strictly, where `severities` says nothing."""
    options: Mapping[str, int] = {}
    """The options of rules that have another value than the usual one, as `rule.option`."""

    def severity(self, rule: str) -> Severity | None:
        return self.severities[rule] if rule in self.severities else self._usual(RULES[rule])

    def for_sole_reporter(self) -> Settings:
        """The same for somebody who sees findings from nobody else."""
        severities = {
            rule: severity for rule, severity in self.severities.items() if rule not in self.reported_elsewhere
        }
        return replace(self, severities=severities, reported_elsewhere=())

    def severity_if_asked_for(self, rule: str) -> Severity:
        """The severity of a rule that somebody asks for, however it is configured."""
        return self.severity(rule) or RULES[rule].severity

    def _usual(self, rule: Rule) -> Severity | None:
        """What a rule's findings count as in the profile."""
        if self.profile is Profile.STRICT:
            return rule.severity
        if self.profile is Profile.SECURITY and rule.category in _ADVICE and not rule.invalidates:
            return None
        if self.profile is Profile.SECURITY and rule.in_security_profile is not None:
            return rule.in_security_profile
        return rule.severity if rule.is_on else None

    def grades(self, rule: str) -> bool:
        """Whether a rule may let a single finding count as less than its findings usually do."""
        return self.profile is not Profile.STRICT and rule not in self.severities

    def severity_in_text(self, rule: str) -> Severity | None:
        """The severity of a finding where nobody else looks, as inside a string that holds JSON text."""
        return RULES[rule].severity if rule in self.reported_elsewhere else self.severity(rule)

    def severity_of(self, rule: str, is_error: bool) -> Severity | None:
        """The severity of a finding that may be worse than its rule's usually are; what is configured counts."""
        return Severity.ERROR if is_error and rule not in self.severities else self.severity(rule)
