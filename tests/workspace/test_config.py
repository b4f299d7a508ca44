"""The configuration: what it says, and what is said about mistakes in it, exactly where they are."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plancheck.analysis.finding import Severity
from plancheck.analysis.settings import Profile
from plancheck.workspace.config import Config, has_section, parse_config
from plancheck.workspace.config_model import RuleChoices


def problems(text: str, is_pyproject: bool = False) -> list[tuple[str, str]]:
    """What is complained about, and the text it is said at."""
    return [(text[p.start : p.end], p.message) for p in parse_config(text, is_pyproject)[1]]


GOOD = """
include = ["plans/**/*.json"]
exclude = ["plans/old"]
policy = ["policy.yaml"]
max-findings = 7
max-file-size = 1000

[rules]
unknown_key = "off"
write_with_no_prior_read = "error"

[[overrides]]
files = ["plans/legacy/**"]
rules = { write_with_no_prior_read = "hint" }

[[overrides]]
files = ["*.draft.json"]
[overrides.rules]
write_with_no_prior_read = "off"
unknown_key = "info"
"""


def test_a_good_file_says_what_it_says() -> None:
    config, found = parse_config(GOOD)
    assert found == []
    assert config.include == ("plans/**/*.json",)
    assert config.policy == ("policy.yaml",)
    settings = config.settings_for("plans/a.json")
    assert (settings.max_findings, settings.max_file_size) == (7, 1000)
    assert settings.severity("unknown_key") is None
    assert settings.severity("write_with_no_prior_read") is Severity.ERROR
    assert settings.severity("scope_vs_snapshot") is Severity.WARNING


def test_later_overrides_win() -> None:
    config, _ = parse_config(GOOD)
    assert config.settings_for("plans/legacy/a.json").severity("write_with_no_prior_read") is Severity.HINT
    both = config.settings_for("plans/legacy/deep/a.draft.json")
    assert both.severity("write_with_no_prior_read") is None
    assert both.severity("unknown_key") is Severity.INFO


def test_which_files_are_plans() -> None:
    config, _ = parse_config(GOOD)
    names = ["plans/a.json", "plans/x/y/a.json", "plans/old/a.json", "a.json", "plans/a.yaml"]
    assert [name for name in names if config.is_plan(name)] == ["plans/a.json", "plans/x/y/a.json"]
    assert [n for n in ("a.plan.json", "x/y/a.plan.json", "a.json", "a.plan.json5") if Config().is_plan(n)] == [
        "a.plan.json",
        "x/y/a.plan.json",
    ]


def test_pyproject_holds_it_under_tool_plancheck() -> None:
    text = '[project]\nname = "x"\n[tool.plancheck]\nmax-findings = 3\ninclud = []\n'
    config, _ = parse_config(text, is_pyproject=True)
    assert config.max_findings == 3
    assert problems(text, True) == [("includ", "`includ` is not a setting of plancheck: did you mean `include`?")]
    assert parse_config('[tool.other]\nx = 1\nrules = "y"\n', is_pyproject=True) == (Config(), [])


MISTAKES = [
    ("Include = []", "Include", "`Include` is not a setting of plancheck: did you mean `include`?"),
    (
        "colour = 1",
        "colour",
        "`colour` is not a setting of plancheck: there are `include`, `exclude`, `rules`, `overrides`, `policy`, "
        "`rego-package`, `tools`, `max-findings`, `max-file-size`, `dialect`, `inline-ignores`, `profile`, `baseline`, "
        "`fail-on` and `extend`.",
    ),
    ('include = "x"', '"x"', "`include` must be a list of globs, not a string."),
    ('include = ["a", 1]', "1", "Each entry of `include` must be a glob, not a number."),
    ('exclude = ["/abs"]', '"/abs"', "The glob `/abs` must be relative to the folder of this file."),
    ('exclude = ["../x"]', '"../x"', "The glob `../x` must not lead out of the folder of this file."),
    ('exclude = [""]', '""', "The glob `` is empty."),
    ('exclude = ["{a{b}"]', '"{a{b}"', "The glob `{a{b}` cannot be understood."),
    ('policy = [" "]', '" "', "An entry of `policy` is empty: name a file."),
    ("max-findings = 0", "0", "`max-findings` must be a whole number above zero, not 0."),
    ("max-findings = true", "true", "`max-findings` must be a whole number above zero, not true."),
    ('max-file-size = "1 MB"', '"1 MB"', "`max-file-size` must be a whole number above zero, not a string."),
    ('dialect = "nodes"', '"nodes"', '`dialect` must be "declared", "steps", "trace" or "calls", not `nodes`.'),
    ("dialect = 1", "1", '`dialect` must be "declared", "steps", "trace" or "calls", not a number.'),
    ("rules = []", "[]", "`rules` must be a table of rule names and severities, not a list."),
    (
        '[rules]\nunknown_kye = "off"',
        "unknown_kye",
        "Unknown rule `unknown_kye`: did you mean `unknown_key`?",
    ),
    ('[rules]\n"x y" = "off"', '"x y"', "Unknown rule `x y`: `plancheck rules` lists them."),
    (
        '[rules]\nunknown_key = "warn"',
        '"warn"',
        'Unknown severity `warn`: use "error", "warning", "info", "hint" or "off".',
    ),
    (
        "rules.unknown_key = false",
        "false",
        'The severity of `unknown_key` must be "error", "warning", "info", "hint" or "off", not false.',
    ),
    ('fail-on = "loud"', '"loud"', '`fail-on` must be "error", "warning", "info", "hint" or "never", not `loud`.'),
    ("fail-on = 2", "2", '`fail-on` must be "error", "warning", "info", "hint" or "never", not a number.'),
    ("extend = []", "[]", "`extend` must be the path of a configuration file, not a list."),
    ("overrides = 1", "1", "`overrides` must be a list of tables (`[[overrides]]`), not a number."),
    ("overrides = [3]", "3", "Each entry of `overrides` must be a table, not a number."),
    (
        '[[overrides]]\nfile = ["x"]\nfiles = ["x"]\nrules = {}',
        "file",
        "`file` is not a key of an override: did you mean `files`?",
    ),
    (
        "[[overrides]]\nrules = {}\n",
        "[[overrides]]",
        "This override has no `files`: name the files that it is about.",
    ),
    ('[[overrides]]\nfiles = ["x"]\n', "[[overrides]]", "This override has no `rules`: say what changes for them."),
]


@pytest.mark.parametrize(("text", "at", "message"), MISTAKES)
def test_one_mistake_is_reported_at_its_place_and_the_rest_applies(text: str, at: str, message: str) -> None:
    assert problems(text) == [(at, message)]
    text = f"max-findings = 9\n{text}" if "max-findings" not in text else f'exclude = ["q"]\n{text}'
    config, found = parse_config(text)
    assert [text[p.start : p.end] for p in found] == [at]
    assert config.max_findings == 9 or config.exclude == ("q",)


@pytest.mark.parametrize(
    ("text", "line", "kept"),
    [
        ("max-findings = 9\ninclude = nope\nmax-file-size = 5\n", 2, {"max_findings": 9, "max_file_size": 5}),
        ("max-findings = 9\ninclude = [\n", 2, {"max_findings": 9}),
        ("max-findings = 9\nmax-findings = 8\n", 2, {"max_findings": 9}),
        ('max-findings = 9\n[rules\nunknown_key = "off"\n', 2, {"max_findings": 9, "rules": RuleChoices()}),
        ('max-findings = 9\n[rules\nx = 1\n[[overrides]]\nfiles=["a"]\nrules={}\n', 2, {"max_findings": 9}),
        ("max-findings = 9\r\n= 4\r\nmax-file-size = 5\r\n", 2, {"max_findings": 9, "max_file_size": 5}),
        ('exclude = ["""x"]\nmax-findings = 9\n', 1, {}),
    ],
)
def test_a_syntax_error_costs_its_lines_only(text: str, line: int, kept: dict[str, object]) -> None:
    config, found = parse_config(text)
    assert [text.count("\n", 0, problem.start) + 1 for problem in found][:1] == [line]
    assert found[0].message.startswith("This is not TOML: ")
    assert {name: getattr(config, name) for name in kept} == kept


