"""The other two dialects: steps with ids and references inside strings, and calls known by their position."""

from __future__ import annotations

import pytest

from ide.marks import cursor, expected, marked
from plancheck.analysis.engine import analyze, update
from plancheck.analysis.settings import Settings
from plancheck.ide.complete import complete
from plancheck.ide.cursor import Role, cursor_at
from plancheck.ide.hover import hover
from plancheck.ide.navigate import RenameError, definition, prepare_rename, references, rename
from plancheck.ide.refactor import Refactoring, edits_of, on_offer
from plancheck.ide.symbols import document_symbols
from plancheck.text import Edit, apply_edits

STEPS = """
    {"goal": "pay", "steps": [
      {"id": "fetch%s", "tool": "db.query_ro", "args": {"q": "select 1"}},
      {"id": "pay", "tool": "payments.transfer",
       "args": {"amount": "= {{fet%sch.resu%slt.sum}} EUR", "to": ["${fetch.result}"]},
       "depends_on": ["fetch%s"], "on_fail": "abort%s"}
    ]}
"""
CALLS = '[{"tool_name": "search%s", "args": {}}, {"tool_name": "mail", "reads": [{"id": "r", "producer": 0%s}]}]'


def steps_at(number: int) -> str:
    return STEPS % tuple("$0" if i == number else "" for i in range(5))


def completed(text: str, label: str) -> str:
    snapshot, offset = cursor(text)
    item = next(item for item in complete(snapshot, offset) if item.label == label)
    return apply_edits(snapshot.text, [Edit(*item.span, item.insert_text)])


def labels(text: str) -> list[str]:
    snapshot, offset = cursor(text)
    return [item.label for item in complete(snapshot, offset)]


# ---- steps -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [1, 2])
def test_a_reference_inside_a_string_is_found(number: int) -> None:
    snapshot, offset = cursor(steps_at(number))
    found = cursor_at(snapshot, offset)
    assert found is not None
    assert (found.role, snapshot.text[slice(*found.span)]) == (Role.PRODUCER, "fetch.result.sum")
    (target,) = definition(snapshot, offset)
    assert snapshot.text[slice(*target.selection)] == '"fetch"'
    shown = hover(snapshot, offset)
    assert shown is not None
    assert shown.markdown.startswith("Takes `fetch.result` from:\n\n**Step fetch · db.query_ro**\n")


def test_the_string_around_a_reference_is_no_reference() -> None:
    snapshot, offset = cursor((STEPS % (("",) * 5)).replace("= {{", "=$0 {{"))
    found = cursor_at(snapshot, offset)
    assert found is not None
    assert (found.role, found.path) == (Role.OTHER, ("args", "amount"))


def test_a_step_is_referred_to_from_everywhere() -> None:
    snapshot, offset = cursor(steps_at(0))
    marks = (
        (STEPS % (("",) * 5))
        .replace('"fetch"', '«"fetch"»')
        .replace("{{fetch.", "{{«fetch».")
        .replace("${fetch.", "${«fetch».")
    )
    assert marked(snapshot.text, references(snapshot, offset)) == expected(marks)


@pytest.mark.parametrize("number", range(4))
def test_a_step_is_renamed_in_strings_too(number: int) -> None:
    snapshot, offset = cursor(steps_at(number))
    found = prepare_rename(snapshot, offset)
    assert found is not None
    assert (snapshot.text[slice(*found.span)], found.placeholder) == ("fetch", "fetch")
    after = apply_edits(snapshot.text, rename(snapshot, offset, "load"))
    assert after == expected((STEPS % (("",) * 5)).replace("fetch", "load"))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("", "A step needs an identity: the new one is empty."),
        ("pay", "There is a step pay already: choose an identity that no step has."),
        ("a}b", "A reference in an argument cannot name a step “a}b”: choose letters and digits."),
    ],
)
def test_names_that_a_step_cannot_have(name: str, message: str) -> None:
    snapshot, offset = cursor(steps_at(0))
    with pytest.raises(RenameError) as raised:
        rename(snapshot, offset, name)
    assert str(raised.value) == message


