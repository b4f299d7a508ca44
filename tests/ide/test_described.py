"""Policies and configurations in the editor: hover, completion, symbols, fixes of misspellings, names of tools."""

from __future__ import annotations

import random
import re

import pytest

from ide.described import (
    PLAN,
    configuration,
    configuration_hover,
    configuration_items,
    cut,
    known,
    policy,
    policy_hover,
    policy_items,
)
from ide.marks import expected, marked
from plancheck.analysis.engine import analyze
from plancheck.ide.described.file import DescribedFile
from plancheck.ide.described.fixes import Misspelling, spelling_fixes
from plancheck.ide.described.rename import check_new_name, renamed_in_plan, renamed_in_policy, tool_in_plan
from plancheck.ide.described.symbols import symbols_in
from plancheck.ide.described.tools import arguments_bounded_by, calls_of, mention_at, mentions_of
from plancheck.ide.navigate import RenameError
from plancheck.ide.offers import Completion
from plancheck.ide.symbols import Symbol
from plancheck.policy.reading import read_policy
from plancheck.text import Edit, Span, apply_edits
from plancheck.workspace.config import parse_config

POLICY_KEYS = [
    *("allow_tools", "bounds", "deny_tokens_regex", "max_steps", "risk_weights", "fail_risk_threshold"),
    *("require_handlers", "tools", "gate", "allow_writes", "allow_scope", "recipients"),
]
TOOLS = ["crm.find", "payments.transfer", "look"]
ARGUMENTS = [
    *("crm.find.name", "crm.find.filter", "crm.find.filter.since", "payments.transfer.amount", "look.x"),
]


def labels(items: list[Completion]) -> list[str]:
    assert [item.sort_key for item in items] == sorted(item.sort_key for item in items)
    return [item.label for item in items]


def taken(text: str, items: list[Completion], label: str) -> str:
    """The text after an item was taken, tab stops as they are."""
    item = next(item for item in items if item.label == label)
    plain, offset = cut(text)
    assert item.span.start <= offset <= item.span.end
    assert "\n" not in plain[item.span.start : item.span.end]
    return apply_edits(plain, [Edit(*item.span, item.insert_text)])


# ---- completion in policies ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "offered"),
    [
        ("$0", POLICY_KEYS),
        ("allow_tools: [crm.find]\n$0", POLICY_KEYS[1:]),
        ("$0\nallow_tools: [crm.find]\nbounds: {}\n", POLICY_KEYS[2:]),
        ("al$0: [crm.find]\nbounds: {}\n", [POLICY_KEYS[0], *POLICY_KEYS[2:]]),
        ("allow_tools: [$0]", TOOLS),
        ("allow_tools: [crm.find, $0", TOOLS[1:]),
        ("allow_tools: [crm.find, lo$0ok]\n", TOOLS[1:]),
        ("allow_tools: [\n  crm.find,\n  $0\n]\n", TOOLS[1:]),
        ("allow_tools: [crm.find, $0\nbounds:\n  a.b: [0, 1]\n", TOOLS[1:]),
        ("allow_tools:\n- look\n- $0\n", TOOLS[:2]),
        ("allow_tools:\n  $0", TOOLS),
        ("allow_tools: $0", TOOLS),
        ("allow_tools:$0", TOOLS),
        ("bounds:\n  $0\n", ARGUMENTS),
        ("bounds:\n  look.x: [0, 1]\n  pay$0\n", ARGUMENTS[:4]),
        ("bounds:\n  pay$0\n  look.x: [0, 1]\n", ARGUMENTS[:4]),
        ("bounds: {$0}", ARGUMENTS),
        ("bounds: {look.x: [0, 1], $0}", ARGUMENTS[:4]),
        ("bounds:\n  look.x: [$0, 1]", []),
        ("recipients: {$0", ARGUMENTS),
        ("gate: {needs_human: {$0}}", ARGUMENTS),
        ("tools: {$0}", TOOLS),
        ("tools:\n  look:\n    does: re$0", ["read", "query", "write", "delete", "destructive", "pay", "send", "exec",
                                             "sql", "http", "file", "approval", "other"]),
        ("tools:\n  look: {source: [private, $0]}", ["untrusted"]),
        ("tools:\n  look:\n    source: $0", ["private", "untrusted"]),
        ("gate:\n  unknown: $0", ["human", "deny"]),
        ("gate:\n  security_warnings: $0", ["allow", "human", "deny"]),
        ("gate:\n  at_most:\n    - $0", ["tools", "count"]),
        ("gate:\n  at_most:\n    - count: 3\n      $0", ["tools"]),
        ("gate:\n  required: [{tools: [look], $0}]", ["before"]),
        ("gate:\n  required: [{tools: [look], before: [$0", TOOLS),
        ("require_handlers: $0", ["true", "false"]),
        ("max_steps: $0", []),
        ("# $0", []),
        ("allow_tools: [] # $0", []),
        ("deny_tokens_regex:\n  - |\n    al$0\n", []),
        ("nothing:\n  $0", []),
    ],
)  # fmt: skip
def test_what_can_be_typed_in_a_policy(text: str, offered: list[str]) -> None:
    assert labels(policy_items(text)) == offered


