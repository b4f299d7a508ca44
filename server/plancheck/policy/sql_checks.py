"""What the SQL of a call does, as far as the rules ask."""

from __future__ import annotations

from collections.abc import Iterator

from plancheck.plan.model import Call
from plancheck.policy.checks import SqlBudget
from plancheck.policy.classes import ToolClasses
from plancheck.policy.model import Family, Policy
from plancheck.policy.secrets import has_placeholder
from plancheck.policy.sql import LONGEST, effect_of, effect_within
from plancheck.policy.sql_arguments import sql_of
from plancheck.policy.sql_parsing import Effect
from plancheck.syntax.tree import Path
from plancheck.unknown import Reason, Unknown

_MOST_SHOWN = 20
"""Of one call and for one reason."""


def writes_through(call: Call, classes: ToolClasses, budget: SqlBudget) -> Iterator[tuple[Path, Unknown | None]]:
    """Where a call writes by SQL through a tool that only reads; with a reason, where it may. Of a call with very many
    such places some are enough."""
    if call.tool is None or classes.family(call.tool) is not Family.READ:
        return
    reasons: list[Reason | None] = []
    for path, sql, is_certain in sql_of(call, classes.policy):
        effect = None if sql is None else effect_within(sql, budget)
        if effect is Effect.READ:
            continue
        is_write = effect is Effect.WRITE and is_certain
        why = None if is_write else _unknown_effect(call.tool, sql, effect)
        reason = None if why is None else why.reason
        if reasons.count(reason) < _MOST_SHOWN:
            reasons.append(reason)
            yield path, why


def _unknown_effect(tool: str, sql: str | None, effect: Effect | None) -> Unknown:
    if sql is None:
        message = f"`{tool}` may only read, and this JSON text is nested too deeply to look for SQL: unwrap it."
        return Unknown(Reason.LIMIT, message)
    if len(sql) > LONGEST:
        message = f"`{tool}` may only read, and SQL of more than {LONGEST:,} characters is not looked at: split it."
        return Unknown(Reason.LIMIT, message)
    if has_placeholder(sql):
        message = f"`{tool}` may only read, and what this SQL does cannot be known before the run: write it out."
        return Unknown(Reason.RUNTIME, message)
    if effect is None:
        message = f"`{tool}` may only read, and this plan has too much SQL to check all of it: split the plan."
        return Unknown(Reason.LIMIT, message)
    message = f"`{tool}` may only read, and nothing shows that this SQL does: use a SELECT, or a tool that may write."
    return Unknown(Reason.NOT_UNDERSTOOD, message)


def only_reads(call: Call, policy: Policy) -> bool:
    """Whether a call has SQL, all of which is shown to read only."""
    statements = [sql for _, sql, _ in sql_of(call, policy)]
    return bool(statements) and all(sql is not None and effect_of(sql) is Effect.READ for sql in statements)


def writes(call: Call, policy: Policy) -> bool:
    """Whether a call has SQL that is certain to write."""
    found = sql_of(call, policy)
    return any(sql is not None and certain and effect_of(sql) is Effect.WRITE for _, sql, certain in found)
