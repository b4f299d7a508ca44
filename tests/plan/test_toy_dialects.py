"""A dialect is a value: two toys, of which nothing but their file knows, are checked and explained like all others."""

from __future__ import annotations

import json
import random

import jsonschema
import pytest

from analysis.marks import check_rule
from analysis.test_incremental import PIECES, picture
from ide.marks import marked
from ide.test_never_fails import check_document, check_offset, damaged
from plan.toy_dialects import TALK, TASKS, WITH_TOYS
from plancheck.analysis.engine import analyze, update
from plancheck.analysis.fix.offer import fix_edits, offered
from plancheck.analysis.settings import Settings
from plancheck.analysis.snapshot import Snapshot
from plancheck.ide.actions import actions
from plancheck.ide.complete import complete
from plancheck.ide.hover import hover
from plancheck.ide.navigate import RenameError, definition, prepare_rename, references, rename
from plancheck.ide.refactor import on_offer
from plancheck.ide.symbols import document_symbols
from plancheck.plan.dialects.dialect import Dialect
from plancheck.plan.dialects.table import expected
from plancheck.plan.lower import lower
from plancheck.policy.reading import read_policy
from plancheck.schema import schema
from plancheck.syntax.json import read
from plancheck.text import Edit, Span, apply_edits

TASKS_PLAN = """\
{"tasks": {
  "fetch": {"uses": "http.get", "reads": [{"id": "rate", "volatile": true}]},
  "store": {"uses": "db.write", "needs": ["fetch"], "reads": ["ledger"], "writes": ["ledger"]}
}}
"""
SECRET_TALK = """\
{"turns": [{"calls": [{"do": "x", "with": "AKIAQ3EGRIRKL5Z7XW2M"}], "text": "AKIAQ3EGRIRKL5Z7XW2M"}]}
"""
TALK_PLAN = """\
{"turns": [
  {"text": "Find Ada."},
  {"calls": [{"do": "crm.find", "reads": ["crm"]}, {"do": "crm.get", "reads": [{"id": "crm", "producer": 0}]}]},
  {"text": "Thank you."},
  {"calls": [{"do": "mail.send", "with": {"to": "Ada"}}]}
]}
"""
PLANS = {"tasks": TASKS_PLAN, "talk": TALK_PLAN}


def toy(text: str, settings: Settings | None = None) -> Snapshot:
    return analyze(text, settings or Settings(), dialects=WITH_TOYS)


def at_cursor(text: str) -> tuple[Snapshot, int]:
    offset = text.index("$0")
    return toy(text.replace("$0", "", 1)), offset


# ---- telling and lowering --------------------------------------------------------------------------------------------


def test_a_toy_is_told_from_all_others_and_unknown_without_its_table() -> None:
    for name, text in PLANS.items():
        assert lower(read(text), dialects=WITH_TOYS).dialect.name == name
        assert toy(text).findings == []
        assert [finding.rule for finding in analyze(text).findings] == ["not_a_plan"]
    assert toy('{"nodes": []}').plan.dialect.name == "declared"
    assert toy("[]").plan.dialect.name == "calls"


def test_where_each_step_stands() -> None:
    tasks, talk = toy(TASKS_PLAN).plan, toy(TALK_PLAN).plan
    assert [tasks.step_path(i) for i in range(2)] == [("tasks", "fetch"), ("tasks", "store")]
    assert [step.name for step in tasks.steps] == ["fetch", "store"]
    assert [talk.step_path(i) for i in range(3)] == [
        ("turns", 1, "calls", 0),
        ("turns", 1, "calls", 1),
        ("turns", 3, "calls", 0),
    ]
    assert [step.outline.identity for step in talk.steps] == [0, 1, 2]
    assert talk.find_step(("turns", 3, "calls", 0, "with", "to")) == (2, ("with", "to"))
    assert talk.find_step(("turns", 3)) is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"tasks": []}', "`tasks` must be an object of steps, not a list."),
        ('{"tasks": 7}', "`tasks` must be an object of steps, not an integer."),
        ('{"turns": {}}', "`turns` must be a list of steps, not an object."),
    ],
)
def test_what_cannot_hold_the_steps(text: str, message: str) -> None:
    (finding,) = toy(text).findings
    assert (finding.rule, finding.message) == ("wrong_type", message)


