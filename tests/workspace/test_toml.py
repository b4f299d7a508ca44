"""The TOML locator against `tomllib`: the same paths, and every span holds exactly its key and its value."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plancheck.workspace.toml import TomlPath, locate

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

NASTY = [
    "a",
    "b-c",
    "1",
    "",
    "x.y",
    'q"uote',
    "it's",
    "#no",
    "tab\there",
    "a=b",
    "[x]",
    "é",
    "🙂",
    "back\\slash",
    "a,b}",
]


def basic(text: str) -> str:
    named = {'"': '\\"', "\\": "\\\\", "\t": "\\t", "\n": "\\n"}
    return '"' + "".join(named.get(char, char) for char in text) + '"'


@st.composite
def keys(draw: st.DrawFn) -> str:
    name = draw(st.sampled_from(NASTY))
    if name and all(char.isascii() and (char.isalnum() or char in "-_") for char in name) and draw(st.booleans()):
        return name
    return f"'{name}'" if "'" not in name and draw(st.booleans()) else basic(name)


def texts() -> st.SearchStrategy[str]:
    return st.sampled_from(NASTY).map(basic) | st.sampled_from(
        ["'lit#eral'", "'''two\nlines ] # ''x'''", '"""two\n"lines" \\"""" """', '""""a"""', "''", '""', '"""x"""""']
    )


def scalars() -> st.SearchStrategy[str]:
    others = ["1", "-3.5e2", "true", "inf", "1979-05-27", "1979-05-27 07:32:00", "0x1f", "07:32:00"]
    return texts() | st.sampled_from(others)


@st.composite
def lists(draw: st.DrawFn, inner: st.SearchStrategy[str]) -> str:
    items = draw(st.lists(inner, max_size=3))
    between = draw(st.sampled_from([", ", ",", " ,\n  ", ",  # a, ] comment\n"]))
    tail = draw(st.sampled_from(["", ",", " , # end ]\n"])) if items else ""
    return f"[{draw(st.sampled_from(['', ' ', chr(10) + '# [' + chr(10)]))}{between.join(items)}{tail}]"


@st.composite
def inline_tables(draw: st.DrawFn, inner: st.SearchStrategy[str]) -> str:
    names = draw(st.lists(st.sampled_from(NASTY), max_size=3, unique=True))
    return "{ " + ", ".join(f"{basic(name)} = {draw(inner)}" for name in names) + " }"


VALUES = st.recursive(scalars(), lambda inner: lists(inner) | inline_tables(inner), max_leaves=6)


@st.composite
def documents(draw: st.DrawFn) -> str:
    """Mostly valid TOML; what `tomllib` does not take is thrown away."""
    lines = []
    for _ in range(draw(st.integers(0, 8))):
        names = draw(st.lists(keys(), min_size=1, max_size=3))
        dotted = draw(st.sampled_from([".", " . "])).join(names)
        shape = draw(st.sampled_from(["value", "value", "value", "table", "array", "comment"]))
        indent = draw(st.sampled_from(["", "  "]))
        tail = draw(st.sampled_from(["", "  # tail [x] = 1"]))
        if shape == "value":
            lines.append(f"{indent}{dotted} = {draw(VALUES)}{tail}")
        elif shape == "comment":
            lines.append(f"{indent}# a = 1")
        else:
            lines.append(f"{indent}[{dotted}]{tail}" if shape == "table" else f"{indent}[[ {dotted} ]]{tail}")
        candidate = "\n".join(lines)
        try:
            tomllib.loads(candidate)
        except tomllib.TOMLDecodeError:
            lines.pop()
    return draw(st.sampled_from(["\n", "\r\n"])).join(lines)


def flat(value: Any, path: TomlPath = ()) -> dict[TomlPath, Any]:
    found = {path: value} if path else {}
    if isinstance(value, dict):
        for name, inner in value.items():
            found |= flat(inner, (*path, name))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            found |= flat(inner, (*path, number))
    return found


@given(documents())
def test_every_path_is_found_with_its_key_and_its_value(text: str) -> None:
    expected = flat(tomllib.loads(text))
    found = locate(text)
    assert found.keys() == expected.keys()
    for path, entry in found.items():
        value = text[entry.value.start : entry.value.end]
        if entry.key is not None:
            key = text[entry.key.start : entry.key.end]
            assert tomllib.loads(f"{key} = 1") == {path[-1]: 1}
        if not isinstance(expected[path], (dict, list)) or value.startswith(("[\n", "{ ")):
            assert tomllib.loads(f"x = {value}") == {"x": expected[path]}


def test_places_in_a_whole_file() -> None:
    text = '[tool.plancheck]\nrules."a b" = "off"\n\n[[tool.plancheck.overrides]]\nfiles = ["x", "y"]\n'
    found = {path: text[e.value.start : e.value.end] for path, e in locate(text).items()}
    assert found["tool", "plancheck", "rules", "a b"] == '"off"'
    assert found["tool", "plancheck", "overrides", 0] == "[[tool.plancheck.overrides]]"
    assert found["tool", "plancheck", "overrides", 0, "files", 1] == '"y"'


@pytest.mark.parametrize(
    "text",
    ["a = [", "a = {", "a = [1", "a = {b = 1", "a =", "[", "[[", f"{'a.' * 32}a = 1", f"a = {'[' * 33}", "#" * 500_001],
)
def test_what_is_not_toml_or_too_much_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"TOML|too|ends"):
        locate(text)