@pytest.mark.parametrize(
    ("text", "label", "after"),
    [
        ("bou$0", "bounds", "bounds:\n  $1"),
        ("allow$0", "allow_tools", "allow_tools: [$1]"),
        ("allow_t$0: [look]", "allow_tools", "allow_tools: [look]"),
        ("'allow_t$0': [look]", "allow_tools", "'allow_tools': [look]"),
        ("allow_tools: $0", "look", "allow_tools: [look]"),
        ("allow_tools:\n  lo$0", "look", "allow_tools:\n  - look"),
        ("allow_tools:\n  - lo$0", "look", "allow_tools:\n  - look"),
        ('allow_tools: ["lo$0]', "look", 'allow_tools: ["look"]'),
        ("allow_tools: ['lo$0', crm.find]", "look", "allow_tools: ['look', crm.find]"),
        ("bounds:\n  pay$0", "payments.transfer.amount", "bounds:\n  payments.transfer.amount: [${1:0}, ${2:1000}]"),
        ("bounds: {pay$0: [0, 1]}", "payments.transfer.amount", "bounds: {payments.transfer.amount: [0, 1]}"),
        ("gate: {$0}", "needs_human", "gate: {needs_human: {$1}}"),
        ("gate:\n  unknown: h$0 # why", "human", "gate:\n  unknown: human # why"),
    ],
)
def test_what_a_policy_is_after_an_item_was_taken(text: str, label: str, after: str) -> None:
    assert taken(text, policy_items(text), label) == after


def test_a_tool_of_another_spelling_is_quoted() -> None:
    plan = PLAN.replace('"crm.find"', '"on"').replace('"payments.transfer"', '"a: b"')
    text = "allow_tools: [$0]"
    items = policy_items(text, known(plan, tools=""))
    assert [item.insert_text for item in items] == ['"a: b"', '"on"']


def test_items_say_what_they_are() -> None:
    item = next(item for item in policy_items("$0") if item.label == "bounds")
    assert item.detail == "a table of `tool.argument: [lowest, highest]`"
    assert item.documentation.startswith("**`bounds`**\n\nThe numbers that arguments may be")
    used, described = (item for item in policy_items("allow_tools: [crm.find, $0]"))
    assert (used.detail, described.detail) == ("used by 1 plan", "in the catalogue")
    assert "Looks closely." in described.documentation


# ---- completion in configurations ------------------------------------------------------------------------------------

CONFIG_KEYS = [
    *("include", "exclude", "rules", "overrides", "policy", "rego-package", "tools", "max-findings", "max-file-size"),
    *("dialect", "inline-ignores", "profile", "baseline", "fail-on", "extend"),
]
SEVERITIES = ["error", "warning", "info", "hint", "off"]


@pytest.mark.parametrize(
    ("text", "offered"),
    [
        ("$0", CONFIG_KEYS),
        ("pro$0\ninclude = []\n", CONFIG_KEYS[1:]),
        ("profile = $0", ["recommended", "strict", "security"]),
        ('profile = "st$0', ["recommended", "strict", "security"]),
        ('inline-ignores = "$0"\n[rules]\n', ["advice", "all", "none"]),
        ("dialect = $0", ["declared", "steps", "trace", "calls"]),
        ("[$0]", ["rules"]),
        ("[[$0]]", ["overrides"]),
        ("[rules]\nscope_deny = $0", SEVERITIES),
        ("rules.scope_deny = '$0'", SEVERITIES),
        ("rules = {scope_deny = $0}", SEVERITIES),
        ("[rules.parallel_write_race]\n$0", ["severity", "related"]),
        ("[rules]\nparallel_write_race = {severity = 'off', $0}", ["related"]),
        ("[rules.scope_deny]\nseverity = $0", SEVERITIES),
        ("[[overrides]]\nfiles = []\n$0", ["rules", "dialect"]),
        ("overrides = [{rules = {}, $0}]", ["files", "dialect"]),
        ("max-findings = $0", []),
        ("include = ['$0']", []),
        ("# $0", []),
        ('profile = """\nst$0\n"""', []),
    ],
)
def test_what_can_be_typed_in_a_configuration(text: str, offered: list[str]) -> None:
    assert labels(configuration_items(text)) == offered