@pytest.mark.parametrize("text", ['{"tasks": {}}', '{"turns": []}', '{"turns": [{"text": "Hello"}]}'])
def test_a_plan_without_steps(text: str) -> None:
    assert [finding.rule for finding in toy(text).findings] == ["empty_plan"]


def test_the_configuration_may_name_a_toy() -> None:
    snapshot = toy("{}", Settings(dialect="tasks"))
    assert snapshot.plan.dialect is TASKS
    assert [finding.message for finding in snapshot.findings] == [TASKS.expected]
    with pytest.raises(ValueError, match="Unknown dialect `tasks`: use declared, steps, trace or calls"):
        analyze("{}", Settings(dialect="tasks"))
    assert expected(WITH_TOYS) == (
        'This is not a plan: expected steps under "nodes", "steps", "tool_calls", "tasks" or "turns", '
        "a list of messages or a list of tool calls."
    )


# ---- findings --------------------------------------------------------------------------------------------------------


def test_findings_in_members_of_an_object() -> None:
    check_rule(
        None,
        """
        {"tasks": {
          "fetch": {"uses": "http.get", "needs": ["x"]},
                                                  ~~~ unknown_step: Step fetch waits for step x, which does not exist…
          "store": {"use": "db.write"},
          ~~~~~~~ missing_key: This step has no `uses`: name the tool.
                    ~~~~~ unknown_key: `use` is not a key of a step and is ignored: did you mean `uses`?
          "again": {"uses": "a", "uses": "b"},
                                 ~~~~~~ duplicate_key: `uses` is given more than once, and only this last one is used:…
          "none": 5,
          ~~~~~~ wrong_type: A step must be an object, not an integer.
          "twice": {"uses": "a"},
          "twice": {"uses": "a", "plancheck-ignore": ["missing_goal"]}
          ~~~~~~~ duplicate_key: `twice` is given more than once, and only this last one is used: remove the others.
                                                      ~~~~~~~~~~~~~~ unused_suppression: `missing_goal` has nothing to …
        }}
        """,
        dialects=WITH_TOYS,
    )


def test_findings_in_scattered_steps() -> None:
    check_rule(
        None,
        """
        {"turns": [
          {"calls": [{"do": "crm.find"}, {"dO": "crm.get"}]},
                                         ~ missing_key: This step has no `do`: name the tool.
                                          ~~~~ unknown_key: `dO` is not a key of a step and is ignored: did you mean `…
          {"text": "a", "text": "b", "calls": [
                        ~~~~~~ duplicate_key: `text` is given more than once, and only this last one is used: remove t…
            {"do": "x", "reads": [{"id": "q", "producer": 9}]}, 5]}
                                                          ~ unknown_step: Step 2 takes `q` from step 9, which does not…
                                                                ~ wrong_type: A step must be an object, not an integer.
        ]}
        """,
        dialects=WITH_TOYS,
    )


def test_pointers_lead_to_the_token() -> None:
    snapshot = toy('{"tasks": {"a/b": {"uses": 7}}}')
    assert [snapshot.plan.pointer(finding.place) for finding in snapshot.findings] == ["/tasks/a~1b/uses"]
    snapshot = toy('{"turns": [{}, {"calls": [{"do": "a"}, {"do": 7}]}]}')
    assert [snapshot.plan.pointer(finding.place) for finding in snapshot.findings] == ["/turns/1/calls/1/do"]


@pytest.mark.parametrize("name", PLANS)
def test_a_policy_holds_for_each_step_of_a_chunk(name: str) -> None:
    policy = read_policy("allow_tools: [db.write, crm.find, mail.send]\n").policy
    snapshot = toy(PLANS[name], Settings(policy=policy))
    found = [snapshot.text[slice(*snapshot.span(finding))] for finding in snapshot.findings]
    assert found == {"tasks": ['"http.get"'], "talk": ['"crm.get"']}[name]


SECRET = "AKIAQ3EGRIRKL5Z7XW2M"


def found_at(text: str, rule: str, policy: str | None = None) -> list[str]:
    """The tokens that a rule reports."""
    settings = Settings() if policy is None else Settings(policy=read_policy(policy).policy)
    snapshot = toy(text, settings)
    return [snapshot.text[slice(*snapshot.span(finding))] for finding in snapshot.findings if finding.rule == rule]


