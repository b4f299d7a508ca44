"""The light reader of Rego: what it finds in a text, that it never fails, and that it takes linear time."""

from __future__ import annotations

import time
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plancheck.policy.rego.alone import free_prefix, rules_alone
from plancheck.policy.rego.constructs import forbidden_calls
from plancheck.policy.rego.regopy_limits import mistaken_inputs, regopy_limits
from plancheck.policy.rego.source import MOST_CHARACTERS, MOST_RULES, Generation, RegoSource, read_rego
from plancheck.unknown import Reason, Unknown
from rego.engines import EXAMPLES, example_names


def source_of(text: str) -> RegoSource:
    source = read_rego(text)
    assert isinstance(source, RegoSource)
    return source


class Read(NamedTuple):
    """What is expected of a text: its package, the heads of its rules with their lines, and its generation."""

    text: str
    package: str | None
    heads: tuple[tuple[int, str], ...]
    generation: Generation = Generation.V1


V0 = Generation.V0
TEXTS = [
    Read("", None, ()),
    Read("\n\n# only a comment\n", None, ()),
    Read("package a", "a", ()),
    Read("package a.b.c\n", "a.b.c", ()),
    Read('package a["b-c"].d\n', 'a["b-c"].d', ()),
    Read("# first\n\npackage a # why\ndeny if true", "a", ((4, "deny"),)),
    Read("package a\r\n\r\ndeny if {\r\n\ttrue\r\n}\r\nallow if true\r\n", "a", ((3, "deny"), (6, "allow"))),
    Read("package a\nimport rego.v1\ndeny contains msg if {\n\tmsg := 1\n}\n", "a", ((3, "deny contains msg"),)),
    Read("package a\ndeny := true if input.x\n", "a", ((2, "deny := true"),)),
    Read("package a\ndefault deny := false\ndeny if true", "a", ((2, "deny := false"), (3, "deny"))),
    Read('package a\ndeny := {"a": 1} if {\n true }\nelse := 3 if false\n', "a", ((2, 'deny := {"a": 1}'),)),
    Read("package a\ndeny if {\n true } else if {\n false }\nx := 1", "a", ((2, "deny"), (5, "x := 1"))),
    Read('package a\ndeny contains {"msg": m} if { m := 1 }', "a", ((2, 'deny contains {"msg": m}'),)),
    Read('package a\ndeny contains "{ # no comment" if true', "a", ((2, 'deny contains "{ # no comment"'),)),
    Read("package a\ndeny contains `raw\n}\n` if true\nx := 2", "a", ((2, "deny contains `raw\n}\n`"), (5, "x := 2"))),
    Read("package a\ndeny.b.c if true", "a", ((2, "deny.b.c"),)),
    Read("package a\ndeny[k] := v if { k := 1; v := 2 }", "a", ((2, "deny[k] := v"),)),
    Read("package a\nf(x) := y if { y := x }\ndeny if f(1)", "a", ((2, "f(x) := y"), (3, "deny"))),
    Read("package a\nok if every x in [1] {\n x }\ndeny if not ok", "a", ((2, "ok"), (4, "deny"))),
    Read("package a\ndeny if {\ninput.x\ny := 2\n}\nx := 2", "a", ((2, "deny"), (6, "x := 2"))),
    Read("package a\nx :=\n  3\ny := 1 +\n 2", "a", ((2, "x :=\n  3"), (4, "y := 1 +\n 2"))),
    Read("package a\ndeny if\n\tinput.x\nallow if true", "a", ((2, "deny"), (4, "allow"))),
    Read("package a\ns := {x | x := 1}\ndeny if count(s) > 1", "a", ((2, "s := {x | x := 1}"), (3, "deny"))),
    Read("package a\ndeny[msg] { msg := 1 }", "a", ((2, "deny[msg]"),), V0),
    Read("package a\ndeny { true }\nallow = x { x := 1 } else = 2 { true }", "a", ((2, "deny"), (3, "allow = x")), V0),
    Read('package a\ndeny["x"]', "a", ((2, 'deny["x"]'),), V0),
    Read("package a\nf(x) { x }\n", "a", ((2, "f(x)"),), V0),
    Read("package a\nimport future.keywords\ndeny[m] { m := 1 }\nx if true", "a", ((3, "deny[m]"), (4, "x")), V0),
    Read("package a\nimport rego.v1\ndeny { true }", "a", ((3, "deny"),)),
    Read("package a\ndeny { true }\nallow if true", "a", ((2, "deny"), (3, "allow"))),
    # ---- broken ------------------------------------------------------------------------------------------------------
    Read("package", None, ()),
    Read("package a\ndeny if {", "a", ((2, "deny"),)),
    Read("package a\ndeny if {\n x == \nallow if true\n", "a", ((2, "deny"), (4, "allow"))),
    Read('package a\ndeny contains "open\nallow if true', "a", ((2, 'deny contains "open'), (3, "allow"))),
    Read("package a\n}}}} ]]] )\ndeny if true", "a", ((3, "deny"),)),
    Read("package a\n:= 3\n== 4\ndeny if true", "a", ((4, "deny"),)),
    Read("deny if true\npackage a", None, ((1, "deny"),)),
    Read("package a\ndeny contains", "a", ((2, "deny contains"),)),
    Read("package a\ndefault\n", "a", ((2, "default"),)),
    Read("package a\n\x00\ud800 ☃ := 3\ndeny if `never ends", "a", ((3, "deny"),)),
]