def test_the_result_of_a_step_is_renamed_with_the_step_only() -> None:
    text = """
        {"goal": "g", "steps": [
          {"id": "a", "tool": "t"},
          {"id": "b", "tool": "t", "args": {"x": "{{a.result}}"}, "reads": ["a.res$0ult"]}
        ]}
    """
    snapshot, offset = cursor(text)
    assert prepare_rename(snapshot, offset) is None
    with pytest.raises(RenameError, match=r"^“a\.result” is what a step returns: rename the step\.$"):
        rename(snapshot, offset, "x")


def test_completion_in_a_plan_of_steps() -> None:
    plan = '{"goal": "g", "steps": [{"id": "a", "tool": "t1"}, {"id": "b", %s}, {"id": "c", "tool": "t2"}]}'
    assert labels(plan % '"depends_on": [$0]') == ["a", "c"]
    assert labels(plan % '"depends_on": ["$0"]') == ["a", "c"]
    assert labels(plan % '"on_fail": $0') == ["abort", "continue"]
    assert labels(plan % '"tool": "$0"') == ["t1", "t2"]
    assert labels('{"goal": "g", "steps": [{"id": $0}]}') == ["step1"]
    assert labels('{"goal": "g", "steps": [$0]}') == ["step", "step with a result"]
    assert labels('{"goal": "g", $0}') == ["steps", "context", "meta", "plancheck-ignore"]
    assert labels('{"goal": "g", "steps": [{"id": "a", "tool": "x", "args": {}, $0}]}')[:3] == [
        "parameters",
        "depends_on",
        "on_fail",
    ]


@pytest.mark.parametrize(
    ("value", "after"),
    [
        ('"{{$0', '"{{a.result}}'),
        ('"{{$0}}"', '"{{a.result}}"'),
        ('"x {{ b$0"', '"x {{ a.result}}"'),
        ('"${$0"', '"${a.result}"'),
        ('"${{$0"', '"${{a.result}}"'),
    ],
)
def test_references_are_completed_inside_strings(value: str, after: str) -> None:
    plan = '{"goal": "g", "steps": [{"id": "a", "tool": "t"}, {"id": "b", "args": {"x": [%s'
    assert completed(plan % value, "a") == plan % after


def test_a_reference_is_completed_as_a_whole_value() -> None:
    plan = '{"goal": "g", "steps": [{"id": "a", "tool": "t"}, {"id": "b", "args": {"x": %s}}]}'
    assert completed(plan % "$0", "{{a.result}}") == plan % '"{{a.result}}"'
    assert completed(plan % '"$0"', "{{a.result}}") == plan % '"{{a.result}}"'
    assert labels(plan % '"plain te$0xt"') == []


def test_refactorings_of_a_plan_of_steps() -> None:
    first, second = '{"id": "a", "tool": "t", "depends_on": ["b"]}', '{"id": "b", "tool": "t", "depends_on": []}'
    plan = '{"goal": "g", "steps": [%s, %s]}'
    snapshot = analyze(plan % (first, second))
    assert on_offer(snapshot) == [Refactoring.SORT]
    assert apply_edits(snapshot.text, edits_of(snapshot, Refactoring.SORT)) == plan % (second, first)
    text = plan % ('{"id": "a", "tool": "t", "args": {}}', '{"id": "b", "tool": "t", "on_fail": "abort"}')
    snapshot = analyze(text)
    assert on_offer(snapshot) == [Refactoring.EXPLICIT]
    assert apply_edits(text, edits_of(snapshot, Refactoring.EXPLICIT)) == (
        '{"goal": "g", "steps": [{"id": "a", "tool": "t", "args": {}, "depends_on": []}, '
        '{"id": "b", "tool": "t", "depends_on": ["a"], "on_fail": "abort"}]}'
    )


