"""Policies are read with every mistake at its place, and the rest of the policy in force."""

from __future__ import annotations

import time

import pytest

from plancheck.policy.model import Bound, Family, HumanLimit, Policy, Required, Uses
from plancheck.policy.reading import joined, policy_of, read_policy
from plancheck.workspace.policies import LoadedPolicy

WHOLE = """\
# what our agents may do
allow_tools:
  - db.query_ro
  - payments.transfer
bounds:
  payments.transfer.amount: [0.01, 1000]
deny_tokens_regex: ['AKIA[0-9A-Z]{16}']
max_steps: 20
risk_weights: {tool_deny: 0.5, RAW_SECRET: 0.9}
fail_risk_threshold: 0.7
require_handlers: true
tools: {crm.find: read}
gate:
  max_steps: 10
  blocked_tools: [shell]
  at_most: [{tools: [db.write, file.write], count: 2}]
  not_first: [db.write]
  required: [{tools: [verify], before: [payments.transfer]}]
  needs_human: {payments.transfer.amount: 500}
"""


def test_a_whole_policy() -> None:
    found = read_policy(WHOLE)
    assert found.problems == ()
    policy = found.policy
    assert policy.allow_tools == ("db.query_ro", "payments.transfer")
    assert policy.bounds == (Bound("payments.transfer.amount", 0.01, 1000),)
    assert policy.risk_weights == (("tool_deny", 0.5), ("RAW_SECRET", 0.9))
    assert (policy.max_steps, policy.fail_risk_threshold, policy.require_handlers) == (20, 0.7, True)
    assert policy.family("crm.find") is Family.READ
    assert policy.gate.at_most == (Uses(("db.write", "file.write"), 2),)
    assert policy.gate.required == (Required(("verify",), ("payments.transfer",)),)
    assert policy.gate.needs_human == (HumanLimit("payments.transfer.amount", 500),)
    assert (policy.gate.max_steps, policy.gate.blocked_tools, policy.gate.not_first) == (10, ("shell",), ("db.write",))


@pytest.mark.parametrize("text", ["", "# nothing\n", "---\n", "null\n"])
def test_an_empty_policy_is_the_default_one(text: str) -> None:
    found = read_policy(text)
    assert (found.policy, found.problems) == (Policy(), ())
    assert (found.policy.most_steps, found.policy.fail_risk_threshold) == (100, 0.8)