def test_a_hopeless_file_leaves_the_defaults() -> None:
    config, found = parse_config("x = " + "[" * 100_000)
    assert config == Config()
    assert [problem.message for problem in found] == ["This is nested too deeply: at most 32 levels are read."]
    config, found = parse_config("=\n" * 100)
    assert config == Config()
    assert len(found) == 30


@given(st.text() | st.lists(st.sampled_from([*GOOD.split(), "\n", "=", "[", "]", '"', "'''"])).map(" ".join))
def test_reading_never_fails_and_places_lie_inside(text: str) -> None:
    for is_pyproject in (False, True):
        config, found = parse_config(text, is_pyproject)
        config.settings_for("a.plan.json")
        assert all(0 <= problem.start <= problem.end <= len(text) for problem in found)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[tool.plancheck]", True),
        ("[tool.plancheck.rules]", True),
        ("[[ tool . plancheck . overrides ]]", True),
        ('["tool"."plancheck"]', True),
        ("tool.plancheck.max-findings = 3", True),
        ("[tool.plancheck\nbroken", True),
        ('[tool.poetry.dependencies]\nplancheck = "*"', False),
        ("# [tool.plancheck]", False),
    ],
)
def test_which_pyproject_configures_plancheck(text: str, expected: bool) -> None:
    assert has_section(text) is expected


