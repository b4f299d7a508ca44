"""Every function of the layer answers on any text: plans of the examples, damaged at random, at random offsets."""

from __future__ import annotations

import random
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import pytest

from plancheck.analysis.engine import analyze
from plancheck.analysis.settings import Settings
from plancheck.analysis.snapshot import Snapshot
from plancheck.catalogue.model import Catalogue, CatalogueSource
from plancheck.ide.actions import actions
from plancheck.ide.catalogue import described_at, tool_at, uses_of
from plancheck.ide.complete import complete
from plancheck.ide.hierarchy import incoming, outgoing, prepare
from plancheck.ide.hints import hints
from plancheck.ide.hover import hover
from plancheck.ide.lens import lenses
from plancheck.ide.navigate import RenameError, definition, highlights, prepare_rename, references, rename
from plancheck.ide.outline import folds, links, selections
from plancheck.ide.refactor import Refactoring, edits_of
from plancheck.ide.signature import signature_at
from plancheck.ide.symbols import Symbol, document_symbols, workspace_symbols
from plancheck.text import Edit, Span, apply_edits

TOOLS = """\
{"tools": [
  {"name": "mail", "description": "Sends | a *mail*.", "inputSchema": {"type": "object", "required": ["to"],
   "properties": {"to": {"type": "array", "items": {"$ref": "#/$defs/one"}}, "é😀": {"enum": ["a", 1, null]}},
   "$defs": {"one": {"type": "string"}}}},
  {"name": "pay", "inputSchema": {"anyOf": [{"properties": {"n": {"type": "integer"}}}, {"properties": {"to": true}}]},
   "outputSchema": {"properties": {"sum": {"type": "number"}}}},
  {"name": "query_ro", "inputSchema": {"properties": {"q": {"type": "string", "default": "select \\"1\\""}}},
   "outputSchema": {"type": "object", "properties": {"sum": {"type": "number"}, "to": {"type": "string"}}}},
  {"name": "search", "inputSchema": false}, {"name": "transfer"}
]}
"""
CATALOGUE = Catalogue((CatalogueSource("/w/tools.json", TOOLS),))
EXAMPLES = sorted((Path(__file__).parents[2] / "examples").rglob("*.plan.json"))
BITS = [*'{}[]",:', "\n", " ", "null", "0", '"idx"', '"reads": [', "\\", "\r\n", "{", '"nodes": [', "é😀", "//", "'"]


def damaged(text: str, rng: random.Random) -> str:
    for _ in range(rng.randrange(1, 4)):
        start = rng.randrange(len(text) + 1)
        end = min(len(text), start + rng.choice((0, 0, 1, 1, 2, 9, 60)))
        text = text[:start] + rng.choice((*BITS, "")) + text[end:]
    return text[: rng.randrange(len(text) + 1)] if rng.random() < 0.2 else text


def inside(span: Span, text: str) -> bool:
    return 0 <= span.start <= span.end <= len(text)


def check_edits(text: str, edits: list[Edit] | tuple[Edit, ...]) -> None:
    assert all(inside(Span(edit.start, edit.end), text) for edit in edits)
    apply_edits(text, edits)


def check_document(snapshot: Snapshot) -> None:
    text = snapshot.text
    assert all(inside(lens.span, text) for lens in lenses(snapshot))
    assert all(inside(span, text) for span in folds(snapshot))
    assert all(inside(link.span, text) for link in links(snapshot))
    assert all(inside(symbol.span, text) for symbol in workspace_symbols(snapshot, "a"))
    assert all(0 <= hint.offset <= len(text) for hint in hints(snapshot, Span(0, len(text))))
    todo: list[Symbol] = document_symbols(snapshot)
    while todo:
        symbol = todo.pop()
        assert symbol.span.start <= symbol.selection.start <= symbol.selection.end <= symbol.span.end
        todo += symbol.children
    for refactoring in Refactoring:
        check_edits(text, edits_of(snapshot, refactoring))