MISTAKES = [
    ("max_step: 3", "max_step", "policy_unknown_key", "did you mean `max_steps`?"),
    ("colour: red", "colour", "policy_unknown_key", "there are `allow_tools`"),
    ("max_steps: many", "many", "policy_bad_value", "not a text"),
    ("max_steps: true", "true", "policy_bad_value", "not true"),
    ("max_steps: -1", "-1", "policy_bad_value", "not -1"),
    ("max_steps: 2.5", "2.5", "policy_bad_value", "not 2.5"),
    ("allow_tools:\nmax_steps: 1", "\n", "policy_bad_value", "must be a list of tools, not nothing"),
    ("allow_tools: db.query", "db.query", "policy_bad_value", "must be a list of tools"),
    ("allow_tools: [a, 5]", "5", "policy_bad_value", "put it in quotes"),
    ("fail_risk_threshold: 2", "2", "policy_bad_value", "from 0 to 1"),
    ("fail_risk_threshold: .nan", ".nan", "policy_bad_value", "from 0 to 1"),
    ("require_handlers: 1", "1", "policy_bad_value", "true or false"),
    ("risk_weights: {tool_denied: 0.5}", "tool_denied", "policy_unknown_key", "did you mean `tool_deny`?"),
    ("risk_weights: {tool_deny: -1}", "-1", "policy_bad_value", "0 or more"),
    ("risk_weights: [1]", "[", "policy_bad_value", "must be a mapping"),
    ("tools: {x: reed}", "reed", "policy_bad_value", "must be one of read"),
    ("deny_tokens_regex: ['a[']", "'a['", "policy_bad_regex", "unterminated character set"),
    ("deny_tokens_regex: ['(?P<x']", "'(?P<x'", "policy_bad_regex", "it denies nothing"),
    ("deny_tokens_regex: [12]", "12", "policy_bad_regex", "in quotes"),
    ("deny_tokens_regex: ['$']", "'$'", "policy_bad_regex", "the empty text only"),
    ("deny_tokens_regex: ['(?=.*a)?']", "'(?=.*a)?'", "policy_bad_regex", "the empty text only"),
    ("bounds: {a.b: [5, 1]}", "[", "policy_bad_bound", "write `[1, 5]`"),
    ("bounds: {a.b: [1]}", "[", "policy_bad_bound", "not a list of 1"),
    ("bounds: {a.b: 7}", "7", "policy_bad_bound", "`[lowest, highest]`"),
    ("bounds: {a.b: [1, x]}", "x", "policy_bad_bound", "must be a number"),
    ("bounds: {a.b: [1, true]}", "true", "policy_bad_bound", "must be a number"),
    ("bounds: {a.b: [.nan, 1]}", ".nan", "policy_bad_bound", "must be a number"),
    ("bounds: {amount: [1, 2]}", "amount", "policy_bad_bound", "write `tool.argument`"),
    ("bounds: {a..b: [1, 2]}", "a..b", "policy_bad_bound", "write `tool.argument`"),
    ("gate: {max_stepz: 1}", "max_stepz", "policy_unknown_key", "did you mean `max_steps`?"),
    ("gate: {at_most: [{tools: [a]}]}", "{", "policy_bad_value", "has no `count`"),
    ("gate: {needs_human: {a.b: lots}}", "lots", "policy_bad_value", "must be a number"),
    ("gate: {required: [{tools: , before: [pay]}]}", " ", "policy_bad_value", "must be a list of tools, not nothing"),
    ("gate: {required: [{tools: [], before: [pay]}]}", "[", "policy_bad_value", "`tools` names no tool"),
    ("gate: {required: [{tools: [a], before: ~}]}", "~", "policy_bad_value", "must be a list of tools, not nothing"),
    ("gate: {required: [{tools: [a], before: []}]}", "[", "policy_bad_value", "`before` names no tool"),
    ("gate: {at_most: [{tools: [a], count: ~}]}", "~", "policy_bad_value", "0 or more, not nothing"),
    ("gate: {at_most: [{tools: ['*'], count: 1}]}", "'*'", "policy_bad_value", "write each of them out"),
    ("gate: {blocked_tools: ['---']}", "'---'", "policy_bad_value", "has no letter and no digit"),
    ("gate: {blocked_tools: [~]}", "~", "policy_bad_value", "must be a name, not nothing"),
    (f"gate: {{not_first: [{'a' * 1_001}]}}", "a" * 1_001, "policy_bad_value", "is too long"),
    ("tools: {'*': read}", "'*'", "policy_bad_value", "write each of them out"),
    ("bounds: {'t.items[0].amount': [0, 1]}", "'t.items[0].amount'", "policy_bad_bound", "`items.0.price`"),
    ("bounds: {'t.*': [0, 1]}", "'t.*'", "policy_bad_bound", "`*` in it, which means nothing"),
    ("bounds: {'*.amount': [0, 1]}", "'*.amount'", "policy_bad_bound", "write `tool.argument`"),
    ("bounds: {'$.t.amount': [0, 1]}", "'$.t.amount'", "policy_bad_bound", "write `tool.argument`"),
    ("gate: {needs_human: {'t.*': 1}}", "'t.*'", "policy_bad_bound", "`*` in it, which means nothing"),
    ("<<: 5", "5", "policy_syntax", "`<<` merges mappings"),
    ("gate: {<<: [{max_steps: 1}, x]}", "x", "policy_syntax", "`<<` merges mappings"),
    ("- a", "-", "policy_bad_value", "must be a mapping"),
    ("max_steps: 1\nmax_steps: 2", "max_steps", "policy_syntax", "more than once"),
    ("? [a, b]\n: 1", "[a, b]", "policy_syntax", "A key must be a word"),
    ("allow_tools: [a", "a", "policy_syntax", "This is not YAML"),
    ("max_steps: 1\n\tbounds: {}", "\t", "policy_syntax", "This is not YAML"),
    ("a: \x07", "\x07", "policy_syntax", "U+0007"),
    ("a: *nobody", "*nobody", "policy_syntax", "undefined alias"),
    ("a: &a [*a]", "&a [*a]", "policy_syntax", "contains itself"),
]


@pytest.mark.parametrize(("text", "token", "rule", "words"), MISTAKES, ids=[text for text, *_ in MISTAKES])
def test_a_mistake_is_found_at_its_token(text: str, token: str, rule: str, words: str) -> None:
    (problem,) = read_policy(text).problems
    assert (text[slice(*problem.span)], problem.rule) == (token, rule)
    assert words in problem.message


POINTERS = [
    ("max_step: 3", "/max_step"),
    ("max_steps: many", "/max_steps"),
    ("allow_tools: [a, 5]", "/allow_tools/1"),
    ("bounds: {pay.amount: [1, x]}", "/bounds/pay.amount/1"),
    ("bounds: {pay.amount: [5, 1]}", "/bounds/pay.amount"),
    ("bounds: {'a/b~c': [1, 2]}", "/bounds/a~1b~0c"),
    ("deny_tokens_regex: [x, 'a[']", "/deny_tokens_regex/1"),
    ("gate: {at_most: [{tools: [a], count: x}]}", "/gate/at_most/0/count"),
    ("gate: {max_steps: 1, max_steps: 2}", "/gate/max_steps"),
    ("? [a, b]\n: 1", ""),
    ("allow_tools: [a", ""),
    ("- a", ""),
]