@pytest.mark.parametrize("read", TEXTS, ids=lambda read: repr(read.text[:40]))
def test_what_is_in_a_text(read: Read) -> None:
    source = source_of(read.text)
    heads = tuple((rule.line, source.text[slice(*rule.head_span)]) for rule in source.rules)
    assert (source.package, heads, source.generation) == read[1:]


@pytest.mark.parametrize("name", example_names())
def test_the_examples_are_read(name: str) -> None:
    source = source_of((EXAMPLES / f"{name}.rego").read_text(encoding="utf-8"))
    assert source.rule_names
    assert all(rule.comment for rule in source.deciding if not rule.is_default)
    assert forbidden_calls(source) == ()
    assert regopy_limits({name: source}).constructs == {name: ()}


COMMENTS = [
    ("# Why.\ndeny if true", "Why."),
    ("# One\n#   two.\ndeny if true", "One two."),
    ("# Far away.\n\ndeny if true", ""),
    ("x := 1 # beside\ndeny if true", ""),
    ("# METADATA\n# title: Short\n# description: Long.\n# entrypoint: true\ndeny if true", "Long."),
    ("# METADATA\n# title: Short\ndeny if true", "Short"),
]


@pytest.mark.parametrize(("text", "comment"), COMMENTS)
def test_the_comment_above_a_rule(text: str, comment: str) -> None:
    (rule,) = source_of(f"package a\n\n{text}").deciding
    assert rule.comment == comment


def test_each_rule_by_itself() -> None:
    text = (
        "package a\ndefault deny := false\ndeny if input.x\ndeny contains m if { m := count(deny) } else := 2\n"
        "deny.b := 1\ndeny(x) if x\nallow if not deny\nrequires_hitl if plancheck_rule__0\n"
    )
    source = source_of(text)
    alone = rules_alone(source, free_prefix([text]))
    assert alone.text.startswith(text)
    assert [line for line in alone.text[len(text) :].split("\n") if line] == [
        "plancheck_rule____0 if input.x",
        "plancheck_rule____1 contains m if { m := count(deny) } else := 2",
        "plancheck_rule____2.b := 1",
        "plancheck_rule____3 if plancheck_rule__0",
    ]
    assert [(name[-1], rule.line) for name, rule in alone.copies] == [("0", 3), ("1", 4), ("2", 5), ("3", 8)]


FORBIDDEN = [
    ("http.send({})", "http.send"),
    ('http["send"]({})', 'http["send"]'),
    ("opa.runtime().env", "opa.runtime().env"[:11]),
    ("x := time.now_ns()", "time.now_ns"),
    ('rand.intn("a", 3)', "rand.intn"),
    ('uuid.rfc4122("")', "uuid.rfc4122"),
    ('net.lookup_ip_addr("x")', "net.lookup_ip_addr"),
]


@pytest.mark.parametrize(("body", "place"), FORBIDDEN)
def test_what_no_policy_may_call(body: str, place: str) -> None:
    source = source_of(f"package a\ndeny if {{ {body} }}")
    assert [source.text[slice(*found.span)] for found in forbidden_calls(source)] == [place]


def test_what_is_not_called() -> None:
    body = 'x := "http.send()"; input.http.send == 1; y := time.parse_ns("a", "b") # rand.intn()'
    assert forbidden_calls(source_of(f"package a\ndeny if {{ {body} }}")) == ()


MISTAKEN = [
    ("deny[msg] { msg := 1 }", "{"),
    ("deny if input.x with input as {}", "with"),
    ("deny if true\nimport rego.v1", "import rego.v1"),
    ("deny if rego.metadata.rule().title", "rego.metadata.rule"),
    ('deny if strings.reverse("a") == "a"', "strings.reverse"),
    ('deny if strings.render_template("a", {})', "strings.render_template"),
    ("deny if inputt.steps", "inputt"),
    ("deny if { x == 3 }", "x"),
    ("deny if { some s in input.steps; t.args }", "t"),
    ("deny if { some i, j; input.steps[i].a == input.steps[j].a }", "i"),
    ('deny if input.steps[_].a == "x"', "_"),
    ("deny if { some s in input.steps; not endswith(s.x, `a`) }", "s"),
    ("deny if { some s in input.steps; not s.x in {1} }", "s"),
    ("deny if regex.match(`(?i)drop`, input.x)", "regex.match"),
    ("deny if regex.match(input.y, input.x)", "regex.match"),
    ('deny if input.x == "\\u00e9"', '"\\u00e9"'),
    ("f(x) := y if y := x\ndeny if f(1) > 3", ">"),
]


