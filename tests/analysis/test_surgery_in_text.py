"""Changes inside JSON text that a string holds: whatever its quotes, escapes and characters, the document stays JSON,
the text in it too, and nothing else is changed."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from plancheck import check_text, fix_text
from plancheck.analysis.surgery import (
    append_element,
    insert_member,
    remove_earlier_members,
    remove_elements,
    remove_member,
    rename_key,
    replace_value,
    wrap_in_list,
)
from plancheck.syntax.inner import inner_text
from plancheck.syntax.json import read
from plancheck.syntax.strings import StringOffsets, raw_offset, value_offset
from plancheck.syntax.tree import INSIDE, Part, Path, Within
from plancheck.text import Edit, apply_edits

PIECES = [
    "a",
    '"',
    "\\",
    "\\\\",
    "/",
    "\n",
    "\t",
    "\u2028",
    "é",
    "😀",
    "\\u00e9",
    "\\n",
    '\\"',
    "{",
    "}",
    "[",
    ",",
    ":",
    "",
]
INDENTS = [None, None, 1, 2]


def random_string(rng: random.Random) -> str:
    return "".join(rng.choice(PIECES) for _ in range(rng.randrange(6)))


def random_arguments(rng: random.Random) -> dict[str, Any]:
    """Arguments with a list, an object and a text, under names of any characters."""
    names: list[str] = []
    while len(names) < 3:
        name = random_string(rng)
        if name not in names:
            names.append(name)
    values = [[random_string(rng), 1], {random_string(rng): random_string(rng)}, random_string(rng)]
    return dict(zip(names, values, strict=True))


def written(rng: random.Random, value: Any) -> str:
    """Some way to write a value down."""
    text = json.dumps(value, ensure_ascii=rng.random() < 0.5, indent=rng.choice(INDENTS))
    return text.replace("/", "\\/") if rng.random() < 0.2 else text


PATH: Path = ("tool_calls", 1, "function", "arguments", INSIDE)


def random_document(rng: random.Random, arguments: dict[str, Any]) -> str:
    inner = written(rng, arguments)
    calls = [{"function": {"name": "x", "arguments": "{}"}}, {"function": {"name": "x", "arguments": inner}}]
    return written(rng, {"tool_calls": calls, "note": random_string(rng)})


@pytest.mark.parametrize("seed", range(400))
def test_a_change_is_that_change_and_no_other(seed: int) -> None:
    rng = random.Random(seed)
    arguments = random_arguments(rng)
    document = random_document(rng, arguments)
    tree = read(document)
    a_list, an_object, a_text = arguments
    (key,) = arguments[an_object]
    new, value = random_string(rng) + "new", rng.choice([random_string(rng), [random_string(rng)], {"k": '"'}, 7])
    text = arguments[a_text]
    start = rng.randrange(len(text) + 1)
    part = Within(start, rng.randrange(start, len(text) + 1))
    changes: list[tuple[list[Edit], dict[str, Any]]] = [
        (replace_value(tree, (*PATH, a_text), value), {**arguments, a_text: value}),
        (replace_value(tree, (*PATH, an_object, key), value), {**arguments, an_object: {key: value}}),
        (
            replace_value(tree, (*PATH, a_text, part), new),
            {**arguments, a_text: text[: part.start] + new + text[part.end :]},
        ),
        (insert_member(tree, PATH, new, value), {**arguments, new: value}),
        (
            insert_member(tree, (*PATH, an_object), new, value),
            {**arguments, an_object: {key: arguments[an_object][key], new: value}},
        ),
        (append_element(tree, (*PATH, a_list), value), {**arguments, a_list: [*arguments[a_list], value]}),
        (remove_elements(tree, (*PATH, a_list), {0}), {**arguments, a_list: [1]}),
        (remove_member(tree, (*PATH, a_text)), {a_list: arguments[a_list], an_object: arguments[an_object]}),
        (wrap_in_list(tree, (*PATH, a_text)), {**arguments, a_text: [text]}),
        (
            rename_key(tree, (*PATH, a_text), new),
            {a_list: arguments[a_list], an_object: arguments[an_object], new: text},
        ),
    ]
    before = json.loads(document)
    for edits, expected in changes:
        assert edits
        after = json.loads(apply_edits(document, edits))
        call = after["tool_calls"][1]["function"]
        assert json.loads(call["arguments"]) == expected
        call["arguments"] = before["tool_calls"][1]["function"]["arguments"]
        assert after == before


@pytest.mark.parametrize("seed", range(200))
def test_places_in_the_text_are_where_their_characters_are(seed: int) -> None:
    rng = random.Random(seed)
    arguments = random_arguments(rng)
    document = random_document(rng, arguments)
    tree = read(document)
    for name, value in arguments.items():
        key = document[slice(*tree.span((*PATH, name), Part.KEY))]
        whole = document[slice(*tree.span((*PATH, name), Part.WHOLE))]
        assert json.loads(json.loads(f'"{key}"')) == name
        assert json.loads(json.loads(f'"{whole}"')) == value
    found = inner_text(tree, PATH)
    assert found is not None
    for offset in range(len(found[0].tree.text)):
        raw = found[0].outer_edit(Edit(offset, offset, "")).start
        assert found[0].inner_offset(raw) == offset


def test_offsets_found_at_once_are_those_found_one_by_one() -> None:
    rng = random.Random(7)
    pieces = ["a", "\\n", '\\"', "\\\\", "\\u00e9", "\\ud83d\\ude00", "\\ud83d", "\\q", "\\u12", "😀"]
    for _ in range(500):
        token = f'"{"".join(rng.choice(pieces) for _ in range(rng.randrange(10)))}{rng.choice(["", chr(34)])}'
        offsets = StringOffsets(token)
        for offset in range(len(token) + 2):
            assert offsets.raw(offset) == raw_offset(token, offset)
            assert offsets.value(offset) == value_offset(token, offset)


def test_nothing_is_written_into_a_text_inside_the_text() -> None:
    inner = json.dumps({"x": json.dumps({"y": 1})})
    tree = read(json.dumps({"tool_calls": [0, {"function": {"arguments": inner}}]}))
    assert replace_value(tree, (*PATH, "x", INSIDE, "y"), 2) == []
    assert insert_member(tree, (*PATH, "x", INSIDE), "z", 2) == []


@pytest.mark.parametrize("path", [PATH, (*PATH, "x"), (*PATH, 0)])
def test_a_path_that_leads_nowhere_changes_nothing(path: Path) -> None:
    for arguments in ("7", "[]", '"no json"', '""', "{}"):
        tree = read(f'{{"tool_calls": [0, {{"function": {{"arguments": {arguments}}}}}]}}')
        assert remove_earlier_members(tree, path) == []
        assert rename_key(tree, path, "y") == []


@pytest.mark.parametrize("seed", range(60))
def test_a_repeated_key_in_the_text_is_put_right(seed: int) -> None:
    """The fix of a rule, as the command and the editor apply it."""
    rng = random.Random(seed)
    name, value = random_string(rng) + "x", random_string(rng)
    pair = f"{written(rng, name)}: {written(rng, value)}"
    inner = f'{{{pair}, "other": 1, {pair}}}'
    document = written(rng, [{"type": "function_call", "id": "a", "name": "find", "arguments": inner}])
    assert [finding.rule for finding in check_text(document).findings] == ["duplicate_key"]
    fixed = fix_text(document)
    (call,) = json.loads(fixed.text)
    assert sorted(json.loads(call["arguments"], object_pairs_hook=list)) == sorted([(name, value), ("other", 1)])
    assert check_text(fixed.text).findings == ()


def test_remove_earlier_members_in_the_text() -> None:
    document = json.dumps({"tool_calls": [0, {"function": {"arguments": '{"a": 1, "b": 2, "a": 3}'}}]})
    after = apply_edits(document, remove_earlier_members(read(document), (*PATH, "a")))
    assert json.loads(after)["tool_calls"][1]["function"]["arguments"] == '{"b": 2, "a": 3}'