@pytest.mark.parametrize(
    "text",
    [
        '{"tasks": {"a": {"uses": "x", "with": {"key": "SECRET"}}}}',
        '{"tasks": {"a": {"uses": "x"}, "SECRET": {"uses": "y"}}}',
        '{"tasks": {"a": {"uses": "x"}, "b": ["SECRET"]}}',
        '{"tasks": ["SECRET"]}',
        '{"turns": [{"calls": [{"do": "x", "with": {"key": "SECRET"}}]}]}',
        '{"turns": [{"text": "SECRET"}, {"calls": [{"do": "x"}]}]}',
        '{"turns": [{"calls": [{"do": "x"}], "text": "SECRET"}]}',
        '{"turns": [{"calls": [{"do": "x"}], "SECRET": 1}]}',
        '{"turns": [{"calls": "SECRET"}, {"calls": [{"do": "x"}]}]}',
        '{"turns": [["SECRET"], {"calls": [{"do": "x"}]}]}',
    ],
)
def test_a_secret_is_found_in_steps_and_beside_them_in_a_chunk(text: str) -> None:
    assert found_at(text.replace("SECRET", SECRET), "raw_secret") == [f'"{SECRET}"']


def test_a_secret_is_found_in_a_step_that_another_one_of_its_name_hides() -> None:
    text = f'{{"tasks": {{"a": {{"uses": "x", "with": "{SECRET}"}}, "a": {{"uses": "x"}}}}}}'
    assert len(found_at(text, "raw_secret")) == 1


@pytest.mark.parametrize(
    "text",
    [
        '{"tasks": {"a": {"uses": "x", "with": {"job": {"tool_name": "delete_all"}}}}}',
        '{"turns": [{"calls": [{"do": "x", "with": {"job": {"tool_name": "delete_all"}}}]}]}',
        '{"turns": [{"note": {"tool_name": "delete_all"}}, {"calls": [{"do": "x"}]}]}',
        '{"turns": [{"calls": [{"do": "x"}], "note": {"tool_name": "delete_all"}}]}',
    ],
)
def test_a_call_is_found_in_steps_and_beside_them_in_a_chunk(text: str) -> None:
    assert found_at(text, "blocked_tool", "{}") == ['"delete_all"']


# ---- fixes -----------------------------------------------------------------------------------------------------------


def fixed(text: str, title: str) -> str:
    snapshot = toy(text)
    fixes = [fix for finding in snapshot.findings for fix in offered(snapshot, finding)]
    (fix,) = [fix for fix in fixes if fix.title == title]
    return apply_edits(text, fix_edits(snapshot, fix))


def test_fixes_ask_the_value() -> None:
    assert fixed('{"tasks": {"a": {"Uses": "x"}}}', "Rename `Uses` to `uses`") == '{"tasks": {"a": {"uses": "x"}}}'
    text = '{"tasks": {"a": {"uses": "x"}, "b": {"uses": "x", "needs": ["a", "lost"]}}}'
    assert fixed(text, "Remove this entry") == text.replace(', "lost"', "")
    assert (
        fixed('{"tasks": {"a": {"uses": "x"}, "b": {"uses": "x", "needs": "a"}}}', "Make a list of `needs`")
        == '{"tasks": {"a": {"uses": "x"}, "b": {"uses": "x", "needs": ["a"]}}}'
    )


def test_no_fix_promises_a_linear_default_that_is_none() -> None:
    snapshot = toy('{"tasks": {"a": {"uses": "x"}, "b": {"uses": "x", "needs": ["lost"]}}}')
    titles = [fix.title for finding in snapshot.findings for fix in offered(snapshot, finding)]
    assert titles == ["Name step a instead"]


def test_steps_are_removed_from_what_they_stand_in() -> None:
    assert fixed('{"tasks": {"a": {"uses": "x"}, "b": 5}}', "Remove this step") == '{"tasks": {"a": {"uses": "x"}}}'
    text = '{"turns": [{"calls": [{"do": "a"}, 5, {"do": "b"}]}, {"calls": [{"do": "c"}]}]}'
    assert fixed(text, "Remove this step") == text.replace(" 5,", "")


def test_no_step_is_inserted_where_there_is_no_list() -> None:
    snapshot = toy(TASKS_PLAN.replace('"reads": ["ledger"], ', ""))
    titles = [fix.title for finding in snapshot.findings for fix in offered(snapshot, finding)]
    assert titles == ["Mark `ledger` as created by step store"]