@pytest.mark.parametrize(("text", "place"), MISTAKEN)
def test_what_regopy_is_not_asked(text: str, place: str) -> None:
    source = source_of(f"package a\n{text}")
    found = regopy_limits({"a": source}).constructs["a"]
    assert source.text[slice(*found[0].span)] == place
    assert len(found[0].message) <= 120


FINE = [
    "deny if { some i, s in input.steps; i > 3; s.args.amount > 1000 }",
    "deny if { walk(input, [p, v]); count(p) > 3; v == 1 }",
    "deny if { [a, b] := input.x; a == b }",
    'deny if { x := {"a": y | y := input.z}; x }',
    "deny if { not input.x; not input.y == 3; x := input.z; not startswith(x, `a`) }",
    "limit := 10\ndeny if { over(input.steps[0].args.amount) }\nover(x) if x > limit",
    "deny if { total := sum([s.args.n | some s in input.steps]); total > 5 }",
    "deny if { every s in input.steps { s.args.n < 5 } }",
    'deny if { some k in ["a", "b"]; input.context[k] == 1 }',
    "deny if { x := object.get(input.context, `limit`, 3); x > 2 }",
]


@pytest.mark.parametrize("text", FINE)
def test_what_regopy_is_asked(text: str) -> None:
    assert regopy_limits({"a": source_of(f"package a\n{text}")}).constructs == {"a": ()}


def test_plans_that_regopy_is_not_asked_about() -> None:
    limits = regopy_limits({"a": source_of("package a\ndeny if { lower(input.tool) == `x`; input.args.amount > 3 }")})
    for plan, is_asked in (
        ({"args": {"amount": 3}}, True),
        ({"args": {"amount": "3"}}, False),
        ({"args": {"amount": True}}, False),
        ({"args": {"amount": [1, None]}}, False),
        ({"amount": 0.1 + 0.2}, False),
        ({"tool": "plain"}, True),
        ({"tool": "line\nend"}, False),
        ({"tool": "Ünder"}, False),
    ):
        assert (mistaken_inputs(limits, [plan]) is None) is is_asked, plan


# ---- limits ----------------------------------------------------------------------------------------------------------


def test_too_large_or_too_many_rules() -> None:
    for text in ("package a\n" + "#" * MOST_CHARACTERS, "package a\n" + "x := 1\n" * (MOST_RULES + 1)):
        found = read_rego(text)
        assert isinstance(found, Unknown)
        assert found.reason is Reason.LIMIT


PIECES = ["deny if {", "a.", "a[", "# x\n", "x := 1 ", "{ x | ", "not ", "some a, ", "not a[", "a = [", "a<b;"]


@pytest.mark.parametrize("piece", [*PIECES, *'[("`\\'])
def test_it_takes_bounded_time(piece: str) -> None:
    started = time.perf_counter()
    source = read_rego("package a\ndeny if {\n" + piece * (MOST_CHARACTERS // 2 // len(piece)))
    if isinstance(source, RegoSource):
        forbidden_calls(source)
        rules_alone(source, free_prefix([source.text]))
        regopy_limits({"a": source})
    else:
        assert source.reason is Reason.LIMIT
    assert time.perf_counter() - started < 5


@pytest.mark.parametrize(
    "piece", ["a<b; ", "a := b; a < b; ", "f(x) < x; ", "not a.b < c[d]; ", "some a, b in [", "a[b]."]
)
def test_what_is_compared_takes_bounded_time(piece: str) -> None:
    source = source_of("package a\ndeny if {\n" + piece * (60_000 // len(piece)))
    started = time.perf_counter()
    regopy_limits({"a": source})
    assert time.perf_counter() - started < 5


WORDS = [*'{}[]()"`.,;|=<>\n\r', "deny", " if ", ":=", "not ", "some ", " in ", "x", "package a"]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(WORDS)))
def test_any_text_can_be_read(pieces: list[str]) -> None:
    source = source_of("".join(pieces))
    for rule in source.rules:
        assert rule.span.start <= rule.name_span.start < rule.head_span.end <= rule.span.end <= len(source.text)
    rules_alone(source, free_prefix([source.text]))
    forbidden_calls(source)
    regopy_limits({"a": source})
