"""What is shown at a glance: hints, lenses, symbols."""

from __future__ import annotations

from plancheck.analysis.engine import analyze
from plancheck.ide.commands import OPEN_GRAPH, SHOW_FINDINGS, SHOW_REPORT, SHOW_STEPS
from plancheck.ide.hints import hints
from plancheck.ide.lens import lenses
from plancheck.ide.symbols import MOST_DETAILED, Symbol, SymbolKind, document_symbols, matches, workspace_symbols
from plancheck.text import Edit, Span, apply_edits

PLAN = """\
{"nodes": [
  {"idx": 7, "agent": "clerk", "kind": "tool_call", "reads": ["order"], "writes": ["order"]},
  {"idx": 8, "agent": "desk", "kind": "decision", "reads": [{"id": "order", "producer": 7}]},
  {"idx": 9, "reads": ["other"]},
  {"agent": "nobody"}
]}
"""


def check_hints(text: str, expected: str, span: Span | None = None) -> None:
    snapshot = analyze(text)
    found = hints(snapshot, Span(0, len(text)) if span is None else span)
    assert apply_edits(text, [Edit(hint.offset, hint.offset, f"«{hint.label}»") for hint in found]) == expected


def test_hints_stand_behind_the_identity() -> None:
    expected = (
        PLAN.replace("7, ", "7«· 3 followers, keystone», ", 1)
        .replace("8,", "8«· 2 followers»,", 1)
        .replace("9,", "9«· 1 follower»,", 1)
    )
    check_hints(PLAN, expected)


def test_hints_of_a_range_only() -> None:
    start = PLAN.index('{"idx": 8')
    check_hints(PLAN, PLAN.replace("8,", "8«· 2 followers»,", 1), Span(start, start + 20))
    check_hints(PLAN, PLAN, Span(start, start + 3))
    check_hints('{"a": 1}', '{"a": 1}')
    check_hints('{"nodes": []}', '{"nodes": []}')


def test_the_tooltip_of_a_hint_is_a_sentence() -> None:
    found = hints(analyze(PLAN), Span(0, len(PLAN)))
    assert [hint.tooltip for hint in found] == [
        "3 of 3 other steps follow this one: it is the keystone.",
        "2 of 3 other steps follow this one.",
        "1 of 3 other steps follows this one.",
    ]


def test_lenses_of_the_plan_and_of_its_steps() -> None:
    snapshot = analyze(PLAN)
    starts = [PLAN.index(start) for start in ('{"idx": 7', '{"idx": 8', '{"idx": 9', '{"agent"')]
    key = PLAN.index('"nodes"')
    found = [(lens.span, lens.command.title, lens.command.name, lens.command.arguments) for lens in lenses(snapshot)]
    count = len(snapshot.findings)
    assert found == [
        (Span(key, key + 7), f"{count} findings", SHOW_FINDINGS, ()),
        (Span(key, key + 7), "keystone: Step 7 · clerk", OPEN_GRAPH, (7,)),
        (Span(key, key + 7), "Open graph", OPEN_GRAPH, ()),
        (Span(key, key + 7), "Show report", SHOW_REPORT, ()),
        (Span(starts[0], starts[0] + 1), "3 followers · keystone", SHOW_STEPS, (starts[0],)),
        (Span(starts[1], starts[1] + 1), "2 followers", SHOW_STEPS, (starts[1],)),
        (Span(starts[2], starts[2] + 1), "1 follower", SHOW_STEPS, (starts[2],)),
        (Span(starts[3], starts[3] + 1), "0 followers", SHOW_STEPS, (starts[3],)),
    ]


def test_a_line_of_several_steps_has_one_lens_about_the_first_of_them() -> None:
    steps = [f'{{"idx": {idx}, "agent": "a"}}' for idx in range(300)]
    (of_the_line,) = lenses(analyze(f'{{"nodes": [{", ".join(steps)}]}}'))[4:]
    assert of_the_line.command.title == "Step 0 · a: 299 followers · keystone"
    found = lenses(analyze(f'{{"nodes": [{steps[0]},\n{steps[1]}, {steps[2]}\n, {steps[3]}]}}'))[4:]
    titles = ["3 followers · keystone", "Step 1 · a: 2 followers", "0 followers"]
    assert [lens.command.title for lens in found] == titles