def test_rules_are_offered_that_are_not_there_yet() -> None:
    found = labels(configuration_items("[rules]\nscope_deny = 'off'\nred$0\n"))
    assert "redundant_edge" in found
    assert "scope_deny" not in found


@pytest.mark.parametrize(
    ("text", "label", "after"),
    [
        ("pro$0", "profile", 'profile = "$1"'),
        ("ru$0", "rules", "[rules]\n$0"),
        ("ov$0", "overrides", "[[overrides]]\n$0"),
        ("max-f$0", "max-findings", "max-findings = $1"),
        ("[r$0]\n", "rules", "[rules]\n"),
        ("[rules]\nredundant_ed$0 = 'off'", "redundant_edge", "[rules]\nredundant_edge = 'off'"),
        ("profile = $0", "strict", 'profile = "strict"'),
        ("profile = 'st$0'", "strict", "profile = 'strict'"),
        ('profile = "st$0', "strict", 'profile = "strict"'),
    ],
)
def test_what_a_configuration_is_after_an_item_was_taken(text: str, label: str, after: str) -> None:
    assert taken(text, configuration_items(text), label) == after


# ---- hover -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "allow_to$0ols: []",
            ["**`allow_tools`**", "`[]` allows none.", "It is a list of tools.", "Without it: every"],
        ),
        ("max_steps: $05", ["**`max_steps`**", "Without it: 100."]),
        ("allow_tools: [crm.fi$0nd]", ["**`crm.find`**: used by 1 plan.", "From `tools.json`", "**`allow_tools`**"]),
        ("allow_tools: [lo$0ok]", ["**`look`**: no plan uses it.", "Looks closely."]),
        ("allow_tools: [gone$0]", ["**`gone`**: no plan uses it.", "It is not in the catalogue of tools."]),
        ("tools: {look: re$0ad}", ["**`read`**", "It only reads"]),
        ("tools: {lo$0ok: read}", ["**`look`**", "Looks closely.", "It is a word, a list of words, or a table."]),
        ("gate: {unknown: hu$0man}", ["**`human`**", "A human must look.", "Without it: `human`."]),
        (
            "bounds: {pay$0ments.transfer.amount: [0.5, 10]}",
            ["must be from `0.5` to `10`.", "- the argument `amount` of `payments.transfer`, which 1 plan uses"],
        ),
        ("bounds: {payments.transfer.amount: [0.5, 1$00]}", ["the argument `amount` of `payments.transfer`"]),
        ("bounds: {a.b$0: [0, 1]}", ["No plan and no catalogue has a tool that `a.b` could be about."]),
        ("recipients: {lo$0ok.x: ['*@x.org']}", ["**`look.x`** may be `*@x.org`.", "the argument `x` of `look`"]),
        ("gate: {needs_human: {loo$0k.x: 3}}", ["**`look.x`** needs a human above `3`."]),
        ("risk_weights: {tool_$0deny: 1}", ["**`tool_deny`**", "A tool is used that the policy does not allow"]),
        ("bounds:\n  look.x: [0, 1]\nallow_to$0ols: [\n", ["**`allow_tools`**"][:0]),
    ],
)
def test_hover_in_a_policy(text: str, parts: list[str]) -> None:
    page = policy_hover(text)
    assert [part for part in parts if part not in page] == []
    assert bool(page) == bool(parts)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("pro$0file = 'strict'", ["**`profile`**", "- `strict`: every rule", "Without it: `recommended`."]),
        ("profile = 'str$0ict'", ["**`strict`**", "Every rule", "**`profile`**"]),
        ("[ru$0les]\n", ["**`rules`**", "It is a table of rules and severities."]),
        ("[rules]\nscope_de$0ny = 'off'", ["**Rule** `scope_deny`", "By default it is `error`."]),
        ("[rules]\nscope_deny = 'of$0f'", ["**`off`**", "The rule is switched off."]),
        ("rules = {parallel_write_race = {rel$0ated = 3}}", ["**`related`**", "Without it: 10."]),
        ("[rules]\nnothing$0 = 'off'", ["Unknown rule `nothing`."]),
    ],
)
def test_hover_in_a_configuration(text: str, parts: list[str]) -> None:
    page = configuration_hover(text)
    assert [part for part in parts if part not in page] == []


