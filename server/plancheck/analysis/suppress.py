"""Holding findings back where the author said so, and saying where that was not needed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from plancheck.analysis.finding import Finding, Tag
from plancheck.analysis.rules import RULES
from plancheck.analysis.settings import InlineIgnores, Settings
from plancheck.plan.dialects.keys import IGNORE, nearest
from plancheck.plan.model import Place, Plan


def suppress(plan: Plan, ignoring: Iterable[int], findings: list[Finding], settings: Settings) -> list[Finding]:
    """The findings that remain, with those about the suppressions themselves."""
    entries: dict[tuple[int | None, str], Place] = {}
    for ignore in plan.ignores:
        entries.setdefault((None, ignore.rule), Place(None, ignore.path))
    for position in sorted(ignoring):
        for ignore in plan.steps[position].ignores:
            entries.setdefault((position, ignore.rule), Place(position, ignore.path))
    if not entries or settings.inline_ignores is InlineIgnores.NONE:
        return findings
    used: set[tuple[int | None, str]] = set()
    remaining: list[Finding] = []
    for finding in findings:
        keys = {(None, finding.rule), (finding.place.step, finding.rule)} if may_ignore(finding.rule, settings) else ()
        by = [key for key in keys if key in entries]
        used.update(by)
        if not by:
            remaining.append(finding)
    remaining += (
        f
        for f in _about(entries, used, settings)
        if (f.place.step, f.rule) not in entries
        and (None, f.rule) not in entries
        and settings.severity(f.rule) is not None
    )
    return remaining


def may_ignore(rule: str, settings: Settings) -> bool:
    """Whether a plan may switch a rule off for itself."""
    if settings.inline_ignores is InlineIgnores.NONE:
        return False
    if rule not in RULES:
        return True
    is_allowed = settings.inline_ignores is InlineIgnores.ALL or not RULES[rule].is_enforced
    return is_allowed and not RULES[rule].is_unread


def _about(
    entries: dict[tuple[int | None, str], Place], used: set[tuple[int | None, str]], settings: Settings
) -> Iterator[Finding]:
    for key, place in entries.items():
        rule = key[1]
        if rule not in RULES:
            right = nearest(rule, RULES)
            hint = f"did you mean `{right}`?" if right else "`plancheck rules` lists them."
            yield _finding(place, f"Unknown rule `{rule}`: {hint}", "unknown_rule", settings)
        elif not may_ignore(rule, settings):
            why = "reports what could not be read" if RULES[rule].is_unread else "enforces the policy"
            message = f"`{rule}` {why}, which no plan can switch off: remove it from `{IGNORE}`."
            yield _finding(place, message, "unused_suppression", settings)._replace(tags=(Tag.UNNECESSARY,))
        elif (
            key not in used
            and settings.severity(rule) is not None
            and not (RULES[rule].policy and settings.policy is None)  # it may be needed where there is a policy
            and rule not in ("unused_suppression", "unknown_rule")
        ):
            message = f"`{rule}` has nothing to report here: remove it from `{IGNORE}`."
            yield _finding(place, message, "unused_suppression", settings)._replace(tags=(Tag.UNNECESSARY,))


def _finding(place: Place, message: str, rule: str, settings: Settings) -> Finding:
    return Finding(place, message, rule=rule, severity=settings.severity(rule) or RULES[rule].severity)