@pytest.mark.parametrize(("text", "pointer"), POINTERS, ids=[text for text, _ in POINTERS])
def test_a_mistake_has_a_pointer_to_its_key_or_value(text: str, pointer: str) -> None:
    (problem,) = read_policy(text).problems
    assert problem.pointer == pointer


def test_what_turns_out_wrong_later_has_a_pointer_too() -> None:
    text = "deny_tokens_regex: [x, (y)+]\nbounds: {a.b: [0, 1]}\n"
    problems = LoadedPolicy("p.yaml", text, read_policy(text)).problems(stopped=["(y)+"], tools=frozenset({"c"}))
    assert [(problem.rule, problem.pointer) for problem in problems] == [
        ("policy_regex_timeout", "/deny_tokens_regex/1"),
        ("policy_unused_bound", "/bounds/a.b"),
    ]


@pytest.mark.parametrize("text", ["", "# later\n", "{}", "bounds:\nmax_steps:\n", "gate: {}", "bounds: {}"])
def test_a_policy_that_says_nothing_has_a_warning(text: str) -> None:
    (problem,) = LoadedPolicy("p.yaml", text, read_policy(text)).problems()
    assert (problem.rule, "has no rules" in problem.message) == ("policy_empty", True)


@pytest.mark.parametrize("text", ["allow_tools: []", "max_steps: 0", "gate: {max_steps: 0}", "gate: {unknown: human}"])
def test_a_policy_that_says_something_has_none(text: str) -> None:
    assert LoadedPolicy("p.yaml", text, read_policy(text)).problems() == []


def test_each_mistake_leaves_the_rest_in_force() -> None:
    """Only a document that is no mapping, or contains itself, has no rest."""
    for text, *_ in MISTAKES:
        if "max_steps" not in text and not text.startswith("-") and "&a" not in text:
            assert read_policy(f"{text}\nmax_steps: 7\n").policy.max_steps == 7, text


def test_of_a_text_that_is_not_yaml_the_other_entries_are_in_force() -> None:
    text = "allow_tools: [a, b\nmax_steps: 7\nbounds:\n  a.b: [1, 2\nfail_risk_threshold: 0.5\n"
    found = read_policy(text)
    assert [(problem.rule, text.count("\n", 0, problem.span.start)) for problem in found.problems] == [
        ("policy_syntax", 0),
        ("policy_syntax", 3),
    ]
    assert (found.policy.max_steps, found.policy.fail_risk_threshold) == (7, 0.5)


def test_an_alias_bomb_is_refused_at_once() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]
    found = read_policy("\n".join(lines))
    assert [problem.rule for problem in found.problems] == ["policy_syntax"]
    assert "aliases expand to more than" in found.problems[0].message


# ---- limits ----------------------------------------------------------------------------------------------------------

DEEP = "This cannot be a policy: it is nested too deeply (more than 100 levels)."
MANY = "This cannot be a policy: it has more than 10,000 values."
LONG = "This policy is too large: more than 500,000 characters."
SOME = "This policy is too large: only its first 21 entries are read."
ENTRIES = "This policy is too large: only its first 200 entries are read."
HOSTILE = {
    "open lists": ("a: " + "[" * 3_000, DEEP, "["),
    "nothing but open lists": ("[" * 20_000, DEEP, "["),
    "lists": ("a: " + "[" * 3_000 + "]" * 3_000, DEEP, "["),
    "open mappings": ("a: " + "{" * 500, DEEP, "{"),
    "mappings": ("a: " + "{b: " * 500 + "1" + "}" * 500, DEEP, "b"),
    "mappings as keys": ("a: " + "{" * 300 + "}" * 300, DEEP, "{"),
    "dashes": ("a:\n  " + "- " * 3_000 + "x", DEEP, "-"),
    "question marks": ("? " * 3_000 + "x", DEEP, "?"),
    "lines, each further in": ("a:\n" + "".join(" " * n + "-\n" for n in range(1, 900)), DEEP, "-"),
    "a long list": ("allow_tools: [" + "a," * 240_000 + "]", MANY, "a"),
    "a long list of lines": ("allow_tools:\n" + "- a\n" * 100_000, MANY, "a"),
    "many keys": ("".join(f"k{n}: 1\n" for n in range(40_000)), ENTRIES, "k"),
    "many broken keys": ("".join(f"k{n}: [\n" for n in range(40_000)), ENTRIES, "k"),
    "a repeated key": ("a: 1\n" * 80_000, ENTRIES, "a"),
    "many long entries": ("".join(f"k{n}: [{', '.join(['a'] * 800)}]\n" for n in range(200)), SOME, "k"),
    "many long broken entries": ("".join(f"k{n}: [{', '.join(['a'] * 800)}\n" for n in range(200)), SOME, "k"),
    "a long text": ("x" * 500_001, LONG, "x"),
}


