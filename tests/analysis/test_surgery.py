"""Surgery on JSON text: what was asked for changes, nothing else does, and it looks as if the author had done it."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plancheck.analysis.surgery import (
    append_element,
    container,
    insert_element,
    insert_member,
    remove_element,
    remove_elements,
    remove_member,
    replace_value,
)
from plancheck.syntax.json import read
from plancheck.syntax.tree import Path
from plancheck.text import Edit, apply_edits


def check(text: str, edits: list[Edit], after: str) -> None:
    assert apply_edits(text, edits) == after


LONG = """{
  "nodes": [
    {
      "idx": 0,
      "reads": [
        "a"
      ]
    }
  ]
}
"""


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("{}", '{"k": [1]}'),
        ("{ }", '{"k": [1]}'),
        ("{\n}\n", '{\n  "k": [1]\n}\n'),
        ('{"a": 1}', '{"a": 1, "k": [1]}'),
        ('{"a":1}', '{"a":1,"k":[1]}'),
        ('{"a" : 1}', '{"a" : 1, "k" : [1]}'),
        ('{ "a": 1 }', '{ "a": 1, "k": [1] }'),
        ('{"a": 1,\n "b": 2}', '{"a": 1,\n "b": 2,\n "k": [1]}'),
        ('{\n\t"a": 1\n}', '{\n\t"a": 1,\n\t"k": [1]\n}'),
        ('{\r\n    "a": 1\r\n}\r\n', '{\r\n    "a": 1,\r\n    "k": [1]\r\n}\r\n'),
        ('{\n  "a": [\n    2\n  ]\n}', '{\n  "a": [\n    2\n  ],\n  "k": [\n    1\n  ]\n}'),
        ('{"a": 1, "b": ', '{"a": 1, "b":, "k": [1] '),
        ('{"a": 1', '{"a": 1, "k": [1]'),
        ("{", '{"k": [1]'),
        ("{ // to do", '{"k": [1] // to do'),
    ],
)
def test_a_member_is_added_at_the_end_in_the_style_of_the_object(text: str, after: str) -> None:
    check(text, insert_member(read(text), (), "k", [1]), after)


def test_a_member_is_added_behind_or_before_others() -> None:
    text = '{"a": 1, "b": 2, "c": 3}'
    tree = read(text)
    check(text, insert_member(tree, (), "k", 0, after=("a", "b")), '{"a": 1, "b": 2, "k": 0, "c": 3}')
    check(text, insert_member(tree, (), "k", 0, after=("c",)), '{"a": 1, "b": 2, "c": 3, "k": 0}')
    check(text, insert_member(tree, (), "k", 0, after=("x",)), '{"a": 1, "b": 2, "c": 3, "k": 0}')
    check(text, insert_member(tree, (), "k", 0, before=("c", "b")), '{"a": 1, "k": 0, "b": 2, "c": 3}')
    check(text, insert_member(tree, (), "k", 0, after=("x",), before=("a",)), '{"k": 0, "a": 1, "b": 2, "c": 3}')
    long = '{\n  "a": 1\n}'
    check(long, insert_member(read(long), (), "k", 0, before=("a",)), '{\n  "k": 0,\n  "a": 1\n}')


def test_a_member_is_added_to_an_object_deep_down() -> None:
    after = LONG.replace('"idx": 0,', '"idx": 0,\n      "control_preds": [\n        7\n      ],')
    check(LONG, insert_member(read(LONG), ("nodes", 0), "control_preds", [7], after=("idx",)), after)
    line = '{"nodes": [{"idx": 0}]}'
    check(line, insert_member(read(line), ("nodes", 0), "agent", "é"), '{"nodes": [{"idx": 0, "agent": "é"}]}')


@pytest.mark.parametrize(
    ("text", "index", "after"),
    [
        ("[]", 0, "[9]"),
        ("[\n]", 0, "[\n  9\n]"),
        ("[1]", 0, "[9, 1]"),
        ("[1]", 1, "[1, 9]"),
        ("[1,2]", 1, "[1,9,2]"),
        ("[1, 2]", 2, "[1, 2, 9]"),
        ("[1,2]", 0, "[9,1,2]"),
        ("[\n  1,\n  2\n]", 0, "[\n  9,\n  1,\n  2\n]"),
        ("[\n  1,\n  2\n]", 1, "[\n  1,\n  9,\n  2\n]"),
        ("[\n  1,\n  2\n]", 2, "[\n  1,\n  2,\n  9\n]"),
        ("[\r\n\t1\r\n]", 1, "[\r\n\t1,\r\n\t9\r\n]"),
    ],
)
def test_an_element_is_added_where_it_is_wanted(text: str, index: int, after: str) -> None:
    check(text, insert_element(read(text), (), index, 9), after)
    inside = '{"a": 0, "l": %s}'
    if "\n" not in text and text != "[1,2]":
        check(inside % text, insert_element(read(inside % text), ("l",), index, 9), inside % after)


def test_an_element_is_appended() -> None:
    check(LONG, append_element(read(LONG), ("nodes", 0, "reads"), "b"), LONG.replace('"a"', '"a",\n        "b"'))
    text = '{"nodes": [{"idx": 0, "reads": []}]}'
    check(text, append_element(read(text), ("nodes", 0, "reads"), {"id": "b"}), text.replace("[]", '[{"id": "b"}]'))
    step = LONG.replace("    }\n  ]", '    },\n    {\n      "idx": 1\n    }\n  ]')
    check(LONG, append_element(read(LONG), ("nodes",), {"idx": 1}), step)


@pytest.mark.parametrize(
    ("text", "key", "after"),
    [
        ('{"a": 1}', "a", "{}"),
        ('{\n  "a": 1\n}', "a", "{}"),
        ('{"a": 1, "b": 2}', "a", '{"b": 2}'),
        ('{"a": 1, "b": 2}', "b", '{"a": 1}'),
        ('{\n  "a": 1,\n  "b": 2,\n  "c": 3\n}', "b", '{\n  "a": 1,\n  "c": 3\n}'),
        ('{\n  "a": 1,\n  "b": 2\n}\n', "b", '{\n  "a": 1\n}\n'),
        ('{"a": 1, "b": 2, "a": 3}', "a", '{"b": 2}'),
        ('{"b": 2, "a": 1, "a": 3}', "a", '{"b": 2}'),
        ('{"a": , "b": 2}', "a", '{"b": 2}'),
        ('{"a": {"x": [1]}', "a", "{"),
        ('{"a": 1', "x", '{"a": 1'),
    ],
)
def test_a_member_is_removed_with_its_comma(text: str, key: str, after: str) -> None:
    check(text, remove_member(read(text), (key,)), after)


def test_elements_are_removed_with_their_commas() -> None:
    text = "[1, 2, 3, 4]"
    tree = read(text)
    check(text, remove_element(tree, (0,)), "[2, 3, 4]")
    check(text, remove_element(tree, (3,)), "[1, 2, 3]")
    check(text, remove_elements(tree, (), {0, 2}), "[2, 4]")
    check(text, remove_elements(tree, (), {1, 2, 3}), "[1]")
    check(text, remove_elements(tree, (), {0, 1, 2, 3}), "[]")
    check(text, remove_element(tree, (9,)), text)


def test_a_value_is_replaced() -> None:
    text = '{"a": null, "b": [1]}'
    check(text, replace_value(read(text), ("a",), [0]), '{"a": [0], "b": [1]}')
    check(text, replace_value(read(text), ("b", 0), "x"), '{"a": null, "b": ["x"]}')
    check(LONG, replace_value(read(LONG), ("nodes", 0, "reads"), ["b"]), LONG.replace('"a"', '"b"'))
    twice = '{"a": 1, "a": 2}'
    check(twice, replace_value(read(twice), ("a",), 3), '{"a": 1, "a": 3}')


def test_a_value_that_was_not_written_yet_is_written() -> None:
    for text, after in (
        ('{"a": , "b": 1}', '{"a": 5, "b": 1}'),
        ('{"a", "b": 1}', '{"a": 5, "b": 1}'),
        ('{"b":1,"a":}', '{"b":1,"a":5}'),
        ('{"n": [{"a": }]}', '{"n": [{"a": 5}]}'),
    ):
        path: Path = ("n", 0, "a") if "n" in text else ("a",)
        check(text, replace_value(read(text), path, 5), after)


def test_a_path_that_leads_nowhere_changes_nothing() -> None:
    tree = read('{"l": [{"a": 1}], "s": 3}')
    no_containers: list[Path] = [("x",), ("l", 5), ("l", 0, "a"), ("s",), ("l", "a"), ("s", "x")]
    for path in no_containers:
        assert container(tree, path) is None, path
        assert insert_member(tree, path, "k", 1) == []
        assert append_element(tree, path, 1) == []
        assert insert_element(tree, path, 0, 1) == []
    nowhere: list[Path] = [(), ("x",), ("l", 5), ("l", 0, "b"), ("s", 0), ("l", 0, "a", "b")]
    for path in nowhere:
        assert replace_value(tree, path, 1) == []
        assert remove_member(tree, path) == []
        assert remove_element(tree, path) == []
    assert insert_element(tree, ("l",), 2, 1) == []
    assert append_element(tree, ("l", 0), 1) == []
    assert insert_member(tree, ("l",), "k", 1) == []
    assert remove_elements(tree, ("l", 0), {0}) == []
    assert remove_elements(read("[]"), (), {0}) == []


TEXTS = st.text(st.characters(codec="utf-8"), max_size=4)
SCALARS = st.none() | st.booleans() | st.integers() | TEXTS
VALUES = st.recursive(SCALARS, lambda v: st.lists(v, max_size=4) | st.dictionaries(TEXTS, v, max_size=4), max_leaves=14)
STYLES = st.sampled_from(
    [
        {},
        {"indent": 2},
        {"separators": (",", ":")},
        {"indent": "\t", "ensure_ascii": False},
        {"indent": 4},
        {"indent": 0},
    ]
)


def _containers(value: Any) -> list[Path]:
    found: list[Path] = []
    todo: list[tuple[Path, Any]] = [((), value)]
    while todo:
        path, item = todo.pop()
        if isinstance(item, (dict, list)):
            found.append(path)
            pairs = item.items() if isinstance(item, dict) else enumerate(item)
            todo += (((*path, key), child) for key, child in pairs)
    return found


def _at(value: Any, path: Path) -> Any:
    for name in path:
        value = value[name]
    return value


def _value_after(text: str, edits: list[Edit]) -> Any:
    after = read(apply_edits(text, edits))
    assert after.problems == []
    return after.value()


@given(VALUES, STYLES, st.booleans(), VALUES, TEXTS, st.data())
@settings(max_examples=250, deadline=None)
def test_every_surgery_gives_proper_json_with_only_the_intended_change(
    value: Any, style: dict[str, Any], crlf: bool, new: Any, key: str, data: st.DataObject
) -> None:
    text = json.dumps(value, **style)
    if crlf:
        text = text.replace("\n", "\r\n")
    paths = _containers(value)
    if not paths:
        return
    tree, path = read(text), data.draw(st.sampled_from(paths))
    wanted = copy.deepcopy(value)
    target = _at(wanted, path)
    if isinstance(target, dict):
        if key not in target:
            near = data.draw(st.sampled_from(sorted(target))) if target else ""
            target[key] = new
            assert _value_after(text, insert_member(tree, path, key, new, after=(near,))) == wanted
            assert _value_after(text, insert_member(tree, path, key, new, before=(near,))) == wanted
            return
        target[key] = new
        assert _value_after(text, replace_value(tree, (*path, key), new)) == wanted
        del target[key]
        assert _value_after(text, remove_member(tree, (*path, key))) == wanted
        return
    index = data.draw(st.integers(0, len(target)))
    target.insert(index, new)
    assert _value_after(text, insert_element(tree, path, index, new)) == wanted
    del target[index]
    if target:
        which = data.draw(st.sets(st.integers(0, len(target) - 1)))
        kept = [item for number, item in enumerate(target) if number not in which]
        first = min(which, default=0)
        target[first] = new
        assert _value_after(text, replace_value(tree, (*path, first), new)) == wanted
        target[:] = kept
        assert _value_after(text, remove_elements(tree, path, which)) == wanted
