"""What an edit replaces is given back at once, not when the garbage collector comes by."""

from __future__ import annotations

import gc
import weakref

from lsp.plans import FAULTY
from plancheck.analysis.settings import Settings
from plancheck.lsp.documents import Document, TextChange
from plancheck.policy.regexes import refusing_matcher
from plancheck.text import Encoding, Position


def test_a_replaced_snapshot_and_its_graph_are_freed_at_once() -> None:
    document = Document("file:///x.plan.json", 1, FAULTY, Encoding.UTF16, Settings(), refusing_matcher)
    snapshot = document.analyzed()
    assert snapshot.shown
    old: list[weakref.ref[object]] = [weakref.ref(snapshot), weakref.ref(snapshot.graph)]
    del snapshot
    at = FAULTY.split("\n")[4].index("orders/4711")
    gc.disable()
    try:
        document.change([TextChange("X", Position(4, at), Position(4, at + 1))], 2)
        assert document.analyzed().shown
        assert [reference() for reference in old] == [None, None]
    finally:
        gc.enable()