@pytest.mark.parametrize(("text", "message", "token"), HOSTILE.values(), ids=HOSTILE)
def test_what_is_too_much_is_refused_at_its_place(text: str, message: str, token: str) -> None:
    started = time.process_time()
    problems = read_policy(text).problems
    assert time.process_time() - started < 2.5
    found = [problem for problem in problems if problem.message == message]
    assert [(problem.rule, text[slice(*problem.span)]) for problem in found] == [("policy_syntax", token)]


@pytest.mark.parametrize("entry", ["a: " + "[" * 3_000 + "]" * 3_000, "allow_tools: [" + "a," * 40_000 + "]"])
def test_what_is_too_much_leaves_the_rest_in_force(entry: str) -> None:
    found = read_policy(f"{entry}\nmax_steps: 7\n")
    assert (len(found.problems), found.policy.max_steps) == (1, 7)


@pytest.mark.parametrize(
    "text",
    [
        "\t" * 400_000,
        "\0" * 400_000,
        "".join(chr(number % 256) for number in range(400_000)),
        "'" * 400_001,
        "---\n" * 100_000,
        "%" * 400_000,
        '"' + "a" * 100_000 + '": 1\n',
        "? " + "a" * 100_000 + "\n: 1\n",
        "max_steps: " + "9" * 400_000,
        "max_steps: " + ":".join(["59"] * 100_000),
        f"bounds: {{a.b: [0, {'9' * 400}]}}",
        f"deny_tokens_regex: ['{'(' * 900}a{')' * 900}']",
        "deny_tokens_regex: ['(?i)" + r"[\x00-\U0010ffff]" * 50 + "']",
    ],
)
def test_a_text_made_to_be_slow_has_a_short_problem(text: str) -> None:
    started = time.process_time()
    (problem,) = read_policy(text).problems
    assert time.process_time() - started < 10
    assert len(problem.message) < 300


def test_the_limits_are_inclusive() -> None:
    assert read_policy("gate: " + "[" * 100 + "]" * 100).problems[0].rule == "policy_bad_value"
    assert len(read_policy(f"allow_tools: [{'a,' * 9_997}]").policy.allow_tools or ()) == 9_997
    assert read_policy(f"allow_tools: [{'a,' * 9_998}]").problems[0].message == MANY
    assert read_policy("#" * 500_000).problems == ()


def test_patterns_are_limited_in_number() -> None:
    text = f"deny_tokens_regex: [{', '.join(f'x{number}' for number in range(202))}]"
    found = read_policy(text)
    assert len(found.policy.deny_tokens_regex) == 200
    assert [(problem.rule, problem.message, text[slice(*problem.span)]) for problem in found.problems] == [
        ("policy_bad_regex", "Only the first 200 patterns are used: join some of them with `|`.", "x200")
    ]


def test_a_dict_that_contains_itself_is_no_policy() -> None:
    policy: dict[str, object] = {}
    policy["gate"] = policy
    with pytest.raises(ValueError, match="nested"):
        policy_of(policy)


def test_anchors_and_merged_keys_are_understood() -> None:
    text = "bounds:\n  a.x: &limit [0, 5]\n  b.x: *limit\ngate: {<<: {max_steps: 3}, not_first: [a]}\n"
    found = read_policy(text)
    assert found.problems == ()
    assert found.policy.bounds == (Bound("a.x", 0, 5), Bound("b.x", 0, 5))
    assert (found.policy.gate.max_steps, found.policy.gate.not_first) == (3, ("a",))


def test_nothing_in_a_policy_is_run() -> None:
    found = read_policy("max_steps: !!python/object/apply:os.system ['exit 1']\n")
    assert [problem.rule for problem in found.problems] == ["policy_bad_value"]


def test_several_files_are_read_as_one() -> None:
    one = read_policy("allow_tools: [a]\nmax_steps: 9\ngate: {blocked_tools: [x], max_steps: 80}\n")
    two = read_policy("allow_tools: [b, a]\nmax_steps: 5\nrequire_handlers: true\ngate: {blocked_tools: [y]}\n")
    policy = joined([one, two])
    assert (policy.allow_tools, policy.max_steps, policy.require_handlers) == (("a",), 5, True)
    assert (policy.gate.blocked_tools, policy.gate.max_steps) == (("x", "y"), 80)


def test_the_digest_names_the_content() -> None:
    assert read_policy("max_steps: 5").policy.digest == read_policy("# same\nmax_steps:   5").policy.digest
    assert read_policy("max_steps: 5").policy.digest != read_policy("max_steps: 6").policy.digest
    assert policy_of({"max_steps": 5}).policy.digest == read_policy("max_steps: 5").policy.digest
