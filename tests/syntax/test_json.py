"""The tolerant reader against `json.loads`, against itself after edits, and against what people type."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plancheck.syntax.json import read, reread
from plancheck.syntax.tree import MISSING, Chunk, Node, Part, Spine, Tree
from plancheck.text import Edit, Span

TEXT = st.text(st.characters(codec="utf-8"), max_size=6)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT
VALUES = st.recursive(SCALARS, lambda v: st.lists(v, max_size=4) | st.dictionaries(TEXT, v, max_size=4), max_leaves=12)
STYLES = st.sampled_from([{}, {"indent": 2}, {"separators": (",", ":")}, {"indent": "\t", "ensure_ascii": False}])


@given(VALUES, STYLES)
@settings(max_examples=400, deadline=None)
def test_proper_json_has_the_value_of_json_loads_and_no_problems(value: object, style: dict[str, object]) -> None:
    text = json.dumps(value, **style)  # type: ignore[arg-type]
    tree = read(text)
    assert tree.problems == []
    assert tree.value() == json.loads(text)


@given(VALUES, STYLES)
@settings(max_examples=200, deadline=None)
def test_the_span_of_every_value_reads_as_that_value(value: object, style: dict[str, object]) -> None:
    text = json.dumps(value, **style)  # type: ignore[arg-type]
    tree = read(text)
    todo: list[tuple[tuple[str | int, ...], object]] = [((), value)]
    while todo:
        path, expected = todo.pop()
        span = tree.span(path, Part.WHOLE)
        assert json.loads(text[span.start : span.end]) == expected
        if path and isinstance(path[-1], str):
            key = tree.span(path, Part.KEY)
            assert json.loads(text[key.start : key.end]) == path[-1]
        if isinstance(expected, dict):
            todo += (((*path, key), item) for key, item in expected.items())
        elif isinstance(expected, list):
            todo += (((*path, i), item) for i, item in enumerate(expected))


NAMES = st.sampled_from(["a", "b", "ab", 'a"', "\\", "é", "", ",", ", ", ":", ": "])
PAIRS = st.recursive(
    st.sampled_from(["a", "b", "ab", 1, None]),
    lambda v: st.lists(v, max_size=3) | st.lists(st.tuples(NAMES, v), max_size=4).map(tuple),
    max_leaves=10,
)
"""Values whose texts are names, too, with objects as pairs: names are repeated, and stand further inside again."""


def written(value: object) -> str:
    if isinstance(value, tuple):
        return "{" + ", ".join(f"{json.dumps(name)}: {written(child)}" for name, child in value) + "}"
    return f"[{', '.join(map(written, value))}]" if isinstance(value, list) else json.dumps(value)


@given(PAIRS)
@settings(max_examples=600, deadline=None)
def test_of_names_that_are_there_more_than_once_the_right_one_is_meant(value: object) -> None:
    text = f'{{"nodes": [{written(value)}]}}'
    tree = read(text)
    todo: list[tuple[tuple[str | int, ...], object]] = [(("nodes", 0), json.loads(text)["nodes"][0])]
    while todo:
        path, expected = todo.pop()
        span = tree.span(path, Part.WHOLE)
        assert json.loads(text[span.start : span.end]) == expected
        nowhere = tree.span((*path, "not there"), Part.WHOLE)
        assert nowhere == span
        if isinstance(path[-1], str):
            key = tree.span(path, Part.KEY)
            assert json.loads(text[key.start : key.end]) == path[-1]
            assert text[key.end : span.start].strip() == ":"
        if isinstance(expected, dict):
            todo += (((*path, name), child) for name, child in expected.items())
        elif isinstance(expected, list):
            todo += (((*path, i), child) for i, child in enumerate(expected))


@given(st.text("{}[]\",:\\\n\r \t'ab01-.eE/*#<=>tnuf\ufeff\u2028é😀", max_size=40))
@settings(max_examples=1500, deadline=None)
def test_a_problem_is_reported_exactly_when_json_loads_refuses(text: str) -> None:
    try:
        json.loads(text.removeprefix("\ufeff"), parse_constant=_refuse)
        proper = True
    except ValueError:
        proper = False
    problems = read(text).problems
    if proper:
        assert all("half of a character" in p.message for p in problems)
    else:
        assert problems
    for problem in problems:
        assert 0 <= problem.start <= problem.end <= len(text)


def _refuse(name: str) -> None:
    raise ValueError(name)


ESCAPES = [
    *(f"\\{letter}" for letter in "\"'\\/bfnrtuxa0`\t"),
    "\\u0041",
    "\\u00e9",
    "\\ud83d\\ude00",
    "\\uD83D",
    "\\u12",
    "\\u",
]
PIECES = st.sampled_from([*ESCAPES, "'", "a", "é", "😀", " ", "\t", "4"])


@given(st.sampled_from("\"'"), st.lists(PIECES, max_size=6), st.sampled_from("\"'"))
@settings(max_examples=1500, deadline=None)
def test_a_string_is_accepted_exactly_when_json_loads_accepts_it(opening: str, body: list[str], closing: str) -> None:
    token = opening + "".join(body) + closing
    for text, path in ((token, ()), (f"[{token}]", (0,)), (f'{{"steps": [{{"a": {token}}}]}}', ("steps", 0, "a"))):
        tree = read(text)
        problems = [p for p in tree.problems if "half of a character" not in p.message]
        try:
            expected = json.loads(text)
        except ValueError:
            assert problems, text
        else:
            assert problems == [], text
            assert tree.value() == expected
            assert text[slice(*tree.span(path))] == token


def plan_text(steps: int, style: str) -> str:
    nodes = [
        {
            "idx": i,
            "agent": f"ägent 😀 {i}",
            "kind": "decision" if i % 3 else "tool_call",
            "control_preds": [i - 1] if i else [],
            "reads": [{"id": f"r{i}", "volatile": True}, "plain"],
            "writes": [f"r{i}"],
        }
        for i in range(steps)
    ]
    if style == "minified":
        return json.dumps({"plan_id": "p", "nodes": nodes, "meta": {"a": [1]}}, separators=(",", ":"))
    if style == "pretty":
        return json.dumps({"plan_id": "p", "nodes": nodes, "meta": {"a": [1]}}, indent=2, ensure_ascii=False)
    rows = ",\n".join("  " + json.dumps(node) for node in nodes)
    return f'{{"plan_id": "p", "nodes": [\n{rows}\n], "meta": {{"a": [1]}}}}\n'


def steps_of(tree: Tree) -> list[object]:
    top = tree.top("nodes")
    if top is None or not isinstance(top.value, Spine):
        return []
    return [dict(c.value).get("idx") for c in top.value.chunks if isinstance(c.value, tuple)]


def picture(tree: Tree) -> tuple[object, ...]:
    """Everything a tree says, in a form that can be compared."""
    return (
        tree.start,
        tree.end,
        tree.depth,
        tree.problems,
        repr(tree.value()),
        [(start, chunk.text, shape(chunk.node)) for start, chunk in tree.chunks()],
        [(top.key, top.key_start, top.key_end, top.start, top.end) for top in tree.root]
        if isinstance(tree.root, list)
        else None,
    )


def nesting(value: object) -> int:
    """The depth of a value as the reader or `json.loads` gives it, counted the simple way."""
    if isinstance(value, tuple):
        return 1 + max((nesting(child) for _, child in value), default=0)
    if isinstance(value, dict):
        return 1 + max((nesting(child) for child in value.values()), default=0)
    return 1 + max(map(nesting, value), default=0) if isinstance(value, list) else 0


@given(VALUES, STYLES)
@settings(max_examples=300, deadline=None)
def test_the_depth_of_a_document_is_how_deep_its_containers_are_nested(value: object, style: dict[str, object]) -> None:
    tree = read(json.dumps(value, **style))  # type: ignore[arg-type]
    assert tree.depth == nesting(value)
    assert [chunk.depth for _, chunk in tree.chunks()] == [nesting(chunk.value) for _, chunk in tree.chunks()]


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 5), st.integers(0, 5)), max_size=12))
@settings(max_examples=200, deadline=None)
def test_the_depth_follows_edits_of_single_steps(edits: list[tuple[int, int, int]]) -> None:
    """Steps become deeper and shallower, the deepest one too, or one of several as deep as it."""
    values = ["[" * (i % 4) + "]" * (i % 4) or "0" for i in range(10)]

    def text_of(values: list[str]) -> str:
        return '{"a": [[]], "steps": [' + ",\n".join(f'{{"v": {value}}}' for value in values) + '], "z": 1}'

    text = text_of(values)
    tree = read(text)
    for step, depth, breadth in edits:
        assert tree.depth == nesting(json.loads(text))
        values[step] = "[" * depth + ",".join(["[]"] * breadth) + "]" * depth if depth else "0"
        new = text_of(values)
        tree, text = reread(tree, _difference(text, new), new), new
    assert tree.depth == nesting(json.loads(text))


@pytest.mark.parametrize(
    ("text", "depth"),
    [
        ("", 0),
        ("1", 0),
        ("{}", 1),
        ("[[[]", 3),
        ('{"steps": [', 2),
        ('{"steps": [{"args": {"a": [', 5),
        ('{"a": [[[]]], "a": 1}', 4),
        ('{"a": {"k": [[]], "k": 1}}', 4),
    ],
)
def test_the_depth_of_broken_and_repeating_documents(text: str, depth: int) -> None:
    assert read(text).depth == depth


def shape(node: Node) -> object:
    out: list[object] = []
    todo = [node]
    while todo:
        at = todo.pop()
        out.append((at.start, at.end, repr(at.value)))
        out += ((m.key, m.key_start, m.key_end) for m in at.members())
        todo += [m.node for m in at.members()] + at.items()
    return out


@pytest.mark.parametrize("style", ["rows", "pretty", "minified"])
def test_one_damaged_character_is_reported_and_costs_at_most_its_own_step_and_the_next(style: str) -> None:
    text = plan_text(8, style)
    first = text.index("{", text.index('"nodes"'))
    last = text.index("]", text.index('"idx": 7' if style != "minified" else '"idx":7')) - 60
    lost = {}
    for offset in range(first, last):
        if text[offset] not in '{}[]",:':
            continue
        for replacement in ("", text[offset] * 2):
            damaged = text[:offset] + replacement + text[offset + 1 :]
            if replacement and text[offset] in '"':
                continue
            tree = read(damaged)
            try:
                json.loads(damaged)
            except ValueError:
                assert tree.problems, damaged
                at = tree.problems[0]
                assert at.start < at.end
            kept = sum(1 for idx in steps_of(tree) if isinstance(idx, int))
            if kept < 6:
                lost[offset, replacement] = (kept, damaged[max(0, offset - 20) : offset + 20])
    assert not lost, "\n".join(map(str, lost.items()))


@pytest.mark.parametrize("style", ["rows", "pretty", "minified"])
@pytest.mark.parametrize("seed", range(6))
def test_reading_on_after_an_edit_is_reading_afresh(style: str, seed: int) -> None:
    rnd = random.Random(seed)
    text = plan_text(rnd.choice([1, 3, 12]), style)
    tree = read(text)
    history = [text]
    pieces = [
        '"',
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\n",
        "\r",
        "x",
        "7",
        " ",
        "\\",
        "é😀",
        "",
        "",
        '{"idx": 99}',
        "//c",
        ',\n  {"idx": 5}',
    ]
    for _ in range(150):
        if rnd.random() < 0.25 and len(history) > 1:
            goal = history.pop()
            edit = _difference(text, goal)
        else:
            history.append(text)
            start = rnd.randrange(len(text) + 1)
            end = min(len(text), start + rnd.choice([0, 0, 1, 1, 2, 30]))
            edit = Edit(start, end, rnd.choice(pieces))
        text = text[: edit.start] + edit.new_text + text[edit.end :]
        tree = reread(tree, edit, text)
        assert picture(tree) == picture(read(text)), (edit, text)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('{"":"",""[\n/\r\n ""{\nx', '{"":"",""[\n//\n ""{\nx'),
        (
            '{"nodes": [\n  {"a": [{"b": 1},\n  {"c": 1},\n  {"d" 1}], "e": 2}]}',
            '{"nodes": [\n  {"a": [{"b": 1},\n  {"c": 1},\n  {"d": 1}], "e": 2}]}',
        ),
    ],
    ids=["the first element goes", "what comes later makes an earlier element proper"],
)
def test_an_edit_that_changes_how_its_surroundings_read(before: str, after: str) -> None:
    assert picture(reread(read(before), _difference(before, after), after)) == picture(read(after))


def _difference(old: str, new: str) -> Edit:
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    return Edit(start, len(old) - end, new[start : len(new) - end])


def test_an_edit_inside_a_step_keeps_every_other_step_as_it_is() -> None:
    text = plan_text(50, "rows")
    tree = read(text)
    for position in (0, 1, 25, 49):
        spine = tree.top("nodes").value  # type: ignore[union-attr]
        assert isinstance(spine, Spine)
        at = spine.starts[position] + spine.chunks[position].text.index("gent") + 1
        new = text[:at] + "Q" + text[at:]
        after = reread(tree, Edit(at, at, "Q"), new).top("nodes").value  # type: ignore[union-attr]
        assert isinstance(after, Spine)
        changed = [i for i, (a, b) in enumerate(zip(spine.chunks, after.chunks, strict=True)) if a is not b]
        assert changed == [position]


FAULTS = [
    ('{"a" 1}', "1", "A colon is missing"),
    ('{"a": 1 "b": 2}', '"b"', "A comma is missing"),
    ("[1 2]", "2", "A comma is missing"),
    ("[1,,2]", ",", "one too many"),
    ("[1,]", ",", "no comma before a closing"),
    ('{"a":1,}', ",", "no comma before a closing"),
    ('{"a": "x}', '"x}', "never closed"),
    ("[1", "[", "never closed"),
    ('{"a": [1, 2}', "[", "never closed"),
    ("[1]]", "]", "ends before"),
    ("[1}, 2]", "}", "closes nothing"),
    ("[1] // c", "// c", "no comments"),
    ("/* c */ [1]", "/* c */", "no comments"),
    ("['a']", "'a'", "double quotes"),
    ("[abc]", "abc", "needs double quotes"),
    ("{abc: 1}", "abc", "A key needs double quotes"),
    ("[NaN]", "NaN", "finite"),
    ("[-Infinity]", "-Infinity", "finite"),
    ("[True]", "True", "write true"),
    ("[01]", "01", "not a JSON number"),
    ("[1.]", "1.", "not a JSON number"),
    ("[+1]", "+1", "not a JSON number"),
    ('["a\tb"]', "\t", "A tab inside"),
    ('["a\x01b"]', "\x01", "control character U+0001"),
    (r'["a\q"]', r"\q", "not a JSON escape"),
    (r'["\u12"]', r"\u12", "not a JSON escape"),
    (r'["it\'s"]', r"\'", "needs no backslash"),
    (r'{"it\'s": 1}', r"\'", "needs no backslash"),
    (r'["\ud83d x"]', r"\ud83d", "half of a character"),
    (r'["\ude00"]', r"\ude00", "half of a character"),
    (r'["\\ud83d\ude00"]', r"\ude00", "half of a character"),
    ("[1] 2", "2", "ends before"),
    ('{"a": }', '"a"', "no value"),
    ('{"a"}', '"a"', "no value"),
    ('{"a": , "b": 1}', '"a"', "no value"),
    ('{"a": \n"b": 1}', '"a"', "no value"),
    ("{: 1}", ":", "key is missing"),
    ('["a": 1]', '"a"', "A { is missing"),
    ("[2, :1]", ":", "does not belong"),
    ("[\x0b1]", "\x0b", "does not belong"),
    ("[1,\n<<<<<<< HEAD\n2\n=======\n3\n>>>>>>> b\n]", "<<<<<<< HEAD", "merge conflict"),
    ("[" + "9" * 5000 + "]", "9" * 5000, "too many digits"),
]


@pytest.mark.parametrize(("text", "token", "message"), FAULTS)
def test_each_fault_is_reported_at_its_token(text: str, token: str, message: str) -> None:
    found = {text[p.start : p.end] for p in read(text).problems if message in p.message}
    assert token in found


def test_a_paired_surrogate_escape_is_fine() -> None:
    tree = read(r'["\ud83d\ude00 \\ud83d"]')
    assert tree.problems == []
    assert tree.value() == ["😀 \\ud83d"]


def test_a_byte_order_mark_is_tolerated() -> None:
    tree = read('\ufeff{"a": 1}')
    assert tree.problems == []
    assert tree.span(("a",), Part.KEY) == Span(2, 5)


def test_an_empty_text_is_one_problem() -> None:
    for text in ("", " \n ", "\ufeff"):
        tree = read(text)
        assert [p.message for p in tree.problems] == ["The document is empty: a plan is expected here."]
        assert tree.value() is MISSING


def test_repeated_keys_are_kept_and_the_last_one_counts() -> None:
    tree = read('{"a": {"k": 1, "k": 2}, "a": {"k": 3, "k": 4}}')
    assert isinstance(tree.root, list)
    assert [top.value.value for top in tree.root if isinstance(top.value, Chunk)] == [
        (("k", 1), ("k", 2)),
        (("k", 3), ("k", 4)),
    ]
    assert tree.value() == {"a": {"k": 4}}
    assert tree.span(("a", "k")) == Span(43, 44)


def test_a_half_typed_step_leaves_the_others() -> None:
    text = '{"nodes": [\n  {"idx": 0},\n  {"idx": 1, "reads": ["a", {"id": "b", \n  {"idx": 2},\n  {"idx": 3}\n]}\n'
    tree = read(text)
    assert steps_of(tree) == [0, 1, 2, 3]
    assert [text[p.start] for p in tree.problems] == ["{", "[", "{"]


def test_a_step_that_is_closed_for_its_author_reaches_to_its_last_token() -> None:
    text = '{"nodes": [\n  {"idx": 0, "agent": \'a,\n  {"idx": 1, "agent": "b"}\n]}'
    spine = read(text).top("nodes").value  # type: ignore[union-attr]
    assert isinstance(spine, Spine)
    assert [chunk.text for chunk in spine.chunks] == ['{"idx": 0, "agent": \'a,', '{"idx": 1, "agent": "b"}']
    assert [chunk.node.end for chunk in spine.chunks] == [len(chunk.text) for chunk in spine.chunks]


@pytest.mark.parametrize("closers", [0, 100_000])
def test_a_hundred_thousand_brackets(closers: int) -> None:
    tree = read("[" * 100_000 + "]" * closers)
    assert len(tree.problems) == (0 if closers else 4)
    assert tree.depth == 100_000


def test_twenty_megabytes_on_one_line() -> None:
    tree = read('{"nodes": [' + ",".join(['{"idx": 1, "text": "' + "x" * 1000 + '"}'] * 20_000) + "]}")
    assert tree.problems == []
    assert len(steps_of(tree)) == 20_000
