"""In the JSON text that a string holds, an editor helps as it does anywhere else; what it writes there is escaped."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ide.marks import cursor
from plancheck.analysis.engine import analyze
from plancheck.analysis.settings import Settings
from plancheck.analysis.snapshot import Snapshot
from plancheck.ide.complete import complete
from plancheck.ide.cursor import cursor_at
from plancheck.ide.hover import hover
from plancheck.ide.navigate import definition, prepare_rename, references, rename
from plancheck.ide.outline import selections
from plancheck.ide.symbols import document_symbols
from plancheck.plan.dialects.dialect import Holder, LoweredSteps
from plancheck.plan.dialects.references import reads_in
from plancheck.plan.dialects.table import named
from plancheck.plan.model import Step
from plancheck.policy.reading import read_policy
from plancheck.syntax.tree import INSIDE, Tree
from plancheck.text import Edit, apply_edits

CALLS = r"""
    {"tool_calls": [
      {"id": "a", "function": {"name": "pay", "arguments": "{\"amount\": 5, \"to\": {\"na\u00efve\": [\"\ud83c\udf89x\"]}}"}},
      {"id": "b", "function": {"name": "pay", "arguments": "{}"}}
    ]}
"""  # noqa: E501


def at(token: str) -> tuple[Snapshot, int]:
    """The calls with the cursor in the middle of a token."""
    middle = CALLS.index(token) + len(token) // 2
    return cursor(f"{CALLS[:middle]}$0{CALLS[middle:]}")


@pytest.mark.parametrize(
    ("token", "path"),
    [
        (r"\"amount\"", ("amount",)),
        ("5,", ("amount",)),
        (r"\"na\u00efve\"", ("to", "naïve")),
        (r"\"\ud83c\udf89x\"", ("to", "naïve", 0)),
    ],
)
def test_the_cursor_is_on_a_token_of_the_text(token: str, path: tuple[str | int, ...]) -> None:
    snapshot, offset = at(token)
    found = cursor_at(snapshot, offset)
    assert found is not None
    assert (found.step, found.path) == (0, ("function", "arguments", INSIDE, *path))
    assert snapshot.text[slice(*found.span)] == token.removesuffix(",")


def test_selections_grow_out_of_the_text() -> None:
    snapshot, offset = at(r"\"\ud83c\udf89x\"")
    texts = [snapshot.text[slice(*span)] for span in selections(snapshot, offset)][1:]
    assert texts[0] == r"\ud83c\udf89x"
    inside = texts[: next(i for i, text in enumerate(texts) if text.startswith('"'))]
    assert r"\"\ud83c\udf89x\"" in inside
    assert r"[\"\ud83c\udf89x\"]" in inside
    assert all(r"\ud83c\udf89" in text for text in inside)
    assert json.loads(json.loads(f'"{inside[-1]}"')) == {"amount": 5, "to": {"naïve": ["🎉x"]}}


def completed(text: str, label: str, settings: Settings | None = None) -> str:
    snapshot, offset = cursor(text)
    if settings is not None:
        snapshot = analyze(snapshot.text, settings)
    item = next(item for item in complete(snapshot, offset) if item.label == label)
    typed = snapshot.text[item.span.start : offset]
    assert item.filter_text.startswith(typed)
    inserted = item.insert_text.replace("$1", "").replace("\\\\", "\\") if item.is_snippet else item.insert_text
    return apply_edits(snapshot.text, [Edit(*item.span, inserted)])


CALLED = r'{"tool_calls": [{"function": {"name": "pay", "arguments": "{\"amount\": 5, \"q\\\"\": 1}"}}, '


@pytest.mark.parametrize(
    ("before", "label", "after"),
    [
        ('"{$0}"', "amount", r'"{\"amount\": }"'),
        (r'"{\"$0\"}"', "amount", r'"{\"amount\": }"'),
        (r'"{\"am$0\": 1}"', "amount", r'"{\"amount\": 1}"'),
        (r'"{$0\"x\": 1}"', "amount", r'"{\"amount\": ,\"x\": 1}"'),
        ('"{$0}"', 'q"', r'"{\"q\\\"\": }"'),
        ('"{', "amount", r'"{\"amount\": '),
    ],
)
def test_a_key_is_completed_with_its_quotes_escaped(before: str, label: str, after: str) -> None:
    if "$0" not in before:
        before += "$0"
    call = '{"function": {"name": "pay", "arguments": '
    assert completed(f"{CALLED}{call}{before}", label) == f"{CALLED}{call}{after}"


def test_keys_that_are_there_are_not_offered() -> None:
    snapshot, offset = cursor(rf'{CALLED}{{"function": {{"name": "pay", "arguments": "{{\"amount\": 1, $0}}"}}}}]}}')
    assert [item.label for item in complete(snapshot, offset)] == ['q"']


def test_names_that_a_policy_limits_are_offered() -> None:
    policy = read_policy("bounds: {pay.total: [0, 9]}\n")[0]
    text = '{"function": {"name": "pay", "arguments": "{$0}"}}'
    after = completed(text, "total", Settings(policy=policy))
    assert after == r'{"function": {"name": "pay", "arguments": "{\"total\": }"}}'
    text = '[{"tool_name": "pay", "args": {$0}}]'
    assert completed(text, "total", Settings(policy=policy)) == '[{"tool_name": "pay", "args": {"total": }}]'


def test_nothing_is_offered_in_other_texts() -> None:
    snapshot, offset = cursor('{"role": "assistant", "note": "{$0}", "tool_calls": []}')
    assert complete(snapshot, offset) == []


def test_hover_tells_what_is_called_and_nothing_of_arguments() -> None:
    snapshot, offset = cursor(CALLS.replace('"pay", "arguments": "{}"', '"p$0ay", "arguments": "{}"'))
    shown = hover(snapshot, offset)
    assert shown is not None
    assert "pay" in shown.markdown
    snapshot, offset = cursor(CALLS.replace('"arguments": "{}"', '"argu$0ments": "{}"'))
    shown = hover(snapshot, offset)
    assert shown is not None
    assert "JSON text" in shown.markdown


def test_a_call_is_known_by_its_id() -> None:
    snapshot, offset = cursor(CALLS.replace('"id": "b"', '"id": "b", "reads": [{"id": "r", "producer": "a$0"}]'))
    (target,) = definition(snapshot, offset)
    assert snapshot.text[slice(*target.selection)] == '"a"'
    assert [snapshot.text[slice(*span)] for span in references(snapshot, offset)] == ['"a"', '"a"']
    assert prepare_rename(snapshot, offset) is not None
    after = apply_edits(snapshot.text, rename(snapshot, offset, "first"))
    assert after == snapshot.text.replace('"a"', '"first"')


def test_symbols_of_a_document_that_is_one_call() -> None:
    text = '{"type": "tool_use", "id": "t", "name": "pay", "input": {}}'
    (plan,) = document_symbols(analyze(text))
    (call,) = plan.children
    assert text[slice(*call.span)] == text
    assert text[slice(*call.selection)] == '"t"'


# ---- references, which traces have none of ---------------------------------------------------------------------------


def _with_references(value: Any) -> LoweredSteps:
    def referring(step: Step) -> Step:
        assert step.call is not None
        reads = tuple(reads_in(step.call.arguments, step.call.arguments_path))
        return step._replace(outline=step.outline._replace(reads=reads))

    return tuple((path, referring(step)) for path, step in named("trace").lower_chunk(value))


def _find(tree: Tree) -> Holder | None:
    holder = named("trace").find(tree)
    return None if holder is None else holder._replace(lower=None)


REFERRING = named("trace")._replace(name="referring", find=_find, lower_chunk=_with_references, has_references=True)
TWO = r"""[
  {"id": "fetch", "function": {"name": "x", "arguments": "{}"}},
  {"id": "b", "function": {"name": "y", "arguments": "{\"\\\"q\": [\"\ud83c\udf89 {{fetch.result.z}}\"]}"}}
]"""


@pytest.mark.parametrize("token", ['"fetch"', "{{fetch"])
def test_a_step_is_renamed_in_the_text_too(token: str) -> None:
    snapshot = analyze(TWO, dialects=(REFERRING,))
    offset = TWO.index(token) + 4
    found = prepare_rename(snapshot, offset)
    assert found is not None
    assert (TWO[slice(*found.span)], found.placeholder) == ("fetch", "fetch")
    assert apply_edits(TWO, rename(snapshot, offset, "load")) == TWO.replace("fetch", "load")
    assert len(references(snapshot, offset)) == 2
    (target,) = definition(snapshot, offset)
    assert TWO[slice(*target.selection)] == '"fetch"'


def test_hover_on_a_reference_in_the_text() -> None:
    shown = hover(analyze(TWO, dialects=(REFERRING,)), TWO.index("{{fetch") + 4)
    assert shown is not None
    assert shown.markdown.startswith("Takes `fetch.result` from:")
    assert TWO[slice(*shown.span)] == "fetch.result.z"
