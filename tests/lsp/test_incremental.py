"""A document kept up with edits shows exactly what the same text shows when it is opened afresh."""

from __future__ import annotations

import json
from typing import Any

import pytest
from cattrs import Converter
from lsprotocol.converters import get_converter

from lsp.plans import SEEDS, Editing, content_change, position
from lsp.wire import PULL, Wire
from plancheck.analysis.settings import Settings
from plancheck.ide.hover import hover
from plancheck.ide.lens import lenses
from plancheck.ide.symbols import document_symbols
from plancheck.lsp.convert import findings, reading, symbols
from plancheck.lsp.convert.mapper import mapper_of
from plancheck.lsp.documents import Document, TextChange
from plancheck.policy.regexes import refusing_matcher
from plancheck.text import Encoding, Position

URI = "file:///tmp/x.plan.json"
CONVERTER: Converter = get_converter()
EDITS = 400
"""For each of the texts: 2,400 in all."""


def shown(document: Document, encoding: Encoding, offsets: list[int]) -> dict[str, Any]:
    """All that an editor would be told. Diagnostics that were rendered for an earlier version are gone on from."""
    snapshot = document.analyzed()
    mapper = mapper_of(snapshot, encoding)
    document.rendered = findings.render(snapshot, URI, encoding, old=document.rendered)
    texts = [json.loads(item.text) for item in document.rendered.items]
    assert texts == [item.diagnostic for item in document.rendered.items]
    hovers = [hover(snapshot, offset) for offset in offsets]
    return {
        "diagnostics": texts,
        "symbols": CONVERTER.unstructure([symbols.document_symbol(s, mapper) for s in document_symbols(snapshot)]),
        "lenses": CONVERTER.unstructure([reading.code_lens(lens, URI, mapper) for lens in lenses(snapshot)]),
        "hovers": CONVERTER.unstructure([found and reading.hover(found, mapper) for found in hovers]),
    }


def fresh(text: str, encoding: Encoding) -> Document:
    return Document(URI, 1, text, encoding, Settings(), refusing_matcher)


def as_change(change: dict[str, Any]) -> TextChange:
    range_ = change["range"]
    return TextChange(change["text"], Position(**range_["start"]), Position(**range_["end"]))


@pytest.mark.parametrize("name", SEEDS)
def test_edited_equals_opened_afresh(name: str) -> None:
    number = list(SEEDS).index(name)
    encoding = list(Encoding)[number % 3]
    editing = Editing(number, SEEDS[name])
    document = fresh(editing.text, encoding)
    pending: list[TextChange] = []
    for step in range(EDITS):
        before = editing.text
        pending.append(as_change(content_change(editing.next(), before, encoding.value)))
        if editing.random.random() < 0.2:
            continue  # several changes may come in one message
        document.change(pending, step + 2)
        pending = []
        if editing.random.random() < 0.1:
            continue  # and several messages may come before anybody looks
        assert document.text == editing.text
        offsets = [editing.random.randint(0, len(editing.text)) for _ in range(2)]
        opened = fresh(editing.text, encoding)
        assert shown(document, encoding, offsets) == shown(opened, encoding, offsets), step
    assert document.version > EDITS / 2


def test_edited_equals_opened_afresh_through_a_pipe() -> None:
    """The same with a real server, three hundred edits."""
    with Wire() as wire:
        wire.start({**PULL, "textDocument": {**PULL["textDocument"], "documentSymbol": {}}})
        for number, name in enumerate(SEEDS):
            editing = Editing(100 + number, SEEDS[name])
            uri = f"file:///tmp/{number}.plan.json"
            wire.open(uri, editing.text)
            for version in range(2, 52):
                before = editing.text
                wire.change(uri, version, content_change(editing.next(), before))
                if version % 5:
                    continue
                again = f"file:///tmp/{number}-{version}.plan.json"
                wire.open(again, editing.text)
                at = position(editing.text, editing.random.randint(0, len(editing.text)))
                assert answers(wire, uri, at) == answers(wire, again, at), (name, version)


def answers(wire: Wire, uri: str, at: dict[str, int]) -> str:
    document = {"textDocument": {"uri": uri}}
    found = [
        wire.pull(uri)["items"],
        wire.request("textDocument/hover", {**document, "position": at}),
        wire.request("textDocument/codeLens", document),
        wire.request("textDocument/documentSymbol", document),
    ]
    return repr(found).replace(uri, "URI")


def test_half_a_surrogate_pair_is_joined_with_its_other_half() -> None:
    """An editor that counts in UTF-16 may send an emoji in two edits."""
    document = fresh('{"nodes": [{"agent": ""}]}', Encoding.UTF16)
    document.change([TextChange("\ud83d", Position(0, 22), Position(0, 22))], 2)
    document.change([TextChange("\ude00", Position(0, 23), Position(0, 23))], 3)
    assert document.text == '{"nodes": [{"agent": "😀"}]}'


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_end_at_line_feeds_and_carriage_returns(end: str) -> None:
    document = fresh(f"a{end}b{end}c", Encoding.UTF16)
    document.change([TextChange("X", Position(1, 0), Position(2, 0))], 2)
    assert document.text == f"a{end}Xc"


def test_a_full_replacement_and_an_edit_of_it_in_one_message() -> None:
    document = fresh("{}", Encoding.UTF16)
    document.change([TextChange("[1, 2]"), TextChange("7", Position(0, 1), Position(0, 2))], 2)
    assert document.text == "[7, 2]"


def test_other_settings_give_other_findings_and_the_old_ones_again() -> None:
    document = fresh(SEEDS["faulty"], Encoding.UTF16)
    before = document.analyzed().shown
    assert any(finding.rule == "scope_vs_snapshot" for finding in before)
    first = document.inputs
    document.configure(Settings(severities={"scope_vs_snapshot": None}), is_plan=True)
    assert not any(finding.rule == "scope_vs_snapshot" for finding in document.analyzed().shown)
    assert document.inputs != first
    document.configure(Settings(), is_plan=True)
    assert document.analyzed().shown == before
    assert document.inputs == first
