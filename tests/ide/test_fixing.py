"""All safe fixes at once, as an editor applies them."""

from __future__ import annotations

import random

from plancheck.analysis.engine import analyze
from plancheck.analysis.fix.fixpoint import fix_all
from plancheck.ide.fixing import fix_all_edits, line_edits
from plancheck.text import apply_edits


def test_the_edits_are_what_the_command_does_and_leave_other_lines_alone() -> None:
    text = (
        '{"nodes": [\r\n'
        '  {"idx": "0", "agent": "a", "kind": "Decision"},\r\n'
        '  {"idx": 1, "agent": "a", "kind": "tool_call"},\r\n'
        '  {"idx": 2, "agent": "a", "kind": "tool_call", "control_preds": [1, 1]}\r\n'
        "]}"
    )
    snapshot = analyze(text)
    edits = fix_all_edits(snapshot)
    assert apply_edits(text, edits) == fix_all(snapshot).snapshot.text
    assert [text[edit.start : edit.end].count("\n") for edit in edits] == [1, 1]
    assert fix_all_edits(analyze(apply_edits(text, edits))) == []


def test_line_edits_turn_any_text_into_any_other() -> None:
    rnd = random.Random(4)
    for _ in range(2_000):
        before, after = ("".join(rnd.choice("ab\n\n") for _ in range(rnd.randint(0, 12))) for _ in range(2))
        assert apply_edits(before, line_edits(before, after)) == after