def test_a_rule_can_be_switched_off_at_a_step() -> None:
    text = '{"turns": [{"calls": [{"do": "a"}, {"do": "b", "writes": ["x"]}]}]}'
    snapshot = toy(text)
    (action,) = [a for a in actions(snapshot, Span(0, len(text))) if "no_prior_read` at step 1" in a.title]
    after = apply_edits(text, action.edits)
    ignoring = '"plancheck-ignore": ["write_with_no_prior_read"]'
    assert after == f'{{"turns": [{{"calls": [{{"do": "a"}}, {{"do": "b", "writes": ["x"], {ignoring}}}]}}]}}'
    assert toy(after).findings == []


# ---- the editor ------------------------------------------------------------------------------------------------------


def hovered(text: str) -> str:
    found = hover(*at_cursor(text))
    return found.markdown.partition("\n")[0] if found is not None else ""


def test_hover() -> None:
    assert hovered(TASKS_PLAN.replace('"fetch":', '"fe$0tch":')) == "**Step fetch · http.get**"
    assert hovered(TASKS_PLAN.replace('["fetch"]', '["fe$0tch"]')) == "Waits for:"
    assert hovered(TASKS_PLAN.replace('"needs"', '"ne$0eds"')) == "**needs**"
    assert hovered(TASKS_PLAN.replace('"tasks"', '"ta$0sks"')).startswith("**Plan** of 2 steps")
    assert hovered(TALK_PLAN.replace('"mail.send"', '"mail$0.send"')) == "**Step 2 · mail.send**"
    assert hovered(TALK_PLAN.replace('"text": "Find', '"te$0xt": "Find')) == "**text**"
    assert hovered(TALK_PLAN.replace('"id": "crm"', '"id": "c$0rm"')) == "**Resource** `crm`"


def test_symbols() -> None:
    expected = {"tasks": ['"fetch"', '"store"'], "talk": ['"crm.find"', '"crm.get"', '"mail.send"']}
    for name, text in PLANS.items():
        snapshot = toy(text)
        (plan,) = document_symbols(snapshot)
        assert [text[slice(*step.selection)] for step in plan.children] == expected[name]
        for step in plan.children:
            assert step.span.start <= step.selection.start < step.selection.end <= step.span.end
    (plan,) = document_symbols(toy(TASKS_PLAN))
    assert [child.name for child in plan.children[1].children] == ["ledger", "ledger"]


def labels(text: str) -> list[str]:
    return [item.label for item in complete(*at_cursor(text))]


COMMON = ["agent", "kind", "reads", "writes", "scope", "plancheck-ignore"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"tasks": {"a": {$0}}}', ["uses", "needs", *COMMON]),
        ('{"tasks": {"a": {"uses": "x", $0}}}', ["needs", *COMMON]),
        ('{"tasks": {"a": {"uses": "x"}, "b": {"needs": [$0]}}}', ["a"]),
        ('{"tasks": {"b": {"needs": ["$0"]}, "a": {"uses": "x"}}}', ["a"]),
        ('{"tasks": {"a": {"uses": "x"}, "b": {"uses": "$0"}}}', ["x"]),
        ('{"tasks": {"a": $0}}', ["task"]),
        ('{"tasks": {$0}}', []),
        ('{"tasks": $0}', ["{…}"]),
        ('{"tasks": {}, $0}', ["plancheck-ignore"]),
        ('{"turns": [{$0}]}', ["text", "calls"]),
        ('{"turns": [{"calls": [$0]}]}', ["call"]),
        ('{"turns": [{"text": "x"}, {"calls": [{"do": "x"}, {$0}]}]}', ["do", "with", *COMMON]),
        ('{"turns": [{"calls": [{"do": "x"}, {"do": "y", "reads": [{"producer": $0}]}]}]}', ["0"]),
        ("{$0}", ["nodes", "goal", "steps", "context", "meta", "tasks", "turns", "plancheck-ignore"]),
    ],
)
def test_completion(text: str, expected: list[str]) -> None:
    assert labels(text) == expected


