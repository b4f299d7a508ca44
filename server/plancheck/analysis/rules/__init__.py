"""Every rule there is, in the order in which findings at one place are listed."""

from __future__ import annotations

from plancheck.analysis.rule import Rule
from plancheck.analysis.rules import (
    duplicate_key,
    duplicate_step_id,
    empty_name,
    file_too_large,
    flippable_dependency_annotation,
    missing_key,
    missing_revalidation_barrier,
    more_findings,
    not_a_plan,
    rule_failed,
    scope_vs_snapshot,
    step_not_before,
    syntax_error,
    unknown_key,
    unknown_kind,
    unknown_rule,
    unknown_step,
    unused_suppression,
    write_with_no_prior_read,
    wrong_type,
)

_ALL: tuple[Rule, ...] = (
    syntax_error.RULE,
    duplicate_key.RULE,
    not_a_plan.RULE,
    wrong_type.RULE,
    missing_key.RULE,
    empty_name.RULE,
    unknown_kind.RULE,
    unknown_key.RULE,
    duplicate_step_id.RULE,
    unknown_step.RULE,
    step_not_before.RULE,
    write_with_no_prior_read.RULE,
    flippable_dependency_annotation.RULE,
    scope_vs_snapshot.RULE,
    missing_revalidation_barrier.RULE,
    unused_suppression.RULE,
    unknown_rule.RULE,
    rule_failed.RULE,
    more_findings.RULE,
    file_too_large.RULE,
)

RULES: dict[str, Rule] = {rule.name: rule for rule in _ALL}
