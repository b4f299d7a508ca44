"""Definition, references, highlights and rename."""

from __future__ import annotations

import pytest

from ide.marks import cursor, expected, marked
from plancheck.ide.navigate import RenameError, definition, highlights, prepare_rename, references, rename
from plancheck.text import Span, apply_edits

PLAN = """
    {"nodes": [
      {"idx": 10%s, "reads": ["order%s"]},
      {"idx": 20, "control_preds": [10%s], "reads": [{"id": "order", "producer": 10%s}], "writes": ["order"%s]},
      {"idx": 30, "control_preds": [10, 20], "scope": ["order%s", "lone%s"]}
    ]}
"""


def at(number: int) -> str:
    return PLAN % tuple("$0" if i == number else "" for i in range(7))


def check_definition(text: str, target: str | None, selection: str | None) -> None:
    snapshot, offset = cursor(text)
    found = definition(snapshot, offset)
    assert [snapshot.text[slice(*t.span)] for t in found] == ([] if target is None else [target])
    assert [snapshot.text[slice(*t.selection)] for t in found] == ([] if selection is None else [selection])
    assert all(t.origin.start <= offset <= t.origin.end for t in found)


def check_references(text: str, marks: str, declaration: bool = True) -> None:
    snapshot, offset = cursor(text)
    assert marked(snapshot.text, references(snapshot, offset, declaration)) == expected(marks)


def check_highlights(text: str, wanted: list[str]) -> None:
    snapshot, offset = cursor(text)
    assert [f"{h.access.value} {snapshot.text[slice(*h.span)]}" for h in highlights(snapshot, offset)] == wanted


def check_rename(text: str, new_name: str, after: str) -> None:
    snapshot, offset = cursor(text)
    assert apply_edits(snapshot.text, rename(snapshot, offset, new_name)) == expected(after)


def check_refusal(text: str, new_name: str, message: str) -> None:
    snapshot, offset = cursor(text)
    with pytest.raises(RenameError) as raised:
        rename(snapshot, offset, new_name)
    assert str(raised.value) == message


def test_a_reference_leads_to_its_step() -> None:
    step = '{"idx": 10, "reads": ["order"]}'
    check_definition(at(2), step, "10")
    check_definition(at(3), step, "10")
    check_definition(at(0), step, "10")
    check_definition('{"nodes": [{"idx": 1, "control_preds": [9$0]}]}', None, None)


def test_a_resource_leads_to_its_writes_or_else_its_first_mention() -> None:
    check_definition(at(1), '"order"', '"order"')
    snapshot, offset = cursor(at(1))
    assert definition(snapshot, offset)[0].span.start == snapshot.text.index('"order"]},\n  {"idx": 30')
    check_definition(at(6), '"lone"', '"lone"')
    check_definition('{"nodes": [{"idx": 1, "agent": "a$0"}]}', None, None)
    check_definition("$0", None, None)


def test_references_of_a_step() -> None:
    marks = (PLAN % (("",) * 7)).replace("[10", "[«10»").replace('"producer": 10', '"producer": «10»')
    check_references(at(0), marks, declaration=False)
    check_references(at(2), marks.replace('"idx": 10', '"idx": «10»'))
    check_references(at(3), marks, declaration=False)


def test_references_of_a_resource() -> None:
    marks = (PLAN % (("",) * 7)).replace('"order"', '«"order"»')
    check_references(at(5), marks)
    check_references(
        at(1), marks.replace('«"order"»]},\n      {"idx": 30', '"order"]},\n      {"idx": 30'), declaration=False
    )


def test_references_of_nothing() -> None:
    check_references('{"nodes": [{"idx": 1, "agent": "a$0"}]}', '{"nodes": [{"idx": 1, "agent": "a"}]}')
    check_references('{"nodes": [{"idx": "1$0"}]}', '{"nodes": [{"idx": "1"}]}')


def test_an_identity_that_no_step_has_still_has_references() -> None:
    check_references(
        '{"nodes": [{"idx": 1, "control_preds": [9$0, 9]}]}', '{"nodes": [{"idx": 1, "control_preds": [«9», «9»]}]}'
    )