def test_definition_and_references() -> None:
    snapshot, offset = at_cursor(TASKS_PLAN.replace('["fetch"]', '["fe$0tch"]'))
    (target,) = definition(snapshot, offset)
    assert snapshot.text[slice(*target.selection)] == '"fetch"'
    assert snapshot.text[slice(*target.span)].startswith('"fetch": {"uses"')
    assert marked(snapshot.text, references(snapshot, offset)) == TASKS_PLAN.replace('"fetch"', '«"fetch"»')
    snapshot, offset = at_cursor(TALK_PLAN.replace('"producer": 0', '"producer": $00'))
    (target,) = definition(snapshot, offset)
    assert snapshot.text[slice(*target.span)] == '{"do": "crm.find", "reads": ["crm"]}'


def test_rename() -> None:
    for place in ('"fe$0tch": {', '["fe$0tch"]'):
        snapshot, offset = at_cursor(TASKS_PLAN.replace(place.replace("$0", ""), place))
        renamed = apply_edits(snapshot.text, rename(snapshot, offset, "get"))
        assert renamed == TASKS_PLAN.replace('"fetch"', '"get"')
    snapshot, offset = at_cursor(TALK_PLAN.replace('"producer": 0', '"producer": $00'))
    assert prepare_rename(snapshot, offset) is None
    with pytest.raises(RenameError, match="known by their position"):
        rename(snapshot, offset, "7")


def test_steps_that_are_no_list_are_not_sorted() -> None:
    text = '{"tasks": {"b": {"uses": "x", "needs": ["a"]}, "a": {"uses": "x"}}}'
    assert on_offer(toy(text)) == []


# ---- never out of step -----------------------------------------------------------------------------------------------

_OWN_PIECES = [*PIECES, '"b": {"uses": "t"}, ', '{"calls": [{"do": "t"}]}, ', '{"do": "t"}, ', '"needs": ["fetch"], ']


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("name", PLANS)
def test_updating_is_analyzing_afresh(name: str, seed: int) -> None:
    rng = random.Random(f"{name} {seed}")
    snapshot = toy(PLANS[name])
    for _ in range(12):
        text = snapshot.text
        start = rng.randrange(len(text) + 1)
        end = min(start + rng.choice([0, 0, 0, 1, 1, 2, 8, 30]), len(text))
        edit = Edit(start, end, rng.choice(["", *_OWN_PIECES]) if end > start else rng.choice(_OWN_PIECES))
        snapshot = update(snapshot, edit)
        fresh = toy(snapshot.text)
        assert picture(snapshot) == picture(fresh), (text, edit)
        assert document_symbols(snapshot) == document_symbols(fresh), (text, edit)
        if rng.random() < 0.3:
            snapshot = toy(PLANS[name])


def test_what_is_beside_the_steps_of_a_chunk_is_typed_key_by_key() -> None:
    snapshot = toy("")
    for offset, character in enumerate(SECRET_TALK):
        snapshot = update(snapshot, Edit(offset, offset, character))
        assert picture(snapshot) == picture(toy(snapshot.text)), snapshot.text


def test_an_edit_lowers_only_the_chunk_it_is_in() -> None:
    before = toy(TALK_PLAN)
    at = TALK_PLAN.index('Ada"}')
    after = update(before, Edit(at, at, "x"))
    assert [new is old for new, old in zip(after.plan.steps, before.plan.steps, strict=True)] == [True, True, False]


@pytest.mark.parametrize("name", PLANS)
def test_every_function_answers_on_damaged_text(name: str) -> None:
    rng = random.Random(name)
    for _ in range(40):
        snapshot = toy(damaged(PLANS[name], rng))
        check_document(snapshot)
        for _ in range(8):
            check_offset(snapshot, rng.randrange(-1, len(snapshot.text) + 3), rng)


# ---- the schema ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dialect", [TASKS, TALK], ids=lambda dialect: dialect.name)
def test_the_schema(dialect: Dialect) -> None:
    validator = jsonschema.Draft202012Validator(schema(dialect.name, WITH_TOYS))
    either = jsonschema.Draft202012Validator(schema(None, WITH_TOYS))
    for name, text in PLANS.items():
        assert validator.is_valid(json.loads(text)) is (name == dialect.name)
        assert either.is_valid(json.loads(text))
    assert not validator.is_valid({"tasks": {"a": {"needs": ["b"]}}})
    assert not validator.is_valid({"turns": [{"calls": [{}]}]})