def check_offset(snapshot: Snapshot, offset: int, rng: random.Random) -> None:
    text = snapshot.text
    found = hover(snapshot, offset)
    assert found is None or (found.markdown and inside(found.span, text))
    for proposal in complete(snapshot, offset):
        assert proposal.span.start <= min(max(offset, 0), len(text)) <= proposal.span.end
    assert all(inside(target.selection, text) for target in definition(snapshot, offset))
    assert [h.span for h in highlights(snapshot, offset)] == references(snapshot, offset)
    renamable = prepare_rename(snapshot, offset)
    new_name = rng.choice(("7", "new name", ""))
    with suppress(RenameError):
        check_edits(text, rename(snapshot, offset, new_name))
        assert renamable is not None
    item = prepare(snapshot, offset)
    if item is not None:
        assert all(inside(call.item.span, text) for call in incoming(snapshot, item.position))
        assert all(inside(call.item.span, text) for call in outgoing(snapshot, item.position))
    spans = selections(snapshot, offset)
    assert all(o.start <= i.start and i.end <= o.end and o != i for i, o in pairwise(spans))
    signature = signature_at(snapshot, offset)
    if signature is not None:
        assert all(0 <= part.start < part.end <= len(signature.label) for part in signature.parameters)
        assert signature.active is None or signature.active < len(signature.parameters)
    described = described_at(snapshot, offset)
    assert described is None or (inside(described.origin, text) and inside(described.site.span, TOOLS))
    tool = tool_at(snapshot, offset)
    assert tool is None or all(inside(span, text) for span in uses_of(snapshot, tool))
    for action in actions(snapshot, Span(offset, min(offset + rng.choice((0, 5, 500)), len(text)))):
        check_edits(text, action.edits)


STEPS = """{
  "goal": "pay the invoice",
  "steps": [
    {"id": "fetch", "tool": "db.query_ro", "args": {"q": "select 1"}},
    {"id": "check", "tool": "policy.check", "args": {"sum": "{{fetch.result.sum}}", "to": ["${fetch.result.to}"]}},
    {"id": "pay", "tool": "payments.transfer", "args": {"note": "\\u00e9 {{check.result}}"},
     "depends_on": ["check"], "on_fail": "abort", "writes": ["ledger"]}
  ]
}
"""
CALLS = """[
  {"tool_name": "search", "args": {"q": "x"}, "reads": ["web"]},
  {"tool_name": "mail", "args": {}, "reads": [{"id": "web", "producer": 0}], "plancheck-ignore": ["unknown_step"]}
]
"""
TRACE = r"""{"model": "m", "messages": [
  {"role": "assistant", "tool_calls": [
    {"id": "a", "function": {"name": "pay", "arguments": "{\"to\": [\"\u00e9 \ud83c\udf89\"], \"n\": {\"\\\"\": 5}}"}},
    {"function": {"name": "pay", "arguments": "{\"n\": 1, \"n\": 1, "}, "reads": [{"id": "r", "producer": "a"}]}]},
  {"role": "tool", "tool_call_id": "a", "content": "ok"},
  {"role": "assistant", "content": [{"type": "tool_use", "id": "c", "name": "drop_database", "input": {"x": 1}}]}
]}
"""
TEXTS = {path.stem: path.read_text(encoding="utf-8") for path in EXAMPLES}
TEXTS |= {"steps": STEPS, "calls": CALLS, "trace": TRACE}


@pytest.mark.parametrize("name", TEXTS)
def test_every_function_answers_on_damaged_text(name: str) -> None:
    rng = random.Random(name)
    for _ in range(12):
        snapshot = analyze(damaged(TEXTS[name], rng), Settings(catalogue=CATALOGUE))
        check_document(snapshot)
        for _ in range(12):
            check_offset(snapshot, rng.randrange(-1, len(snapshot.text) + 3), rng)


BEGINNINGS = ["", " ", "{", "[", '"', "null", "[]", "{}", '{"nodes"', '{"nodes":', '{"nodes": [', "\ufeff{", "{}}"]


@pytest.mark.parametrize("text", BEGINNINGS)
def test_every_function_answers_on_the_first_characters(text: str) -> None:
    snapshot = analyze(text)
    check_document(snapshot)
    for offset in range(-1, len(text) + 2):
        check_offset(snapshot, offset, random.Random(0))