def test_nobodys_text_becomes_a_link() -> None:
    page = policy_hover("bounds: {'[x](http://y).z$0': [0, 1]}")
    assert re.search(r"(?<!`)\[x\]\(http", page) is None


# ---- fixes -----------------------------------------------------------------------------------------------------------


def fixed(text: str, wrong: list[Misspelling], offset: int) -> list[tuple[str, str]]:
    found = spelling_fixes(text, wrong, Span(offset, offset))
    return [(fix.title, apply_edits(text, [fix.edit])) for fix in found]


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("alow_to$0ols: [look]", "allow_tools: [look]"),
        ("'alow_to$0ols': [look]", "'allow_tools': [look]"),
        ("gate: {not_fr$0ist: [look]}", "gate: {not_first: [look]}"),
        ("gate: {unknown: hum$0ann}", "gate: {unknown: human}"),
        ('gate: {unknown: "hum$0ann"}', 'gate: {unknown: "human"}'),
        ("tools: {look: delte$0}", "tools: {look: delete}"),
        ("risk_weights: {tol_de$0ny: 1}", "risk_weights: {tool_deny: 1}"),
        ("gate: {at_most: [{tols$0: [look], count: 1}]}", "gate: {at_most: [{tools: [look], count: 1}]}"),
        ("allow_tools: [look$0]", None),
        ("quite_something_else$0: 1", None),
    ],
)
def test_a_misspelling_in_a_policy_is_put_right(text: str, after: str | None) -> None:
    text, offset = cut(text)
    wrong = [Misspelling(p.span, p.message, p.meant) for p in read_policy(text).problems if p.meant]
    assert [found for _, found in fixed(text, wrong, offset)] == ([after] if after else [])
    if after:
        assert not [p for p in read_policy(after).problems if p.meant]


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("profil$0 = 'strict'", "profile = 'strict'"),
        ("profile = 'stict$0'", "profile = 'strict'"),
        ("dialect = 'step$0'", "dialect = 'steps'"),
        ("[rules]\nscope_denny$0 = 'off'", "[rules]\nscope_deny = 'off'"),
        ('[rules]\nscope_deny = "eror$0"', '[rules]\nscope_deny = "error"'),
        ("[rules.parallel_write_race]\nrelatd$0 = 3", "[rules.parallel_write_race]\nrelated = 3"),
        ("[[overrides]]\nfile$0 = ['a']\nrules = {}", "[[overrides]]\nfiles = ['a']\nrules = {}"),
        ("[rules]\nscope_deny = 'loud$0'", None),
    ],
)
def test_a_misspelling_in_a_configuration_is_put_right(text: str, after: str | None) -> None:
    text, offset = cut(text)
    wrong = [Misspelling(Span(p.start, p.end), p.message, p.meant) for p in parse_config(text)[1] if p.meant]
    assert [found for _, found in fixed(text, wrong, offset)] == ([after] if after else [])


# ---- symbols ---------------------------------------------------------------------------------------------------------


def tree(symbols: tuple[Symbol, ...] | list[Symbol], depth: int = 0) -> list[str]:
    lines: list[str] = []
    for symbol in symbols:
        assert symbol.span.start <= symbol.selection.start <= symbol.selection.end <= symbol.span.end
        assert all(symbol.span.start <= c.span.start and c.span.end <= symbol.span.end for c in symbol.children)
        lines.append(f"{'  ' * depth}{symbol.name} ({symbol.kind.value}) {symbol.detail}".rstrip())
        lines += tree(symbol.children, depth + 1)
    return lines


def test_symbols_of_a_policy() -> None:
    text = (
        "allow_tools: [a, b]\nbounds:\n  a.x: [0, 1]\ngate:\n  max_steps: 3\n  at_most:\n    - {tools: [a], count: 2}\n"
    )
    assert tree(symbols_in(policy(text))) == [
        "allow_tools (setting) 2 entries",
        "bounds (section)",
        "  a.x (limit) [0, 1]",
        "gate (section)",
        "  max_steps (setting) 3",
        "  at_most (setting) 1 entry",
        "    1 (section)",
        "      tools (setting) 1 entry",
        "      count (setting) 2",
    ]