def test_the_dialect_is_set_for_all_plans_or_for_some() -> None:
    config, problems = parse_config(
        """
        dialect = "steps"
        [[overrides]]
        files = ["calls/**"]
        dialect = "calls"
        [[overrides]]
        files = ["calls/**"]
        rules = { empty_plan = "off" }
        """
    )
    assert problems == []
    assert config.settings_for("a.plan.json").dialect == "steps"
    assert config.settings_for("calls/a.plan.json").dialect == "calls"
    assert config.settings_for("calls/a.plan.json").severities == {"empty_plan": None}
    assert Config().settings_for("a.plan.json").dialect is None


# ---- limits ----------------------------------------------------------------------------------------------------------


def test_a_glob_past_the_limits_is_left_out_and_the_others_count() -> None:
    long = "a" * 1_001
    text = f'include = ["{long}", "{"{a,b}" * 7}", "*.json"]\n'
    assert [message for _, message in problems(text)] == [
        f"The glob `{'a' * 59}…` is too long: at most 1,000 characters.",
        "The glob `{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}` expands to more than 100 globs: use fewer `{…}`.",
    ]
    assert parse_config(text)[0].include == ("*.json",)


def test_globs_are_limited_in_all() -> None:
    text = f"include = [{', '.join(repr('a' * 999) for _ in range(60))}]\nexclude = ['b']\n"
    config, found = parse_config(text)
    assert len(config.include) == 50
    message = "This file has too many globs: at most 1,000, of 50,000 characters in all."
    assert [problem.message for problem in found] == [message, message]


def test_globs_are_limited_in_number() -> None:
    text = f"include = [{', '.join([repr('a')] * 1_001)}]"
    config, found = parse_config(text)
    assert len(config.include) == 1_000
    assert [problem.pointer for problem in found] == ["/include/1000"]


def test_overrides_are_limited() -> None:
    text = '[[overrides]]\nfiles = ["x"]\nrules = {}\n' * 501
    config, found = parse_config(text)
    assert len(config.overrides) == 500
    assert [(p.message, text[p.start : p.end]) for p in found] == [
        ("Only the first 500 overrides are used: join some.", "[[overrides]]")
    ]
    assert found[0].start == text.rindex("[[overrides]]")


NESTED = "This is nested too deeply: at most 32 levels are read."
HOSTILE = {
    "a table of many parts": ("[" + ".".join("a" * 20_000) + "]\nx = 1\n", NESTED, "."),
    "a key of many parts": (".".join("a" * 20_000) + " = 1\n", NESTED, "."),
    "keys, each longer": ("".join("a." * n + "b = 1\n" for n in range(32, 600)), NESTED, "."),
    "tables in tables": ("a = " + "{a=" * 5_000 + "1" + "}" * 5_000 + "\n", NESTED, "{"),
    "lists in lists": ("a = " + "[" * 5_000 + "]" * 5_000 + "\n", NESTED, "["),
    "lists on lines": ("a = " + "[\n" * 5_000 + "]\n" * 5_000, NESTED, "["),
    "a long number": (
        "max-file-size = " + "9" * 400_000 + "\n",
        "This is too long: at most 1,000 characters without quotes.",
        "9" * 400_000,
    ),
}


@pytest.mark.parametrize(("text", "message", "token"), HOSTILE.values(), ids=HOSTILE)
def test_what_is_too_much_is_left_out_and_the_rest_counts(text: str, message: str, token: str) -> None:
    text += "[rules]\nunknown_key = 'off'\n"
    started = time.process_time()
    config, found = parse_config(text)
    assert time.process_time() - started < 10
    assert (found[0].message, text[found[0].start : found[0].end]) == (message, token)
    assert {problem.message for problem in found} == {message}
    assert config.rules.severities == {"unknown_key": None}


