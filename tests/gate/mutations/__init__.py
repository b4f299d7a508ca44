"""Attacks made from attacks: each mutation leaves what must never be allowed something that must never be allowed.

Which mutations are sound depends on the class of the attack: a healthy step in front mends a wrong first step, and
arguments in their right place mend misplaced ones. The table below is the only place that knows; a class that is not in
it cannot be mutated, so that a new one has to be thought about.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from random import Random
from typing import TypeAlias

from gate.corpus import Case
from gate.mutations import names, secret, spelling, sql, structure
from gate.mutations.document import Value, read, write

TextMutation: TypeAlias = Callable[[str, Random], str | None]
PlanMutation: TypeAlias = Callable[[Value, Random], Value | None]

_MOST_MUTATIONS = 4
_PURE = 0.75
"""The share of plans without mutations that would be denied in a healthy plan too, and so hide what was let through."""


@dataclass(frozen=True, slots=True)
class Mutation:
    """A way to write an attack differently; None where a plan has no place for it."""

    name: str
    apply: TextMutation


@dataclass(frozen=True, slots=True)
class Mutated:
    """A plan made from the plan of a case, and by which mutations."""

    plan: str
    mutations: tuple[str, ...]
    case: Case


def _of_text(*mutations: TextMutation) -> tuple[Mutation, ...]:
    return tuple(Mutation(mutation.__name__, mutation) for mutation in mutations)


def _of_plan(*mutations: PlanMutation) -> tuple[Mutation, ...]:
    return tuple(Mutation(mutation.__name__, partial(_rewritten, mutation)) for mutation in mutations)


def _rewritten(mutation: PlanMutation, text: str, random: Random) -> str | None:
    plan = mutation(read(text), random)
    return None if plan is None else write(plan)


# Of text that need not be JSON, and of text that is made of JSON's tokens.
_ANY_TEXT = _of_text(spelling.carriage_returns, spelling.blanks_around, spelling.byte_order_mark)
_TOKENS = _of_text(spelling.blanks_between_tokens, spelling.escaped_letters, spelling.numbers_respelled)

# Of any plan whatever: the attack is still there, or, of those below, something else that is never allowed is.
_ANY_PLAN = _of_plan(
    structure.step_member_added,
    structure.plan_member_added,
    structure.list_as_an_event,
    structure.list_under_steps,
    structure.event_as_a_list,
    structure.arguments_by_their_other_name,
    structure.members_shuffled,
    structure.healthy_step_behind,
)
_DENIED_ANYWAY = _of_plan(
    structure.arguments_misplaced,
    structure.arguments_as_text,
    structure.member_repeated,
)
_BEFORE = _of_plan(structure.healthy_step_before)
_WRAPPED = _of_plan(structure.argument_wrapped)
_NESTED_AS_OBJECT = _of_plan(structure.nested_in_arguments)
_NESTED_AS_TEXT = _of_plan(structure.nested_in_json_text, structure.nested_in_json_text_twice)
_NESTED = (*_NESTED_AS_OBJECT, *_NESTED_AS_TEXT)
_NAMES_BUT_CASE = _of_plan(
    names.name_with_an_invisible_character,
    names.name_with_a_blank,
    names.name_in_compatibility_letters,
    names.name_with_look_alikes,
    names.name_with_a_prefix,
)
_NAMES = (*_of_plan(names.name_in_other_case), *_NAMES_BUT_CASE)
_BLOCKED_NAMES = (*_NAMES, *_of_plan(names.name_behind_a_server))
_SECRETS = _of_plan(
    secret.secret_in_a_key,
    secret.secret_enclosed,
    secret.secret_in_longer_text,
    secret.secret_in_a_list,
    secret.secret_in_the_plan,
)
_SQL_AROUND = _of_plan(sql.sql_with_tabs, sql.sql_behind_a_comment, sql.sql_ended)
_SQL_SPELLING = (
    *_SQL_AROUND,
    *_of_plan(sql.sql_keywords_in_other_case, sql.sql_over_lines, sql.sql_with_comments),
)
_SQL = (
    *_of_plan(sql.sql_behind_a_harmless_statement, sql.sql_under_another_name, sql.sql_nested),
    *_SQL_SPELLING,
)

MUTATIONS: tuple[Mutation, ...] = (
    *_SQL,
    *_SECRETS,
    *_BLOCKED_NAMES,
    *_WRAPPED,
    *_NESTED,
    *_BEFORE,
    *_ANY_PLAN,
    *_DENIED_ANYWAY,
    *_TOKENS,
    *_ANY_TEXT,
)
"""In the order in which they are applied: what changes the plan writes it anew, and so comes before all spelling."""

_JSON = (*_TOKENS, *_ANY_TEXT)
_DOCUMENT = (*_ANY_PLAN, *_DENIED_ANYWAY, *_JSON)
_PLAN = (*_DOCUMENT, *_BEFORE)
_WITHOUT_OTHER_STEPS = tuple(mutation for mutation in _DOCUMENT if mutation.name != "healthy_step_behind")
"""Where a reference names a step by its position, another step between means another plan."""
_SOUND: dict[str, tuple[Mutation, ...]] = {
    "arguments-as-text": _PLAN,
    "arguments-elsewhere": _PLAN,
    "blocked-nested": (*_PLAN, *_NESTED),
    "blocked-spelling": (*_PLAN, *_NESTED, *_BLOCKED_NAMES),
    "broken-order": _PLAN,
    "calls-beside-steps": _JSON,
    "calls-in-text": _PLAN,
    "carried-shapes": _DOCUMENT,
    "declared": _DOCUMENT,
    "decoy-step": (*_PLAN, *_NESTED, *_WRAPPED),
    "forbidden-word": (*_PLAN, *_NESTED_AS_OBJECT, *_SECRETS),
    "format-not-judged": (*_PLAN, *_BLOCKED_NAMES),
    "hidden-call": _DOCUMENT,
    "around-a-trace": _DOCUMENT,
    "in-a-trace": (*_DOCUMENT, *_BLOCKED_NAMES),
    "misplaced-arguments": _PLAN,
    "missing-approval": (*_PLAN, *_NAMES),
    "needs-human": (*_PLAN, *_NESTED, *_WRAPPED),
    "no-tool": _PLAN,
    "not-a-plan": _DOCUMENT,
    "not-allowed": (*_PLAN, *_NESTED, *_NAMES_BUT_CASE),
    "not-json": _ANY_TEXT,
    "number-as-text": (*_PLAN, *_NESTED, *_WRAPPED),
    "number-by-reference": (*_PLAN, *_NESTED, *_WRAPPED),
    "number-extreme": (*_PLAN, *_NESTED, *_WRAPPED),
    "number-wrapped": (*_PLAN, *_NESTED, *_WRAPPED),
    "past-a-limit": _JSON,
    "policy-mistake": _PLAN,
    "recipient": (*_PLAN, *_NESTED),
    "repeated-key": _PLAN,
    "second-tool": (*_PLAN, *_BLOCKED_NAMES),
    "second-round": _DOCUMENT,
    "secret": (*_PLAN, *_NESTED, *_SECRETS),
    "security-warning": _WITHOUT_OTHER_STEPS,
    "sql-at-run-time": (*_PLAN, *_SQL_AROUND),
    "sql-not-recognised": (*_PLAN, *_NESTED, *_SQL_SPELLING),
    "sql-not-understood": (*_PLAN, *_SQL_SPELLING),
    "sql-write": (*_PLAN, *_NESTED, *_SQL),
    "suppression": _PLAN,
    "too-many-steps": _PLAN,
    "too-many-uses": (*_PLAN, *_NESTED, *_NAMES),
    "two-formats": (*_PLAN, *_BLOCKED_NAMES),
    "wrong-first-step": (*_DOCUMENT, *_NAMES),
}


def mutate(case: Case, random: Random) -> Mutated:
    """One to four mutations, chosen from those that are sound for the class of the case."""
    while True:
        chosen = _chosen(case, random)
        text, applied = case.plan, []
        for mutation in (mutation for mutation in MUTATIONS if mutation in chosen):
            other = mutation.apply(text, random)
            if other is not None:
                text = other
                applied.append(mutation.name)
        if applied:
            return Mutated(text, tuple(applied), case)


def _chosen(case: Case, random: Random) -> set[Mutation]:
    """Mutations that the plan has a place for as it stands; one of them may take the place of another."""
    count = random.randint(1, _MOST_MUTATIONS)
    leaves_out = random.random() < _PURE
    sound = [mutation for mutation in sound_mutations(case) if not (leaves_out and mutation in _DENIED_ANYWAY)]
    shuffled = random.sample(sound, len(sound))
    applicable = (mutation for mutation in shuffled if mutation.apply(case.plan, random) is not None)
    return set(islice(applicable, count))


def sound_mutations(case: Case) -> tuple[Mutation, ...]:
    """Those that leave the plan an attack, whether or not it has a place for them."""
    return _SOUND[case.reason]


def spread(cases: Sequence[Case], number: int) -> list[tuple[Case, int]]:
    """So many turns, evenly over the cases."""
    return [(cases[position % len(cases)], position // len(cases)) for position in range(number)]


def seed_of(case: Case, turn: int) -> str:
    """What makes the same mutations of a case again."""
    return f"{case.name}:{turn}"
