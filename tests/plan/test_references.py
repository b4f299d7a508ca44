"""References to the results of other steps, inside strings."""

from __future__ import annotations

from time import process_time

import pytest

from plancheck.plan.dialects.references import reads_in, references_in


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("{{a.result}}", [("a", "a.result")]),
        ("${a.result}", [("a", "a.result")]),
        ("${{a.result}}", [("a", "a.result")]),
        ("{{ a.result.total }}", [("a", "a.result.total")]),
        ("{{a.result['total']}}", [("a", "a.result['total']")]),
        ("{{a.result.rows[0].id}}", [("a", "a.result.rows[0].id")]),
        ("{{a.result | upper}}", [("a", "a.result")]),
        ("between {{a.result}} and ${b.result.x}!", [("a", "a.result"), ("b", "b.result.x")]),
        ("{{a.result}}{{b.result}}", [("a", "a.result"), ("b", "b.result")]),
        ("{{a.result.x + b.result.y}}", [("a", "a.result.x"), ("b", "b.result.y")]),
        ("{{a.result.x/b.result.y}}", [("a", "a.result.x"), ("b", "b.result.y")]),
        ("{{step1.result}} {{step10.result}}", [("step1", "step1.result"), ("step10", "step10.result")]),
        ("{{fetch-orders.result}}", [("fetch-orders", "fetch-orders.result")]),
        ("{{fetch.orders.result.n}}", [("fetch.orders", "fetch.orders.result.n")]),
        ("{{prüfung_日本.result}}", [("prüfung_日本", "prüfung_日本.result")]),
        ("{{🚀.result}}", [("🚀", "🚀.result")]),
        ("{{step one.result}}", [("step one", "step one.result")]),
        ("{{a.result.result}}", [("a", "a.result.result")]),
        ("{{{a.result}}}", [("a", "a.result")]),
    ],
)
def test_what_is_a_reference(text: str, found: list[tuple[str, str]]) -> None:
    actual = [(identity, text[slice(*whole)]) for identity, _, whole in references_in(text)]
    assert actual == found
    assert all(text[slice(*own)] == identity for identity, own, _ in references_in(text))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a.result",
        "{a.result}",
        "{{a.result",
        "${a.result",
        "{{a}}",
        "${HOME}",
        "${ENV.results}",
        "{{a.results}}",
        "{{a.result_set}}",
        "{{.result}}",
        "{{ }}",
        "$a.result",
        "{{a.output}}",
    ],
)
def test_what_is_none(text: str) -> None:
    assert list(references_in(text)) == []


def test_reads_in_nested_values_come_in_the_order_of_the_text() -> None:
    value = (
        ("to", ["${a.result}", [7], (("deep", "see {{b.result.c}}"),)]),
        ("twice", "{{z.result}}"),
        ("n", 5),
        ("twice", "{{c.result}} {{a.result}}"),
    )
    found = [(read.resource, read.producer, read.path[:-1]) for read in reads_in(value, ("args",))]
    assert found == [
        ("a.result", "a", ("args", "to", 0)),
        ("b.result", "b", ("args", "to", 2, "deep")),
        ("c.result", "c", ("args", "twice")),
        ("a.result", "a", ("args", "twice")),
    ]
    assert all(read.is_reference for read in reads_in(value, ("args",)))


def test_a_value_that_is_nested_very_deeply() -> None:
    value: object = "{{a.result}}"
    for _ in range(5_000):
        value = [value]
    (read,) = reads_in(value, ())
    assert len(read.path) == 5_001


def test_very_many_references_take_time_in_proportion() -> None:
    started = process_time()
    assert sum(1 for _ in references_in("{{a.result}}" * 200_000)) == 200_000
    assert process_time() - started < 5, "0.4 s; each looked at the text from its beginning before, which took 17 s"