def test_symbols_of_a_configuration() -> None:
    text = "profile = 'strict'\n[rules]\nscope_deny = 'off'\n[[overrides]]\nfiles = ['x']\n"
    text += "[rules.parallel_write_race]\nrelated = 3\n"
    assert tree(symbols_in(configuration(text))) == [
        "profile (setting) strict",
        "rules (section)",
        "  scope_deny (rule) off",
        "  parallel_write_race (rule)",
        "    related (setting) 3",
        "overrides (setting) 1 entry",
        "  1 (section)",
        "    files (setting) 1 entry",
    ]


# ---- tools by their names --------------------------------------------------------------------------------------------

NAMED = """
    allow_tools: [crm.find, "payments.transfer", payments]
    bounds:
      payments.transfer.amount: [0, 1]
      payments.transfers.amount: [0, 1]
    tools: {payments.transfer: pay}
    gate:
      needs_human: {payments.transfer.amount: 3}
      required: [{tools: [crm.find], before: [payments.transfer]}]
"""


def test_where_a_policy_names_a_tool() -> None:
    text = expected(NAMED)
    spans = [found.span for found in mentions_of(policy(text), "payments.transfer")]
    assert marked(text, spans) == expected("""
        allow_tools: [crm.find, "«payments.transfer»", payments]
        bounds:
          «payments.transfer».amount: [0, 1]
          payments.transfers.amount: [0, 1]
        tools: {«payments.transfer»: pay}
        gate:
          needs_human: {«payments.transfer».amount: 3}
          required: [{tools: [crm.find], before: [«payments.transfer»]}]
    """)


@pytest.mark.parametrize(
    ("text", "tool"),
    [
        ("allow_tools: [crm.fi$0nd]", "crm.find"),
        ("bounds: {payments.tr$0ansfer.amount: [0, 1]}", "payments.transfer"),
        ("bounds: {payments.transfer.am$0ount: [0, 1]}", None),
        ("bounds: {un.kn$0own.x: [0, 1]}", "un.known"),
        ("max_st$0eps: 3", None),
        ("allow_writes: [crm.fi$0nd]", None),
    ],
)
def test_the_tool_under_the_cursor(text: str, tool: str | None) -> None:
    text, offset = cut(text)
    found = mention_at(policy(text), offset, known())
    assert (found.tool if found is not None else None) == tool


def test_the_arguments_that_a_bound_is_about() -> None:
    plan = PLAN.replace('{"since": 3}', '{"since": [{"x": 1}, {"x": 2}]}')
    snapshot = analyze(plan)
    spans = arguments_bounded_by(snapshot, "payments.transfer.amount")
    assert marked(plan, spans) == plan.replace('"amount"', '«"amount"»')
    spans = arguments_bounded_by(snapshot, "crm.find.filter.since.x")
    assert marked(plan, spans) == plan.replace('"x": 1', '«"x"»: 1').replace('"x": 2', '«"x"»: 2')
    assert arguments_bounded_by(snapshot, "gone.x") == []


# ---- renaming a tool -------------------------------------------------------------------------------------------------


def renamed(text: str, tool: str, new: str, *others: str) -> str:
    file: DescribedFile = policy(expected(text))
    return apply_edits(file.text, renamed_in_policy(file, tool, new, others))


def test_a_tool_is_renamed_wherever_a_policy_names_it() -> None:
    assert renamed(NAMED, "payments.transfer", "bank.pay", "crm.find") == expected(NAMED).replace(
        "payments.transfer.", "bank.pay."
    ).replace('"payments.transfer"', '"bank.pay"').replace("payments.transfer:", "bank.pay:").replace(
        "[payments.transfer]", "[bank.pay]"
    )


def test_a_name_that_means_something_else_in_yaml_is_quoted() -> None:
    assert renamed("allow_tools: [a, 'b', \"a\"]", "a", "on") == 'allow_tools: ["on", \'b\', "on"]'
    assert renamed("bounds: {a.x: [0, 1]}", "a", "b c") == 'bounds: {"b c.x": [0, 1]}'


def test_what_stands_behind_an_alias_is_renamed_once() -> None:
    text = "allow_tools: &all [a, &b b]\ngate: {not_first: *all, blocked_tools: [*b]}\n"
    assert renamed(text, "b", "c") == text.replace("&b b", "&b c")