def test_lenses_without_a_keystone_or_a_plan() -> None:
    assert [lens.command.title for lens in lenses(analyze('{"nodes": []}'))] == [
        "0 findings",
        "Open graph",
        "Show report",
    ]
    assert lenses(analyze('{"a": 1}')) == []
    assert lenses(analyze("")) == []


def test_the_lens_of_a_plan_counts_what_was_not_checked() -> None:
    found = lenses(analyze('[{"tool_name": "sql.query_ro", "args": {"query": "CALL tidy()"}}]'))
    assert found[0].command.title == "0 findings, 1 not checked"


def test_a_keystone_without_an_identity() -> None:
    found = lenses(analyze('{"nodes": [{"agent": "a"}, {"idx": 1}]}'))
    assert [(lens.command.title, lens.command.arguments) for lens in found][1] == ("keystone: Step ? · a", ())


def shown(text: str, symbols: list[Symbol] | tuple[Symbol, ...], depth: int = 0) -> list[str]:
    lines = []
    for symbol in symbols:
        selected = text[symbol.selection.start : symbol.selection.end]
        lines.append(f"{'  ' * depth}{symbol.kind.value}: {symbol.name} ({symbol.detail}) at {selected}")
        lines += shown(text, symbol.children, depth + 1)
    return lines


def test_the_outline_of_a_plan() -> None:
    symbols = document_symbols(analyze(PLAN))
    assert shown(PLAN, symbols) == [
        'plan: plan (4 steps) at "nodes"',
        "  tool_call: Step 7 · clerk (tool_call, 3 followers) at 7",
        '    read: order (reads) at "order"',
        '    write: order (writes) at "order"',
        "  decision: Step 8 · desk (decision, 2 followers) at 8",
        '    read: order (reads) at "order"',
        "  step: Step 9 (1 follower) at 9",
        '    read: other (reads) at "other"',
        "  step: Step ? · nobody (0 followers) at {",
    ]
    (plan,) = symbols
    assert PLAN[plan.span.start : plan.span.end] == PLAN[1:-2]
    step = plan.children[2]
    assert PLAN[step.span.start : step.span.end] == '{"idx": 9, "reads": ["other"]}'


def test_the_outline_of_a_very_long_plan_has_steps_only() -> None:
    step = '{"idx": 1, "reads": ["a"]}'
    (plan,) = document_symbols(analyze('{"nodes": [' + ", ".join([step] * (MOST_DETAILED + 1)) + "]}"))
    assert len(plan.children) == MOST_DETAILED + 1
    assert all(symbol.children == () and symbol.selection.start == symbol.span.start for symbol in plan.children)


def test_no_outline_without_a_plan() -> None:
    for text in ("", "{}", "1", '{"nodes": 3}', '{"nodes"'):
        assert document_symbols(analyze(text)) == []


def test_an_identity_that_runs_past_its_step_is_cut() -> None:
    text = '{"nodes": [\n  {"idx": \'a": 1},\n  {"idx": 1}\n]}'
    (plan,) = document_symbols(analyze(text))
    assert all(step.span.start <= step.selection.start <= step.selection.end <= step.span.end for step in plan.children)


def check_search(query: str, expected: list[str]) -> None:
    found = workspace_symbols(analyze(PLAN), query)
    assert [f"{s.kind.value}: {s.name} ({s.container}) {PLAN[s.span.start : s.span.end]}" for s in found] == expected


def test_steps_and_resources_are_found_by_their_letters() -> None:
    check_search("dsk", ["decision: Step 8 · desk (decision) 8"])
    check_search("OTH", ['resource: other (Step 9) "other"'])
    check_search("st 9", ["step: Step 9 () 9"])
    check_search("ord", ['resource: order (Step 7 · clerk) "order"'])
    check_search("zzz", [])
    assert len(workspace_symbols(analyze(PLAN), "")) == 6


def test_letters_match_in_their_order() -> None:
    assert matches("", "anything")
    assert matches("Pay", "p_a_y")
    assert not matches("ya", "pay")
    assert SymbolKind.PLAN.value == "plan"
