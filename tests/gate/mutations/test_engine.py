"""The mutations do what they say, and can be made again."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from gate.corpus import Case, attacks
from gate.mutations import MUTATIONS, Mutated, mutate, seed_of, sound_mutations, spread
from gate.mutations.document import read, write

NUMBER = 2_000
SPELLINGS = (
    "blanks_around",
    "blanks_between_tokens",
    "byte_order_mark",
    "carriage_returns",
    "escaped_letters",
    "numbers_respelled",
    "members_shuffled",
)


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    return attacks()


@pytest.fixture(scope="module")
def mutated(cases: list[Case]) -> list[Mutated]:
    return [mutate(case, Random(seed_of(case, turn))) for case, turn in spread(cases, NUMBER)]


def is_json(text: str) -> bool:
    try:
        read(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return False
    return True


def meaning(text: str) -> Any:
    return json.loads(text.removeprefix("\ufeff"), parse_int=float)


def test_every_class_of_attacks_can_be_mutated(cases: list[Case]) -> None:
    assert [case.name for case in cases if not sound_mutations(case)] == []


def test_one_to_four_mutations_are_applied(mutated: list[Mutated]) -> None:
    assert {len(each.mutations) for each in mutated} == {1, 2, 3, 4}


def test_every_mutation_is_applied(mutated: list[Mutated]) -> None:
    applied = {name for each in mutated for name in each.mutations}
    assert [mutation.name for mutation in MUTATIONS if mutation.name not in applied] == []


def test_a_seed_makes_the_same_plan_again(cases: list[Case], mutated: list[Mutated]) -> None:
    again = [mutate(case, Random(seed_of(case, 0))) for case in cases]
    assert again == mutated[: len(again)]


def test_json_stays_json_and_nothing_else_becomes_json(mutated: list[Mutated]) -> None:
    wrong = [each for each in mutated if is_json(each.plan) != is_json(each.case.plan)]
    assert [(each.case.name, each.mutations) for each in wrong] == []


def test_other_spellings_say_the_same(cases: list[Case]) -> None:
    """Numbers included: 5000 and 5e3 are equal. What nests too deep for Python to compare is left out."""
    respelled = [
        (case, mutation.name, mutation.apply(case.plan, Random(seed_of(case, 0))))
        for case in cases
        for mutation in MUTATIONS
        if mutation.name in SPELLINGS and is_json(case.plan) and case.reason != "past-a-limit"
    ]
    wrong = [
        (case.name, name) for case, name, text in respelled if text is not None and meaning(text) != meaning(case.plan)
    ]
    assert wrong == []


@pytest.mark.parametrize("plan", ['{"a": 5e3, "a": -0.50}', '[true, null, "\\n\\"", {}, []]', '"ü"', "1E400"])
def test_reading_and_writing_keeps_the_text(plan: str) -> None:
    assert write(read(plan)) == plan


def made_by(name: str, plan: str) -> set[str]:
    """Everything that a mutation makes of a plan."""
    (mutation,) = [mutation for mutation in MUTATIONS if mutation.name == name]
    made = {mutation.apply(plan, Random(seed)) for seed in range(200)}
    return {text for text in made if text is not None}


def test_a_healthy_step_is_put_behind_the_first_or_the_last() -> None:
    assert made_by("healthy_step_behind", '[{"tool_name": "a"}, {"tool_name": "b"}]') == {
        '[{"tool_name": "a"}, {"tool_name": "crm.find", "args": {"name": "Ada"}}, {"tool_name": "b"}]',
        '[{"tool_name": "a"}, {"tool_name": "b"}, {"tool_name": "crm.find", "args": {"name": "Ada"}}]',
    }


def test_an_empty_plan_is_not_mended() -> None:
    assert made_by("healthy_step_before", "[]") | made_by("healthy_step_behind", '{"steps": []}') == set()


def test_an_event_that_says_more_than_its_steps_stays_an_event() -> None:
    assert made_by("event_as_a_list", '{"event_type": "agent.plan", "steps": [1]}') == {"[1]"}
    assert made_by("event_as_a_list", '{"event_type": "agent.plan", "steps": [1], "context": {}}') == set()


def test_the_same_number_in_other_spellings() -> None:
    assert made_by("numbers_respelled", "[5000]") >= {"[5000e0]", "[50000E-1]", "[5.000e+3]"}
    assert made_by("numbers_respelled", '["5000", 9007199254740993]') == set()


def test_a_repeated_member_is_harmless_in_front_or_behind() -> None:
    assert made_by("member_repeated", '{"tool": "execute_shell", "n": 5000}') == {
        '{"tool": "crm.find", "tool": "execute_shell", "n": 5000}',
        '{"tool": "execute_shell", "tool": "crm.find", "n": 5000}',
        '{"tool": "execute_shell", "n": 5000, "tool": "crm.find"}',
        '{"tool": "execute_shell", "n": 1, "n": 5000}',
        '{"tool": "execute_shell", "n": 5000, "n": 1}',
    }


def test_a_moved_secret_is_no_longer_where_it_was() -> None:
    assert made_by("secret_in_a_key", '{"k": "AKIAQ3EGRIRKL5Z7XW2M"}') == {
        '{"k": "none", "AKIAQ3EGRIRKL5Z7XW2M": {}}',
        '{"AKIAQ3EGRIRKL5Z7XW2M": {}, "k": "none"}',
    }


def test_a_line_break_never_ends_a_comment_of_sql() -> None:
    assert made_by("sql_over_lines", '[{"args": {"sql": "-- SELECT\\nDELETE FROM users"}}]') == set()
    assert made_by("sql_over_lines", '[{"args": {"sql": "DROP x"}}]') == {
        '[{"args": {"sql": "DROP\\nx"}}]',
        '[{"args": {"sql": "DROP\\r\\nx"}}]',
    }


def test_steps_are_nested_as_calls() -> None:
    made = made_by("nested_in_arguments", '{"steps": [{"tool": "payments.transfer", "parameters": {"amount": 5000}}]}')
    calls = {json.dumps(content) for text in made for content in json.loads(text)["steps"][0]["args"].values()}
    assert calls == {'{"tool_name": "payments.transfer", "args": {"amount": 5000}}'}


def test_what_sql_quotes_keeps_its_case() -> None:
    plan = r"""[{"args": {"sql": "/*M! x*/ 'Ab' \"Cd\""}}]"""
    assert made_by("sql_keywords_in_other_case", plan) == {plan.replace("x*/", "X*/")}
