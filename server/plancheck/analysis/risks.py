"""Which findings say that something could be abused without being errors: a policy may have the gate hear of them."""

from __future__ import annotations

from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.rule import Category
from plancheck.analysis.rules import RULES
from plancheck.policy.model import OnWarning, Policy


def on_warning(finding: Finding, policy: Policy | None) -> OnWarning:
    """What a policy wants to be made of a finding that is a warning and about security; of any other, nothing."""
    is_meant = finding.severity is Severity.WARNING and RULES[finding.rule].category is Category.SECURITY
    return policy.gate.security_warnings if is_meant and policy is not None else OnWarning.ALLOW
