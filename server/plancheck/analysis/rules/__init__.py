"""Every rule there is, by groups of what they are about. A group is imported when one of its rules is asked for."""

from __future__ import annotations

from plancheck.analysis.facts import HAS_CATALOGUE, HAS_TOOLS, JUDGED
from plancheck.analysis.rule import Rule
from plancheck.analysis.rule_table import Group, RuleTable


def _reading() -> tuple[Rule, ...]:
    """What is noticed while a document is read."""
    from plancheck.analysis.rules import (
        duplicate_key,
        empty_name,
        empty_plan,
        missing_goal,
        missing_key,
        missing_tool_name,
        mixed_formats,
        not_a_plan,
        second_tool,
        syntax_error,
        unknown_key,
        unknown_kind,
        wrong_type,
    )

    return (
        syntax_error.RULE,
        duplicate_key.RULE,
        not_a_plan.RULE,
        wrong_type.RULE,
        missing_key.RULE,
        empty_name.RULE,
        empty_plan.RULE,
        missing_goal.RULE,
        missing_tool_name.RULE,
        second_tool.RULE,
        mixed_formats.RULE,
        unknown_kind.RULE,
        unknown_key.RULE,
    )


def _plans() -> tuple[Rule, ...]:
    """What may be wrong with any plan."""
    from plancheck.analysis.rules import (
        barrier_bypassed,
        duplicate_read,
        duplicate_step_id,
        first_read_as_reread,
        flippable_dependency_annotation,
        loop_detected,
        missing_producer,
        missing_revalidation_barrier,
        near_duplicate_resource,
        over_granted_scope,
        parallel_write_race,
        producer_never_writes,
        producer_not_before,
        raw_secret,
        redundant_edge,
        scope_vs_snapshot,
        secret_by_name,
        stale_value_used_after_barrier,
        step_not_before,
        touch_outside_scope,
        undeclared_dependency,
        unknown_step,
        unreachable_step,
        unused_write,
        write_with_no_prior_read,
    )

    return (
        duplicate_step_id.RULE,
        unknown_step.RULE,
        step_not_before.RULE,
        loop_detected.RULE,
        undeclared_dependency.RULE,
        raw_secret.RULE,
        secret_by_name.RULE,
        write_with_no_prior_read.RULE,
        flippable_dependency_annotation.RULE,
        scope_vs_snapshot.RULE,
        missing_revalidation_barrier.RULE,
        barrier_bypassed.RULE,
        stale_value_used_after_barrier.RULE,
        first_read_as_reread.RULE,
        duplicate_read.RULE,
        over_granted_scope.RULE,
        touch_outside_scope.RULE,
        producer_never_writes.RULE,
        producer_not_before.RULE,
        missing_producer.RULE,
        parallel_write_race.RULE,
        near_duplicate_resource.RULE,
        unreachable_step.RULE,
        unused_write.RULE,
        redundant_edge.RULE,
    )


def _tools() -> tuple[Rule, ...]:
    """What may be wrong with the tools that steps call."""
    from plancheck.analysis.rules import (
        bad_reference,
        broad_tool,
        tool_deny,
    )

    return (
        bad_reference.RULE,
        tool_deny.RULE,
        broad_tool.RULE,
    )


def _security() -> tuple[Rule, ...]:
    """What could be abused in the calls of a plan, and in what flows between them."""
    from plancheck.analysis.rules import (
        cleartext_endpoint,
        code_interpolation,
        command_interpolation,
        duplicate_effect,
        failure_ignored,
        internal_address,
        path_traversal,
        placeholder_left,
        private_data_out,
        sql_interpolation,
        unapproved_irreversible_step,
        unfiltered_write,
        unpinned_remote_code,
        untrusted_into_effect,
        unused_result,
    )

    return (
        sql_interpolation.RULE,
        command_interpolation.RULE,
        code_interpolation.RULE,
        unfiltered_write.RULE,
        internal_address.RULE,
        path_traversal.RULE,
        cleartext_endpoint.RULE,
        unpinned_remote_code.RULE,
        placeholder_left.RULE,
        untrusted_into_effect.RULE,
        private_data_out.RULE,
        unapproved_irreversible_step.RULE,
        duplicate_effect.RULE,
        failure_ignored.RULE,
        unused_result.RULE,
    )


def _catalogue() -> tuple[Rule, ...]:
    """What does not fit the catalogue of tools."""
    from plancheck.analysis.rules import (
        missing_argument,
        unknown_argument,
        unknown_result,
        unknown_tool,
        wrong_argument,
    )

    return (
        unknown_tool.RULE,
        missing_argument.RULE,
        unknown_argument.RULE,
        wrong_argument.RULE,
        unknown_result.RULE,
    )