def test_keys_and_choices_of_steps_are_explained() -> None:
    snapshot, offset = cursor(steps_at(4))
    shown = hover(snapshot, offset)
    assert shown is not None
    assert shown.markdown == "`abort`\n\nWhen the step fails, the plan ends. This is the default."
    snapshot, offset = cursor('{"goal": "g", "steps": [{"id": "a", "to$0ol": "t"}]}')
    shown = hover(snapshot, offset)
    assert shown is not None
    assert shown.markdown == "**tool**\n\nThe tool that the step calls."


# ---- calls -----------------------------------------------------------------------------------------------------------


def test_calls_are_steps_named_by_their_position() -> None:
    text = CALLS % ("", "")
    (plan,) = document_symbols(analyze(text))
    assert [(step.name, text[slice(*step.selection)]) for step in plan.children] == [
        ("Step 0 · search", '"search"'),
        ("Step 1 · mail", '"mail"'),
    ]


def test_a_position_leads_to_its_call_and_cannot_be_renamed() -> None:
    message = "The steps of this plan are known by their position in the list: there is no name to change."
    for text in (CALLS % ("$0", ""), CALLS % ("", "$0")):
        snapshot, offset = cursor(text)
        (target,) = definition(snapshot, offset)
        assert snapshot.text[slice(*target.span)] == '{"tool_name": "search", "args": {}}'
        assert prepare_rename(snapshot, offset) is None
        with pytest.raises(RenameError) as raised:
            rename(snapshot, offset, "5")
        assert str(raised.value) == message
        assert [snapshot.text[slice(*span)] for span in references(snapshot, offset)] == ["0"]


def test_completion_in_a_list_of_calls() -> None:
    assert labels("[$0]") == ["call"]
    assert labels('[{"tool_name": "a"}, $0]') == ["call"]
    assert labels('[{"tool_name": "a"}, {$0}]')[:2] == ["tool_name", "args"]
    assert labels('[{"tool_name": "a"}, {"tool_name": "$0"}]') == ["a"]
    assert labels('{"event_type": "agent.plan", "steps": [$0]}') == ["call"]
    assert completed("[$0]", "call") == '[{"tool_name": "$1", "args": {$2}}]'


def test_calls_are_never_moved_or_renumbered() -> None:
    assert on_offer(analyze('[{"tool_name": "a", "reads": [{"id": "r", "producer": 1}]}, {"tool_name": "b"}]')) == []


# ---- all of them -----------------------------------------------------------------------------------------------------


def test_a_document_that_could_become_any_plan_is_offered_all_keys() -> None:
    for text in ("{$0}", '{"$0"}', '{"plancheck-ignore": [], $0}'):
        assert {"nodes", "steps", "goal"} <= set(labels(text))
    assert "nodes" not in labels('{"goal": "x", $0}')
    assert "steps" not in labels('{"nodes": [], $0}')


def test_references_are_completed_under_keys_of_the_authors_own() -> None:
    text = '{"goal": "x", "steps": [{"id": "a", "tool": "t"}, {"id": "b", "tool": "t", "if": "%s"}]}'
    assert completed(text % "not {{$0}}", "a") == text % "not {{a.result}}"
    assert labels(text % "no$0") == []
    assert labels('[{"tool_name": "a", "if": "{{$0}}"}]') == []


def test_symbols_of_references_are_their_own_characters() -> None:
    snapshot = analyze(
        r'{"goal": "x", "steps": [{"id": "a\u00e9", "tool": "t"}, '
        r'{"id": "b", "tool": "t", "args": ["\"\u0041 {{a\u00e9.result.y}} ${aé.result}"]}]}'
    )
    (plan,) = document_symbols(snapshot)
    spans = [snapshot.text[slice(*symbol.selection)] for symbol in plan.children[1].children]
    assert spans == [r"a\u00e9.result.y", "aé.result"]


def test_symbols_follow_the_dialect() -> None:
    text = '{"steps": [{"tool": "x", "tool_name": "y", "id": "a"}]}'
    calls = analyze(text)
    steps = update(calls, Edit(0, 0, ""), Settings(dialect="steps"))
    for snapshot, token in ((calls, '"y"'), (steps, '"a"')):
        (plan,) = document_symbols(snapshot)
        assert snapshot.text[slice(*plan.children[0].selection)] == token