@pytest.mark.parametrize(
    ("text", "new", "message"),
    [
        ("bounds: {a.b.x: [0, 1]}", "c", "`a.b.x` is about the tool `a`, too: rename it by hand."),
        (
            "bounds: {a.b.x: [0, 1], c.x: [0, 1]}",
            "c",
            "Line 1 of a policy: there is `c.x` already. Make one of the two.",
        ),
        ("bounds: {a.b.x: [0, 1]}", "c[0]", "`c[0].x` would be the key of a bound, and it has `[` in it"),
        ("allow_tools:\n- |-\n  a.b\n", "c", "Line 2 of a policy writes `a.b` in another way: rename it by hand."),
        ('allow_tools: ["a\\u002eb"]', "c", "Line 1 of a policy writes `a.b` in another way: rename it by hand."),
    ],
)
def test_what_cannot_be_renamed_is_refused(text: str, new: str, message: str) -> None:
    others = ["a"] if "too" in message else []
    with pytest.raises(RenameError, match=re.escape(message)):
        renamed(text, "a.b", new, *others)


@pytest.mark.parametrize("new", ["", "  ", "*", "---"])
def test_not_everything_is_the_name_of_a_tool(new: str) -> None:
    with pytest.raises(RenameError, match="cannot be the name of a tool"):
        check_new_name(new)


def test_a_tool_is_renamed_wherever_a_plan_calls_it() -> None:
    plan = PLAN.replace("]}", ',\n  {"id": "b", "tool": "crm\\u002efind", "args": {"text": "crm.find"}}\n]}', 1)
    snapshot = analyze(plan)
    assert [plan[span.start : span.end] for _, span in calls_of(snapshot, "crm.find")] == [
        '"crm.find"',
        '"crm\\u002efind"',
    ]
    after = apply_edits(plan, renamed_in_plan(snapshot, "crm.find", "crm.search"))
    assert after == plan.replace('"tool": "crm.find"', '"tool": "crm.search"').replace(
        '"crm\\u002efind"', '"crm.search"'
    )


def test_the_tool_of_a_step_can_be_renamed_and_its_name_cannot_by_that() -> None:
    text, offset = cut(PLAN.replace("crm.find", "crm.fi$0nd", 1))
    found = tool_in_plan(analyze(text), offset)
    assert found is not None
    assert (text[found.span.start : found.span.end], found.placeholder) == ("crm.find", "crm.find")
    text, offset = cut(PLAN.replace('"find"', '"fi$0nd"', 1))
    assert tool_in_plan(analyze(text), offset) is None


# ---- anything at all -------------------------------------------------------------------------------------------------

PIECES = [
    "[",
    "]",
    "{",
    "}",
    ":",
    ",",
    "\n",
    "  ",
    "\t",
    "- ",
    "'",
    '"',
    "#",
    "&a ",
    "*a",
    "|",
    "=",
    "[[",
    "é😀",
    "\r\n",
    "a.b",
]


def test_no_text_is_too_strange() -> None:
    chance = random.Random(7)
    base = expected(NAMED)
    toml = "profile = 'strict'\n[rules]\nscope_deny = 'off'\n[[overrides]]\nfiles = ['x']\n"
    for _ in range(120):
        for text, hover, items, read in (
            (base, policy_hover, policy_items, policy),
            (toml, configuration_hover, configuration_items, configuration),
        ):
            for _ in range(chance.randint(1, 4)):
                at = chance.randint(0, len(text))
                text = text[:at] + chance.choice(PIECES) + text[at + chance.randint(0, 3) :]
            at = chance.randint(0, len(text))
            with_cursor = text[:at] + "$0" + text[at:]
            hover("|" + with_cursor if with_cursor.startswith((" ", "\n")) else with_cursor)
            for item in items(with_cursor):
                assert item.insert_text
            file = read(text)
            symbols_in(file)
            for thing in file.names():
                assert not thing.is_plain or text[thing.span.start : thing.span.end] == thing.name


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        "allow_tools: [" + "a, " * 100_000,
        "{" * 50_000 + "a: " * 50_000,
        "\n" * 300_000,
        "- " * 100_000,
        "a: b\n" * 40_000,
        "x" * 1_000_000,
        "'" * 400_000,
        "a: &a [*a]\n",
        "a: &a [1]\nb: &b [*a, *a]\nc: [*b, *b]\n" + "\t\tx\n" * 1000,
        ": " * 100_000,
        "\\" * 200_000 + '"',
    ],
    ids=range(12),
)
def test_large_and_hostile_texts_are_answered(text: str) -> None:
    for offset in (0, len(text) // 2, len(text)):
        with_cursor = text[:offset] + "$0" + text[offset:]
        policy_items(with_cursor)
        configuration_items(with_cursor)
