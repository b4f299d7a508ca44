"""Folding, selecting more and more, links."""

from __future__ import annotations

from ide.marks import cursor
from plancheck.analysis.engine import analyze
from plancheck.ide.outline import folds, links, selections


def check_folds(text: str, expected: list[str]) -> None:
    """Every fold, by its lines: `first-last`, counted from 1."""
    snapshot = analyze(text)
    lines = snapshot.lines
    found = [f"{lines.line_of(span.start) + 1}-{lines.line_of(span.end - 1) + 1}" for span in folds(snapshot)]
    assert found == expected


def check_selections(text: str, expected: list[str]) -> None:
    snapshot, offset = cursor(text)
    assert [snapshot.text[slice(*span)] for span in selections(snapshot, offset)] == expected


def check_links(text: str, expected: list[tuple[str, str]]) -> None:
    snapshot = analyze(text)
    assert [(snapshot.text[slice(*link.span)], link.target) for link in links(snapshot)] == expected


LONG = """{
  "meta": {
    "a": [1,
      2], "b": "]"
  },
  "nodes": [
    {"idx": 0, "reads": [
      "a}\\"]"
    ]},
    {"idx": 1}
  ]
}
"""


def test_what_takes_more_than_one_line_folds() -> None:
    check_folds(LONG, ["1-12", "2-5", "3-4", "6-11", "7-9", "7-9"])
    check_folds(LONG.replace("\n", "\r\n"), ["1-12", "2-5", "3-4", "6-11", "7-9", "7-9"])
    check_folds(LONG.replace("\n", "\r"), ["1-12", "2-5", "3-4", "6-11", "7-9", "7-9"])
    check_folds('{"nodes": [{"idx": 1}]}', [])
    check_folds("[\n[\n1]]", ["1-3", "2-3"])
    check_folds("", [])
    check_folds('"a"', [])


def test_broken_text_folds_too() -> None:
    check_folds('{\n  "nodes": [\n    {"idx": ,\n     "reads": [\n      "a"\n', ["1-5", "2-5", "3-5", "4-5"])


def test_selections_grow_from_the_name_to_the_document() -> None:
    check_selections(
        '{"nodes": [{"idx": 0, "reads": ["or$0der"]}]}\n',
        [
            "",
            "order",
            '"order"',
            '["order"]',
            '"reads": ["order"]',
            '"idx": 0, "reads": ["order"]',
            '{"idx": 0, "reads": ["order"]}',
            '[{"idx": 0, "reads": ["order"]}]',
            '"nodes": [{"idx": 0, "reads": ["order"]}]',
            '{"nodes": [{"idx": 0, "reads": ["order"]}]}',
            '{"nodes": [{"idx": 0, "reads": ["order"]}]}\n',
        ],
    )


def test_selections_of_keys_numbers_and_blanks() -> None:
    check_selections('{"id$0x": 0}', ["", "idx", '"idx"', '"idx": 0', '{"idx": 0}'])
    check_selections('{"idx": 12$0}', ["", "12", '"idx": 12', '{"idx": 12}'])
    check_selections('{"a": [1, $0 2, 3]}', ["", "1,  2, 3", "[1,  2, 3]", '"a": [1,  2, 3]', '{"a": [1,  2, 3]}'])
    check_selections("$0", [""])
    check_selections("{}  $0", ["", "{}  "])
    check_selections('{"a":$0 }', ["", '"a":', '"a": ', '{"a": }'])


def test_links_are_the_members_that_name_a_file() -> None:
    check_links('{"$schema": "https://x.org/s.json", "nodes": []}', [("https://x.org/s.json",) * 2])
    check_links('{"policy": ["a.yaml", 3, ""], "nodes": []}', [("a.yaml", "a.yaml")])
    check_links('{"policy": "caf\\u00e9.yaml"}', [("caf\\u00e9.yaml", "café.yaml")])
    for text in ('{"policy": "', '{"policy": ""}', '{"policy": " a"}', '{"policy": "a\\nb"}', '{"x": "a.yaml"}', "[1]"):
        check_links(text, [])