def _judged() -> tuple[Rule, ...]:
    """What a policy forbids, or the gate."""
    from plancheck.analysis.rules import (
        blocked_tool,
        bound_violation,
        hidden_call,
        max_steps_exceeded,
        misplaced_arguments,
        missing_handler,
        missing_verification,
        needs_human,
        recipient_deny,
        rego_deny,
        rego_needs_human,
        scope_deny,
        too_many_steps,
        too_many_uses,
        write_deny,
        wrong_first_step,
    )

    return (
        misplaced_arguments.RULE,
        write_deny.RULE,
        scope_deny.RULE,
        bound_violation.RULE,
        recipient_deny.RULE,
        blocked_tool.RULE,
        max_steps_exceeded.RULE,
        too_many_steps.RULE,
        too_many_uses.RULE,
        wrong_first_step.RULE,
        missing_verification.RULE,
        needs_human.RULE,
        rego_deny.RULE,
        rego_needs_human.RULE,
        hidden_call.RULE,
        missing_handler.RULE,
    )


def _run() -> tuple[Rule, ...]:
    """What is noticed while a document is checked."""
    from plancheck.analysis.rules import (
        file_too_large,
        more_findings,
        nested_too_deeply,
        unknown_rule,
        unused_suppression,
    )

    return (
        unused_suppression.RULE,
        unknown_rule.RULE,
        more_findings.RULE,
        file_too_large.RULE,
        nested_too_deeply.RULE,
    )


def _files() -> tuple[Rule, ...]:
    """What may be wrong with policies and catalogues."""
    from plancheck.analysis.rules import (
        catalogue_bad_tool,
        catalogue_shape,
        duplicate_tool,
        policy_bad_bound,
        policy_bad_regex,
        policy_bad_value,
        policy_empty,
        policy_regex_timeout,
        policy_syntax,
        policy_unknown_key,
        policy_unused_bound,
        rego_error,
        rego_syntax,
    )

    return (
        policy_syntax.RULE,
        policy_unknown_key.RULE,
        policy_bad_value.RULE,
        policy_bad_regex.RULE,
        policy_bad_bound.RULE,
        policy_empty.RULE,
        policy_regex_timeout.RULE,
        policy_unused_bound.RULE,
        rego_syntax.RULE,
        rego_error.RULE,
        catalogue_shape.RULE,
        catalogue_bad_tool.RULE,
        duplicate_tool.RULE,
    )


RULES = RuleTable(
    (
        Group(
            (
                "syntax_error",
                "duplicate_key",
                "not_a_plan",
                "wrong_type",
                "missing_key",
                "empty_name",
                "empty_plan",
                "missing_goal",
                "missing_tool_name",
                "second_tool",
                "mixed_formats",
                "unknown_kind",
                "unknown_key",
            ),
            _reading,
            has_checks=False,
        ),
        Group(
            (
                "duplicate_step_id",
                "unknown_step",
                "step_not_before",
                "loop_detected",
                "undeclared_dependency",
                "raw_secret",
                "secret_by_name",
                "write_with_no_prior_read",
                "flippable_dependency_annotation",
                "scope_vs_snapshot",
                "missing_revalidation_barrier",
                "barrier_bypassed",
                "stale_value_used_after_barrier",
                "first_read_as_reread",
                "duplicate_read",
                "over_granted_scope",
                "touch_outside_scope",
                "producer_never_writes",
                "producer_not_before",
                "missing_producer",
                "parallel_write_race",
                "near_duplicate_resource",
                "unreachable_step",
                "unused_write",
                "redundant_edge",
            ),
            _plans,
        ),
        Group(
            (
                "bad_reference",
                "tool_deny",
                "broad_tool",
            ),
            _tools,
            HAS_TOOLS,
        ),
        Group(
            (
                "sql_interpolation",
                "command_interpolation",
                "code_interpolation",
                "unfiltered_write",
                "internal_address",
                "path_traversal",
                "cleartext_endpoint",
                "unpinned_remote_code",
                "placeholder_left",
                "untrusted_into_effect",
                "private_data_out",
                "unapproved_irreversible_step",
                "duplicate_effect",
                "failure_ignored",
                "unused_result",
            ),
            _security,
            HAS_TOOLS,
        ),
        Group(
            (
                "unknown_tool",
                "missing_argument",
                "unknown_argument",
                "wrong_argument",
                "unknown_result",
            ),
            _catalogue,
            HAS_CATALOGUE,
        ),
        Group(
            (
                "misplaced_arguments",
                "write_deny",
                "scope_deny",
                "bound_violation",
                "recipient_deny",
                "blocked_tool",
                "max_steps_exceeded",
                "too_many_steps",
                "too_many_uses",
                "wrong_first_step",
                "missing_verification",
                "needs_human",
                "rego_deny",
                "rego_needs_human",
                "hidden_call",
                "missing_handler",
            ),
            _judged,
            JUDGED,
        ),
        Group(
            (
                "unused_suppression",
                "unknown_rule",
                "more_findings",
                "file_too_large",
                "nested_too_deeply",
            ),
            _run,
            has_checks=False,
        ),
        Group(
            (
                "policy_syntax",
                "policy_unknown_key",
                "policy_bad_value",
                "policy_bad_regex",
                "policy_bad_bound",
                "policy_empty",
                "policy_regex_timeout",
                "policy_unused_bound",
                "rego_syntax",
                "rego_error",
                "catalogue_shape",
                "catalogue_bad_tool",
                "duplicate_tool",
            ),
            _files,
            has_checks=False,
        ),
    )
)