@pytest.mark.parametrize(
    "text",
    [
        "include = [" + "'a'," * 100_000 + "]",
        "".join(f"k{n} = 1\n" for n in range(50_000)),
        "".join(f"[t{n}]\n" for n in range(50_000)),
        "".join(f"k{n} = \n" for n in range(50_000)),
        "".join(f"k{n} = 1\n" for n in range(40_000)) + "x =\n" * 30,
        "[rules]\n" + "".join(f"k{n} = 'off'\n" for n in range(20_000)),
        "".join(f"[{'a.' * 30}t{n}]\n" for n in range(5_000)),
        "[\n" * 200_000,
        "a = " + '"' * 400_001,
        'a = "' + '\\"' * 200_000,
        'a = """' + "x" * 400_000,
        "a = " + "'" * 3 + "x" * 400_000,
        "\0" * 400_000,
        " " * 400_000 + "[",
        "[tool" + " " * 400_000,
        "tool" + " . plancheck" * 40_000,
        "x" * 500_001,
    ],
)
def test_a_text_made_to_be_slow(text: str) -> None:
    started = time.process_time()
    _, found = parse_config(text)
    has_section(text)
    assert time.process_time() - started < 10
    assert 0 < len(found) <= 230
    assert all(len(problem.message) < 300 for problem in found)


def test_a_file_that_is_too_large_is_not_read() -> None:
    assert problems("#" * 500_000) == []
    message = "This file is too large: at most 500,000 characters are read."
    assert problems("#" * 500_001) == [("#", message)]


def test_the_limits_of_nesting_are_inclusive() -> None:
    deepest = f"{'.'.join('a' * 32)} = 1\nb = {'[' * 32}{']' * 32}\nc = {'1' * 1_000}\n{'d' * 1_000} = 1\n"
    assert all("not a setting" in message for _, message in problems(deepest))
    for text in (f"{'.'.join('a' * 33)} = 1", f"b = {'[' * 33}{']' * 33}", f"c = {'1' * 1_001}"):
        assert len(problems(text)) == 1
        assert "not a setting" not in problems(text)[0][1]


def test_a_huge_number_is_as_good_as_a_large_one() -> None:
    assert parse_config(f"max-findings = {'9' * 900}")[0].max_findings == 2**31 - 1


# ---- pointers --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "pointer"),
    [
        ("includ = []", "/includ"),
        ("include = ['a', '']", "/include/1"),
        ("[rules]\nnonsense = 'off'", "/rules/nonsense"),
        ("[rules]\n'a/b~c' = 'off'", "/rules/a~1b~0c"),
        ("[rules]\nunknown_key = 'loud'", "/rules/unknown_key"),
        ("[[overrides]]\nfiles = []\nrules = {}\n[[overrides]]\nfiles = []\nrules = 1", "/overrides/1/rules"),
        ("x =", ""),
    ],
)
def test_a_problem_has_a_pointer_to_its_key_or_value(text: str, pointer: str) -> None:
    (problem,) = parse_config(text)[1]
    assert problem.pointer == pointer


def test_a_pointer_in_pyproject_starts_at_the_top() -> None:
    (problem,) = parse_config("[tool.plancheck.rules]\nnonsense = 'off'", is_pyproject=True)[1]
    assert problem.pointer == "/tool/plancheck/rules/nonsense"


def test_a_table_sets_the_severity_and_the_options_of_a_rule() -> None:
    text = """\
[rules.parallel_write_race]
severity = "error"
related = 3

[[overrides]]
files = ["a/*"]
rules = { parallel_write_race = { related = 5 }, unknown_key = "off" }
"""
    config, problems = parse_config(text)
    assert problems == []
    elsewhere, there = config.settings_for("b.plan.json"), config.settings_for("a/b.plan.json")
    assert (elsewhere.severities, elsewhere.options) == (
        {"parallel_write_race": Severity.ERROR},
        {"parallel_write_race.related": 3},
    )
    assert there.options == {"parallel_write_race.related": 5}
    assert there.severities == {"parallel_write_race": Severity.ERROR, "unknown_key": None}


@pytest.mark.parametrize(
    ("line", "token", "message"),
    [
        ("related = 0", "0", "`related` must be a number from 1 to 10,000, not 0."),
        ("related = true", "true", "`related` must be a number from 1 to 10,000, not true."),
        ('severity = "loud"', '"loud"', 'Unknown severity `loud`: use "error", "warning", "info", "hint" or "off".'),
        ("relatd = 3", "relatd", "`relatd` is not a setting of `parallel_write_race`: did you mean `related`?"),
    ],
)
def test_a_mistake_in_the_table_of_a_rule(line: str, token: str, message: str) -> None:
    text = f"[rules.parallel_write_race]\n{line}\n"
    config, problems = parse_config(text)
    assert [(text[p.start : p.end], p.message) for p in problems] == [(token, message)]
    assert config.settings_for("a.plan.json").options == {}


def test_profiles() -> None:
    assert parse_config('profile = "strict"')[0].settings_for("a").profile is Profile.STRICT
    (problem,) = parse_config('profile = "strikt"')[1]
    assert problem.message.startswith("`profile` must be")