# ---- references in calls ---------------------------------------------------------------------------------------------

REFERRING = """
    [
      {"id": "find%s", "tool_name": "crm.find", "args": {}},
      {"tool_name": "crm.get", "args": {"who": ["is {{find.res%sult.id}}?", "${0.result%s}"]}},
      {"tool_name": "mail.send", "args": {"to": "{{1%s.result}}"}, "why": "{{find.result}}"}
    ]
"""


def referring_at(number: int) -> str:
    return REFERRING % tuple("$0" if i == number else "" for i in range(4))


@pytest.mark.parametrize(
    ("number", "token", "tool"), [(1, "find", "crm.find"), (2, "0", "crm.find"), (3, "1", "crm.get")]
)
def test_a_reference_in_a_call_leads_to_its_call(number: int, token: str, tool: str) -> None:
    snapshot, offset = cursor(referring_at(number))
    found = cursor_at(snapshot, offset)
    assert found is not None
    assert (found.role, snapshot.text[slice(*found.span)].partition(".")[0]) == (Role.PRODUCER, token)
    (target,) = definition(snapshot, offset)
    assert snapshot.text[slice(*target.selection)] == f'"{tool}"'
    shown = hover(snapshot, offset)
    assert shown is not None
    assert shown.markdown.startswith(f"Takes `{token}.result` from:\n\n**Step {0 if tool == 'crm.find' else 1}")


@pytest.mark.parametrize("number", [0, 1])
def test_a_call_is_referred_to_by_its_id_and_by_its_position(number: int) -> None:
    snapshot, offset = cursor(referring_at(number))
    marks = (REFERRING % (("",) * 4)).replace('"id": "find"', '"id": «"find"»').replace("{{find", "{{«find»")
    assert marked(snapshot.text, references(snapshot, offset)) == expected(marks.replace("${0.", "${«0»."))


@pytest.mark.parametrize("number", [0, 1])
def test_the_id_of_a_call_is_renamed_with_the_references_to_it(number: int) -> None:
    snapshot, offset = cursor(referring_at(number))
    found = prepare_rename(snapshot, offset)
    assert found is not None
    assert (found.placeholder, snapshot.text[slice(*found.span)]) == ("find", "find")
    after = apply_edits(snapshot.text, rename(snapshot, offset, "look"))
    assert after == expected((REFERRING % (("",) * 4)).replace('"find"', '"look"').replace("{{find", "{{look"))
    with pytest.raises(RenameError, match="There is a step 1 already"):
        rename(snapshot, offset, "1")


@pytest.mark.parametrize("number", [2, 3])
def test_a_position_in_a_reference_cannot_be_renamed(number: int) -> None:
    snapshot, offset = cursor(referring_at(number))
    assert prepare_rename(snapshot, offset) is None
    with pytest.raises(RenameError, match="known by their position"):
        rename(snapshot, offset, "x")


@pytest.mark.parametrize(
    ("value", "after"),
    [
        ('"{{$0"', '"{{find.result}}"'),
        ('"is {{$0}} there"', '"is {{find.result}} there"'),
        ('["x", "${f$0"]', '["x", "${find.result}"]'),
        ("$0", '"{{find.result}}"'),
    ],
)
def test_references_to_calls_are_completed(value: str, after: str) -> None:
    text = '[{"id": "find", "tool_name": "a"}, {"tool_name": "b"}, {"tool_name": "c", "args": {"x": %s}}]'
    label = "find" if "{" in value else "{{find.result}}"
    other = "1" if "{" in value else "{{1.result}}"
    assert labels(text % value) == [other, label]
    assert completed(text % value, label) == text % after


def test_an_id_that_hides_a_position_is_not_offered_twice() -> None:
    text = '[{"tool_name": "a"}, {"id": 0, "tool_name": "b"}, {"tool_name": "c", "args": {"x": "{{$0"}}]'
    assert labels(text) == ["0"]