def test_highlights_tell_reads_from_writes() -> None:
    check_highlights(at(1), ['read "order"', 'read "order"', 'write "order"', 'text "order"'])
    check_highlights(at(0), ["write 10", "read 10", "read 10", "read 10"])
    check_highlights('{"nodes$0": []}', [])


def test_what_can_be_renamed() -> None:
    for number, (text, name) in enumerate([("10", "10"), ("order", "order"), ("10", "10"), ("10", "10")]):
        snapshot, offset = cursor(at(number))
        found = prepare_rename(snapshot, offset)
        assert found is not None
        assert (snapshot.text[slice(*found.span)], found.placeholder) == (text, name)
    snapshot, offset = cursor('{"nodes": [{"i$0dx": 4}]}')
    found = prepare_rename(snapshot, offset)
    assert found is not None
    assert found.span == Span(19, 20)
    for text in ('{"nodes": [{"idx": 4, "kin$0d": 1}]}', '{"nodes": [{"idx": "x$0"}]}', "$0"):
        assert prepare_rename(*cursor(text)) is None


def test_a_step_is_renamed_with_every_reference() -> None:
    after = (PLAN % (("",) * 7)).replace("10", "15")
    for number in (0, 2, 3):
        check_rename(at(number), " 15 ", after)
    check_rename(at(0), "10", PLAN % (("",) * 7))
    check_rename('{"nodes": [{"idx": 1$0}]}', "-3", '{"nodes": [{"idx": -3}]}')


def test_a_resource_is_renamed_everywhere() -> None:
    check_rename(at(5), "basket", (PLAN % (("",) * 7)).replace("order", "basket"))
    check_rename(at(1), 'a "b" é \\', (PLAN % (("",) * 7)).replace('"order"', '"a \\"b\\" é \\\\"'))


def test_a_resource_may_be_made_one_with_another() -> None:
    check_rename(
        '{"nodes": [{"idx": 1, "reads": ["Order$0", "order"]}]}',
        "order",
        '{"nodes": [{"idx": 1, "reads": ["order", "order"]}]}',
    )


def test_one_resource_in_several_spellings_is_renamed_in_all() -> None:
    check_rename(
        '{"nodes": [{"idx": 1, "reads": ["caf\\u00e9$0", "café", {"id": "\\u0063afé"}]}]}',
        "bar",
        '{"nodes": [{"idx": 1, "reads": ["bar", "bar", {"id": "bar"}]}]}',
    )


def test_half_a_surrogate_pair_is_written_as_an_escape() -> None:
    check_rename('{"nodes": [{"reads": ["a$0"]}]}', "\ud83d", '{"nodes": [{"reads": ["\\ud83d"]}]}')


def test_refusals_say_why() -> None:
    integer = "The identity of a step must be an integer, not “{}”."
    for name in ("abc", "1.5", "", "007", "1" * 40, "١"):
        check_refusal(at(0), name, integer.format(name))
    check_refusal(at(0), "20", "There is a step 20 already: choose an identity that no step has.")
    check_refusal(at(1), "", "A resource needs a name: the new one is empty.")
    nothing = "There is nothing to rename here: put the cursor on a step's identity or on a resource id."
    check_refusal('{"nodes": [{"agent": "a$0"}]}', "b", nothing)
    check_refusal("$0", "b", nothing)


def test_of_two_steps_with_one_identity_references_mean_the_first() -> None:
    text = '{"nodes": [{"idx": 1%s}, {"idx": 1%s}, {"idx": 2, "control_preds": [1]}]}'
    check_rename(text % ("$0", ""), "5", '{"nodes": [{"idx": 5}, {"idx": 1}, {"idx": 2, "control_preds": [5]}]}')
    check_rename(text % ("", "$0"), "5", '{"nodes": [{"idx": 1}, {"idx": 5}, {"idx": 2, "control_preds": [1]}]}')
    check_definition(text % ("", "$0"), '{"idx": 1}', "1")


def test_references_to_no_step_may_be_given_one() -> None:
    check_rename(
        '{"nodes": [{"idx": 1}, {"idx": 2, "control_preds": [9$0]}]}',
        "1",
        '{"nodes": [{"idx": 1}, {"idx": 2, "control_preds": [1]}]}',
    )
